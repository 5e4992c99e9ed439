import { expect, test } from 'vitest';
import type { EntryStore, OutboxEntry } from './entry.ts';
import { type Answer, sendEntries } from './send-entries.ts';

const anEntry = (nth: number, changes: Partial<OutboxEntry> = {}): OutboxEntry => ({
  id: String(nth).padStart(4, '0'),
  idempotencyKey: `key-${nth}-00000`,
  kind: 'log',
  method: 'POST',
  path: '/api/business-log/:id',
  params: { id: nth },
  body: { outcome: 'spoke' },
  madeAt: '2026-11-19T09:00:00.000Z',
  title: 'Spoke',
  lead: { uuid: `lead-${nth}`, name: `Shop ${nth}` },
  state: 'waiting',
  ...changes,
});

function memory(...entries: OutboxEntry[]): EntryStore & { stored: () => OutboxEntry[] } {
  const stored = new Map(entries.map((entry) => [entry.id, entry]));
  const list = () => [...stored.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  return {
    stored: list,
    list: async () => list(),
    get: async (id) => stored.get(id),
    put: async (entry) => void stored.set(entry.id, entry),
    delete: async (id) => void stored.delete(id),
  };
}

const OK: Answer = { status: 201, body: {} };
const refusal = (status: number, code: string, more: object = {}): Answer => ({
  status,
  code,
  message: 'No',
  body: more,
});
const lock = <T>(work: () => Promise<T>) => work();

async function sendAll(store: EntryStore, answer: (entry: OutboxEntry) => Answer) {
  const sent: string[] = [];
  const end = await sendEntries({
    store,
    lock,
    send: async (entry) => {
      sent.push(entry.id);
      return answer(entry);
    },
  });
  return { end, sent };
}

test('all are sent in order and leave the outbox', async () => {
  const store = memory(anEntry(2), anEntry(1), anEntry(3));
  expect(await sendAll(store, () => OK)).toEqual({ end: { end: 'done' }, sent: ['0001', '0002', '0003'] });
  expect(store.stored()).toEqual([]);
});

test.each<[string, Answer, object]>([
  ['no answer', 'none', { end: 'unreachable' }],
  ['a page of the network', { status: 403, message: '<html>' }, { end: 'unreachable' }],
  ['a signed-out user', refusal(401, 'not_authenticated'), { end: 'signed-out' }],
  ['another user', refusal(409, 'session_changed'), { end: 'signed-out' }],
  [
    'too many requests',
    { ...(refusal(429, 'rate_limited') as object), retryAfter: 30 } as Answer,
    { end: 'busy', retryAfter: 30 },
  ],
  ['a proxy without a server', { status: 502, message: '' }, { end: 'busy', retryAfter: 0 }],
  ['a server that is starting', refusal(503, 'busy'), { end: 'busy', retryAfter: 0 }],
])('%s stops, and all stay', async (_, answer, end) => {
  const store = memory(anEntry(1), anEntry(2));
  expect(await sendAll(store, () => answer)).toEqual({ end, sent: ['0001'] });
  expect(store.stored()).toEqual([anEntry(1), anEntry(2)]);
});

test('a refusal stays, and the others go on', async () => {
  const store = memory(anEntry(1), anEntry(2));
  await sendAll(store, ({ id }) => (id === '0001' ? refusal(403, 'not_your_lead') : OK));
  expect(store.stored()).toEqual([anEntry(1, { state: 'refused', problem: 'No' })]);
  // Not again until its user has decided.
  expect((await sendAll(store, () => OK)).sent).toEqual([]);
});

test('a conflict has what the server has, and holds back later changes of the same', async () => {
  const lead = { uuid: 'one', name: 'One' };
  const store = memory(
    anEntry(1, { kind: 'status', lead }),
    anEntry(2, { kind: 'status', lead }),
    anEntry(3, { kind: 'status' }),
  );
  const stale = refusal(409, 'stale_field', { current: { status: 'qualified' } });
  const { sent } = await sendAll(store, ({ id }) => (id === '0001' ? stale : OK));
  expect(sent).toEqual(['0001', '0003']);
  expect(store.stored()).toMatchObject([{ state: 'conflict', current: { status: 'qualified' } }, { state: 'waiting' }]);

  const waiting = memory(
    anEntry(1, { kind: 'status', lead, state: 'conflict' }),
    anEntry(2, { kind: 'status', lead }),
    anEntry(3, { kind: 'status' }),
  );
  expect((await sendAll(waiting, () => OK)).sent).toEqual(['0003']);
});

test('what the server recorded before is done; an edited one is for its user to decide', async () => {
  const store = memory(anEntry(1), anEntry(2), anEntry(3, { edited: true }));
  await sendAll(store, ({ id }) =>
    id === '0001' ? refusal(409, 'already_recorded') : refusal(409, 'idempotency_conflict'),
  );
  expect(store.stored()).toMatchObject([{ id: '0003', state: 'refused' }]);
});

test('an entry with which the server fails again and again lets the others pass', async () => {
  const store = memory(anEntry(1), anEntry(2));
  const answer = ({ id }: OutboxEntry) => (id === '0001' ? refusal(500, 'internal') : OK);
  for (let time = 1; time < 5; time += 1) expect((await sendAll(store, answer)).end).toMatchObject({ end: 'busy' });
  expect((await sendAll(store, answer)).end).toEqual({ end: 'done' });
  expect(store.stored()).toMatchObject([{ id: '0001', state: 'refused' }]);
});

test('notes that were changed twice follow the version of the first', async () => {
  const lead = { uuid: 'one', name: 'One' };
  const notes = (nth: number) => anEntry(nth, { kind: 'notes', lead, body: { notes: `${nth}`, notesVersion: 4 } });
  const versions: unknown[] = [];
  await sendAll(memory(notes(1), notes(2)), ({ body }) => {
    versions.push(body?.notesVersion);
    return { status: 200, body: { notesVersion: 5 } };
  });
  expect(versions).toEqual([4, 5]);
});
