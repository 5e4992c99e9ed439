import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { leadFilter } from '#contract/leads/lead-filter.ts';
import type { Database } from '#server/kit/db/open.ts';
import { businesses, leadCountChanges, leadCounts, leads } from '#server/kit/db/schema.ts';
import { freshDatabase } from '#server/test-database.ts';
import { countedLeads, foldLeadCounts, townsInView } from './lead-counts.sql.ts';
import { CHANGES, one, startWithTwoPeople } from './testing-changes.ts';

let database: Database;
let ada: number;
let tom: number;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  const { db } = database;
  ({ ada, tom } = await startWithTwoPeople(db));
  const shops = Array.from({ length: 12 }, (_, nth) => ({
    placeId: `p${nth}`,
    name: `Shop ${nth}`,
    town: [null, 'Leeds', 'York', 'leeds'][nth % 4] ?? null,
  }));
  const shopIds = (await db.insert(businesses).values(shops).returning()).map(({ id }) => id);
  const tags = [[], ['hot'], ['hot', 'cold', 'hot']];
  await db.insert(leads).values(
    shopIds.map((businessId, nth) => ({
      userId: nth % 3 ? ada : tom,
      businessId,
      tags: tags[nth % 3] ?? [],
      archived: nth % 5 === 0,
    })),
  );
});

/** Counts that are not what counting the leads one by one gives. */
async function wrong() {
  const { rows } = await database.db.execute(sql`
    with counted as (
      select holder, facet, word, status, archived, existing, sum(leads)::int as leads
      from (select * from lead_counts union all select * from lead_count_changes) c
      group by 1, 2, 3, 4, 5, 6 having sum(leads) <> 0
    ), actual as (
      select holder, facet, word, status, archived, existing_customer, count(*)::int
      from (
        select *, 'all' as facet, '' as word from user_businesses
        union all select *, 'town', town from user_businesses where town is not null
        union all select l.*, 'tag', tag from user_businesses l, lateral (select distinct unnest(l.tags) as tag) t
      ) l, lateral (values (0), (l.user_id)) h (holder)
      group by 1, 2, 3, 4, 5, 6
    )
    (select 'counted', * from (table counted except table actual) a)
    union all (select 'actual', * from (table actual except table counted) b)`);
  return rows;
}

test.each(CHANGES)('the counts are right when %s, before and after they are folded', async (_what, change) => {
  await change(database.db, { ada, tom });
  expect(await wrong()).toEqual([]);

  await foldLeadCounts(database.db);
  expect(await wrong()).toEqual([]);
  expect(await database.db.$count(leadCountChanges)).toBe(0);

  await change(database.db, { ada, tom });
  await foldLeadCounts(database.db);
  expect(await wrong()).toEqual([]);
});

test('name and town of a lead are those of its business, whatever becomes of it', async () => {
  const { db } = database;
  const different = sql`select from user_businesses l join businesses b on b.id = l.business_id
    where (l.business_name, l.town) is distinct from (b.name, b.town)`;
  expect((await db.execute(different)).rows).toEqual([]);
  await db.execute(sql`update businesses set name = name || ' & Sons', town = 'Bath' where id % 2 = 0`);
  expect((await db.execute(different)).rows).toEqual([]);
  await db.execute(sql`update user_businesses set business_id = (select max(id) from businesses) where ${one}`);
  expect((await db.execute(different)).rows).toEqual([]);
});

test('a town is counted in any case, and listed as it is written', async () => {
  const admin = { id: 0, role: 'admin' } as const;
  const filter = leadFilter.parse({ town: 'LEEDS', archived: 'true' });
  expect(await countedLeads(database.db, admin, filter)).toBe(6);
  expect(new Set(await townsInView(database.db, admin))).toEqual(new Set(['Leeds', 'leeds', 'York']));
  expect(await townsInView(database.db, { id: tom, role: 'user' })).not.toContain('nowhere');
});

test('what is counted no more leaves no line behind', async () => {
  await foldLeadCounts(database.db);
  await database.db.delete(leads);
  await foldLeadCounts(database.db);
  expect(await database.db.$count(leadCounts)).toBe(0);
});
