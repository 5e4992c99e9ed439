import { randomBytes, randomUUID } from 'node:crypto';
import { count, eq, gt, isNotNull, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CLASSIFY } from '#server/business-types/classify-job.ts';
import { UNDO } from '#server/changes/undo-job.ts';
import { COVERAGE } from '#server/coverage/coverage-job.ts';
import type { Db } from '#server/kit/db/db.ts';
import { type Database, openDatabase } from '#server/kit/db/open.ts';
import { BULK } from '#server/leads/bulk/bulk-job-kind.ts';
import { changeBatches, changes } from '#server/schema/changes.ts';
import { coverageRefresh } from '#server/schema/coverage.ts';
import { duplicatePairs } from '#server/schema/duplicates.ts';
import { jobs } from '#server/schema/jobs.ts';
import { assignmentHistory, businesses, contactActivities, leads } from '#server/schema/leads.ts';
import { notifications } from '#server/schema/notifications.ts';
import { sweepDistricts, sweepResults, sweeps } from '#server/schema/sweeps.ts';
import { throttles, users } from '#server/schema/users.ts';
import { ASSIGN_RESULTS } from '#server/sweeps/assign-results-job.ts';
import { MOVE_LEADS } from '#server/territories/move-leads.ts';
import { kill, startServer, stop } from '#server/testing/child-server.ts';
import { createDatabase, quiet, scratchFolder, TEMPLATE_DATABASE } from '#server/testing/databases.ts';
import startTestServer from '#server/testing/test-server.ts';
import { insertOwnJobs } from './jobs.sql.ts';

const LEADS = 3;
const SHARED_LEADS = 5_000;

let db: Db;
let database: Database;
let stopServer: () => Promise<void>;
let variables: Record<string, string>;
const dataDir = scratchFolder('killed-jobs');
beforeAll(async () => {
  stopServer = await startTestServer();
  const DATABASE_URL = await createDatabase('killed_jobs', TEMPLATE_DATABASE);
  database = await openDatabase({ databaseUrl: DATABASE_URL, log: quiet });
  db = database.db;
  // No sample of places, which is loaded for the own provider.
  variables = { DATABASE_URL, PLACES_PROVIDER: 'osm' };
});
afterAll(async () => {
  await database.close();
  await stopServer();
});

async function insertUser(role: 'user' | 'admin' = 'user', values: Partial<typeof users.$inferInsert> = {}) {
  const username = `${role}-${randomBytes(4).toString('hex')}`;
  const account = {
    username,
    password: 'none',
    email: `${username}@example.test`,
    fullName: username,
    role,
    ...values,
  };
  const [user] = await db.insert(users).values(account).returning({ id: users.id });
  return user?.id ?? 0;
}

async function insertBusinesses(values: Partial<typeof businesses.$inferInsert> = {}, total = LEADS) {
  const rows = Array.from({ length: total }, (_, nth) => ({ placeId: randomUUID(), name: `Shop ${nth}`, ...values }));
  return (await db.insert(businesses).values(rows).returning({ id: businesses.id })).map(({ id }) => id);
}

async function insertLeads(userId: number, values: Partial<typeof businesses.$inferInsert> = {}, total = LEADS) {
  const rows = (await insertBusinesses(values, total)).map((businessId) => ({ userId, businessId }));
  return (await db.insert(leads).values(rows).returning({ id: leads.id })).map(({ id }) => id);
}

const countOf = async (userId: number) => {
  const [held] = await db.select({ count: count() }).from(leads).where(eq(leads.userId, userId));
  const lists = await db
    .select({ ids: notifications.leadIds })
    .from(notifications)
    .where(eq(notifications.userId, userId));
  return { leads: held?.count, notified: lists.map(({ ids }) => ids?.length) };
};

interface Killed {
  kind: string;
  /** Its step has written something when it comes to this table, which the one before does not need. */
  table: string;
  /** Adds what it is done to, and returns what is to be true once it has ended. */
  start: () => Promise<Started>;
}

interface Started {
  read: () => Promise<unknown>;
  once: unknown;
}

/** The kinds that have no such test of their own. */
const KILLED: Killed[] = [
  {
    kind: MOVE_LEADS,
    table: 'notifications',
    start: async () => {
      const [userId, fromUserId, toUserId] = [await insertUser('admin'), await insertUser(), await insertUser()];
      await insertLeads(fromUserId, { formattedAddress: '1 High Street, Leeds LS1 4AP' });
      const id = randomUUID();
      const input = { fromUserId, toUserId, districts: ['LS1'], after: 0, batchId: id };
      await db.insert(jobs).values({ id, kind: MOVE_LEADS, userId, input, total: LEADS });
      return {
        read: async () => [await countOf(toUserId), await db.$count(changes, eq(changes.batchId, id))],
        once: [{ leads: LEADS, notified: [LEADS] }, LEADS],
      };
    },
  },
  {
    kind: 'duplicates',
    table: 'duplicate_pairs',
    start: async () => {
      await insertBusinesses({ name: 'Blue Door Bakery', formattedAddress: '1 High Street, Leeds LS1 4AP' }, 2);
      return { read: () => db.$count(duplicatePairs), once: 1 };
    },
  },
  {
    kind: ASSIGN_RESULTS,
    table: 'notifications',
    start: async () => {
      const [userId, holder, sweepId, id] = [await insertUser('admin'), await insertUser(), randomUUID(), randomUUID()];
      const sweep = { id: sweepId, businessType: 'Bakery', places: ['LS1'], provider: 'local' as const };
      await db.insert(sweeps).values({ ...sweep, state: 'done' });
      await db.insert(sweepDistricts).values({ sweepId, district: 'LS1', position: 0, state: 'done' });
      const found = await insertBusinesses();
      await db.insert(sweepResults).values(found.map((businessId) => ({ sweepId, businessId, district: 'LS1' })));
      const input = { sweepId, assignment: { to: 'user', userId: holder } };
      await db.insert(jobs).values({ id, kind: ASSIGN_RESULTS, userId, input, total: LEADS });
      const initial = eq(assignmentHistory.newUserId, holder);
      return {
        read: async () => [await countOf(holder), await db.$count(assignmentHistory, initial)],
        once: [{ leads: LEADS, notified: [LEADS] }, LEADS],
      };
    },
  },
  {
    kind: COVERAGE,
    table: 'coverage_figures',
    start: async () => {
      await insertLeads(await insertUser(), { formattedAddress: '1 High Street, York YO1 7HH' });
      await insertOwnJobs(db, [COVERAGE]);
      return { read: () => db.$count(coverageRefresh, isNotNull(coverageRefresh.refreshedAt)), once: 1 };
    },
  },
  {
    kind: 'reminders',
    table: 'notifications',
    start: async () => {
      const holder = await insertUser();
      const [userBusinessId = 0] = await insertLeads(holder);
      const scheduledAt = new Date(Date.now() - 60_000).toISOString();
      await db.insert(contactActivities).values({ userBusinessId, type: 'call', description: '', scheduledAt });
      const reminded = isNotNull(contactActivities.remindedAt);
      return {
        read: async () => [await db.$count(contactActivities, reminded), (await countOf(holder)).notified.length],
        once: [1, 1],
      };
    },
  },
  {
    kind: 'housekeeping',
    table: 'throttles',
    start: async () => {
      const expiresAt = '2020-01-01T00:00:00.000Z';
      await db.insert(throttles).values({ key: randomUUID(), expiresAt });
      // From its first table on: the server before may have stopped it between two.
      await db.update(jobs).set({ input: {} }).where(eq(jobs.kind, 'housekeeping'));
      return { read: () => db.$count(throttles, eq(throttles.expiresAt, expiresAt)), once: 0 };
    },
  },
  {
    kind: 'delete-accounts',
    table: 'assignment_history',
    start: async () => {
      const userId = await insertUser('user', { active: false, deletedAt: new Date().toISOString() });
      await insertLeads(userId);
      const left = async () => [(await countOf(userId)).leads, await db.$count(users, eq(users.id, userId))];
      return { read: left, once: [0, 0] };
    },
  },
  {
    kind: CLASSIFY,
    table: 'user_businesses',
    start: async () => {
      const userId = await insertUser();
      await insertLeads(userId, { name: 'Corner Florist' });
      const classified = (type: string) => db.$count(leads, sql`user_id = ${userId} and business_type = ${type}`);
      return { read: () => classified('Florist'), once: LEADS };
    },
  },
];

/** Runs the work while every step has to wait that comes to this table. */
async function whileLocked(table: string, work: (countWaiting: () => Promise<number | null>) => Promise<void>) {
  const waiting = sql`select from pg_locks where not granted and relation = ${table}::regclass`;
  const countWaiting = async () => (await db.execute(waiting)).rowCount;
  await db.transaction(async (tx) => {
    await tx.execute(sql`set local idle_in_transaction_session_timeout = 0`);
    await tx.execute(sql`lock table ${sql.identifier(table)} in exclusive mode`);
    await work(countWaiting);
  });
  await expect.poll(countWaiting, { timeout: 30_000 }).toBe(0);
}

test('jobs of every kind that are killed in the middle of a step do it again, once', async () => {
  for (const { kind, table, start } of KILLED) {
    const { read, once } = await start();
    const state = await read();
    await db
      .update(jobs)
      .set({ runAt: new Date(0).toISOString() })
      .where(eq(jobs.kind, kind));
    await whileLocked(table, async (countWaiting) => {
      const { child } = await startServer(dataDir, variables);
      await expect.poll(countWaiting, { timeout: 30_000, message: kind }).toBe(1);
      await kill(child);
    });
    expect(await read(), `${kind}: nothing of the step is left`).toEqual(state);
    // In a process of its own: behind the next lock, steps that fail would keep it waiting.
    const { child } = await startServer(dataDir, variables);
    await expect.poll(read, { timeout: 30_000, message: kind }).toEqual(once);
    await stop(child);
  }
  expect(await db.$count(jobs, gt(jobs.tries, 0)), 'none has failed').toBe(0);
}, 300_000); // generous: a busy machine is slow

test('two processes that share a bulk action and its undo do each step once', async () => {
  const [userId, holder] = [await insertUser('admin'), await insertUser()];
  const itemIds = await insertLeads(holder, {}, SHARED_LEADS);
  const servers = [await startServer(dataDir, variables), await startServer(dataDir, variables)];
  const id = randomUUID();
  const input = { verb: 'update-status', status: 'recontact' };
  const total = SHARED_LEADS;
  const run = async (job: typeof jobs.$inferInsert) => {
    await db.insert(jobs).values(job);
    const readJob = async () =>
      (
        await db
          .select()
          .from(jobs)
          .where(eq(jobs.id, job.id as string))
      )[0];
    await expect.poll(async () => (await readJob())?.state, { timeout: 60_000 }).toBe('done');
    return readJob();
  };
  expect(await run({ id, kind: BULK, userId, input, itemIds, total })).toMatchObject({ done: total, success: total });
  const isOfStatus = (status: 'new' | 'recontact') => db.$count(leads, sql`user_id = ${holder} and status = ${status}`);
  expect(await isOfStatus('recontact')).toBe(total);
  const countChanges = (batch: string) => db.$count(changes, sql`batch_id = ${batch} and field = 'status'`);
  expect(await countChanges(id)).toBe(total);
  const undo = { id: randomUUID(), kind: UNDO, userId, input: { batchId: id, source: 'list' }, total };
  expect(await run(undo)).toMatchObject({ done: total, success: total, failed: 0 });
  expect(await isOfStatus('new')).toBe(total);
  expect(await countChanges(undo.id)).toBe(total);
  const batches = await db
    .select({ count: changeBatches.count })
    .from(changeBatches)
    .where(eq(changeBatches.userId, userId));
  expect(batches).toHaveLength(2);
  for (const { child } of servers) await stop(child);
}, 180_000);
