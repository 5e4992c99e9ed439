import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { checkBackup } from '#server/backup/file/read-backup.ts';
import { proveBackup } from '#server/backup/restore/prove-backup.ts';
import type { Database } from '#server/kit/db/open.ts';
import { createLog } from '#server/kit/log.ts';
import { backups } from '#server/schema/backups.ts';
import { jobs } from '#server/schema/jobs.ts';
import { freshDatabase, scratchFolder } from '#server/testing/databases.ts';
import { runToEnd } from '#server/testing/jobs.ts';
import { insertManyLeads } from '#server/testing/many-leads.ts';
import { type TestApp, testApp } from '#server/testing/test-app.ts';
import { BACKUP, backupScheduleJob, startBackup } from './backup-job.ts';
import { lastBackupDue } from './backup-times.ts';
import { findLastBackup, findLastProof, listBackups } from './backups.sql.ts';
import { makeBackup } from './make-backup.ts';

const KEY = 'a passphrase of some length';
const DAY_MS = 86_400_000;

let database: Database;
let t: TestApp;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  t = await testApp({ database });
});
afterEach(async () => {
  await t.close();
  await database.db.delete(backups);
  await database.db.delete(jobs);
});

const files = () => (existsSync(t.env.backupDir) ? readdirSync(t.env.backupDir) : []);
const scratchDatabases = async () =>
  (await database.pool.query("SELECT FROM pg_database WHERE datname = '_highstreet_scratch_' || current_database()"))
    .rowCount;

async function makeOne(app = t) {
  await database.db.transaction(startBackup);
  await app.app.jobs.run(BACKUP);
  const [backup] = await listBackups(database.db);
  if (!backup) throw new Error('there is no backup');
  return backup;
}

/** The schedule as it is found a minute after it was due, in a database that is older. */
async function runSchedule() {
  const now = new Date();
  const due = lastBackupDue(t.env, now) ?? now;
  await database.db.insert(jobs).values({
    ...{ id: randomUUID(), kind: 'backup-schedule' },
    createdAt: new Date(due.getTime() - DAY_MS).toISOString(),
  });
  await t.app.jobs.run('backup-schedule');
  await t.app.jobs.run(BACKUP);
  await database.db.delete(jobs).where(eq(jobs.kind, 'backup-schedule'));
}
const addNightly = (agoMinutes: number, error: string | null) =>
  database.db.insert(backups).values({
    ...{ id: randomUUID(), kind: 'nightly', file: randomUUID(), error },
    ...{ startedAt: sql`now()`, finishedAt: sql`now() - make_interval(mins => ${agoMinutes})` },
  });

test('a backup that is asked for is written, restored into a scratch database, compared and recorded', async () => {
  const { id: userId } = await t.user();
  await insertManyLeads(database.db, userId, 30);

  const backup = await makeOne();

  expect(backup).toMatchObject({ kind: 'manual', encrypted: false, error: null, proof: 'passed', proofMessage: null });
  const path = join(t.env.backupDir, backup.file);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(t.env.backupDir).mode & 0o777).toBe(0o700);
  const { header, counts } = await checkBackup(path);
  expect(backup).toMatchObject({ bytes: statSync(path).size, schema: header.schema });
  expect(backup.rows).toBe(Object.values(counts).reduce((sum, count) => sum + count, 0));
  expect(backup.proofMs).toBeGreaterThan(0);
  expect([backup.finishedAt, backup.proofStartedAt, backup.proofFinishedAt]).not.toContain(null);
  expect(files()).toEqual([backup.file]);
  expect(await scratchDatabases()).toBe(0);
  expect(await findLastBackup(database.db)).toEqual(backup);
  expect(await findLastProof(database.db)).toEqual(backup);
  expect(await database.db.$count(jobs, eq(jobs.kind, BACKUP))).toBe(0);
});

test('one is made at a time, by one of several processes', async () => {
  const other = await testApp({ database, env: { BACKUP_DIR: t.env.backupDir } });
  await database.db.transaction(startBackup);
  await expect(database.db.transaction(startBackup)).rejects.toMatchObject({ code: 'backup_running' });
  await Promise.all([t.app.jobs.run(BACKUP), other.app.jobs.run(BACKUP)]);
  await expect.poll(async () => (await listBackups(database.db)).map(({ proof }) => proof)).toEqual(['passed']);
  expect(files()).toHaveLength(1);
  await other.close();
});

test('with BACKUP_KEY the file is encrypted, and proven with it', async () => {
  const keyed = await testApp({ database, env: { BACKUP_KEY: KEY } });
  const backup = await makeOne(keyed);
  expect(backup).toMatchObject({ encrypted: true, proof: 'passed' });
  const path = join(keyed.env.backupDir, backup.file);
  expect(readFileSync(path, 'latin1')).toMatch(/^\{"kind":"highstreet-encrypted-backup"/);
  await expect(checkBackup(path)).rejects.toThrow('is encrypted: set BACKUP_KEY');
  await expect(checkBackup(path, { key: `${KEY}?` })).rejects.toThrow('BACKUP_KEY does not fit');
  await keyed.close();
});

test('a file that was damaged on the disk fails its proof', async () => {
  const { file } = await makeOne();
  const path = join(t.env.backupDir, file);
  const bytes = readFileSync(path);
  bytes[bytes.length - 3] = (bytes.at(-3) ?? 0) ^ 1;
  writeFileSync(path, bytes);
  await database.db.update(backups).set({ proof: 'waiting' });
  const [{ id = '' } = {}] = await listBackups(database.db);
  await database.db.insert(jobs).values({ id, kind: BACKUP, input: { kind: 'manual', proving: id } });
  await t.app.jobs.run(BACKUP);
  expect((await listBackups(database.db))[0]).toMatchObject({
    proof: 'failed',
    proofMessage: expect.stringMatching(/is not a whole backup|is damaged/),
  });
  expect(await scratchDatabases()).toBe(0);
});

test('a restored copy with other rows than were written fails the proof', async () => {
  const { file } = await makeOne();
  const path = join(t.env.backupDir, file);
  // The checksum does not cover the fingerprints.
  const text = gunzipSync(readFileSync(path)).toString();
  writeFileSync(path, gzipSync(text.replace(/(?<="fingerprints":\{.*"users":")\d+/, '9')));
  await expect(proveBackup(path, { database, env: t.env, log: createLog('silent') })).rejects.toThrow(
    'these tables did not arrive as they were: users',
  );
  expect(await scratchDatabases()).toBe(0);
});

test('a proof is skipped with the reason where the account may not create databases, or there is no room', async () => {
  const { file } = await makeOne();
  const path = join(t.env.backupDir, file);
  const options = { database, env: t.env, log: createLog('silent') };
  await expect(proveBackup(path, { ...options, free: () => 0 })).rejects.toThrow(
    /a copy of the database needs \d+ MB, and .* has room for 0 MB/,
  );

  const role = `limited_${process.pid}`;
  await database.pool.query(`CREATE ROLE ${role} LOGIN PASSWORD 'x'`);
  const directUrl = Object.assign(new URL(database.directUrl), { username: role, password: 'x' }).href;
  await expect(proveBackup(path, { ...options, database: { ...database, directUrl } })).rejects.toThrow(
    `the account ${role} may not create databases. ALTER ROLE "${role}" CREATEDB allows it`,
  );
  await database.pool.query(`DROP ROLE ${role}`);
});

test('a scratch database that a killed process left is dropped by the next proof', async () => {
  const { rows } = await database.pool.query<{ name: string }>(
    "SELECT '_highstreet_scratch_' || current_database() AS name",
  );
  await database.pool.query(`CREATE DATABASE ${rows[0]?.name}`);
  expect(await scratchDatabases()).toBe(1);
  expect(await makeOne()).toMatchObject({ proof: 'passed' });
  expect(await scratchDatabases()).toBe(0);
});

test('what the disk cannot hold is not begun, and says so', async () => {
  await expect(makeBackup(database.pool, 'x.backup', { env: t.env, free: () => 0 })).rejects.toThrow(
    /a backup needs about \d+ MB, and .* has room for 0 MB; nothing was written/,
  );
  expect(files()).toEqual([]);
});

test('a disk that fills up meanwhile ends the backup and leaves no file', async () => {
  let checks = 0;
  const free = () => {
    checks += 1;
    return checks > 5 ? 0 : Number.MAX_SAFE_INTEGER;
  };
  await expect(makeBackup(database.pool, 'x.backup', { env: t.env, free })).rejects.toThrow(/the disk of .* is full/);
  expect(files()).toEqual([]);
});

test('a backup that fails is recorded with its reason', async () => {
  writeFileSync(t.env.backupDir, 'a file in the place of the folder');
  expect(await makeOne()).toMatchObject({
    error: expect.stringMatching(/EEXIST|ENOTDIR/),
    proof: 'skipped',
    bytes: null,
  });
  expect(t.lines.join()).toMatch('a backup was not made');
  expect(await database.db.$count(jobs, eq(jobs.kind, BACKUP))).toBe(0);
});

test('the nightly backup is made once it is due', async () => {
  await runSchedule();
  expect(await listBackups(database.db)).toMatchObject([{ kind: 'nightly', proof: 'passed' }]);
  await runSchedule();
  expect(await listBackups(database.db)).toHaveLength(1);
});

test('a new database has its first backup in its first night', async () => {
  const [job] = await database.db.insert(jobs).values({ id: randomUUID(), kind: 'backup-schedule' }).returning();
  await t.app.jobs.run();
  expect(await listBackups(database.db)).toEqual([]);
  expect(job?.state).toBe('running');
});

test('a nightly backup that failed is tried again after ten minutes, three times in all', async () => {
  const count = () => database.db.$count(backups);
  await addNightly(5, 'failed');
  await runSchedule();
  expect(await count()).toBe(1);
  await database.db.update(backups).set({ finishedAt: sql`now() - interval '11 minutes'` });
  await addNightly(11, 'failed');
  await addNightly(11, 'failed');
  await runSchedule();
  expect(await count()).toBe(3);
  await database.db.delete(backups).where(eq(backups.id, (await listBackups(database.db))[0]?.id ?? ''));
  await runSchedule();
  expect(await listBackups(database.db)).toMatchObject([{ error: null }, { error: 'failed' }, { error: 'failed' }]);
});

test('BACKUP_AT=off starts none, and one can be asked for', async () => {
  const off = await testApp({ database, env: { BACKUP_AT: 'off' } });
  expect(off.app.jobKinds.map(({ kind }) => kind)).not.toContain('backup-schedule');
  expect(await makeOne(off)).toMatchObject({ kind: 'manual', proof: 'passed' });
  await off.close();
});

test('expired files are deleted with their rows, and files of others stay', async () => {
  mkdirSync(t.env.backupDir);
  const old = Array.from({ length: 6 }, (_, nth) => `highstreet-2026010${nth + 1}T120000Z-manual.backup`);
  for (const name of [...old, 'team.backup']) writeFileSync(join(t.env.backupDir, name), 'x');
  await runToEnd(database.db, backupScheduleJob({ env: t.env, clock: () => new Date(0) }));
  expect(await database.db.$count(backups)).toBe(6);

  const { file } = await makeOne();
  expect(files().sort()).toEqual([...old.slice(2), file, 'team.backup'].sort());
  expect((await listBackups(database.db)).map((backup) => backup.file)).toEqual([file, ...old.slice(2).toReversed()]);
});

test('a file without a row is recorded: it was written before a migration, or the database is a restored one', async () => {
  mkdirSync(t.env.backupDir);
  writeFileSync(join(t.env.backupDir, 'highstreet-20260102T030405Z-upgrade-from-30.backup'), 'four');
  await runToEnd(database.db, backupScheduleJob({ env: t.env, clock: () => new Date(0) }));
  expect(await listBackups(database.db)).toMatchObject([
    {
      ...{ kind: 'upgrade', schema: 30, bytes: 4, startedAt: '2026-01-02T03:04:05.000Z', error: null },
      ...{ proof: 'skipped', proofMessage: 'It was made before a migration.' },
    },
  ]);
});

test('a process that stops leaves its backup to the next one', async () => {
  await database.db.transaction(startBackup);
  const stopping = t.app.jobs.run(BACKUP);
  await expect.poll(() => database.db.$count(backups)).toBe(1);
  await t.close();
  await stopping;
  const { env } = t;
  t = await testApp({ database, env: { BACKUP_DIR: env.backupDir } });
  await database.db.update(jobs).set({ runAt: sql`now()` });
  await t.app.jobs.run(BACKUP);
  expect(await listBackups(database.db)).toMatchObject([{ error: null, proof: 'passed' }]);
});

test('a process that stops leaves the proof to the next one', async () => {
  const env = { BACKUP_DIR: scratchFolder('backups') };
  await t.close();
  t = await testApp({ database, env });
  await database.db.transaction(startBackup);
  const stopping = t.app.jobs.run(BACKUP);
  await expect.poll(async () => (await listBackups(database.db))[0]?.proof, { interval: 5 }).toBe('running');
  await t.close();
  await stopping;
  expect(await listBackups(database.db)).toMatchObject([{ error: null, proof: 'waiting', proofStartedAt: null }]);
  expect(await scratchDatabases()).toBe(0);
  t = await testApp({ database, env });
  await database.db.update(jobs).set({ runAt: sql`now()` });
  await t.app.jobs.run(BACKUP);
  expect(await listBackups(database.db)).toMatchObject([{ error: null, proof: 'passed' }]);
});

test.each(['waiting', 'passed'] as const)(
  'a backup whose step was lost is not made twice (proof %s)',
  async (proof) => {
    await makeOne();
    await database.db.update(backups).set({ proof });
    const createdAt = new Date(Date.now() - DAY_MS).toISOString();
    await database.db.insert(jobs).values({ id: randomUUID(), kind: BACKUP, input: { kind: 'manual' }, createdAt });
    await t.app.jobs.run(BACKUP);
    expect(await listBackups(database.db)).toMatchObject([{ proof: 'passed' }]);
  },
);

test('a file that is not there is not tried out', async () => {
  await expect(proveBackup('/nowhere/x.backup', { database, env: t.env, log: createLog('silent') })).rejects.toThrow(
    '/nowhere/x.backup is not there; processes on several hosts share BACKUP_DIR',
  );
});

test('an old process leaves the backup of a newer schema to a newer one', async () => {
  await database.db.execute(
    sql`insert into schema_migrations (version, name, checksum, product) values (9000, 'later', 'x', '9.0.0')`,
  );
  await database.db.transaction(startBackup);
  await t.app.jobs.run(BACKUP);
  expect(await listBackups(database.db)).toEqual([]);
  await database.db.execute(sql`delete from schema_migrations where version = 9000`);
});
