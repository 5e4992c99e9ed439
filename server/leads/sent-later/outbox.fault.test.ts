import { randomUUID } from 'node:crypto';
import { asc, count } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AnyCall, buildPath } from '#contract/call.ts';
import { addTag, changeLeadNotes } from '#contract/leads/leads.calls.ts';
import { logContact } from '#contract/leads/log/log.calls.ts';
import { MADE_AT_HEADER } from '#contract/made-at.ts';
import type { EntryKind, EntryStore, OutboxEntry } from '#contract/outbox/entry.ts';
import { type Answer, sendEntries } from '#contract/outbox/send-entries.ts';
import { idempotencyKeys } from '#server/kit/db/kit-tables.ts';
import { type Database, openDatabase } from '#server/kit/db/open.ts';
import { businesses, contactActivities, contactCredits, leadNoteRevisions, leads } from '#server/schema/leads.ts';
import { firstAdmin, kill, startServer } from '#server/testing/child-server.ts';
import { createDatabase, quiet, scratchFolder, TEMPLATE_DATABASE } from '#server/testing/databases.ts';
import startTestServer from '#server/testing/test-server.ts';
import { CUTS, startCuttingProxy } from './cutting-proxy.ts';

const ENTRIES = 200;
const LEADS = 20;
const MINUTE_MS = 60_000;

let database: Database;
let stopServer: () => Promise<void>;
let variables: Record<string, string>;
const dataDir = scratchFolder('outbox');
beforeAll(async () => {
  stopServer = await startTestServer();
  const DATABASE_URL = await createDatabase('outbox', TEMPLATE_DATABASE);
  database = await openDatabase({ databaseUrl: DATABASE_URL, log: quiet });
  variables = { DATABASE_URL, PLACES_PROVIDER: 'osm' };
});
afterAll(async () => {
  await database.close();
  await stopServer();
});

async function insertLeads() {
  const rows = Array.from({ length: LEADS }, (_, nth) => ({ placeId: randomUUID(), name: `Shop ${nth}` }));
  const shops = await database.db.insert(businesses).values(rows).returning({ businessId: businesses.id });
  const held = shops.map((shop) => ({ ...shop, userId: 1 }));
  return database.db.insert(leads).values(held).returning({ id: leads.id, uuid: leads.uuid });
}

/** A morning, without an answer to anything: the notes are all based on those at its start. Of every four entries two contacts, a note and a tag, one lead after the other. */
function buildEntries(held: { id: number; uuid: string }[], start: number): OutboxEntry[] {
  return Array.from({ length: ENTRIES }, (_, nth) => {
    const lead = held[Math.floor(nth / 4) % held.length] ?? { id: 0, uuid: '' };
    const [kind, call, body] = chooseChange(nth);
    return {
      ...{ id: String(nth).padStart(4, '0'), idempotencyKey: randomUUID(), kind, body, title: kind },
      ...{ method: call.method as OutboxEntry['method'], path: call.path, params: { id: lead.id } },
      madeAt: new Date(start + nth * MINUTE_MS).toISOString(),
      ...{ lead: { uuid: lead.uuid, name: lead.uuid }, state: 'waiting' },
    };
  });
}

function chooseChange(nth: number): [EntryKind, AnyCall, Record<string, unknown>] {
  if (nth % 4 === 2) return ['notes', changeLeadNotes.byId, { notes: `Note ${nth}`, notesVersion: 0 }];
  if (nth % 4 === 3) return ['tag', addTag.byId, { tag: `tag ${nth}` }];
  return ['log', logContact.byId, { outcome: nth % 4 ? 'no_answer' : 'spoke', note: `Contact ${nth}` }];
}

/** As a browser stores them: what was put is there, and nothing else. */
function storeOf(entries: OutboxEntry[]): EntryStore {
  const stored = new Map(entries.map((entry) => [entry.id, JSON.stringify(entry)]));
  const read = (text: string) => JSON.parse(text) as OutboxEntry;
  return {
    list: async () => [...stored.values()].map(read).sort((a, b) => (a.id < b.id ? -1 : 1)),
    get: async (id) => (stored.has(id) ? read(stored.get(id) ?? '') : undefined),
    put: async (entry) => void stored.set(entry.id, JSON.stringify(entry)),
    delete: async (id) => void stored.delete(id),
  };
}

const sender =
  (url: string, cookie: string) =>
  async ({ method, path, params, body, idempotencyKey, madeAt }: OutboxEntry): Promise<Answer> => {
    const headers = {
      ...{ cookie, 'content-type': 'application/json', connection: 'close' },
      ...{ 'idempotency-key': idempotencyKey, [MADE_AT_HEADER]: madeAt },
    };
    try {
      const target = url + buildPath({ method, path } as AnyCall, { params });
      const response = await fetch(target, { method, headers, body: JSON.stringify(body) });
      const answer = (await response.json()) as { code?: string; message?: string };
      return { status: response.status, body: answer, ...(response.ok ? {} : answer) };
    } catch {
      return 'none';
    }
  };

/** Two tabs take turns, as with a lock of the browser. */
function createLock() {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work);
    last = next.catch(() => {});
    return next;
  };
}

test('200 entries over a connection that breaks at any point, with kill -9 and forgotten keys: none lost, none doubled', async () => {
  const { db } = database;
  let server = await startServer(dataDir, variables);
  const cookie = await firstAdmin(server.url);
  const held = await insertLeads();
  const start = Date.now() - ENTRIES * MINUTE_MS - MINUTE_MS;
  const entries = buildEntries(held, start);
  const store = storeOf(entries);
  // Most connections break.
  const proxy = await startCuttingProxy(
    () => server.url,
    () => CUTS[Math.floor(Math.random() * CUTS.length)] ?? 'none',
  );
  const lock = createLock();
  const send = sender(proxy.url, cookie);
  let requests = 0;
  const sendAll = () =>
    sendEntries({
      store,
      lock,
      send: (entry) => {
        requests += 1;
        return send(entry);
      },
    });

  let kills = 0;
  for (let left = ENTRIES; left > 0; left = (await store.list()).length) {
    await Promise.all([sendAll(), sendAll()]);
    const due = ENTRIES - left > (kills + 1) * 60;
    if (!due) continue;
    kills += 1;
    await kill(server.child);
    // As after a backup was restored: what was done is there, the keys are not.
    if (kills === 2) await db.delete(idempotencyKeys);
    server = await startServer(dataDir, variables);
  }
  await proxy.stop();

  const logged = entries.filter(({ kind }) => kind === 'log');
  const activities = await db
    .select({
      leadId: contactActivities.userBusinessId,
      at: contactActivities.completedAt,
      note: contactActivities.description,
    })
    .from(contactActivities)
    .orderBy(asc(contactActivities.id));
  expect(activities).toEqual(
    logged.map(({ params, madeAt, body }) => ({ leadId: params.id, at: madeAt, note: body?.note })),
  );
  const [tags, revisions, credits] = [
    (await db.select({ tags: leads.tags }).from(leads)).flatMap((lead) => lead.tags),
    await db.select({ count: count() }).from(leadNoteRevisions),
    await db.select({ count: count() }).from(contactCredits),
  ];
  expect(tags.sort()).toEqual(entries.flatMap(({ body }) => (body?.tag ? [String(body.tag)] : [])).sort());
  expect(revisions[0]?.count).toBe(ENTRIES / 4);
  expect(credits[0]?.count).toBe(LEADS);
  const last = await db.select({ at: leads.lastContactedAt, id: leads.id }).from(leads);
  const lastOf = (id: number) => logged.findLast(({ params }) => params.id === id)?.madeAt;
  expect(last.filter(({ at, id }) => at !== lastOf(id))).toEqual([]);
  console.info(
    `${ENTRIES} entries, ${requests} requests, ${kills} kills, cuts: ${JSON.stringify(proxy.cuts)}; 0 lost, 0 doubled`,
  );
}, 300_000);
