import { ERROR_STATUS, type ErrorCode } from '#contract/errors.ts';
import type { EntryStore, OutboxEntry } from './entry.ts';

/** What came back: nothing, where the server was not reached or its answer was lost. */
export type Answer = { status: number; code?: string; message?: string; retryAfter?: number; body?: unknown } | 'none';

/**
 * How sending ended. unreachable: there is no connection. busy: the server asks to wait. signed-out: only after the same user
 * has signed in again.
 */
export type SendingEnd = { end: 'done' | 'unreachable' | 'signed-out' } | { end: 'busy'; retryAfter: number };

interface Options {
  store: EntryStore;
  send: (entry: OutboxEntry) => Promise<Answer>;
  /** Lets one page at a time send or change an entry. */
  lock: <T>(work: () => Promise<T>) => Promise<T>;
  onSent?: (entry: OutboxEntry) => void;
}

type Step = SendingEnd | 'next';

/** After so many failures of the server an entry lets the others pass, and its user decides. */
const MAX_FAILURES = 5;

/**
 * Sends what waits, in order, each until the server has answered. Its Idempotency-Key makes it harmless to send one again
 * whose answer was lost.
 */
export async function sendEntries({ store, lock, ...options }: Options): Promise<SendingEnd> {
  const inConflict = new Set<string>();
  for (const { id } of await store.list()) {
    const step = await lock(async (): Promise<Step> => {
      // The user or another page may have changed it, or sent it.
      const entry = await store.get(id);
      if (!entry) return 'next';
      if (inConflict.has(toSubject(entry))) return 'next';
      const step = entry.state === 'waiting' ? await sendOne(store, entry, options) : 'next';
      if ((await store.get(id))?.state === 'conflict') inConflict.add(toSubject(entry));
      return step;
    });
    if (step !== 'next') return step;
  }
  return { end: 'done' };
}

/** What it changes: a later change of the same waits until the user has decided about an earlier one. */
const toSubject = ({ kind, lead, params }: OutboxEntry) => `${kind} ${lead?.uuid ?? JSON.stringify(params)}`;

async function sendOne(
  store: EntryStore,
  entry: OutboxEntry,
  { send, onSent }: Pick<Options, 'send' | 'onSent'>,
): Promise<Step> {
  const answer = await send(entry);
  const outcome = decide(entry, answer);
  if (typeof outcome === 'object') return outcome;
  if (outcome === 'sent') {
    await followNotes(store, entry, answer);
    await store.delete(entry.id);
    onSent?.(entry);
    return 'next';
  }
  const { message = '', status = 0, body, retryAfter = 0 } = answer === 'none' ? {} : answer;
  const failures = (entry.failures ?? 0) + 1;
  if (outcome === 'failed' && failures < MAX_FAILURES) {
    await store.put({ ...entry, failures });
    return { end: 'busy', retryAfter };
  }
  const problem = message || `The server answered with ${status}`;
  if (outcome === 'conflict') await store.put({ ...entry, state: 'conflict', problem, current: readCurrent(body) });
  else await store.put({ ...entry, state: 'refused', problem });
  return 'next';
}

type Outcome = 'sent' | 'conflict' | 'refused' | 'failed' | SendingEnd;

const CONFLICTS: ErrorCode[] = ['stale_field', 'stale_notes', 'lead_changed'];
const SIGNED_OUT: ErrorCode[] = ['not_authenticated', 'session_changed', 'second_factor_required', 'account_inactive'];

function decide(entry: OutboxEntry, answer: Answer): Outcome {
  if (answer === 'none') return { end: 'unreachable' };
  const { status, retryAfter = 0 } = answer;
  if (status < 300) return 'sent';
  const code = Object.keys(ERROR_STATUS).find((known): known is ErrorCode => known === answer.code);
  // Something between this device and the server has answered: the page of a network's log-in, for example.
  if (!code && status < 500) return { end: 'unreachable' };
  if (code === 'already_recorded') return 'sent';
  // With this key the server has recorded what the user had typed first.
  if (code === 'idempotency_conflict') return entry.edited ? 'refused' : 'sent';
  if (status === 401 || (code && SIGNED_OUT.includes(code))) return { end: 'signed-out' };
  if (code === 'internal') return 'failed';
  if (status === 429 || status >= 500) return { end: 'busy', retryAfter };
  return code && CONFLICTS.includes(code) ? 'conflict' : 'refused';
}

/** The next change of the same notes was typed on top of this one. */
async function followNotes(store: EntryStore, { kind, body, ...entry }: OutboxEntry, answer: Answer) {
  if (kind !== 'notes' || typeof body?.notesVersion !== 'number') return;
  const saved = answer === 'none' ? undefined : (answer.body as { notesVersion?: number } | undefined);
  // What was recorded before has no version in its answer.
  const notesVersion = saved?.notesVersion ?? body.notesVersion + 1;
  for (const later of await store.list()) {
    const follows = later.kind === 'notes' && later.lead?.uuid === entry.lead?.uuid && later.id > entry.id;
    if (!follows || later.body?.notesVersion !== body.notesVersion) continue;
    await store.put({ ...later, body: { ...later.body, notesVersion } });
  }
}

function readCurrent(body: unknown): Record<string, unknown> | undefined {
  return (body as { current?: Record<string, unknown> } | undefined)?.current;
}
