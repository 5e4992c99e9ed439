import { cpSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeBackupFile } from '#server/backup/file/backup-file.ts';
import { fingerprintTable } from '#server/backup/file/fingerprints.ts';
import { checkBackup, readContents } from '#server/backup/file/read-backup.ts';
import { sendBackup } from '#server/backup/file/write-backup.ts';
import { restoreAnyVersion } from '#server/backup/restore/restore-any-version.ts';
import { latestVersion, migrate } from '#server/kit/db/migrate.ts';
import type { Database } from '#server/kit/db/open.ts';
import { MIGRATIONS } from '#server/paths.ts';
import { freshDatabase, quiet, scratchFolder } from '#server/testing/databases.ts';
import { fillEveryTable } from '#server/testing/every-kind-of-row.ts';
import { backedUpTables, nextNumbers, quoteIdentifier, type Table } from './tables.ts';

/** A backup of each release: see the README there. */
const FIXTURES = join(import.meta.dirname, 'fixtures');
const released = readdirSync(FIXTURES).filter((name) => name.endsWith('.backup'));

let folder: string;
let today: string;
beforeAll(async () => {
  folder = scratchFolder('fixtures');
  today = join(folder, 'today.backup');
  const filled = await freshDatabase();
  await fillEveryTable(filled.db);
  await requireEveryColumn(filled);
  await writeBackupFile((stream) => sendBackup(filled.pool, stream), today);
  await filled.close();
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What is not filled is not tested. */
async function requireEveryColumn({ pool }: Database) {
  const client = await pool.connect();
  try {
    const empty: string[] = [];
    for (const { name, columns } of await backedUpTables(client)) {
      const counts = columns.map(({ name: column }) => `count(${quoteIdentifier(column)})`);
      const { rows } = await client.query({
        text: `SELECT ${counts.join(', ')} FROM ${quoteIdentifier(name)}`,
        rowMode: 'array',
      });
      columns.forEach(({ name: column }, at) => {
        if (rows[0]?.[at] === '0') empty.push(`${name}.${column}`);
      });
    }
    expect(empty, 'every-kind-of-row.ts has no value for these').toEqual([]);
  } finally {
    client.release();
  }
}

const restore = (database: Database, file: string, migrationsDir = MIGRATIONS) =>
  restoreAnyVersion(database, file, {
    ...{ replace: false, log: quiet, migrationsDir },
    folder: join(folder, 'restoring'),
  });

/** Counts and fingerprints of the restored tables, by the columns that the file has, as the file says they must be. */
async function expectRestored({ pool }: Database, file: string) {
  const written = await checkBackup(file);
  const restored: { counts: Record<string, number>; fingerprints: Record<string, string> } = {
    counts: {},
    fingerprints: {},
  };
  const client = await pool.connect();
  try {
    const tables = new Map((await backedUpTables(client)).map((table) => [table.name, table]));
    for await (const line of readContents(file)) {
      if (Array.isArray(line)) continue;
      const table = tables.get(line.table);
      if (!table) continue;
      const columns = table.columns.filter(({ name }) => line.columns.includes(name));
      const sorted = line.columns.map((name) => columns.find((column) => column.name === name));
      const asWritten: Table = { ...table, columns: sorted.filter((column) => column !== undefined) };
      const { rows } = await client.query(`SELECT count(*)::int AS rows FROM ${quoteIdentifier(table.name)}`);
      restored.counts[table.name] = rows[0].rows;
      await client.query("BEGIN; SET LOCAL TimeZone = 'UTC'; SET LOCAL extra_float_digits = 1");
      restored.fingerprints[table.name] = await fingerprintTable(client, asWritten, await nextNumbers(client, table));
      await client.query('COMMIT');
    }
  } finally {
    client.release();
  }
  const { counts, fingerprints } = written;
  expect(restored).toEqual({ counts, fingerprints });
}

test.each([...released, 'today'])('a backup of %s is restored into the schema of today', async (name) => {
  const file = name === 'today' ? today : join(FIXTURES, name);
  const database = await freshDatabase();
  await restore(database, file);
  await expectRestored(database, file);
  await database.close();
});

test('a backup of today is restored by a version that has more migrations', async () => {
  const migrations = join(folder, 'migrations');
  cpSync(MIGRATIONS, migrations, { recursive: true });
  const next = (await latestVersion(MIGRATIONS)) + 1;
  const write = (version: number, text: string) =>
    writeFileSync(join(migrations, `${String(version).padStart(4, '0')}_later.sql`), text);
  write(
    next,
    "alter table users add column nickname text not null default 'none';\nupdate users set nickname = username;",
  );
  write(next + 1, '-- no transaction\ncreate index concurrently if not exists users_nickname_idx on users (nickname);');
  const database = await freshDatabase();
  await migrate(database.pool, migrations, { log: quiet });

  await restore(database, today, migrations);

  await expectRestored(database, today);
  const { rows } = await database.pool.query('SELECT count(*)::int AS renamed FROM users WHERE nickname = username');
  expect(rows).toEqual([{ renamed: 3 }]);
  await database.close();
});
