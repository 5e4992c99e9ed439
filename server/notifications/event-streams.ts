import type { ServerResponse } from 'node:http';
import { EVENT_NAME } from '#contract/notifications/notifications.calls.ts';

const HEARTBEAT_MS = 25_000;
const MAX_PER_USER = 20;
const EVENT = `event: ${EVENT_NAME}\ndata: {}\n\n`;
const HEARTBEAT = ': still here\n\n';

/**
 * The open streams of this process. Each sends an event when something is new, and comments in between that keep the
 * connection open. The session is checked before each of them, and a stream whose session was revoked ends instead.
 * Revoking a session is announced to its user, so that happens at once.
 */
export function createEventStreams() {
  const open = new Map<number, Set<ServerResponse>>();

  /** Opens a stream; what it returns sends an event on it. */
  function add(userId: number, response: ServerResponse, sessionIsValid: () => Promise<boolean>): () => void {
    const streams = open.get(userId) ?? new Set();
    open.set(userId, streams.add(response));
    if (streams.size > MAX_PER_USER) streams.values().next().value?.end();

    const send = (text: string) => {
      const checked = (valid: boolean) => {
        if (response.writableEnded) return;
        if (valid) response.write(text);
        else response.end();
      };
      sessionIsValid().then(checked, () => checked(false));
    };
    const heartbeat = setInterval(send, HEARTBEAT_MS, HEARTBEAT);
    response.once('close', () => {
      clearInterval(heartbeat);
      streams.delete(response);
      if (!streams.size) open.delete(userId);
    });
    // Checked too: the session may have been revoked before this stream listened.
    send('retry: 3000\n: welcome\n\n');
    return () => send(EVENT);
  }

  return {
    add,
    /** How many are open. */
    count: () => [...open.values()].reduce((sum, streams) => sum + streams.size, 0),
    closeAll: () => {
      for (const streams of open.values()) for (const response of streams) response.end();
    },
  };
}
