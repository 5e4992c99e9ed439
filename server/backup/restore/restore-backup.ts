import type { ClientBase, Pool } from 'pg';
import { BackupRefused, type Contents, type TableLine } from '#server/backup/file/backup-format.ts';
import { differing, fingerprints } from '#server/backup/file/fingerprints.ts';
import { checkBackup, type ReadOptions, readContents } from '#server/backup/file/read-backup.ts';
import { FULL_SPEED, type Pace } from '#server/backup/pace.ts';
import {
  backedUpTables,
  existingTables,
  quoteIdentifier,
  schemaVersion,
  type Table,
  TEXT_FORMAT_SETTINGS,
} from '#server/backup/tables.ts';

/** Written at the first start: an installation's own keys, and the categories of the invented sample of places. */
const CREATED_AT_START = ['installation_keys', 'place_categories'];

/**
 * A backup contains no jobs. A sweep does not go on by itself, because it may cost money; the file of an import is not there
 * either, and its job says so. Webhooks are switched off: a copy of an installation must not speak for it.
 */
const STOP_RUNNING = `
  UPDATE sweeps SET state = 'stopped', stop_requested = NULL, finished_at = now(),
    message = 'The sweep was interrupted. Continue it to search the districts that are left.'
  WHERE state = 'running';
  UPDATE webhooks SET state = 'off', off_reason = 'restored', failing_since = NULL, paused_until = NULL
  WHERE state = 'on';
  INSERT INTO jobs (id, kind) SELECT id, 'import' FROM imports WHERE state IN ('checking', 'running') LIMIT 1`;

interface LoadOptions extends ReadOptions {
  pace?: Pace;
}

interface RestoreOptions extends LoadOptions {
  replace: boolean;
}

/**
 * Replaces all of the product's own data, sessions included, in one transaction. The whole file is checked before the first
 * change, and what was loaded is compared with it before the commit. Tables of extensions and of other applications are not
 * touched.
 */
export async function restoreBackup(
  pool: Pool,
  file: string,
  { replace, ...options }: RestoreOptions,
): Promise<Contents> {
  const contents = await checkBackup(file, options);
  if (!replace) await requireEmpty(pool);
  await inTransaction(pool, async (client) => {
    await requireNoForeignReferences(client);
    await load(client, file, contents, options);
    await client.query(STOP_RUNNING);
    await client.query(`ANALYZE ${await ownTableList(client)}`); // the statistics are those of the replaced rows
  });
  return contents;
}

/** As `restoreBackup`, into a database without data that nobody will work with, which may have an older schema. */
export async function loadBackup(pool: Pool, file: string, options: LoadOptions): Promise<Contents> {
  const contents = await checkBackup(file, options);
  await inTransaction(pool, (client) => load(client, file, contents, options));
  return contents;
}

/** Refuses a file that this code cannot restore, whatever the database is. */
export function requireNotNewer({ schema, product }: Contents['header'], newest: number) {
  if (schema <= newest) return;
  throw new BackupRefused(
    `the backup is from a newer version of Highstreet (its schema is ${schema}, this one knows ${newest}); ` +
      `restore it with version ${product} or a newer one`,
  );
}

async function inTransaction(pool: Pool, work: (client: ClientBase) => Promise<void>) {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('BEGIN');
    await client.query(`SET LOCAL statement_timeout = '10min'; ${TEXT_FORMAT_SETTINGS}`);
    await work(client);
    await client.query('COMMIT');
  } catch (error) {
    broken = error instanceof Error ? error : new Error(String(error));
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  } finally {
    client.release(broken);
  }
}

async function load(
  client: ClientBase,
  file: string,
  { header, counts, fingerprints: written }: Contents,
  { pace = FULL_SPEED, ...options }: LoadOptions,
) {
  const here = await schemaVersion(client);
  requireNotNewer(header, here);
  if (header.schema < here)
    throw new BackupRefused(`the backup has the schema ${header.schema}, and the database ${here}`);
  const tables = await backedUpTables(client);
  const unknown = Object.keys(counts).filter((name) => !tables.some((table) => table.name === name));
  if (unknown.length) throw new BackupRefused(`this database has no table ${unknown.join(', ')}`);
  await client.query(`TRUNCATE ${await ownTableList(client)} RESTART IDENTITY`);
  await withoutTriggers(client, tables, () => insertAll(client, tables, readContents(file, options), pace));
  const different = differing(written, await fingerprints(client, pace));
  if (different.length) throw new BackupRefused(`these tables did not arrive as they were: ${different.join(', ')}`);
}

const ownTableList = async (client: ClientBase) => (await existingTables(client)).map(quoteIdentifier).join(', ');

/** There is nothing that a restore would replace. */
export const requireEmpty = (pool: Pool) =>
  inTransaction(pool, async (client) => {
    const name = await findTableWithData(client);
    if (name)
      throw new BackupRefused(`the database is not empty (${name}); add --replace to put the backup in its place`);
  });

/** Emptying our tables would leave such rows without what they reference. */
async function requireNoForeignReferences(client: ClientBase) {
  const { rows } = await client.query<{ from: string; to: string }>(
    `SELECT conrelid::regclass::text AS from, confrelid::regclass::text AS to FROM pg_constraint
     WHERE contype = 'f' AND confrelid = ANY ($1::regclass[]) AND NOT conrelid = ANY ($1::regclass[])`,
    [(await existingTables(client)).map(quoteIdentifier)],
  );
  const [reference] = rows;
  if (!reference) return;
  const { from, to } = reference;
  throw new BackupRefused(`the table ${from} of another application refers to ${to}; drop that constraint first`);
}

/** The first table with data of the team, if there is one. */
export async function findTableWithData(client: ClientBase): Promise<string | undefined> {
  for (const { name } of await backedUpTables(client)) {
    if (CREATED_AT_START.includes(name)) continue;
    // The invented sample does not count; it is there until places are loaded.
    const data = name === 'places' ? "source <> 'sample'" : 'true';
    const { rowCount } = await client.query(`SELECT 1 FROM ${quoteIdentifier(name)} WHERE ${data} LIMIT 1`);
    if (rowCount) return name;
  }
  return undefined;
}

/** The rows that triggers would write are in the backup. */
async function withoutTriggers(client: ClientBase, tables: Table[], work: () => Promise<void>) {
  const switchAll = async (to: 'DISABLE' | 'ENABLE') => {
    for (const { name } of tables) await client.query(`ALTER TABLE ${quoteIdentifier(name)} ${to} TRIGGER USER`);
  };
  await switchAll('DISABLE');
  await work();
  await client.query('SET CONSTRAINTS ALL IMMEDIATE'); // a table with deferred checks cannot be altered
  await switchAll('ENABLE'); // not after a failure: the rollback enables them
}

async function insertAll(
  client: ClientBase,
  tables: Table[],
  contents: AsyncIterable<TableLine | string[]>,
  pace: Pace,
) {
  let target: { table: Table; columns: string[] } | undefined;
  for await (const entry of contents) {
    if (!Array.isArray(entry)) {
      const table = tables.find(({ name }) => name === entry.table);
      if (!table) throw new BackupRefused(`this database has no table ${entry.table}`);
      await setNumbers(client, table, entry);
      target = { table, columns: entry.columns };
    } else if (target) {
      const { table, columns } = target;
      await pace(() => insertRows(client, table, columns, entry));
    }
  }
}

/** Rows as lines of JSON, with every value as text. */
async function insertRows(client: ClientBase, table: Table, columns: string[], rows: string[]) {
  const values = columns.map((name, at) => {
    const column = table.columns.find((candidate) => candidate.name === name);
    if (!column) throw new BackupRefused(`this database has no column ${table.name}.${name}`);
    return `(r ->> ${at})::${column.type}`;
  });
  await client.query(
    `INSERT INTO ${quoteIdentifier(table.name)} (${columns.map(quoteIdentifier).join(', ')})
     SELECT ${values.join(', ')} FROM jsonb_array_elements($1::jsonb) AS r`,
    [`[${rows.join(',')}]`],
  );
}

async function setNumbers(client: ClientBase, { sequences }: Table, { next }: TableLine) {
  for (const { column, sequence } of sequences) {
    if (next[column]) await client.query('SELECT setval($1::regclass, $2::bigint, false)', [sequence, next[column]]);
  }
}
