import { cpSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { clock } from '#server/kit/clock.ts';
import { copyName } from '#server/kit/db/database-copy.ts';
import { SchemaTooNew } from '#server/kit/db/migrate.ts';
import { type Database, openDatabase } from '#server/kit/db/open.ts';
import { readEnv } from '#server/kit/env.ts';
import { createLog } from '#server/kit/log.ts';
import { VERSION } from '#server/kit/version.ts';
import { MIGRATIONS } from '#server/paths.ts';
import { businesses } from '#server/schema/leads.ts';
import { selfCheck } from '#server/self-check.ts';
import { createEmptyDatabase, quiet, runOnTestServer, scratchFolder } from '#server/testing/databases.ts';
import { upgradeSchema } from './upgrade-schema.ts';

const FORMER = readdirSync(MIGRATIONS).length;

let databaseUrl: string;
/** The migrations of the next release. */
let folder: string;
let steps: string[];

beforeEach(async () => {
  databaseUrl = await createEmptyDatabase();
  folder = scratchFolder('next-release');
  steps = [];
  cpSync(MIGRATIONS, folder, { recursive: true });
  await withDatabase(({ db }) =>
    db.insert(businesses).values([1, 2, 3].map((nth) => ({ placeId: `${nth}`, name: `Shop ${nth}` }))),
  );
});
afterEach(async () => {
  expect(await listCopies()).toEqual([]);
  await runOnTestServer(`drop database ${databaseName()} with (force)`);
});

const databaseName = () => new URL(databaseUrl).pathname.slice(1);

/** Opened as the former release does, and closed: a database in use is not upgraded. */
async function withDatabase<T>(work: (database: Database) => Promise<T>, migrationsDir: string | null = MIGRATIONS) {
  const database = await openDatabase({ databaseUrl, ...(migrationsDir && { migrationsDir }), log: quiet });
  return work(database).finally(database.close);
}

const query = (text: string) => withDatabase(async ({ pool }) => (await pool.query(text)).rows, null);
const listCopies = () => query(`SELECT datname FROM pg_database WHERE datname = '${copyName(databaseName())}'`);
const readState = async () => ({
  schema: await query('SELECT max(version) AS version FROM schema_migrations'),
  names: (await query('SELECT name FROM businesses ORDER BY place_id')).map(({ name }) => name),
});
const OLD = { schema: [{ version: FORMER }], names: ['Shop 1', 'Shop 2', 'Shop 3'] };

const addMigration = (nth: number, sql: string) =>
  writeFileSync(join(folder, `${String(FORMER + nth).padStart(4, '0')}_next.sql`), sql);

const upgrade = (options: Partial<Parameters<typeof upgradeSchema>[0]> = {}) =>
  upgradeSchema({
    databaseUrl,
    migrationsDir: folder,
    log: quiet,
    backUp: async () => 'team.backup',
    selfCheck: (database) =>
      selfCheck({ database, env: readEnv({ DATA_DIR: scratchFolder('upgrade') }), clock, log: createLog('error') }),
    report: (done) => steps.push(done),
    ...options,
  });

const rename = "UPDATE businesses SET name = replace(name, 'Shop', 'Store');";

test('the migrations of a new release are tried on a copy, then applied, and name the product', async () => {
  addMigration(1, `ALTER TABLE businesses ADD COLUMN next integer NOT NULL DEFAULT 1; ${rename}`);
  addMigration(
    2,
    '-- no transaction\nCREATE INDEX CONCURRENTLY IF NOT EXISTS businesses_next_idx ON businesses (next);\n',
  );

  expect(await upgrade()).toBe(2);
  expect(await readState()).toEqual({ schema: [{ version: FORMER + 2 }], names: ['Store 1', 'Store 2', 'Store 3'] });
  expect(steps).toEqual([
    'Saved a backup, team.backup',
    'On a copy, all rows are there after the migration, and Highstreet is ready to serve',
  ]);
  expect(await query('SELECT DISTINCT product FROM schema_migrations')).toEqual([{ product: VERSION }]);
  // The former release, met by this database, names the release that it needs.
  await expect(withDatabase(async () => {})).rejects.toThrow(SchemaTooNew);
  await expect(withDatabase(async () => {})).rejects.toThrow(`is that of Highstreet ${VERSION}`);
});

test('a release without a migration changes nothing and writes no backup', async () => {
  expect(await upgrade({ backUp: () => Promise.reject(new Error('backed up')) })).toBe(0);
  expect(await readState()).toEqual(OLD);
});

test.each([
  ['a migration fails', 'SELECT 1 / 0;', /^Migration \d+ \(next\) failed and was undone: division by zero$/],
  [
    'rows are lost',
    "DELETE FROM businesses WHERE name = 'Store 2';",
    /^after the migration these tables have fewer rows: businesses$/,
  ],
  [
    'a constraint is not validated',
    "ALTER TABLE businesses ADD CONSTRAINT no_shops CHECK (name = 'x') NOT VALID;",
    /^after the migration these are not valid: no_shops$/,
  ],
  [
    'the product does not run on it',
    'ALTER TABLE businesses DROP COLUMN website CASCADE;',
    /^the table businesses cannot be read: .*website/,
  ],
])('when %s on the copy, the database is as it was', async (_, sql, reason) => {
  addMigration(1, rename);
  addMigration(2, sql);

  await expect(upgrade()).rejects.toThrow(reason);
  expect(await readState()).toEqual(OLD);
});

test('without a backup nothing is copied or changed', async () => {
  addMigration(1, rename);
  await expect(upgrade({ backUp: () => Promise.reject(new Error('the disk is full')) })).rejects.toThrow(
    'the disk is full',
  );
  expect(await readState()).toEqual(OLD);
});

test('a database that another program uses is refused, before and during the upgrade', async () => {
  addMigration(1, rename);
  const other = await openDatabase({ databaseUrl, log: quiet });
  await expect(upgrade()).rejects.toThrow(/^another program uses the database: stop every Highstreet/);
  await other.close();

  const late = openDatabase({ databaseUrl, log: quiet });
  await expect(upgrade({ backUp: async () => (await late) && 'team.backup' })).rejects.toThrow(/^another program uses/);
  await (await late).close();
  expect(await readState()).toEqual(OLD);
});

test('an account that may not create databases is told what it needs', async () => {
  addMigration(1, rename);
  const role = `${databaseName()}_owner`;
  await runOnTestServer(`create role ${role} login password 'x'`);
  await query(`ALTER DATABASE ${databaseName()} OWNER TO ${role}; GRANT ALL ON ALL TABLES IN SCHEMA public TO ${role}`);
  const restricted = Object.assign(new URL(databaseUrl), { username: role, password: 'x' }).href;

  await expect(upgrade({ databaseUrl: restricted })).rejects.toThrow(/may not create databases.*CREATEDB/);
  expect(await readState()).toEqual(OLD);
  await query(`REASSIGN OWNED BY ${role} TO CURRENT_USER; DROP OWNED BY ${role}`);
  await runOnTestServer(`drop role ${role}`);
});

test('a copy that does not fit the disk is not begun', async () => {
  addMigration(1, rename);
  await expect(upgrade({ builtInFolder: '/proc' })).rejects.toThrow(
    /^a copy of the database needs \d+ MB on the disk of \/proc, and 0 MB are free$/,
  );
  expect(await readState()).toEqual(OLD);
});

test('a copy that does not fit the disk beside the backup is not begun', async () => {
  addMigration(1, rename);
  const builtInFolder = join(scratchFolder('disk'), 'data');
  symlinkSync(scratchFolder('roomy'), builtInFolder);
  const backUp = async () => {
    rmSync(builtInFolder);
    symlinkSync('/proc', builtInFolder);
    return 'team.backup';
  };
  await expect(upgrade({ builtInFolder, backUp })).rejects.toThrow(/^a copy of the database needs \d+ MB/);
  expect(await readState()).toEqual(OLD);
});

test('an empty database is left to the first start', async () => {
  const empty = await createEmptyDatabase();
  await expect(upgrade({ databaseUrl: empty })).rejects.toThrow('the database is empty; npm start creates its tables');
  await runOnTestServer(`drop database ${new URL(empty).pathname.slice(1)}`);
});
