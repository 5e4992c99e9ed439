import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { VERSION } from '#server/kit/version.ts';
import { openEmptyDatabase, quiet, scratchFolder } from '#server/testing/databases.ts';
import { latestVersion, migrate, migrateAtOnce, SchemaTooNew, schemaFits, withMigrationLock } from './migrate.ts';
import { MigrationRefused } from './migration-files.ts';
import type { Database } from './open.ts';

const MIGRATIONS = join(import.meta.dirname, 'migrations');

let database: Database;
let folder: string;

beforeAll(async () => {
  database = await openEmptyDatabase();
});
afterAll(() => database.close());
beforeEach(() => {
  folder = scratchFolder('migrations');
});
afterEach(() => database.pool.query('DROP TABLE IF EXISTS example, schema_migrations'));

const writeMigration = (version: number, statements: string) =>
  writeFileSync(join(folder, `${String(version).padStart(4, '0')}_example.sql`), statements);
const readVersions = async () =>
  (await database.pool.query('SELECT version FROM schema_migrations')).rows.map((row) => row.version as number);
const readRows = async () => (await database.pool.query('SELECT * FROM example')).rows;

test('missing migrations are applied in order and once', async () => {
  writeMigration(1, 'CREATE TABLE example (id integer); INSERT INTO example VALUES (1);');
  expect(await migrate(database.pool, folder)).toEqual([1]);
  writeMigration(2, 'UPDATE example SET id = id + 1;');
  writeMigration(3, 'UPDATE example SET id = id * 10;');

  expect(await migrate(database.pool, folder)).toEqual([2, 3]);
  expect(await migrate(database.pool, folder)).toEqual([]);
  expect(await readRows()).toEqual([{ id: 20 }]);
});

test('a database with an older schema than the code does not fit', async () => {
  writeMigration(1, 'CREATE TABLE example (id integer);');
  await migrate(database.pool, folder);
  expect(await schemaFits(database.pool, await latestVersion(folder))).toBe(true);
  writeMigration(2, 'SELECT 1');
  expect(await schemaFits(database.pool, await latestVersion(folder))).toBe(false);
});

test('a failed migration is rolled back, and those before it stay applied', async () => {
  writeMigration(1, 'CREATE TABLE example (id integer); INSERT INTO example VALUES (1);');
  writeMigration(2, 'UPDATE example SET id = 99; ALTER TABLE example ADD COLUMN more text; SELECT 1 / 0;');

  await expect(migrate(database.pool, folder)).rejects.toThrow(
    'Migration 2 (example) failed and was undone: division by zero',
  );
  expect(await readRows()).toEqual([{ id: 1 }]);
  expect(await readVersions()).toEqual([1]);
});

test('a failed migration can be corrected and applied', async () => {
  writeMigration(1, 'SELEKT');
  await expect(migrate(database.pool, folder)).rejects.toThrow(MigrationRefused);
  writeMigration(1, 'CREATE TABLE example (id integer);');

  expect(await migrate(database.pool, folder)).toEqual([1]);
});

test('a database newer than the code is refused', async () => {
  writeMigration(1, 'CREATE TABLE example (id integer);');
  await migrate(database.pool, folder);
  await database.pool.query("INSERT INTO schema_migrations VALUES (2, 'future', 'x', '7.8.9')");

  await expect(migrate(database.pool, folder)).rejects.toThrow(SchemaTooNew);
  await expect(migrate(database.pool, folder)).rejects.toThrow(
    `The database is that of Highstreet 7.8.9, and this is Highstreet ${VERSION}. ` +
      'Start 7.8.9 or a newer version, or restore a backup made with this one.',
  );
  expect(await readVersions()).toEqual([1, 2]);
  // In a rolling upgrade, processes that already run continue on the newer schema.
  expect(await schemaFits(database.pool, 1)).toBe(true);
});

test('a database of an unreleased development version is refused with its own message', async () => {
  writeMigration(1, 'CREATE TABLE example (id integer);');
  await migrate(database.pool, folder);
  for (const change of [
    "UPDATE schema_migrations SET product = '0.1.0'",
    "INSERT INTO schema_migrations VALUES (2, 'places', 'x', '0.1.0')", // not newer than this code
    'ALTER TABLE schema_migrations DROP COLUMN product',
  ]) {
    await database.pool.query(change);
    await expect(migrate(database.pool, folder)).rejects.toThrow(
      'created by a development version of Highstreet from before the first release',
    );
  }
  expect(await readVersions()).toEqual([1, 2]);
});

test('an applied migration may not change', async () => {
  writeMigration(1, 'CREATE TABLE example (id integer);');
  await migrate(database.pool, folder);
  writeMigration(1, 'CREATE TABLE example (id bigint);');

  await expect(migrate(database.pool, folder)).rejects.toThrow('was changed after it was applied');
});

test.each([
  { name: '0900_gap.sql', message: 'should be number' },
  { name: 'notes.sql', message: 'not named like a migration' },
])('a file called $name is refused before anything is applied', async ({ name, message }) => {
  writeMigration(1, 'CREATE TABLE example (id integer);');
  writeFileSync(join(folder, name), 'SELECT 1');

  await expect(migrate(database.pool, folder)).rejects.toThrow(message);
  await expect(readRows()).rejects.toThrow('does not exist');
});

test('line endings do not change a migration', async () => {
  writeMigration(1, 'CREATE TABLE example (\n  id integer\n);\n');
  await migrate(database.pool, folder);
  writeMigration(1, 'CREATE TABLE example (\r\n  id integer\r\n);\r\n');

  expect(await migrate(database.pool, folder)).toEqual([]);
});

/** Runs the work while a transaction has written to the table. */
async function whileWriting<T>(work: (endWriting: () => Promise<void>) => Promise<T>): Promise<T> {
  const writer = database.newClient();
  await writer.connect();
  await writer.query('BEGIN; LOCK TABLE example IN ROW EXCLUSIVE MODE');
  const endWriting = async () => void (await writer.query('ROLLBACK'));
  return work(endWriting).finally(() => writer.end());
}

describe('while another session uses a table', () => {
  beforeEach(async () => {
    writeMigration(1, 'CREATE TABLE example (id integer); INSERT INTO example VALUES (1);');
    await migrate(database.pool, folder);
    writeMigration(2, 'ALTER TABLE example ADD COLUMN more text;');
  });

  test('a migration waits in short turns, between which queries run, and is applied afterwards', async () => {
    await whileWriting(async (endWriting) => {
      let attempts = 0;
      const migrating = migrate(database.pool, folder, { log: { ...quiet, warn: () => (attempts += 1) } });
      const reader = database.newClient();
      await reader.connect();
      const waits: number[] = [];
      while (attempts < 1) {
        const startedAt = Date.now();
        await reader.query('SELECT FROM example');
        waits.push(Date.now() - startedAt);
      }
      await reader.end();
      expect(Math.max(...waits)).toBeLessThan(4_000);
      await endWriting();
      expect(await migrating).toEqual([2]);
    });
  });

  test('a migration that never gets its locks is refused, and changes nothing', async () => {
    await whileWriting(async () => {
      await expect(migrate(database.pool, folder, { maxTries: 1 })).rejects.toThrow(
        'Migration 2 (example) was not applied: other sessions of the database use its tables',
      );
    });
    expect(await readVersions()).toEqual([1]);
    expect(await readRows()).toEqual([{ id: 1 }]);
  });
});

describe('a file that begins with "-- no transaction"', () => {
  const CONCURRENTLY = `-- no transaction
-- Why; not a statement.
CREATE INDEX CONCURRENTLY IF NOT EXISTS example_id_idx
  ON example (id);
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS example_key ON example (id);
`;
  const readIndexes = async () =>
    (
      await database.pool.query(
        `SELECT relname AS name, indisvalid AS valid FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
         WHERE indrelid = 'example'::regclass ORDER BY 1`,
      )
    ).rows;
  const BUILT = [
    { name: 'example_id_idx', valid: true },
    { name: 'example_key', valid: true },
  ];

  beforeEach(async () => {
    writeMigration(1, 'CREATE TABLE example (id integer); INSERT INTO example VALUES (1), (1);');
    await migrate(database.pool, folder);
    writeMigration(2, CONCURRENTLY);
  });

  test('runs each statement by itself; what fails is repeated, and an invalid index is built again', async () => {
    await expect(migrate(database.pool, folder)).rejects.toThrow(
      'Migration 2 (example) failed: could not create unique index "example_key". It runs without a transaction; the next start repeats it.',
    );
    expect(await readVersions()).toEqual([1]);
    expect(await readIndexes()).toEqual([BUILT[0], { name: 'example_key', valid: false }]);

    await database.pool.query('DELETE FROM example');
    expect(await migrate(database.pool, folder)).toEqual([2]);
    expect(await readIndexes()).toEqual(BUILT);
    expect(await readVersions()).toEqual([1, 2]);
  });

  test('runs again when the process ended before it was recorded', async () => {
    await database.pool.query('DELETE FROM example');
    await migrate(database.pool, folder);
    await database.pool.query('DELETE FROM schema_migrations WHERE version = 2');

    expect(await migrate(database.pool, folder)).toEqual([2]);
    expect(await readIndexes()).toEqual(BUILT);
  });

  test('after its session was killed, the next start builds the index again', async () => {
    await database.pool.query('DELETE FROM example');
    await whileWriting(async (endWriting) => {
      const killed = migrate(database.pool, folder).catch((error: unknown) => error);
      const kill = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND query LIKE 'CREATE INDEX CONCURRENTLY%' AND wait_event_type = 'Lock'`;
      await expect.poll(async () => (await database.pool.query(kill)).rowCount).toBe(1);
      expect(await killed).toBeInstanceOf(Error);
      expect(await readIndexes()).toEqual([{ name: 'example_id_idx', valid: false }]);
      await endWriting();
      expect(await migrate(database.pool, folder)).toEqual([2]);
    });
    expect(await readIndexes()).toEqual(BUILT);
  });

  test('several processes that start together do not wait for each other in a circle', async () => {
    await database.pool.query('DELETE FROM example');
    const applied = await Promise.all([1, 2, 3].map(() => migrate(database.pool, folder)));
    expect(applied.flat()).toEqual([2]);
    expect(await readIndexes()).toEqual(BUILT);
  });
});

describe('all missing migrations at once', () => {
  const migrateTogether = (check = async () => {}) =>
    withMigrationLock(database.pool, (client) => migrateAtOnce(client, folder, async () => check));
  const FIRST = 'CREATE TABLE example (id integer); INSERT INTO example VALUES (1);';

  beforeEach(async () => {
    writeMigration(1, FIRST);
    await migrate(database.pool, folder);
  });

  test('are committed together, those that build indexes included', async () => {
    writeMigration(2, 'UPDATE example SET id = id + 1;');
    writeMigration(3, '-- no transaction\nCREATE INDEX CONCURRENTLY IF NOT EXISTS example_id_idx ON example (id);\n');
    writeMigration(4, 'UPDATE example SET id = id * 10;');

    expect(await migrateTogether()).toEqual([2, 3, 4]);
    expect(await migrateTogether()).toEqual([]);
    expect(await readRows()).toEqual([{ id: 20 }]);
    const { rows } = await database.pool.query(
      "SELECT indisvalid FROM pg_index WHERE indexrelid = 'example_id_idx'::regclass",
    );
    expect(rows).toEqual([{ indisvalid: true }]);
  });

  test.each([
    ['a file fails', 'SELECT 1 / 0;', undefined, 'Migration 3 (example) failed and was undone: division by zero'],
    ['the check fails', 'SELECT 1;', () => Promise.reject(new Error('rows are missing')), 'rows are missing'],
  ])('are undone together when %s', async (_, third, check, message) => {
    writeMigration(2, 'UPDATE example SET id = 99;');
    writeMigration(3, third);

    await expect(migrateTogether(check)).rejects.toThrow(message);
    expect(await readRows()).toEqual([{ id: 1 }]);
    expect(await readVersions()).toEqual([1]);
  });

  test('replace an index that an interrupted start left invalid', async () => {
    await database.pool.query('INSERT INTO example VALUES (1)');
    writeMigration(
      2,
      '-- no transaction\nCREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS example_key ON example (id);\n',
    );
    await expect(migrate(database.pool, folder)).rejects.toThrow('could not create unique index');
    await database.pool.query('TRUNCATE example');

    expect(await migrateTogether()).toEqual([2]);
    const { rows } = await database.pool.query(
      "SELECT indisvalid FROM pg_index WHERE indexrelid = 'example_key'::regclass",
    );
    expect(rows).toEqual([{ indisvalid: true }]);
  });

  test("work for every file of the product's own", async () => {
    const empty = await openEmptyDatabase();
    const applied = await withMigrationLock(empty.pool, (client) =>
      migrateAtOnce(client, MIGRATIONS, async () => async () => {}),
    );
    await empty.close();
    expect(applied).toHaveLength(readdirSync(MIGRATIONS).length);
  });
});

test('files without a transaction contain only statements that can be repeated', () => {
  for (const file of readdirSync(MIGRATIONS)) {
    const text = readFileSync(join(MIGRATIONS, file), 'utf8');
    if (!text.startsWith('-- no transaction')) continue;
    const statements = text.replace(/^--.*$/gm, '').split(/;$/m);
    for (const statement of statements.map((each) => each.trim()).filter(Boolean)) {
      expect(`${file}: ${statement}`).toMatch(
        /: (create (unique )?index concurrently if not exists|drop index concurrently if exists) /i,
      );
    }
  }
});
