import {
  EVENTS_PATH,
  LEADS_EVENT,
  type LeadsChanged,
  NOTIFICATIONS_EVENT,
  SETTINGS_EVENT,
  USERS_EVENT,
} from '#contract/notifications/events.ts';

/** The name of the lock and of the channel between tabs. */
const NAME = 'highstreet.events';
const RETRY_MS = 30_000;

/** `missed`: the stream was interrupted, and any event may have been missed. */
export type LiveEvent =
  | { name: typeof NOTIFICATIONS_EVENT | typeof USERS_EVENT | typeof SETTINGS_EVENT | 'missed' }
  | ({ name: typeof LEADS_EVENT } & LeadsChanged);

interface Subscriber {
  onEvent: (event: LiveEvent) => void;
  /** While disconnected, the subscriber has to poll. */
  onConnectionChange: (connected: boolean) => void;
}

type Message = LiveEvent | 'connected' | 'disconnected' | 'status?';

/**
 * Subscribes to the server's events over one connection for all tabs: over HTTP/1.1 a browser opens at most six
 * connections to a server, and one for each tab would leave none for other requests. The leader tab holds a lock,
 * connects, and passes events on to the other tabs; when it is closed, another tab gets the lock. Returns the
 * unsubscribe function.
 */
export function subscribeToEvents({ onEvent, onConnectionChange }: Subscriber): () => void {
  if (typeof EventSource === 'undefined' || typeof BroadcastChannel === 'undefined') return () => {};
  const abort = new AbortController();
  const channel = new BroadcastChannel(NAME);
  const post = (message: Message) => channel.postMessage(message);
  /** Undefined in tabs that are not the leader. */
  let leaderConnected: boolean | undefined;
  /** Another tab led before, or this one until it was hidden: events may have come in between. */
  let handedOver = false;

  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data !== 'status?') handedOver = true;
    if (typeof data === 'object') onEvent(data);
    if (data === 'connected' || data === 'disconnected') onConnectionChange(data === 'connected');
    if (data === 'status?' && leaderConnected !== undefined) post(leaderConnected ? 'connected' : 'disconnected');
  };

  const lead = (signal: AbortSignal) => {
    const mayHaveMissed = handedOver;
    handedOver = true;
    openStream(signal, mayHaveMissed, {
      onEvent: (event) => {
        onEvent(event);
        post(event);
      },
      onConnectionChange: (connected) => {
        leaderConnected = connected;
        onConnectionChange(connected);
        post(connected ? 'connected' : 'disconnected');
      },
    });
  };

  post('status?');
  electLeaderTab(abort.signal, lead);
  return () => {
    abort.abort();
    channel.close();
  };
}

type Lead = (signal: AbortSignal) => void;

function electLeaderTab(signal: AbortSignal, lead: Lead) {
  // Locks exist on https and localhost only. Elsewhere the visible tabs connect: there is seldom more than one.
  if (!navigator.locks) return leadWhileVisible(signal, lead);
  const leadUntilAborted = () => {
    lead(signal);
    return new Promise<void>((release) => signal.addEventListener('abort', () => release()));
  };
  // The request rejects when it is aborted in the queue.
  navigator.locks.request(NAME, { signal }, leadUntilAborted).catch(() => {});
}

function leadWhileVisible(signal: AbortSignal, lead: Lead) {
  let connection: AbortController | undefined;
  const update = () => {
    connection?.abort();
    connection = undefined;
    if (document.visibilityState === 'hidden') return;
    connection = new AbortController();
    lead(connection.signal);
  };
  update();
  document.addEventListener('visibilitychange', update, { signal });
  signal.addEventListener('abort', () => connection?.abort());
}

/** Reconnects after every failure, and then reports that events may have been missed. */
function openStream(signal: AbortSignal, missedBefore: boolean, { onEvent, onConnectionChange }: Subscriber) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let source: EventSource | undefined;
  let mayHaveMissed = missedBefore;

  const connect = () => {
    source = new EventSource(EVENTS_PATH);
    source.onopen = () => {
      onConnectionChange(true);
      if (mayHaveMissed) onEvent({ name: 'missed' });
      mayHaveMissed = false;
    };
    source.onerror = () => {
      mayHaveMissed = true;
      onConnectionChange(false);
      // The browser reconnects by itself after a broken connection, but not after a refusal.
      if (source?.readyState === EventSource.CLOSED) timer = setTimeout(connect, RETRY_MS);
    };
    for (const name of [NOTIFICATIONS_EVENT, USERS_EVENT, SETTINGS_EVENT] as const) {
      source.addEventListener(name, () => onEvent({ name }));
    }
    source.addEventListener(LEADS_EVENT, ({ data }: MessageEvent<string>) =>
      onEvent({ name: LEADS_EVENT, ...(JSON.parse(data) as LeadsChanged) }),
    );
  };
  connect();
  signal.addEventListener('abort', () => {
    clearTimeout(timer);
    source?.close();
  });
}
