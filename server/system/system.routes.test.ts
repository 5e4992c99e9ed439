import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listAuditEvents } from '#contract/audit/audit.calls.ts';
import { login } from '#contract/auth/auth.calls.ts';
import { buildPath } from '#contract/call.ts';
import { formatJobKind } from '#contract/jobs/job.ts';
import { listNotifications } from '#contract/notifications/notifications.calls.ts';
import { downloadBackup, getSystem, startBackup } from '#contract/system/system.calls.ts';
import { createPasswords, loadArgon2 } from '#server/auth/passwords.ts';
import { createHousekeeping } from '#server/housekeeping.ts';
import { mailOutbox } from '#server/kit/db/kit-tables.ts';
import { backups } from '#server/schema/backups.ts';
import { jobs } from '#server/schema/jobs.ts';
import { notifications } from '#server/schema/notifications.ts';
import { placesUsage } from '#server/schema/places.ts';
import { databaseSizes, systemProblems } from '#server/schema/system.ts';
import { users } from '#server/schema/users.ts';
import { quiet } from '#server/testing/databases.ts';
import { runOwnJob, runToEnd } from '#server/testing/jobs.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

const PASSWORD = 'correct horse 9';
let t: TestApp;
let admin: TestUser;
let hash: string;
beforeAll(async () => {
  // Its own database: problems are those of a whole installation.
  t = await testApp({ ownDatabase: true });
  hash = await (await createPasswords(await loadArgon2())).hash(PASSWORD);
  admin = await t.user('admin', { password: hash });
});
afterAll(() => t.close());
beforeEach(async () => {
  for (const table of [backups, jobs, mailOutbox, notifications, databaseSizes, systemProblems]) {
    await t.db.delete(table);
  }
});

const read = async (app = t) => (await app.request(admin, getSystem)).body;
const check = () => runOwnJob(t, 'system');
const ago = (interval: string) => sql`now() - ${interval}::interval`;

async function addBackup(columns: Partial<typeof backups.$inferInsert> = {}, content?: string) {
  const id = randomUUID();
  const file = `highstreet-${id}.backup`;
  const done = { finishedAt: new Date().toISOString(), bytes: content?.length ?? 5, proof: 'passed' as const };
  await t.db.insert(backups).values({ id, kind: 'nightly', file, ...done, ...columns });
  mkdirSync(t.env.backupDir, { recursive: true });
  if (content !== undefined) writeFileSync(join(t.env.backupDir, file), content);
  return { id, file };
}

describe('the state', () => {
  test('names version, start, database, disk and places', async () => {
    const system = await read();
    expect(system).toMatchObject({
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      database: { kind: 'built-in', version: expect.stringMatching(/^\d+\.\d+$/), growth: null },
      backups: { folder: t.env.backupDir, running: false, last: null, lastProven: null, items: [] },
      disks: [{ holds: 'Database and backups', folder: t.env.dataDir, isFull: false }],
      mail: { sentTo: 'folder', waiting: 0, oldestAt: null, lastError: null },
      jobs: [],
      places: { provider: 'local', paidCalls: null },
    });
    expect(Date.parse(system.startedAt)).toBeLessThanOrEqual(Date.now());
    expect(Date.parse(system.backups.nextAt ?? '')).toBeGreaterThan(Date.now());
    expect(system.database.bytes).toBeGreaterThan(1_000_000);
    expect(system.disks[0]?.freeBytes).toBeLessThanOrEqual(system.disks[0]?.totalBytes ?? 0);
  });

  test('has the paid calls of this month, and no nightly backup where that is off', async () => {
    const env = { GOOGLE_MAPS_API_KEY: 'key', BACKUP_AT: 'off', PLACES_MONTHLY_REQUEST_CAP: '40' };
    const paid = await testApp({ env, now: '2031-05-06T10:00:00Z', database: t.database });
    await t.db.insert(placesUsage).values({ month: '2031-05', calls: 12 });
    expect(await read(paid)).toMatchObject({
      backups: { nextAt: null },
      places: { provider: 'google', paidCalls: { used: 12, cap: 40 } },
    });
    await paid.close();
  });

  test('its growth is since the oldest size of the last 30 days', async () => {
    const { bytes } = (await read()).database;
    const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
    await t.db.insert(databaseSizes).values([
      { day: day(31), bytes: 1 },
      { day: day(4), bytes: bytes - 3_000_000 },
      { day: day(2), bytes: bytes - 1_000_000 },
    ]);
    const { growth } = (await read()).database;
    expect(growth?.days).toBe(4);
    expect(growth?.bytes).toBeGreaterThanOrEqual(3_000_000);
  });

  test('the size is stored once a day, and kept for 400 days', async () => {
    await check();
    await t.db.update(databaseSizes).set({ bytes: 7 });
    await check();
    expect(await t.db.select({ bytes: databaseSizes.bytes }).from(databaseSizes)).toEqual([{ bytes: 7 }]);
    await t.db.execute(sql`insert into database_sizes values (current_date - 400, 1), (current_date - 399, 2)`);
    await runToEnd(t.db, createHousekeeping({ log: quiet as never }).job);
    expect((await t.db.select().from(databaseSizes)).map(({ bytes }) => bytes).sort()).toEqual([2, 7]);
  });

  test('lists the backups, newest first; one that ended with its process is a failed one', async () => {
    const old = await addBackup({ startedAt: '2026-01-01T02:30:00Z' });
    const cut = await addBackup({ startedAt: '2026-01-02T02:30:00Z', finishedAt: null, bytes: null, proof: 'waiting' });
    const system = await read();
    expect(system.backups.items).toMatchObject([{ id: cut.id, error: 'It was interrupted.' }, { id: old.id }]);
    expect(system.backups.last).toMatchObject({ id: old.id });

    await t.db.insert(jobs).values({ id: randomUUID(), kind: 'backup' });
    const running = await read();
    expect(running.backups).toMatchObject({ running: true, items: [{ id: cut.id, error: null }, { id: old.id }] });
  });

  test('lists jobs that fail, run and wait, in this order', async () => {
    const job = { userId: null };
    await t.db.insert(jobs).values([
      { ...job, id: randomUUID(), kind: 'reminders', runAt: ago('-1 hour') },
      { ...job, id: randomUUID(), kind: 'bulk', userId: admin.id, done: 500, total: 1_200 },
      { ...job, id: randomUUID(), kind: 'sweep', tries: 2, lastError: 'The provider is slow', runAt: ago('-1 minute') },
      { ...job, id: randomUUID(), kind: 'undo', userId: admin.id, state: 'stopped', lastError: 'An unexpected error' },
      { ...job, id: randomUUID(), kind: 'undo', userId: admin.id, state: 'stopped', message: 'Refused' },
      { ...job, id: randomUUID(), kind: 'undo', userId: admin.id, state: 'done' },
    ]);
    const listed = (await read()).jobs;
    expect(listed.map(({ kind, state }) => `${kind} ${state}`)).toEqual([
      'undo failing',
      'sweep failing',
      'bulk running',
      'reminders waiting',
    ]);
    expect(listed[0]).toMatchObject({ nextAt: null, user: 'Test admin', lastError: 'An unexpected error' });
    expect(listed[2]).toMatchObject({ user: 'Test admin', done: 500, total: 1_200, tries: 0 });
    expect(listed[3]?.nextAt).toMatch(/Z$/);
  });

  test('every job of the product has a label', () => {
    for (const { kind } of t.app.jobKinds) expect(formatJobKind(kind)).not.toBe(kind);
  });
});

describe('a problem', () => {
  const fail = () => addBackup({ finishedAt: null, bytes: null, error: 'There is no room.', proof: 'skipped' });
  const received = async (user: TestUser) => (await t.request(user, listNotifications)).body.items;

  test('is shown at once, and every administrator is notified once', async () => {
    const [other, manager] = [await t.user('admin'), await t.user('manager')];
    const inactive = await t.user('admin', { active: false });
    await fail();
    const failed = { key: 'backup_failed', title: 'The last backup failed', message: 'There is no room.' };
    expect((await read()).problems).toContainEqual({ ...failed, kind: 'backup_failed', since: null });
    await check();
    await check();
    for (const each of [admin, other]) {
      expect((await received(each)).filter(({ title }) => title === failed.title)).toMatchObject([
        { type: 'system_problem', message: failed.message, read: false },
      ]);
    }
    expect(await received(manager)).toEqual([]);
    expect(await t.db.$count(notifications, eq(notifications.userId, inactive.id))).toBe(0);
    const [shown] = (await read()).problems.filter(({ key }) => key === failed.key);
    expect(Date.parse(shown?.since ?? '')).toBeLessThanOrEqual(Date.now());
  });

  test('that comes back within the hour is the same one, and later a new one', async () => {
    const notices = async () =>
      (await received(admin)).filter(({ title }) => title === 'The last backup failed').length;
    await fail();
    await check();
    await addBackup();
    await check();
    await t.db.delete(backups);
    await fail();
    await check();
    expect(await notices()).toBe(1);
    await t.db.update(systemProblems).set({ seenAt: ago('61 minutes') });
    await check();
    expect(await notices()).toBe(2);
  });

  test('is a metric', async () => {
    const readMetric = async (kind: string) => {
      const app = await testApp({ database: t.database }); // a new one, because the problems are cached
      const { body } = await app.inject({ url: '/metrics' });
      await app.close();
      return new RegExp(`^highstreet_problem\\{problem="${kind}"\\} (\\d)$`, 'm').exec(body)?.[1];
    };
    await addBackup();
    expect(await readMetric('backup_failed')).toBe('0');
    await fail();
    expect(await readMetric('backup_failed')).toBe('1');
    expect(await readMetric('mail_failing')).toBe('0');
  });
});

test('a backup that was asked for is made, proven and audited, and there is one at a time', async () => {
  await t.db.insert(jobs).values({ id: randomUUID(), kind: 'backup' });
  expect(await t.request(admin, startBackup)).toMatchObject({ status: 409, body: { code: 'backup_running' } });
  await t.db.delete(jobs);
  expect((await t.request(admin, startBackup)).status).toBe(204);
  await t.app.jobs.run('backup');
  const { running, last, lastProven } = (await read()).backups;
  expect(running).toBe(false);
  expect(last).toMatchObject({ kind: 'manual', error: null, proof: 'passed' });
  expect(lastProven).toEqual(last);
  const { items } = (await t.request(admin, listAuditEvents, { query: { event: 'backup_started' } })).body;
  expect(items).toMatchObject([{ actor: { id: admin.id }, outcome: 'done' }]);
});

describe('the file of a backup', () => {
  const download = (backupId: string, password: string, viewer: TestUser = admin) =>
    t.request(viewer, downloadBackup, { params: { backupId }, body: { password } });
  const readEvents = async (event: 'backup_downloaded' | 'sign_in_failed' | 'account_locked', userId: number) =>
    (await t.request(admin, listAuditEvents, { query: { event, userId } })).body.items;

  test('is sent as it is for the right password, and that is audited', async () => {
    const { id, file } = await addBackup({}, 'the bytes\u0000of a file');
    const response = await t.inject({
      method: 'POST',
      url: buildPath(downloadBackup, { params: { backupId: id } }),
      headers: { cookie: admin.cookie, 'content-type': 'application/json' },
      payload: JSON.stringify({ password: PASSWORD }),
    });
    expect(response.statusCode).toBe(200);
    expect(response.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': '19',
      'content-disposition': `attachment; filename="${file}"`,
      'cache-control': 'no-store',
    });
    expect(response.body).toBe('the bytes\u0000of a file');
    expect(await readEvents('backup_downloaded', admin.id)).toMatchObject([
      { actor: { id: admin.id }, details: { backupId: id } },
    ]);
  });

  test('a wrong password counts as a failed sign-in, and five lock the account for both', async () => {
    const { id } = await addBackup({}, 'secret');
    const viewer = await t.user('admin', { password: hash });
    for (let attempt = 0; attempt < 5; attempt += 1) {
      expect(await download(id, 'wrong one', viewer)).toMatchObject({
        status: 401,
        body: { code: 'invalid_credentials', errors: [{ path: 'password', message: 'The password is not correct' }] },
      });
    }
    const locked = await download(id, PASSWORD, viewer);
    expect(locked).toMatchObject({ status: 429, body: { code: 'too_many_attempts' } });
    expect(Number(locked.headers['retry-after'])).toBeGreaterThan(14 * 60);
    const signIn = { body: { username: viewer.username, password: PASSWORD } };
    expect((await t.request(null, login, signIn)).status).toBe(429);
    expect((await t.request(viewer, getSystem)).status, 'the open session lives on').toBe(200);
    expect(await readEvents('sign_in_failed', viewer.id)).toHaveLength(5);
    expect(await readEvents('account_locked', viewer.id)).toMatchObject([{ actor: { id: viewer.id } }]);
    expect(await readEvents('backup_downloaded', viewer.id)).toEqual([]);
  });

  test('the right password ends the count of failures', async () => {
    const { id } = await addBackup({}, 'secret');
    const viewer = await t.user('admin', { password: hash });
    for (let attempt = 0; attempt < 4; attempt += 1) await download(id, 'wrong one', viewer);
    expect((await download(id, PASSWORD, viewer)).status).toBe(200);
    const [row] = await t.db.select().from(users).where(eq(users.id, viewer.id));
    expect(row).toMatchObject({ failedLoginAttempts: 0, lockedUntil: null });
  });

  test('failures of one IP address are limited over all accounts', async () => {
    const { id } = await addBackup({}, 'secret');
    const viewer = await t.user('admin', { password: hash });
    const key = 'sign-in failures of 127.0.0.1';
    await t.db.execute(sql`insert into throttles (key, count, expires_at) values (${key}, 100, now() + interval '5 minutes')
      on conflict (key) do update set count = 100, expires_at = excluded.expires_at`);
    expect((await download(id, PASSWORD, viewer)).status).toBe(429);
    await t.db.execute(sql`delete from throttles where key = ${key}`);
  });

  test('one that is unknown, unfinished, failed or gone is not found', async () => {
    const unfinished = await addBackup({ finishedAt: null }, 'half');
    const failed = await addBackup({ error: 'There is no room.' }, 'half');
    const gone = await addBackup();
    rmSync(join(t.env.backupDir, gone.file), { force: true });
    for (const { id } of [{ id: randomUUID() }, unfinished, failed, gone]) {
      expect(await download(id, PASSWORD)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    }
  });

  test('an empty password is refused, and does not count', async () => {
    const { id } = await addBackup({}, 'secret');
    const viewer = await t.user('admin', { password: hash });
    expect(await download(id, '', viewer)).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    expect(await readEvents('sign_in_failed', viewer.id)).toEqual([]);
  });
});
