import { get } from 'node:http';
import { EVENT_NAME, EVENTS_PATH } from '#contract/notifications/notifications.calls.ts';
import type { Defer } from '../measure/cleanup.ts';
import { waitUntil } from '../measure/wait-until.ts';

const RECONNECT_MS = 1_000;

/** The event stream of an open page, which reconnects when it ends; counts the events. */
export function openEventStream(defer: Defer, url: string, cookie: string) {
  let [events, connected, closed] = [0, false, false];
  let destroy = () => {};
  const connect = () => {
    if (closed) return;
    const stream = get(url + EVENTS_PATH, { agent: false, headers: { cookie } }, (response) => {
      response.setEncoding('utf8').on('data', (text: string) => {
        connected = true;
        events += text.split(`event: ${EVENT_NAME}`).length - 1;
      });
    });
    stream.on('error', () => {});
    stream.on('close', () => setTimeout(connect, RECONNECT_MS).unref());
    destroy = () => stream.destroy();
  };
  connect();
  const close = () => {
    closed = true;
    destroy();
  };
  defer(close);
  return { events: () => events, connected: () => waitUntil(() => connected, 5_000), close };
}
