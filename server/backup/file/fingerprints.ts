import type { ClientBase } from 'pg';
import { FULL_SPEED, type Pace } from '#server/backup/pace.ts';
import {
  backedUpTables,
  nextNumbers,
  quoteIdentifier,
  type Table,
  TEXT_FORMAT_SETTINGS,
} from '#server/backup/tables.ts';

/** Equal on two databases that hold the same rows, in any order, and have the same next ids. */
export type Fingerprints = Record<string, string>;

/** Read at once: some ten megabytes, so that no statement takes long. */
const PAGES = 2_000;

/** One per table of a backup. Runs in a transaction, whose time-out and text format it sets. */
export async function fingerprints(client: ClientBase, pace: Pace = FULL_SPEED): Promise<Fingerprints> {
  await client.query(`SET LOCAL statement_timeout = '10min'; ${TEXT_FORMAT_SETTINGS}`);
  const found: Fingerprints = {};
  for (const table of await backedUpTables(client)) {
    found[table.name] = await fingerprintTable(client, table, await nextNumbers(client, table), pace);
  }
  return found;
}

export async function fingerprintTable(
  client: ClientBase,
  table: Table,
  next: Record<string, string>,
  pace: Pace = FULL_SPEED,
): Promise<string> {
  const { rows } = await client.query<{ pages: number }>(
    "SELECT pg_relation_size($1::regclass) / current_setting('block_size')::integer AS pages",
    [quoteIdentifier(table.name)],
  );
  const sum = createHashSum();
  for (let page = 0; page < Number(rows[0]?.pages); page += PAGES) {
    const range = `WHERE ctid >= '(${page},0)' AND ctid < '(${page + PAGES},0)'`;
    const { rows: sums } = await pace(() =>
      client.query<[string, string, string]>({
        text: `SELECT count(*), coalesce(sum(first), 0), coalesce(sum(second), 0) FROM (${hashedRows(table, range)}) AS rows`,
        rowMode: 'array',
      }),
    );
    for (const [count, first, second] of sums) sum.add(Number(count), first, second);
  }
  return sum.format(next);
}

export const differing = (here: Fingerprints, there: Fingerprints) =>
  [...new Set([...Object.keys(here), ...Object.keys(there)])].filter((table) => here[table] !== there[table]);

/**
 * Rows as lines of a backup, with the two halves of their hashes. OFFSET keeps the planner from computing a line and a hash
 * wherever it is used.
 */
export const hashedRows = ({ name, columns }: Table, where = '') => {
  const values = columns.map((column) => `${quoteIdentifier(column.name)}::text`).join(', ');
  const half = (from: number) => `('x' || substr(hash, ${from}, 15))::bit(60)::bigint`;
  return `SELECT line, ${half(1)} AS first, ${half(16)} AS second FROM (
    SELECT line, md5(line) AS hash FROM (
      SELECT json_build_array(${values})::text AS line FROM ${quoteIdentifier(name)} ${where} OFFSET 0
    ) AS lines OFFSET 0
  ) AS hashed`;
};

/** A sum of hashes needs no order, which would depend on the collation, and no memory for all rows. */
export function createHashSum() {
  let rows = 0;
  let [first, second] = [0n, 0n];
  return {
    add: (count: number, ofFirst: string, ofSecond: string) => {
      rows += count;
      first += BigInt(ofFirst);
      second += BigInt(ofSecond);
    },
    rows: () => rows,
    /** With the next ids as they were written: those of a database that is in use go on at once. */
    format: (next: Record<string, string>) =>
      `${rows} rows ${first} ${second} next ${Object.values(next).join(' ') || '-'}`,
  };
}
