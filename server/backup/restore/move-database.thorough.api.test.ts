import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeBackupFile } from '#server/backup/file/backup-file.ts';
import { type Fingerprints, fingerprints } from '#server/backup/file/fingerprints.ts';
import { sendBackup } from '#server/backup/file/write-backup.ts';
import { clusterFolder } from '#server/kit/db/built-in/built-in.ts';
import { type Database, openDatabase } from '#server/kit/db/open.ts';
import { openConfigured } from '#server/kit/db/open-configured.ts';
import { readEnv } from '#server/kit/env.ts';
import { MIGRATIONS, ROOT } from '#server/paths.ts';
import { users } from '#server/schema/users.ts';
import { createEmptyDatabase, quiet, scratchFolder } from '#server/testing/databases.ts';
import { assignAnotherBusiness, createTeamWithLeads, readTeamData } from '#server/testing/team.ts';
import { testApp } from '#server/testing/test-app.ts';
import { moveDatabase } from './move-database.ts';
import { restoreBackup } from './restore-backup.ts';

let dataDir: string;
let folder: string;
let store: Database;
let target: Database;
let targetUrl: string;
let before: { fingerprints: Fingerprints; seen: Awaited<ReturnType<typeof readTeamData>> };

const openStore = () => openConfigured(readEnv({ DATA_DIR: dataDir }), { migrationsDir: MIGRATIONS, log: quiet });

beforeAll(async () => {
  dataDir = scratchFolder('store');
  folder = join(dataDir, 'moving');
  store = await openStore();
  const t = await testApp({ database: store });
  await createTeamWithLeads(t);
  before = { seen: await readTeamData(t), fingerprints: await readFingerprints(store) };
  await t.close();
  targetUrl = await createEmptyDatabase();
  target = await openDatabase({ databaseUrl: targetUrl, migrationsDir: MIGRATIONS, log: quiet });
}, 120_000);
afterAll(async () => {
  await store.close();
  await target.close();
  rmSync(dataDir, { recursive: true, force: true });
});

async function readFingerprints({ pool }: Database) {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    return await fingerprints(client);
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}

/** The program as an operator starts it. */
async function runMove() {
  const env = { PATH: process.env.PATH, DATA_DIR: dataDir, DATABASE_URL: targetUrl };
  const program = spawn(process.execPath, ['--import', 'tsx', 'scripts/move-to-postgres.ts'], { cwd: ROOT, env });
  let output = '';
  for (const stream of [program.stdout, program.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  const [code] = await once(program, 'close');
  return { code, output };
}

test('a database in use by the product is not moved', async () => {
  const { code, output } = await runMove();
  expect(output).toMatch(/^Nothing was moved: .*postgres is in use by Highstreet, process/);
  expect(code).toBe(1);
});

test('a target that is not empty is refused', async () => {
  await target.db.insert(users).values({ username: 'eve', email: 'e@example.test', fullName: 'Eve', password: 'x' });
  await expect(moveDatabase({ from: store, to: target, folder })).rejects.toThrow(
    'the PostgreSQL database is not empty (users); name one with nothing in it',
  );
  expect(await target.db.$count(users)).toBe(1);
  await target.db.delete(users);
});

test('a source with an older schema is migrated first', async () => {
  await target.db.execute(sql`insert into schema_migrations values (9000, 'later', 'x', '7.8.9')`);
  await expect(moveDatabase({ from: store, to: target, folder })).rejects.toThrow(
    /schema of an older version .* Start this version on it once/,
  );
  await target.db.execute(sql`delete from schema_migrations where version = 9000`);
});

test('a difference between source and copy is detected, and the copy is rolled back', async () => {
  await target.pool.query('CREATE RULE lost AS ON INSERT TO contact_activities DO INSTEAD NOTHING');
  await expect(moveDatabase({ from: store, to: target, folder })).rejects.toThrow(
    'these tables did not arrive as they were: contact_activities',
  );
  expect(await target.db.$count(users)).toBe(0);
  expect(existsSync(folder)).toBe(false);
  await target.pool.query('DROP RULE lost ON contact_activities');
});

test('after the move users sign in and find their data, ids continue, and the source is unchanged', async () => {
  await store.close();
  const { code, output } = await runMove();
  expect(output).toMatch(/^Moved 2 users, 12 leads, \d+ rows in all\./);
  expect(output).toContain(`unchanged, in ${clusterFolder(dataDir)}`);
  expect(code).toBe(0);

  expect(await readFingerprints(target)).toEqual(before.fingerprints);
  const t = await testApp({ database: target });
  expect(await readTeamData(t)).toEqual(before.seen);
  expect(await assignAnotherBusiness(t)).toBe(13);
  await t.close();

  store = await openStore();
  expect(await readFingerprints(store)).toEqual(before.fingerprints);
  expect(existsSync(folder)).toBe(false);
}, 120_000);

test('a backup of PostgreSQL can replace the data of the built-in database', async () => {
  const file = join(dataDir, 'back.backup');
  await writeBackupFile((stream) => sendBackup(target.pool, stream), file);
  await restoreBackup(store.pool, file, { replace: true });
  expect(await readFingerprints(store)).toEqual(await readFingerprints(target));
  expect(await readFingerprints(store)).not.toEqual(before.fingerprints); // one lead came after the move
});
