import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { leadFilter } from '#contract/leads/lead-filter.ts';
import type { Database } from '#server/kit/db/open.ts';
import { businesses, leadCountChanges, leadCounts, leads, users } from '#server/kit/db/schema.ts';
import { freshDatabase } from '#server/test-database.ts';
import { countedLeads, foldLeadCounts, townsInView } from './lead-counts.sql.ts';

let database: Database;
let ada: number;
let tom: number;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  const { db } = database;
  await db.execute(sql`truncate users, businesses cascade`);
  const person = (name: string) => ({ username: name, email: `${name}@example.test`, fullName: name, password: 'x' });
  const made = await db
    .insert(users)
    .values([person('ada'), person('tom')])
    .returning();
  [ada = 0, tom = 0] = made.map(({ id }) => id);
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

const one = sql`id = (select min(id) from user_businesses)`;

test.each<[string, () => Promise<unknown>]>([
  ['leads are made, many at once', async () => {}],
  ['a status changes', () => database.db.update(leads).set({ status: 'recontact' }).where(one)],
  ['every status changes', () => database.db.update(leads).set({ status: 'closed_won' })],
  ['tags come and go', () => database.db.update(leads).set({ tags: ['cold', 'new one'] })],
  ['a lead is handed over', () => database.db.update(leads).set({ userId: tom }).where(eq(leads.userId, ada))],
  ['leads are archived', () => database.db.update(leads).set({ archived: true })],
  ['leads become customers', () => database.db.update(leads).set({ existingCustomer: true })],
  ['what is not counted changes', () => database.db.update(leads).set({ notes: 'x', viewed: true })],
  ['a business moves', () => database.db.update(businesses).set({ town: 'Hull' })],
  ['a town is no longer known', () => database.db.update(businesses).set({ town: null })],
  ['a lead is deleted', () => database.db.delete(leads).where(one)],
  ['a user goes, with their leads', () => database.db.delete(users).where(eq(users.id, ada))],
  ['businesses go, with their leads', () => database.db.delete(businesses)],
  ['all leads go at once', () => database.db.execute(sql`truncate user_businesses cascade`)],
  [
    'a change is taken back',
    () =>
      database.db
        .transaction(async (tx) => {
          await tx.update(leads).set({ status: 'proposal' });
          throw new Error('taken back');
        })
        .catch(() => {}),
  ],
])('the counts are right when %s, before and after they are folded', async (_what, change) => {
  await change();
  expect(await wrong()).toEqual([]);

  await foldLeadCounts(database.db);
  expect(await wrong()).toEqual([]);
  expect(await database.db.$count(leadCountChanges)).toBe(0);

  await change();
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
