import { getTableName } from 'drizzle-orm';
import type { ClientBase } from 'pg';
import { TABLES } from '#server/schema/tables.ts';

export interface Table {
  name: string;
  columns: { name: string; type: string }[];
  /** Identity columns and their sequences. */
  sequences: { column: string; sequence: string }[];
}

/**
 * Secrets, data that is wrong later (a restored outbox would send its mail twice, and so would webhooks; a restored job would go on), data
 * derived from other tables, cached responses of providers, the files of imports, which are large, and what is about this
 * one database: its backups, sizes and problems.
 */
const EXCLUDED_TABLES = [
  'sessions',
  'api_tokens',
  'password_reset_tokens',
  'email_changes',
  'sign_in_reports',
  'challenges',
  'throttles',
  'idempotency_keys',
  'mail_outbox',
  'push_subscriptions',
  'push_messages',
  'webhook_events',
  'webhook_deliveries',
  'jobs',
  'import_chunks',
  'places_cache',
  'sweep_responses',
  'places_rate_limits',
  'business_match_keys',
  'business_comparisons',
  'duplicate_scan',
  'coverage_figures',
  'coverage_refresh',
  'backups',
  'database_sizes',
  'system_problems',
];

/** Tables that a released version had and this one has not, with the migration that dropped them. */
const FORMER_TABLES: Record<string, number> = {};

/**
 * The product's own tables that this database has, which may be of an older version. By name: it may also have tables of
 * extensions (PostGIS) and of other applications.
 */
export async function existingTables(client: ClientBase): Promise<string[]> {
  const schema = await schemaVersion(client);
  const former = Object.keys(FORMER_TABLES).filter((name) => schema < (FORMER_TABLES[name] ?? 0));
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
     WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND relname = ANY ($1)`,
    [[...Object.values(TABLES).map((table) => getTableName(table)), ...former]],
  );
  return rows.map(({ name }) => name);
}

/** Makes the text format of values independent of the server's settings. */
export const TEXT_FORMAT_SETTINGS =
  "SET LOCAL TimeZone = 'UTC'; SET LOCAL DateStyle = 'ISO, YMD'; SET LOCAL extra_float_digits = 1";

export const quoteIdentifier = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** The tables of a backup, each after those it references. */
export async function backedUpTables(client: ClientBase): Promise<Table[]> {
  const columns = await client.query<{ table: string; column: string; type: string; sequence: string | null }>(
    `SELECT c.relname AS table, a.attname AS column, format_type(a.atttypid, a.atttypmod) AS type,
       CASE WHEN a.attidentity <> '' THEN pg_get_serial_sequence(quote_ident(c.relname), a.attname) END AS sequence
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relnamespace = 'public'::regnamespace AND c.relname = ANY ($1)
       AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
     ORDER BY c.relname, a.attnum`,
    [(await existingTables(client)).filter((name) => !EXCLUDED_TABLES.includes(name))],
  );
  const references = await client.query<{ from: string; to: string }>(
    `SELECT conrelid::regclass::text AS from, confrelid::regclass::text AS to
     FROM pg_constraint WHERE contype = 'f' AND conrelid <> confrelid`,
  );
  const tables = new Map<string, Table>();
  for (const { table: name, column, type, sequence } of columns.rows) {
    const table = tables.get(name) ?? { name, columns: [], sequences: [] };
    table.columns.push({ name: column, type });
    if (sequence) table.sequences.push({ column, sequence });
    tables.set(name, table);
  }
  return sortByReferences([...tables.values()], references.rows);
}

/** The next value of each identity column. */
export async function nextNumbers(client: ClientBase, { sequences }: Table): Promise<Record<string, string>> {
  const next: Record<string, string> = {};
  for (const { column, sequence } of sequences) {
    const { rows } = await client.query<{ next: string }>(
      `SELECT (last_value + CASE WHEN is_called THEN 1 ELSE 0 END)::text AS next FROM ${sequence}`,
    );
    if (rows[0]) next[column] = rows[0].next;
  }
  return next;
}

export async function schemaVersion(client: ClientBase): Promise<number> {
  const { rows } = await client.query<{ version: number | null }>(
    'SELECT max(version) AS version FROM schema_migrations',
  );
  return rows[0]?.version ?? 0;
}

function sortByReferences(tables: Table[], references: { from: string; to: string }[]): Table[] {
  const ordered: Table[] = [];
  const waiting = new Set(tables);
  while (waiting.size) {
    const ready = [...waiting].filter(({ name }) =>
      references.every(({ from, to }) => from !== name || ![...waiting].some((table) => table.name === to)),
    );
    if (!ready.length) throw new Error(`these tables refer to each other: ${[...waiting].map(({ name }) => name)}`);
    for (const table of ready) {
      ordered.push(table);
      waiting.delete(table);
    }
  }
  return ordered;
}
