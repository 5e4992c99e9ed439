import type { ClientBase } from 'pg';
import { backedUpTables, nextNumbers, quoted, sameNotation, type Table } from './tables.ts';

/** Equal on two databases when they hold the same rows, in whatever order, and will number the next ones alike. */
export type Fingerprints = Record<string, string>;

/** Of every table that a backup holds. To be asked in a transaction, which it makes patient and plain in its notation. */
export async function fingerprints(client: ClientBase): Promise<Fingerprints> {
  await client.query(`SET LOCAL statement_timeout = '10min'; ${sameNotation}`);
  const found: Fingerprints = {};
  for (const table of await backedUpTables(client)) {
    const next = Object.values(await nextNumbers(client, table)).join(' ');
    found[table.name] = `${await sumOf(client, table)} next ${next || '-'}`;
  }
  return found;
}

export const differing = (here: Fingerprints, there: Fingerprints) =>
  [...new Set([...Object.keys(here), ...Object.keys(there)])].filter((table) => here[table] !== there[table]);

/** A sum of hashes needs neither an order, which depends on the collation, nor room for all of them. */
async function sumOf(client: ClientBase, { name, columns }: Table): Promise<string> {
  const values = columns.map((column) => `${quoted(column.name)}::text`).join(', ');
  const half = (from: number) => `coalesce(sum(('x' || substr(hash, ${from}, 15))::bit(60)::bigint), 0)`;
  const { rows } = await client.query<{ sum: string }>(
    `SELECT count(*) || ' rows ' || ${half(1)} || ' ' || ${half(16)} AS sum
     FROM (SELECT md5(jsonb_build_array(${values})::text) AS hash FROM ${quoted(name)}) AS hashed`,
  );
  return rows[0]?.sum ?? '';
}
