import type { ClientBase } from 'pg';
import { backedUpTables, nextNumbers, quoteIdentifier, type Table, TEXT_FORMAT_SETTINGS } from './tables.ts';

/** Equal on two databases that hold the same rows, in any order, and have the same next ids. */
export type Fingerprints = Record<string, string>;

/** One per table of a backup. Runs in a transaction, whose time-out and text format it sets. */
export async function fingerprints(client: ClientBase): Promise<Fingerprints> {
  await client.query(`SET LOCAL statement_timeout = '10min'; ${TEXT_FORMAT_SETTINGS}`);
  const found: Fingerprints = {};
  for (const table of await backedUpTables(client)) {
    const next = Object.values(await nextNumbers(client, table)).join(' ');
    found[table.name] = `${await sumRowHashes(client, table)} next ${next || '-'}`;
  }
  return found;
}

export const differing = (here: Fingerprints, there: Fingerprints) =>
  [...new Set([...Object.keys(here), ...Object.keys(there)])].filter((table) => here[table] !== there[table]);

/** A sum of hashes needs no order, which would depend on the collation, and no memory for all rows. */
async function sumRowHashes(client: ClientBase, { name, columns }: Table): Promise<string> {
  const values = columns.map((column) => `${quoteIdentifier(column.name)}::text`).join(', ');
  const half = (from: number) => `coalesce(sum(('x' || substr(hash, ${from}, 15))::bit(60)::bigint), 0)`;
  const { rows } = await client.query<{ sum: string }>(
    `SELECT count(*) || ' rows ' || ${half(1)} || ' ' || ${half(16)} AS sum
     FROM (SELECT md5(jsonb_build_array(${values})::text) AS hash FROM ${quoteIdentifier(name)}) AS hashed`,
  );
  return rows[0]?.sum ?? '';
}
