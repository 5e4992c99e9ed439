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
afterEach(() => database.pool.query('DROP TABLE IF EXISTS tried, schema_migrations'));

const add = (version: number, statements: string) =>
  writeFileSync(join(folder, `${String(version).padStart(4, '0')}_try.sql`), statements);
const versions = async () =>
  (await database.pool.query('SELECT version FROM schema_migrations')).rows.map((row) => row.version as number);
const rows = async () => (await database.pool.query('SELECT * FROM tried')).rows;

test('missing migrations are applied in order and once', async () => {
  add(1, 'CREATE TABLE tried (id integer); INSERT INTO tried VALUES (1);');
  expect(await migrate(database.pool, folder)).toEqual([1]);
  add(2, 'UPDATE tried SET id = id + 1;');
  add(3, 'UPDATE tried SET id = id * 10;');

  expect(await migrate(database.pool, folder)).toEqual([2, 3]);
  expect(await migrate(database.pool, folder)).toEqual([]);
  expect(await rows()).toEqual([{ id: 20 }]);
});

test('code and database fit when both have the same version', async () => {
  add(1, 'CREATE TABLE tried (id integer);');
  await migrate(database.pool, folder);
  expect(await schemaFits(database.pool, await latestVersion(folder))).toBe(true);
  add(2, 'SELECT 1');
  expect(await schemaFits(database.pool, await latestVersion(folder))).toBe(false);
});

test('a failed migration is rolled back, and those before it stay applied', async () => {
  add(1, 'CREATE TABLE tried (id integer); INSERT INTO tried VALUES (1);');
  add(2, 'UPDATE tried SET id = 99; ALTER TABLE tried ADD COLUMN more text; SELECT 1 / 0;');

  await expect(migrate(database.pool, folder)).rejects.toThrow(
    'Migration 2 (try) failed and was undone: division by zero',
  );
  expect(await rows()).toEqual([{ id: 1 }]);
  expect(await versions()).toEqual([1]);
});

test('a failed migration can be corrected and applied', async () => {
  add(1, 'SELEKT');
  await expect(migrate(database.pool, folder)).rejects.toThrow(MigrationRefused);
  add(1, 'CREATE TABLE tried (id integer);');

  expect(await migrate(database.pool, folder)).toEqual([1]);
});

test('a database newer than the code is refused', async () => {
  add(1, 'CREATE TABLE tried (id integer);');
  await migrate(database.pool, folder);
  await database.pool.query("INSERT INTO schema_migrations VALUES (2, 'future', 'x')");

  await expect(migrate(database.pool, folder)).rejects.toThrow(SchemaTooNew);
  await expect(migrate(database.pool, folder)).rejects.toThrow(
    'The database is newer than this version of Highstreet (its schema is 2, this one knows 1). ' +
      'Start the newer version, or restore a backup made with this one.',
  );
  expect(await versions()).toEqual([1, 2]);
  // Code that is running already, in a rolling upgrade, goes on with the newer schema.
  expect(await schemaFits(database.pool, 1)).toBe(true);
});

test('a database of an unreleased development version is refused, never taken for a newer one', async () => {
  add(1, 'CREATE TABLE tried (id integer);');
  await migrate(database.pool, folder);
  await database.pool.query("UPDATE schema_migrations SET name = 'foundation'");
  for (const version of [1, 2]) {
    if (version === 2) await database.pool.query("INSERT INTO schema_migrations VALUES (2, 'places', 'x')");
    await expect(migrate(database.pool, folder)).rejects.toThrow(
      'created by a development version of Highstreet from before the first release',
    );
  }
  expect(await versions()).toEqual([1, 2]);
});

test('an applied migration may not change', async () => {
  add(1, 'CREATE TABLE tried (id integer);');
  await migrate(database.pool, folder);
  add(1, 'CREATE TABLE tried (id bigint);');

  await expect(migrate(database.pool, folder)).rejects.toThrow('was changed after it was applied');
});

test.each([
  { name: '0900_gap.sql', says: 'should be number' },
  { name: 'notes.sql', says: 'not named like a migration' },
])('a file called $name is refused before anything is applied', async ({ name, says }) => {
  add(1, 'CREATE TABLE tried (id integer);');
  writeFileSync(join(folder, name), 'SELECT 1');

  await expect(migrate(database.pool, folder)).rejects.toThrow(says);
  await expect(rows()).rejects.toThrow('does not exist');
});

test('line endings do not change a migration', async () => {
  add(1, 'CREATE TABLE tried (\n  id integer\n);\n');
  await migrate(database.pool, folder);
  add(1, 'CREATE TABLE tried (\r\n  id integer\r\n);\r\n');

  expect(await migrate(database.pool, folder)).toEqual([]);
});
