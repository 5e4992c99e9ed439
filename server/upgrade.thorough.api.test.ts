import { cpSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { insertBackup, listFiles } from '#server/backup/backups.sql.ts';
import { checkBackup } from '#server/backup/file/read-backup.ts';
import { clock } from '#server/kit/clock.ts';
import { latestVersion } from '#server/kit/db/migrate.ts';
import { type Database, openDatabase } from '#server/kit/db/open.ts';
import { readEnv } from '#server/kit/env.ts';
import { createLog } from '#server/kit/log.ts';
import { MIGRATIONS } from '#server/paths.ts';
import { businesses } from '#server/schema/leads.ts';
import { createEmptyDatabase, quiet, runOnTestServer, scratchFolder } from '#server/testing/databases.ts';
import { upgrade } from './upgrade.ts';

const KEY = 'a passphrase of the team';

let databaseUrl: string;
let schema: number;
/** The migrations of the next release. */
let migrationsDir: string;
let dataDir: string;
let steps: string[];

beforeEach(async () => {
  [databaseUrl, schema] = [await createEmptyDatabase(), await latestVersion(MIGRATIONS)];
  [migrationsDir, dataDir, steps] = [scratchFolder('next-release'), scratchFolder('upgrade'), []];
  cpSync(MIGRATIONS, migrationsDir, { recursive: true });
  const name = `${String(schema + 1).padStart(4, '0')}_next.sql`;
  writeFileSync(join(migrationsDir, name), 'ALTER TABLE businesses ADD COLUMN next integer');
  await withDatabase(async () => {}, MIGRATIONS);
});
afterEach(() => runOnTestServer(`drop database ${new URL(databaseUrl).pathname.slice(1)} with (force)`));

/** Closed afterwards: a database in use is not upgraded. */
async function withDatabase<T>(work: (database: Database) => Promise<T>, migrations?: string) {
  const database = await openDatabase({ databaseUrl, log: quiet, migrationsDir: migrations });
  return work(database).finally(database.close);
}

const addBusiness = () => withDatabase(({ db }) => db.insert(businesses).values({ placeId: '1', name: 'Shop' }));
const readSchema = () =>
  withDatabase(
    async ({ pool }) => (await pool.query('SELECT max(version) AS version FROM schema_migrations')).rows[0].version,
  );

function upgradeWith(variables: Record<string, string>) {
  const env = readEnv({ DATA_DIR: dataDir, DATABASE_URL: databaseUrl, ...variables });
  const report = (done: string) => steps.push(done);
  return upgrade({ env, databaseUrl, migrationsDir, clock, log: createLog('error'), report });
}

test('the backup of an upgrade is one of the product: its folder, name, mode, key and retention', async () => {
  await addBusiness();
  const backupDir = join(dataDir, 'elsewhere');
  mkdirSync(backupDir);
  // Of other schemas than this one: of each, the newest is kept.
  const former = [1, 2, 3].map((nth) => `highstreet-2020010${nth}T000000Z-upgrade-from-90${nth}.backup`);
  for (const file of former) {
    writeFileSync(join(backupDir, file), '');
    await withDatabase(({ db }) => insertBackup(db, { kind: 'upgrade', file, encrypted: false }));
  }

  expect(await upgradeWith({ BACKUP_DIR: backupDir, BACKUP_KEY: KEY, BACKUP_AT: 'off' })).toBe(1);

  const [made = '', ...others] = readdirSync(backupDir).toSorted().toReversed();
  expect(made).toMatch(new RegExp(`^highstreet-\\d{8}T\\d{6}Z-upgrade-from-${schema}\\.backup$`));
  expect(others).toEqual(former.slice(1).toReversed());
  expect(await withDatabase(({ db }) => listFiles(db))).toEqual(former.slice(1));
  const path = join(backupDir, made);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(await checkBackup(path, { key: KEY })).toMatchObject({ header: { schema }, counts: { businesses: 1 } });
  await expect(checkBackup(path)).rejects.toThrow(/BACKUP_KEY/);
  expect(steps[0]).toBe(`Saved a backup, ${path}`);
  expect(existsSync(join(dataDir, 'backups'))).toBe(false);
});

test('without room for the backup, nothing is upgraded', async () => {
  await addBusiness();
  await expect(upgradeWith({ BACKUP_DIR: '/proc' })).rejects.toThrow(
    /^no backup could be made before: a backup needs about \d+ MB, and \/proc has room for 0 MB; nothing was written$/,
  );
  expect(await readSchema()).toBe(schema);
});

test('a database without data is upgraded without a backup', async () => {
  expect(await upgradeWith({})).toBe(1);
  expect(steps).toHaveLength(1);
  expect(existsSync(join(dataDir, 'backups'))).toBe(false);
  expect(await readSchema()).toBe(schema + 1);
});
