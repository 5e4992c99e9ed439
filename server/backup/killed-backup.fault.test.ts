import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkBackup } from '#server/backup/file/read-backup.ts';
import type { Database } from '#server/kit/db/open.ts';
import { openForCommand } from '#server/kit/db/open-configured.ts';
import { readEnv } from '#server/kit/env.ts';
import { ROOT } from '#server/paths.ts';
import { dataFolder, endAll } from '#server/testing/built-in.ts';
import { kill, openDatabase, startServer, stop } from '#server/testing/child-server.ts';
import { quiet } from '#server/testing/databases.ts';
import { startBackup } from './backup-job.ts';
import { type BackupRecord, listBackups } from './backups.sql.ts';

const BUSINESSES = 20_000;
const MOMENTS = 10;

let dataDir: string;
let database: Database;
beforeAll(async () => {
  dataDir = dataFolder('killed-backup');
  database = await openDatabase(dataDir);
  await database.db.execute(
    sql`insert into businesses (place_id, name) select 'place ' || n, 'Shop ' || n from generate_series(1, ${BUSINESSES}::int) n`,
  );
});
afterAll(async () => {
  await database.close();
  await endAll();
});

const backupDir = () => join(dataDir, 'backups');

function startChild() {
  const program = fileURLToPath(new URL('../testing/backup-child.ts', import.meta.url));
  const env = { PATH: process.env.PATH, DATA_DIR: dataDir, DATABASE_URL: database.directUrl };
  const child = spawn(process.execPath, ['--import', 'tsx', program], { cwd: ROOT, env, stdio: 'inherit' });
  return { child, ended: once(child, 'exit') };
}

async function runChild(): Promise<BackupRecord | undefined> {
  expect(await startChild().ended).toEqual([0, null]);
  return (await listBackups(database.db))[0];
}

async function waitFor({ db }: Pick<Database, 'db'>, isReached: (newest: BackupRecord) => boolean) {
  for (;;) {
    const [newest] = await listBackups(db, 1);
    if (newest && isReached(newest)) return newest;
    await pause(3);
  }
}

/** Whatever was interrupted: files are whole, and all of the product's data is as it was. */
async function expectSound() {
  for (const name of readdirSync(backupDir()).filter((file) => file.endsWith('.backup'))) {
    expect((await checkBackup(join(backupDir(), name))).counts).toMatchObject({ businesses: BUSINESSES });
  }
}
const unfinished = () => readdirSync(backupDir()).filter((name) => name.includes('unfinished'));
const countScratch = async () =>
  (await database.pool.query("SELECT FROM pg_database WHERE datname LIKE '\\_highstreet\\_scratch%'")).rowCount;

describe.each(['backup', 'proof'] as const)('kill -9 during the %s', (phase) => {
  test(`at ${MOMENTS} moments: the old state or the new one, and the next process goes on`, async () => {
    const whole = await runChild();
    expect(whole).toMatchObject({ error: null, proof: 'passed' });
    const { startedAt = '', finishedAt, proofMs } = whole ?? {};
    const duration = phase === 'proof' ? (proofMs ?? 0) : Date.parse(finishedAt ?? '') - Date.parse(startedAt);
    for (let moment = 0; moment < MOMENTS; moment += 1) {
      const before = (await listBackups(database.db, 1))[0]?.id;
      const { child, ended } = startChild();
      await waitFor(database, ({ id, proof }) => id !== before && (phase === 'backup' || proof === 'running'));
      await pause((duration * moment) / MOMENTS);
      child.kill('SIGKILL');
      await ended;
      await expectSound();

      await runChild();
      const [settled] = await listBackups(database.db, 1);
      expect(settled?.finishedAt).not.toBeNull();
      if (settled?.error) expect(settled.error).toMatch('interrupted');
      else expect(['passed', 'skipped']).toContain(settled?.proof);
      expect(unfinished()).toEqual([]);
      expect(await countScratch()).toBe(0);
    }
    expect(await runChild()).toMatchObject({ error: null, proof: 'passed' });
    await expectSound();
  }, 600_000);
});

test('kill -9 of the product, whose PostgreSQL goes on, during both: the next start works and ends what was left', async () => {
  await database.close();
  let product = await startServer(dataDir);
  for (const isReached of [
    ({ finishedAt }: BackupRecord) => finishedAt === null,
    ({ proof }: BackupRecord) => proof === 'running',
  ]) {
    const joined = await openForCommand(readEnv({ DATA_DIR: dataDir }), { log: quiet });
    await joined.db.transaction(startBackup);
    await waitFor(joined, isReached);
    await kill(product.child);
    await expectSound();
    await joined.close();

    product = await startServer(dataDir);
    const next = await openForCommand(readEnv({ DATA_DIR: dataDir }), { log: quiet });
    const settled = await waitFor(next, ({ finishedAt, error, proof }) =>
      Boolean(finishedAt && (error || ['passed', 'skipped'].includes(proof))),
    );
    expect(settled.error ?? settled.proofMessage).toMatch('interrupted');
    await expect.poll(() => unfinished()).toEqual([]);
    // The job goes with the transaction that settled it.
    await expect.poll(async () => (await next.pool.query("SELECT FROM jobs WHERE kind = 'backup'")).rowCount).toBe(0);
    await next.close();
  }
  await stop(product.child);
  database = await openDatabase(dataDir);
  expect(await countScratch()).toBe(0);
}, 180_000);
