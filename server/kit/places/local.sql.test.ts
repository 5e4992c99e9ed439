import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestApp, testApp } from '#server/testing.ts';
import { LEEDS } from './fakes/bakeries.ts';
import { middleOf, placesAround } from './local.sql.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp({ alone: true });
});
afterAll(() => t.close());

const query = {
  businessType: 'Bakery',
  location: 'Leeds',
  method: 'textSearch',
  centre: LEEDS,
  radiusMetres: 5_000,
  keyword: null,
  openNow: false,
  minPrice: null,
  maxPrice: null,
  sortBy: 'relevance',
  maxResults: 20,
} as const;

/** The plan when nothing is so small that reading all of it is best. */
const planOf = (statement: ReturnType<typeof sql>) =>
  t.db.transaction(async (tx) => {
    await tx.execute(sql`set local enable_seqscan = off`);
    const { rows } = await tx.execute<Record<string, string>>(sql`explain ${statement}`);
    return rows.map((row) => Object.values(row)[0]).join('\n');
  });

test('a search reads only what is around, however many places there are', async () => {
  const plan = await planOf(placesAround(t.db, query, 20).getSQL());
  expect(plan).toMatch(/places_location|places_categories/);
  expect(plan).not.toMatch(/Seq Scan/);
});

test('towns and postcodes are found by an index', async () => {
  expect(await planOf(sql`select 1 from places where lower(town) = lower('x')`)).toMatch(/places_town/);
  const like = sql`select 1 from places where replace(upper(postcode), ' ', '') like 'LS1%'`;
  expect(await planOf(like)).toMatch(/places_postcode/);
  expect(await middleOf(t.db, 'Nowhere')).toBeNull();
});
