import type { Pool } from 'pg';

const BATCH = 500;

/** The same rows without the product: no file, no checks and no look-ups; only the inserts, 500 to a transaction. */
export async function insertBare(pool: Pool, rows: string[][]): Promise<void> {
  const client = await pool.connect();
  const insert = async (statement: string, values: unknown[]) =>
    (await client.query<{ id: number }>(`${statement} returning id`, values)).rows.map(({ id }) => id);
  try {
    for (let start = 0; start < rows.length; start += BATCH) {
      const batch = rows.slice(start, start + BATCH);
      const column = (nth: number) => batch.map((row) => row[nth]);
      await client.query('begin');
      const businesses = await insert(
        `insert into businesses (place_id, name, formatted_address, town, phone, website, imported)
         select 'bare:' || md5(name || address), name, address, town, phone, website, true
         from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])
           as given (name, address, town, phone, website)`,
        [0, 1, 2, 4, 6].map(column),
      );
      const leads = await insert(
        `insert into user_businesses (user_id, business_id, tags, custom_fields)
         select 1, id, string_to_array(tags || ', Imported', ', '), jsonb_build_object('email', email, 'contactPerson', contact)
         from unnest($1::integer[], $2::text[], $3::text[], $4::text[]) as given (id, tags, email, contact)`,
        [businesses, column(7), column(5), column(3)],
      );
      await insert(
        `insert into assignment_history (user_business_id, new_user_id, changed_by, initial)
         select id, 1, 1, true from unnest($1::integer[]) as given (id)`,
        [leads],
      );
      await client.query('commit');
    }
  } finally {
    client.release();
  }
}
