import type { ServerResponse } from 'node:http';
import { EVENT_NAME } from '#contract/notifications/notifications.calls.ts';

const HEARTBEAT_MS = 25_000;
const MAX_STREAMS_PER_USER = 20;
const EVENT = `event: ${EVENT_NAME}\ndata: {}\n\n`;
const HEARTBEAT = ': still here\n\n';

/**
 * The open event streams of this process. Each sends an event when something is new, and heartbeat comments in between
 * that keep the connection open. The session is checked before each write, and a stream whose session was revoked ends
 * instead. Revoking a session publishes an event to its user, so its streams end at once.
 */
export function createEventStreams() {
  const open = new Map<number, Set<ServerResponse>>();

  /** Registers an open response; returns what sends an event on it. */
  function add(userId: number, response: ServerResponse, isSessionValid: () => Promise<boolean>): () => void {
    const streams = open.get(userId) ?? new Set();
    open.set(userId, streams.add(response));
    if (streams.size > MAX_STREAMS_PER_USER) streams.values().next().value?.end();

    const send = (text: string) => {
      const writeIfValid = (valid: boolean) => {
        if (response.writableEnded) return;
        if (valid) response.write(text);
        else response.end();
      };
      isSessionValid().then(writeIfValid, () => writeIfValid(false));
    };
    const heartbeat = setInterval(send, HEARTBEAT_MS, HEARTBEAT);
    response.once('close', () => {
      clearInterval(heartbeat);
      streams.delete(response);
      if (!streams.size) open.delete(userId);
    });
    // Also checked: the session may have been revoked before this stream subscribed.
    send('retry: 3000\n: welcome\n\n');
    return () => send(EVENT);
  }

  return {
    add,
    count: () => [...open.values()].reduce((sum, streams) => sum + streams.size, 0),
    closeAll: () => {
      for (const streams of open.values()) for (const response of streams) response.end();
    },
  };
}
