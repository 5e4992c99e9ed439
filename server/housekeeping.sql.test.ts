import { randomUUID } from 'node:crypto';
import { eq, inArray, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import type { ImportState } from '#contract/import/import-job.ts';
import type { SweepState } from '#contract/sweeps/sweep.ts';
import { createHousekeeping } from './housekeeping.ts';
import type { Db } from './kit/db/db.ts';
import { idempotencyKeys } from './kit/db/kit-tables.ts';
import { auditEvents } from './schema/audit.ts';
import { changeBatches } from './schema/changes.ts';
import { importChunks, imports } from './schema/imports.ts';
import { jobs } from './schema/jobs.ts';
import { notifications } from './schema/notifications.ts';
import { sweepDistricts, sweeps } from './schema/sweeps.ts';
import { passwordResetTokens, sessions, throttles } from './schema/users.ts';
import { savedViews } from './schema/views.ts';
import { quiet } from './testing/databases.ts';
import { runToEnd } from './testing/jobs.ts';
import { testApp } from './testing/test-app.ts';

/** Returns what each statement deleted: "throttles 10". */
async function deleteExpired(db: Db, maxRows?: number): Promise<string[]> {
  const { job, deleted } = createHousekeeping({ log: quiet as never, ...(maxRows && { maxRows }) });
  const statements: string[] = [];
  let before = { ...deleted() };
  await runToEnd(db, job, () => {
    for (const [table, rows] of Object.entries(deleted())) {
      if (rows > (before[table] ?? 0)) statements.push(`${table} ${rows - (before[table] ?? 0)}`);
    }
    before = { ...deleted() };
  });
  return statements;
}

test('expired rows are deleted, and no others', async () => {
  const t = await testApp();
  const { db } = t;
  const { id: userId } = await t.user();
  const ago = (interval: string) => sql`now() - ${interval}::interval`;
  const key = (name: string) => `${name} of ${userId}`;
  await db.insert(sessions).values([
    { id: key('expired'), userId, expiresAt: ago('1 second') },
    { id: key('idle'), userId, expiresAt: ago('-1 day'), lastUsedAt: ago('12 hours 1 second') },
    { id: key('alive'), userId, expiresAt: ago('-1 day'), lastUsedAt: ago('11 hours') },
  ]);
  await db.insert(throttles).values([
    { key: key('over'), expiresAt: ago('1 second') },
    { key: key('open'), expiresAt: ago('-1 minute') },
    { key: key('locked'), expiresAt: ago('1 second'), lockedUntil: ago('-1 minute') },
  ]);
  await db.insert(passwordResetTokens).values([
    { userId, token: key('old'), expiresAt: ago('1 day 1 second') },
    { userId, token: key('recent'), expiresAt: ago('1 hour') },
  ]);
  const stored = { userId, route: 'x', bodyHash: 'x', status: 200, response: '' };
  await db.insert(idempotencyKeys).values([
    { ...stored, key: 'old', createdAt: ago('30 days 1 second') },
    { ...stored, key: 'recent', createdAt: ago('29 days') },
    { ...stored, route: 'POST /x token', key: 'old of a program', createdAt: ago('24 hours 1 second') },
  ]);
  await db.insert(auditEvents).values([
    { event: 'old', actorId: userId, at: ago('400 days 1 second') },
    { event: 'recent', actorId: userId, at: ago('399 days') },
  ]);
  await db.execute(sql`insert into morning_emails (day, created_at)
    values ('2020-01-01', now() - interval '30 days 1 second'), ('2020-01-02', now() - interval '29 days')`);
  await db.execute(sql`insert into weekly_emails (monday, created_at)
    values ('2020-01-06', now() - interval '30 days 1 second'), ('2020-01-13', now() - interval '29 days')`);
  const notice = { userId, type: 'lead_assigned' as const, message: 'x' };
  await db.insert(notifications).values([
    { ...notice, title: 'old and unread', createdAt: ago('90 days 1 second') },
    { ...notice, title: 'old and read', read: true, createdAt: ago('1 year') },
    { ...notice, title: 'recent', read: true, createdAt: ago('89 days') },
  ]);

  const batch = { userId, kind: 'status' as const, source: 'list' as const };
  const [kept, trimmed] = [randomUUID(), randomUUID()];
  await db.insert(changeBatches).values([
    { ...batch, id: trimmed, at: ago('24 months 1 second') },
    { ...batch, id: kept, at: ago('23 months'), undoes: trimmed },
  ]);

  const view = { ownerId: userId, settings: {} };
  await db.insert(savedViews).values([
    { ...view, name: 'deleted long ago', deletedAt: ago('30 days 1 second') },
    { ...view, name: 'deleted', deletedAt: ago('29 days') },
    { ...view, name: 'kept' },
  ]);

  const job = { kind: 'bulk', userId };
  await db.insert(jobs).values([
    { ...job, id: trimmed, state: 'done', updatedAt: ago('7 days 1 second') },
    { ...job, id: kept, state: 'running', updatedAt: ago('7 days 1 second') },
  ]);

  await deleteExpired(db);

  const remaining = async (rows: PromiseLike<{ name: string }[]>) => (await rows).map(({ name }) => name).sort();
  expect(
    await remaining(
      db
        .select({ name: sessions.id })
        .from(sessions)
        .where(sql`id like ${`% of ${userId}`}`),
    ),
  ).toEqual([key('alive')]);
  expect(
    await remaining(
      db
        .select({ name: throttles.key })
        .from(throttles)
        .where(sql`key like ${`% of ${userId}`}`),
    ),
  ).toEqual([key('locked'), key('open')]);
  const tokens = db.select({ name: passwordResetTokens.token }).from(passwordResetTokens);
  expect(await remaining(tokens.where(eq(passwordResetTokens.userId, userId)))).toEqual([key('recent')]);
  const keys = db.select({ name: idempotencyKeys.key }).from(idempotencyKeys);
  expect(await remaining(keys.where(eq(idempotencyKeys.userId, userId)))).toEqual(['recent']);
  const events = db.select({ name: auditEvents.event }).from(auditEvents);
  expect(await remaining(events.where(eq(auditEvents.actorId, userId)))).toEqual(['recent']);
  const batches = db.select({ name: changeBatches.id, undoes: changeBatches.undoes }).from(changeBatches);
  expect(await batches.where(eq(changeBatches.userId, userId))).toEqual([{ name: kept, undoes: null }]);
  const notices = db.select({ name: notifications.title }).from(notifications);
  expect(await remaining(notices.where(eq(notifications.userId, userId)))).toEqual(['recent']);
  const views = db.select({ name: savedViews.name }).from(savedViews).where(eq(savedViews.ownerId, userId));
  expect(await remaining(views)).toEqual(['deleted', 'kept']);
  expect(await db.delete(jobs).where(eq(jobs.userId, userId)).returning({ id: jobs.id })).toEqual([{ id: kept }]);
  const mornings = db.execute<{ name: string }>(
    sql`delete from morning_emails where day < '2021-01-01' returning day::text as name`,
  );
  expect((await mornings).rows).toEqual([{ name: '2020-01-02' }]);
  const mondays = db.execute<{ name: string }>(
    sql`delete from weekly_emails where monday < '2021-01-01' returning monday::text as name`,
  );
  expect((await mondays).rows).toEqual([{ name: '2020-01-13' }]);
  await t.close();
});

test('files, drafts and imports are deleted when their time is over', async () => {
  const t = await testApp();
  const { db } = t;
  const ids: string[] = [];
  const add = async (fileName: string, state: ImportState, age: string, columns = {}) => {
    const id = randomUUID();
    ids.push(id);
    const at = sql`now() - ${age}::interval`;
    const times = { createdAt: at, updatedAt: at };
    await db.insert(imports).values({ id, fileName, state, batchId: randomUUID(), ...times, ...columns });
    await db.insert(importChunks).values({ importId: id, start: 0, bytes: Buffer.from('x') });
  };
  const started = { startedAt: sql`now() - interval '60 days'` };
  await add('upload, over', 'uploading', '1 day 1 second');
  await add('upload', 'uploading', '23 hours');
  await add('draft, over', 'mapping', '7 days 1 second');
  await add('checked, over', 'checked', '7 days 1 second');
  await add('draft', 'checked', '6 days');
  await add('running', 'running', '40 days', started);
  await add('stopped, file over', 'stopped', '7 days 1 second', started);
  await add('stopped', 'stopped', '6 days', started);
  await add('cancelled, over', 'cancelled', '30 days 1 second', started);
  await add('done, over', 'done', '30 days 1 second', started);
  await add('done', 'done', '29 days', started);

  await deleteExpired(db);

  const { rows } = await db.execute<{ name: string; file: boolean }>(sql`
    delete from imports where id = any (${sql.param(ids)}::uuid[])
    returning file_name as name, exists (select from import_chunks where import_id = id) as file`);
  expect(rows.map(({ name, file }) => `${name}${file ? '' : ' (no file)'}`).sort()).toEqual(
    ['upload', 'draft', 'running', 'stopped', 'stopped, file over (no file)', 'done'].sort(),
  );
  await t.close();
});

test('sweeps are deleted with their results when their time is over, unless they are running', async () => {
  const t = await testApp();
  const ids: string[] = [];
  const add = async (businessType: string, state: SweepState, age: string) => {
    const id = randomUUID();
    ids.push(id);
    const at = sql`now() - ${age}::interval`;
    await t.db.insert(sweeps).values({ id, businessType, places: ['LS1'], provider: 'local', state, updatedAt: at });
    await t.db.insert(sweepDistricts).values({ sweepId: id, district: 'LS1', position: 0 });
  };
  await add('over', 'done', '90 days 1 second');
  await add('paused, over', 'paused', '90 days 1 second');
  await add('kept', 'done', '89 days');
  await add('running', 'running', '91 days');

  await deleteExpired(t.db);

  const kept = await t.db.delete(sweeps).where(inArray(sweeps.id, ids)).returning();
  expect(kept.map(({ businessType }) => businessType).sort()).toEqual(['kept', 'running']);
  expect(await t.db.$count(sweepDistricts, inArray(sweepDistricts.sweepId, ids))).toBe(0);
  await t.close();
});

test('old notifications are found by an index', async () => {
  const t = await testApp();
  const plan = await t.db.transaction(async (tx) => {
    // A test has too few rows for the planner to prefer an index.
    await tx.execute(sql`set local enable_seqscan = off`);
    const { rows } = await tx.execute(
      sql`explain delete from notifications where created_at <= now() - interval '90 days'`,
    );
    return JSON.stringify(rows);
  });
  expect(plan).toContain('notifications_created_at_idx');
  await t.close();
});

test('one statement deletes a limited number of rows, and is repeated until none is left', async () => {
  const t = await testApp();
  await deleteExpired(t.db);
  await t.db.execute(sql`insert into throttles (key, expires_at)
    select 'expired ' || n, now() - interval '1 second' from generate_series(1, 25) n`);
  expect(await deleteExpired(t.db, 10)).toEqual(['throttles 10', 'throttles 10', 'throttles 5']);
  expect(await t.db.$count(throttles, sql`key like 'expired %'`)).toBe(0);
  await t.close();
});

test('an error in one table does not stop the others, and what was deleted is logged and counted', async () => {
  const t = await testApp({ ownDatabase: true });
  const { id: userId } = await t.user();
  await t.db.execute(sql`
    create function refuse_delete() returns trigger language plpgsql as 'begin raise ''refused''; end'`);
  await t.db.execute(sql`
    create trigger refuse_delete before delete on throttles for each row execute function refuse_delete()`);
  const ago = (interval: string) => sql`now() - ${interval}::interval`;
  await t.db.insert(sessions).values({ id: 'expired', userId, expiresAt: ago('1 second') });
  await t.db.insert(throttles).values({ key: 'expired', expiresAt: ago('1 second') });
  await t.db.insert(auditEvents).values([{ event: 'old', at: ago('401 days') }]);
  const lines: [object, string][] = [];
  const write = (details: object, message: string) => void lines.push([details, message]);
  const housekeeping = createHousekeeping({ log: { info: write, warn: write } as never });

  await runToEnd(t.db, housekeeping.job);

  expect(lines).toEqual([
    [{ err: expect.any(Error), table: 'throttles' }, 'expired rows not deleted, will try again'],
    [{ deleted: { sessions: 1, audit_events: 1 } }, 'expired rows deleted'],
  ]);
  expect(housekeeping.deleted()).toMatchObject({ sessions: 1, throttles: 0, audit_events: 1 });
  expect(housekeeping.failures()).toBe(1);
  await t.close();
});

test('rows that belong to an expired one are deleted before it, within the limit', async () => {
  const t = await testApp({ ownDatabase: true });
  const [batchId, sweepId] = [randomUUID(), randomUUID()];
  const { id: leadId } = await t.lead(await t.user());
  await t.db
    .insert(changeBatches)
    .values({ id: batchId, kind: 'status', source: 'list', at: sql`now() - interval '25 months'` });
  await t.db.execute(sql`insert into changes (batch_id, lead_id, field)
    select ${batchId}, ${leadId}, 'status' from generate_series(1, 7)`);
  const at = sql`now() - interval '91 days'`;
  await t.db
    .insert(sweeps)
    .values({ id: sweepId, businessType: 'x', places: ['LS1'], provider: 'local', state: 'done', updatedAt: at });
  expect(await deleteExpired(t.db, 5)).toEqual(['changes 5', 'changes 2', 'change_batches 1', 'sweeps 1']);
  await t.close();
});
