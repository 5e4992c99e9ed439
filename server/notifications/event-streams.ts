import type { ServerResponse } from 'node:http';
import { LEADS_EVENT, USERS_EVENT } from '#contract/notifications/events.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { LiveMessage } from '#server/kit/live-events.ts';
import { toLeadsChanged } from '#server/live/lead-events.ts';

const HEARTBEAT_MS = 25_000;
const MAX_STREAMS_PER_USER = 20;
const HEARTBEAT = ': still here\n\n';
/** Changes of leads are collected: a page refetches once for many of them, also while others work without a pause. */
const COLLECT_MS = 150;
const LEADS_INTERVAL_MS = 2_000;

/** The viewer of a stream, with the current role; null once the session was revoked. */
type FindViewer = () => Promise<Viewer | null>;

/**
 * The open event streams of this process. Each sends an event when something is new, and heartbeat comments in between
 * that keep the connection open. The session is checked before each write, and a stream whose session was revoked ends
 * instead. Revoking a session publishes a message to its user, so its streams end at once.
 */
export function createEventStreams() {
  const open = new Map<number, Set<ServerResponse>>();

  /** Registers an open response; returns what sends a message on it. */
  function add(userId: number, response: ServerResponse, findViewer: FindViewer): (message: LiveMessage) => void {
    const streams = open.get(userId) ?? new Set();
    open.set(userId, streams.add(response));
    if (streams.size > MAX_STREAMS_PER_USER) streams.values().next().value?.end();

    const send = (format: (viewer: Viewer) => string) => {
      const writeOrEnd = (viewer: Viewer | null) => {
        if (response.writableEnded) return;
        if (!viewer) return void response.end();
        const text = format(viewer);
        if (text) response.write(text);
      };
      findViewer().then(writeOrEnd, () => writeOrEnd(null));
    };
    const heartbeat = setInterval(send, HEARTBEAT_MS, () => HEARTBEAT);
    const leads = collect((messages) => send((viewer) => formatEvent(LEADS_EVENT, toLeadsChanged(messages, viewer))));
    response.once('close', () => {
      clearInterval(heartbeat);
      leads.stop();
      streams.delete(response);
      if (!streams.size) open.delete(userId);
    });
    // Also checked: the session may have been revoked before this stream subscribed.
    send(() => 'retry: 3000\n: welcome\n\n');
    return (message) => {
      if (message.topic === LEADS_EVENT) return leads.add(message);
      send((viewer) => formatEvent(message.topic, mayReceive(viewer, message) ? {} : undefined));
    };
  }

  return {
    add,
    count: () => [...open.values()].reduce((sum, streams) => sum + streams.size, 0),
    closeAll: () => {
      for (const streams of open.values()) for (const response of streams) response.end();
    },
  };
}

/** Checked again with the current role: the audience is that of the role when the stream was opened. */
const mayReceive = (viewer: Viewer, { topic }: LiveMessage) => topic !== USERS_EVENT || viewer.role === 'admin';

const formatEvent = (name: string, content: object | undefined) =>
  content ? `event: ${name}\ndata: ${JSON.stringify(content)}\n\n` : '';

/** Passes messages on together: soon after the first, and then at most once in an interval. */
function collect(flush: (messages: LiveMessage[]) => void) {
  let pending: LiveMessage[] = [];
  let timer: NodeJS.Timeout | undefined;
  let nextAt = 0;
  return {
    add(message: LiveMessage) {
      pending.push(message);
      timer ??= setTimeout(
        () => {
          timer = undefined;
          nextAt = Date.now() + LEADS_INTERVAL_MS;
          flush(pending.splice(0));
        },
        Math.max(COLLECT_MS, nextAt - Date.now()),
      );
    },
    stop() {
      clearTimeout(timer);
      pending = [];
    },
  };
}
