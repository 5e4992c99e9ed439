/** The same news under both of its names. */
const EVENTS = ['status-changed', 'statusChange'];

/** After a lead's status has changed: whoever counts contacts looks again. */
export function announceStatusChange() {
  for (const name of EVENTS) window.dispatchEvent(new Event(name));
}

/** Calls the listener once per announcement, however many of its names were used. Answers how to stop listening. */
export function onStatusChange(listener: () => void) {
  let heard = false;
  const hear = () => {
    if (heard) return;
    heard = true;
    // Both names are called out in one go; what comes after that is other news.
    queueMicrotask(() => {
      heard = false;
      if (listening) listener();
    });
  };
  let listening = true;
  for (const name of EVENTS) window.addEventListener(name, hear);
  return () => {
    listening = false;
    for (const name of EVENTS) window.removeEventListener(name, hear);
  };
}
