import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '#server/kit/db/open.ts';
import { freshDatabase } from '#server/testing/databases.ts';
import { matchKeys } from './find-matches.sql.ts';
import { refreshAllKeys } from './refresh-keys.sql.ts';

// Directly after an import, before PostgreSQL has statistics of the new rows.

const BUSINESSES = 3_000;

let database: Database;
beforeAll(async () => {
  database = await freshDatabase();
  await database.db.execute(sql`
    with holder as (
      insert into users (username, email, full_name, password) values ('holder', 'holder@example.org', 'Holder', '') returning id
    ), business as (
      insert into businesses (place_id, name, town, phone)
      select 'place ' || n, 'Fish and Chips ' || n, 'York', '01632 ' || 960000 + n from generate_series(1, ${BUSINESSES}::int) n
      returning id
    )
    insert into user_businesses (user_id, business_id, custom_fields)
    select holder.id, business.id, jsonb_build_object('email', 'hello@shop' || business.id || '.example.org')
    from holder, business`);
  await refreshAllKeys(database.db);
});
afterAll(() => database.close());

test('a business is found by its e-mail address without reading every lead', async () => {
  const candidate = { businessId: null, name: 'hello', phone: null, host: null, postcode: null, town: null };
  const reads = await explain((db) => matchKeys(db, [{ ...candidate, emails: ['hello@shop7.example.org'] }]));
  const leads = reads.filter(({ table }) => table === 'user_businesses');
  expect(leads).toEqual([{ table: 'user_businesses', rows: 1, removed: 0 }]);
});

test('a town with thousands of similar names still has a best match', async () => {
  const [found = []] = await matchKeys(database.db, [
    {
      businessId: null,
      name: 'fish chips',
      phone: '441632960007',
      host: null,
      postcode: null,
      town: 'york',
      emails: [],
    },
  ]);
  expect(found[0]).toMatchObject({ name: 'Fish and Chips 7' });
});

interface Plan {
  'Relation Name'?: string;
  'Actual Rows': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: Plan[];
}

/** How the only statement of the work reads its tables. */
async function explain(work: (db: Database['db']) => Promise<unknown>) {
  const { pool, db } = database;
  const sent: { text: string; values: unknown[] }[] = [];
  const { query } = pool;
  pool.query = ((config: { text: string }, values: unknown[]) => {
    sent.push({ text: config.text, values });
    return Reflect.apply(query, pool, [config, values]);
  }) as typeof query;
  await work(db).finally(() => {
    pool.query = query;
  });
  expect(sent).toHaveLength(1);
  const { rows } = await pool.query(`explain (analyze, format json) ${sent[0]?.text}`, sent[0]?.values);
  const flatten = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(flatten)];
  return flatten(rows[0]['QUERY PLAN'][0].Plan).map((node) => ({
    table: node['Relation Name'],
    rows: node['Actual Rows'],
    /** Read in vain. */
    removed: (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0),
  }));
}
