import 'wouter/use-browser-location'; // announces pushState and replaceState, for which browsers have no event

const STORAGE_KEY = 'highstreet.scroll';
/** A screen that has not got its height back by then is no longer the one that was left. */
const RESTORE_WITHIN_MS = 5_000;
const USER_SCROLLS = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/**
 * Scrolls as between pages that the server sends: a new entry of the browser's history starts at the top, and going back
 * or forward finds each entry where it was left. The browser would try that before a screen has its content. Returns
 * what ends it.
 */
export function restoreScrolling(): () => void {
  const positions = readPositions();
  let entry = keyOfEntry() ?? markEntry(newKey());
  let { pathname } = window.location;
  let frame: number | undefined;

  const stop = () => {
    if (frame !== undefined) cancelAnimationFrame(frame);
    frame = undefined;
  };
  const restore = (y: number) => {
    stop();
    const deadline = performance.now() + RESTORE_WITHIN_MS;
    const attempt = () => {
      const late = performance.now() > deadline;
      const tallEnough = document.documentElement.scrollHeight - window.innerHeight >= y;
      frame = late || tallEnough ? undefined : requestAnimationFrame(attempt);
      if (late || tallEnough) window.scrollTo(0, y);
    };
    frame = requestAnimationFrame(attempt);
  };
  const toTop = () => {
    stop();
    pathname = window.location.pathname;
    window.scrollTo(0, 0);
  };

  const listeners = {
    scroll: () => {
      // A page that shrinks while its content is on its way moves by itself.
      if (frame === undefined) positions.set(entry, window.scrollY);
    },
    pushState: () => {
      entry = markEntry(newKey());
      toTop();
    },
    replaceState: () => {
      markEntry(entry);
      if (pathname !== window.location.pathname) toTop();
    },
    popstate: () => {
      pathname = window.location.pathname;
      const returned = keyOfEntry();
      // A link to a place on this page is an entry of the browser's own, and scrolled by it.
      entry = returned ?? markEntry(newKey());
      if (returned) restore(positions.get(returned) ?? 0);
    },
    pagehide: () => writePositions(positions),
  };

  history.scrollRestoration = 'manual';
  for (const [event, listener] of Object.entries(listeners)) window.addEventListener(event, listener);
  for (const event of USER_SCROLLS) window.addEventListener(event, stop, { passive: true });
  const reloaded = positions.get(entry);
  if (reloaded !== undefined) restore(reloaded);

  return () => {
    stop();
    history.scrollRestoration = 'auto';
    for (const [event, listener] of Object.entries(listeners)) window.removeEventListener(event, listener);
    for (const event of USER_SCROLLS) window.removeEventListener(event, stop);
  };
}

const newKey = () => Math.random().toString(36).slice(2);

function keyOfEntry(): string | undefined {
  const state: unknown = history.state;
  const entry = typeof state === 'object' && state !== null && 'entry' in state ? state.entry : undefined;
  return typeof entry === 'string' ? entry : undefined;
}

/** Not through `history`, whose methods announce a change of the location: there is none. */
function markEntry(entry: string): string {
  History.prototype.replaceState.call(history, { ...history.state, entry }, '');
  return entry;
}

// For a reload, and for coming back from another site. Storage can be forbidden or full: then the page starts at its top.
function readPositions(): Map<string, number> {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '[]');
    const pairs = Array.isArray(stored) ? stored.filter(isPosition) : [];
    return new Map(pairs);
  } catch {
    return new Map();
  }
}

function writePositions(positions: Map<string, number>) {
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify([...positions]));
  } catch {}
}

const isPosition = (pair: unknown): pair is [string, number] =>
  Array.isArray(pair) && typeof pair[0] === 'string' && typeof pair[1] === 'number';
