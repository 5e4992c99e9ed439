import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { openEmptyDatabase, scratchFolder } from '#server/testing/databases.ts';
import { latestVersion, MigrationRefused, migrate, SchemaTooNew, schemaFits } from './migrate.ts';
import type { Database } from './open.ts';

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
  await database.pool.query("INSERT INTO schema_migrations VALUES (2, 'future', 'x')");

  await expect(migrate(database.pool, folder)).rejects.toThrow(SchemaTooNew);
  await expect(migrate(database.pool, folder)).rejects.toThrow(
    'The database is newer than this version of Highstreet (its schema is 2, this one knows 1). ' +
      'Start the newer version, or restore a backup made with this one.',
  );
  expect(await readVersions()).toEqual([1, 2]);
  // In a rolling upgrade, processes that already run continue on the newer schema.
  expect(await schemaFits(database.pool, 1)).toBe(true);
});

test('a database of an unreleased development version is refused with its own message', async () => {
  writeMigration(1, 'CREATE TABLE example (id integer);');
  await migrate(database.pool, folder);
  await database.pool.query("UPDATE schema_migrations SET name = 'foundation'");
  for (const version of [1, 2]) {
    if (version === 2) await database.pool.query("INSERT INTO schema_migrations VALUES (2, 'places', 'x')");
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
