import { cpSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { checkBackup } from '#server/backup/file/read-backup.ts';
import { restoreAnyVersion } from '#server/backup/restore/restore-any-version.ts';
import { latestVersion } from '#server/kit/db/migrate.ts';
import { type Database, openDatabase } from '#server/kit/db/open.ts';
import { readEnv } from '#server/kit/env.ts';
import { MIGRATIONS } from '#server/paths.ts';
import { users } from '#server/schema/users.ts';
import { freshDatabase, quiet, scratchFolder } from '#server/testing/databases.ts';
import { backUpBeforeMigrating } from './upgrade-backup.ts';

let schema: number;
let migrationsDir: string;
let dataDir: string;
let database: Database;

beforeAll(async () => {
  schema = await latestVersion(MIGRATIONS);
  migrationsDir = scratchFolder('migrations');
  cpSync(MIGRATIONS, migrationsDir, { recursive: true });
  const name = `${String(schema + 1).padStart(4, '0')}_later.sql`;
  writeFileSync(join(migrationsDir, name), 'alter table users add column nickname text');
});
afterAll(() => rmSync(migrationsDir, { recursive: true }));
beforeEach(async () => {
  dataDir = scratchFolder('upgrade');
  database = await freshDatabase();
});
afterEach(async () => {
  await database.close();
  rmSync(dataDir, { recursive: true });
});

const addUser = () =>
  database.db.insert(users).values({ username: 'ada', email: 'a@example.test', fullName: 'Ada', password: 'x' });

/** As a newer version starts. */
async function upgrade(variables: Record<string, string> = {}) {
  const env = readEnv({ DATA_DIR: dataDir, ...variables });
  const upgraded = await openDatabase({
    ...{ databaseUrl: database.directUrl, migrationsDir, log: quiet },
    beforeMigrating: (directUrl) => backUpBeforeMigrating(env, quiet, directUrl),
  });
  await upgraded.close();
  return env;
}
const files = () => (existsSync(join(dataDir, 'backups')) ? readdirSync(join(dataDir, 'backups')) : []);
const readSchema = async () =>
  (await database.pool.query('SELECT max(version) AS version FROM schema_migrations')).rows[0].version;

test('before a migration, the database is backed up with its old schema', async () => {
  await addUser();
  const { backupDir } = await upgrade();
  const [name = '', ...others] = files();
  expect(name).toMatch(new RegExp(`^highstreet-\\d{8}T\\d{6}Z-upgrade-from-${schema}\\.backup$`));
  expect(others).toEqual([]);
  expect(await checkBackup(join(backupDir, name))).toMatchObject({ header: { schema }, counts: { users: 1 } });
  expect(await readSchema()).toBe(schema + 1);
  await upgrade();
  expect(files(), 'there is nothing to migrate').toEqual([name]);

  await database.db.delete(users);
  const options = { replace: true, folder: join(dataDir, 'restoring'), log: quiet, migrationsDir };
  await restoreAnyVersion(database, join(backupDir, name), options);
  expect(await database.db.$count(users)).toBe(1);
});

test('a database without data is not, nor with BACKUP_AT=off', async () => {
  await upgrade();
  expect(files()).toEqual([]);
  expect(await readSchema()).toBe(schema + 1);
  await database.pool.query(
    `DELETE FROM schema_migrations WHERE version = ${schema + 1}; ALTER TABLE users DROP COLUMN nickname`,
  );
  await addUser();
  await upgrade({ BACKUP_AT: 'off' });
  expect(files()).toEqual([]);
  expect(await readSchema()).toBe(schema + 1);
});

test('without the backup, nothing is migrated', async () => {
  await addUser();
  writeFileSync(join(dataDir, 'backups'), 'a file in the place of the folder');
  await expect(upgrade()).rejects.toThrow(
    /^The database was not migrated, because no backup could be made before: .*backups/,
  );
  expect(await readSchema()).toBe(schema);
});

test('what a killed start left unfinished is deleted by the next one', async () => {
  await addUser();
  const { backupDir } = await upgrade();
  await database.pool.query(
    `DELETE FROM schema_migrations WHERE version = ${schema + 1}; ALTER TABLE users DROP COLUMN nickname`,
  );
  const [finished = ''] = files();
  writeFileSync(join(backupDir, 'highstreet-20260102T030405Z-upgrade-from-30.backup.unfinished-7'), 'half');
  writeFileSync(join(backupDir, 'highstreet-20260102T030405Z-nightly.backup.unfinished-7'), 'of a job');
  await upgrade();
  expect(files()).not.toContain('highstreet-20260102T030405Z-upgrade-from-30.backup.unfinished-7');
  expect(files()).toContain('highstreet-20260102T030405Z-nightly.backup.unfinished-7');
  expect(files().filter((name) => name !== finished && name.endsWith('.backup'))).toHaveLength(1);
});
