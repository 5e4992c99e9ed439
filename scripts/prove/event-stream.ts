import { EVENTS_PATH, NOTIFICATIONS_EVENT } from '#contract/notifications/events.ts';

/** The event stream of an open page; returns the number of events so far. */
export async function openEventStream(url: string, cookie: string, over: AbortSignal): Promise<() => number> {
  const response = await fetch(url + EVENTS_PATH, { headers: { cookie }, signal: over });
  let received = '';
  const read = async () => {
    for await (const chunk of response.body ?? []) received += Buffer.from(chunk).toString();
  };
  read().catch(() => {}); // ended by the signal or by the server
  return () => received.split(`event: ${NOTIFICATIONS_EVENT}`).length - 1;
}
