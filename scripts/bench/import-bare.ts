import type { Pool } from 'pg';
import type { BenchRow } from './import-rows.ts';

const BATCH = 500;

/** The same rows without the product: no file, no checks, nothing looked up; only the inserts, 500 to a transaction. */
export async function insertBare(pool: Pool, rows: BenchRow[]): Promise<void> {
  const client = await pool.connect();
  try {
    for (let at = 0; at < rows.length; at += BATCH) {
      const batch = rows.slice(at, at + BATCH);
      const column = (of: (row: BenchRow) => string) => batch.map(of);
      await client.query('begin');
      const stored = await client.query<{ id: number }>(
        `insert into businesses (place_id, name, formatted_address, town, phone, website, imported)
         select 'bare:' || md5(name || address), name, address, town, phone, website, true
         from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])
           as given (name, address, town, phone, website)
         returning id`,
        [
          ...[column((row) => row.name), column((row) => row.address), column((row) => row.town)],
          ...[column((row) => row.phone), column((row) => row.website)],
        ],
      );
      const leads = await client.query<{ id: number }>(
        `insert into user_businesses (user_id, business_id, tags, custom_fields)
         select 1, id, string_to_array(tags, ','), fields
         from unnest($1::integer[], $2::text[], $3::jsonb[]) as given (id, tags, fields) returning id`,
        [
          stored.rows.map(({ id }) => id),
          column(({ tags }) => [...tags, 'Imported'].join(',')),
          column(({ email, contact }) => JSON.stringify({ email, contactPerson: contact })),
        ],
      );
      await client.query(
        `insert into assignment_history (user_business_id, new_user_id, changed_by, initial)
         select id, 1, 1, true from unnest($1::integer[]) as given (id)`,
        [leads.rows.map(({ id }) => id)],
      );
      await client.query('commit');
    }
  } finally {
    client.release();
  }
}
