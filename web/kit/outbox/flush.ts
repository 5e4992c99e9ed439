import type { QueryClient } from '@tanstack/react-query';
import type { OutboxEntry } from '#contract/outbox/entry.ts';
import { type SendingEnd, sendEntries } from '#contract/outbox/send-entries.ts';
import { sendEntry } from './answer.ts';
import { entryStore, listEntries, withLock } from './outbox.ts';

const EVERY_MS = 60_000;
const FIRST_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 10 * 60_000;

let pausedUntil = 0;
let pauses = 0;
let sending: Promise<void> | undefined;

interface Options {
  queries: QueryClient;
  /** Shows what the server has now. */
  onSent: (entries: OutboxEntry[]) => void;
}

/** Sends what waits, unless it is being sent. `now`: without the pause that the server has asked for. */
export function flushOutbox(options: Options, { now = false } = {}): Promise<void> {
  const store = entryStore();
  const isWaiting = listEntries().some(({ state }) => state === 'waiting');
  if (!store || !isWaiting || (!now && Date.now() < pausedUntil)) return Promise.resolve();
  sending ??= send(options).finally(() => {
    sending = undefined;
  });
  return sending;
}

async function send({ queries, onSent }: Options) {
  const store = entryStore();
  if (!store) return;
  const sent: OutboxEntry[] = [];
  const end = await sendEntries({
    store,
    lock: withLock,
    send: (entry) => sendEntry(entry, (error) => reportError(queries, error)),
    onSent: (entry) => void sent.push(entry),
    // The device was locked, or its storage fails: nothing is lost, and the next time tries again.
  }).catch((): SendingEnd => ({ end: 'unreachable' }));
  pause(end);
  if (sent.length) onSent(sent);
}

function pause(end: SendingEnd) {
  pauses = end.end === 'busy' ? pauses + 1 : 0;
  const ms = end.end === 'busy' ? Math.max(end.retryAfter * 1_000, FIRST_PAUSE_MS * 2 ** (pauses - 1)) : 0;
  pausedUntil = Date.now() + Math.min(ms, MAX_PAUSE_MS);
}

/** The end of the session is handled where that of all other calls is. */
function reportError(queries: QueryClient, error: Error) {
  queries
    .getMutationCache()
    .build(queries, { mutationFn: () => Promise.reject(error), meta: { errorTitle: null } })
    .execute(undefined)
    .catch(() => {});
}

/** Sends at the start, when the connection or the user is back, and every minute. Returns a cleanup function. */
export function keepFlushing(options: Options): () => void {
  const flush = () => void flushOutbox(options);
  const reconnect = () => void flushOutbox(options, { now: true });
  window.addEventListener('online', reconnect);
  window.addEventListener('focus', flush);
  document.addEventListener('visibilitychange', flush);
  const timer = setInterval(flush, EVERY_MS);
  flush();
  return () => {
    window.removeEventListener('online', reconnect);
    window.removeEventListener('focus', flush);
    document.removeEventListener('visibilitychange', flush);
    clearInterval(timer);
  };
}
