import type { ServerResponse } from 'node:http';
import { EVENT_NAME } from '#contract/notifications/notifications.calls.ts';

const HEARTBEAT_MS = 25_000;
const MOST_PER_USER = 20;

/** The open streams of this process. Each says that something is new, and is kept awake by comments in between. */
export function createEventStreams() {
  const open = new Map<number, Set<ServerResponse>>();

  function add(userId: number, response: ServerResponse, stillWelcome: () => Promise<boolean>) {
    const streams = open.get(userId) ?? new Set();
    open.set(userId, streams.add(response));
    if (streams.size > MOST_PER_USER) streams.values().next().value?.end();

    // Whoever was signed out or deactivated meanwhile hears nothing more.
    const heartbeat = setInterval(() => {
      stillWelcome().then(
        (welcome) => (welcome ? response.write(': still here\n\n') : response.end()),
        () => response.end(),
      );
    }, HEARTBEAT_MS);
    response.once('close', () => {
      clearInterval(heartbeat);
      streams.delete(response);
      if (!streams.size) open.delete(userId);
    });
    response.write('retry: 3000\n: welcome\n\n');
  }

  return {
    add,
    tell: (response: ServerResponse) => void response.write(`event: ${EVENT_NAME}\ndata: {}\n\n`),
    /** How many are open. */
    count: () => [...open.values()].reduce((sum, streams) => sum + streams.size, 0),
    closeAll: () => {
      for (const streams of open.values()) for (const response of streams) response.end();
    },
  };
}
