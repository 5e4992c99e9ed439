import type { ClientBase, Pool } from 'pg';
import { BackupRefused, type Row, type TableLine } from './backup-format.ts';
import { checkBackup, readContents } from './read-backup.ts';
import {
  backedUpTables,
  OWN_TABLES,
  quoteIdentifier,
  schemaVersion,
  type Table,
  TEXT_FORMAT_SETTINGS,
} from './tables.ts';

const BATCH = 500;

/** Written at the first start: an installation's own keys, and the categories of the invented sample of places. */
const CREATED_AT_START = ['installation_keys', 'place_categories'];

const ALL = OWN_TABLES.map(quoteIdentifier).join(', ');

/**
 * A backup contains no jobs. A sweep does not go on by itself, because it may cost money; the file of an import is not there
 * either, and its job says so.
 */
const STOP_RUNNING = `
  UPDATE sweeps SET state = 'stopped', stop_requested = NULL, finished_at = now(),
    message = 'The sweep was interrupted. Continue it to search the districts that are left.'
  WHERE state = 'running';
  INSERT INTO jobs (id, kind) SELECT id, 'import' FROM imports WHERE state IN ('checking', 'running') LIMIT 1`;

interface Options {
  replace: boolean;
  /** Called before the commit: an error that it throws rolls everything back. */
  beforeCommit?: (client: ClientBase) => Promise<void>;
}

/**
 * Replaces all of the product's own data, sessions included, in one transaction. The whole file is checked before the first
 * change. Tables of extensions and of other applications are not touched.
 */
export async function restoreBackup(pool: Pool, file: string, { replace, beforeCommit }: Options) {
  const { header, counts } = await checkBackup(file);
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('BEGIN');
    await client.query(`SET LOCAL statement_timeout = '10min'; ${TEXT_FORMAT_SETTINGS}`);
    const here = await schemaVersion(client);
    if (header.schema !== here) throw new BackupRefused(otherSchema(header.schema, header.product, here));
    const tables = await backedUpTables(client);
    requireKnown(tables, counts);
    if (!replace) await requireEmpty(client);
    await requireNoForeignReferences(client);
    await client.query(`TRUNCATE ${ALL} RESTART IDENTITY`);
    await withoutTriggers(client, tables, () => load(client, tables, readContents(file)));
    await beforeCommit?.(client);
    await client.query(STOP_RUNNING);
    await client.query(`ANALYZE ${ALL}`); // the statistics are those of the replaced rows
    await client.query('COMMIT');
    return { header, counts };
  } catch (error) {
    broken = error instanceof Error ? error : new Error(String(error));
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  } finally {
    client.release(broken);
  }
}

function otherSchema(theirs: number, product: string, here: number) {
  if (theirs > here) return `the backup is from a newer version of Highstreet (${product}); restore it with that one`;
  return `the backup is from Highstreet ${product}; restore it with that version, then start this one, which upgrades it`;
}

function requireKnown(tables: Table[], counts: Record<string, number>) {
  const unknown = Object.keys(counts).filter((name) => !tables.some((table) => table.name === name));
  if (unknown.length) throw new BackupRefused(`this database has no table ${unknown.join(', ')}`);
}

async function requireEmpty(client: ClientBase) {
  const name = await findTableWithData(client);
  if (name)
    throw new BackupRefused(`the database is not empty (${name}); add --replace to put the backup in its place`);
}

/** Emptying our tables would leave such rows without what they reference. */
async function requireNoForeignReferences(client: ClientBase) {
  const { rows } = await client.query<{ from: string; to: string }>(
    `SELECT conrelid::regclass::text AS from, confrelid::regclass::text AS to FROM pg_constraint
     WHERE contype = 'f' AND confrelid = ANY ($1::regclass[]) AND NOT conrelid = ANY ($1::regclass[])`,
    [OWN_TABLES.map(quoteIdentifier)],
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

async function load(client: ClientBase, tables: Table[], contents: AsyncIterable<TableLine | Row>) {
  let line: TableLine | undefined;
  let rows: Row[] = [];
  const flush = async () => {
    if (line && rows.length) await insert(client, findTable(line), line, rows);
    rows = [];
  };
  for await (const entry of contents) {
    if (Array.isArray(entry)) {
      rows.push(entry);
      if (rows.length === BATCH) await flush();
    } else {
      await flush();
      line = entry;
      await setNumbers(client, findTable(line), line);
    }
  }
  await flush();

  function findTable({ table: name }: TableLine): Table {
    const table = tables.find((candidate) => candidate.name === name);
    if (!table) throw new BackupRefused(`this database has no table ${name}`);
    return table;
  }
}

async function insert(client: ClientBase, table: Table, { columns }: TableLine, rows: Row[]) {
  const typed = columns.map((name, at) => {
    const column = table.columns.find((candidate) => candidate.name === name);
    if (!column) throw new BackupRefused(`this database has no column ${table.name}.${name}`);
    return { into: quoteIdentifier(name), value: `c${at}::${column.type}`, list: rows.map((row) => row[at] ?? null) };
  });
  await client.query(
    `INSERT INTO ${quoteIdentifier(table.name)} (${typed.map(({ into }) => into).join(', ')})
     SELECT ${typed.map(({ value }) => value).join(', ')}
     FROM unnest(${typed.map((_, at) => `$${at + 1}::text[]`).join(', ')}) AS r (${typed.map((_, at) => `c${at}`).join(', ')})`,
    typed.map(({ list }) => list),
  );
}

async function setNumbers(client: ClientBase, { sequences }: Table, { next }: TableLine) {
  for (const { column, sequence } of sequences) {
    if (next[column]) await client.query('SELECT setval($1::regclass, $2::bigint, false)', [sequence, next[column]]);
  }
}
