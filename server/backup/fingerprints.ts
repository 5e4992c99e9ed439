import type { ClientBase } from 'pg';
import { backedUpTables, nextNumbers, quoteIdentifier, type Table, TEXT_FORMAT_SETTINGS } from './tables.ts';

/** Equal on two databases that hold the same rows, in any order, and have the same next ids. */
export type Fingerprints = Record<string, string>;

/** One per table of a backup. Runs in a transaction, whose time-out and text format it sets. */
export async function fingerprints(client: ClientBase): Promise<Fingerprints> {
  await client.query(`SET LOCAL statement_timeout = '10min'; ${TEXT_FORMAT_SETTINGS}`);
  const found: Fingerprints = {};
  for (const table of await backedUpTables(client)) {
    found[table.name] = await fingerprintTable(client, table, await nextNumbers(client, table));
  }
  return found;
}

/** With the next ids as they were written: those of a database that is in use go on at once. */
export async function fingerprintTable(
  client: ClientBase,
  table: Table,
  next: Record<string, string>,
): Promise<string> {
  return `${await sumRowHashes(client, table)} next ${Object.values(next).join(' ') || '-'}`;
}

export const differing = (here: Fingerprints, there: Fingerprints) =>
  [...new Set([...Object.keys(here), ...Object.keys(there)])].filter((table) => here[table] !== there[table]);

/** A row as a line of a backup. */
export const rowLine = ({ columns }: Pick<Table, 'columns'>) =>
  `json_build_array(${columns.map(({ name }) => `${quoteIdentifier(name)}::text`).join(', ')})::text`;

/** A sum of hashes needs no order, which would depend on the collation, and no memory for all rows. */
async function sumRowHashes(client: ClientBase, table: Table): Promise<string> {
  const half = (from: number) => `coalesce(sum(('x' || substr(hash, ${from}, 15))::bit(60)::bigint), 0)`;
  const { rows } = await client.query<{ sum: string }>(
    `SELECT count(*) || ' rows ' || ${half(1)} || ' ' || ${half(16)} AS sum
     FROM (SELECT md5(${rowLine(table)}) AS hash FROM ${quoteIdentifier(table.name)}) AS hashed`,
  );
  return rows[0]?.sum ?? '';
}
