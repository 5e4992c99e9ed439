import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isClosed } from '#contract/leads/lead.ts';
import { type LeadPageQuery, leadPageQuery } from '#contract/leads/lead-filter.ts';
import type { Viewer } from '#contract/users/user.ts';
import { leads } from '#server/kit/db/schema.ts';
import { type Person, type TestApp, testApp } from '#server/testing.ts';
import { leadPage } from './lead-page.sql.ts';
import { foldLeadSets } from './lead-sets.sql.ts';

// Enough that pages are found in every way there is: by a walk, by looking up what matches, and by the one after the other.
const LEADS = 2_600;

let t: TestApp;
let holder: Person;
let admin: Viewer;
let all: (typeof leads.$inferSelect)[];

beforeAll(async () => {
  t = await testApp({ alone: true });
  [holder, admin] = [await t.person(), await t.person('admin')];
  const other = await t.person();
  await t.db.execute(sql`
    insert into businesses (place_id, name, town)
    select 'p' || n, case when n % 7 = 0 then 'Corner Bakery ' when n % 400 = 3 then 'Rarebit ' else 'Shop ' end || n,
      case when n % 3 = 0 then 'Leeds' when n % 500 = 1 then 'Settle' when n % 2 = 0 then 'York' end
    from generate_series(1, ${LEADS}) n`);
  await t.db.execute(sql`
    insert into user_businesses (user_id, business_id, status, tags, archived, existing_customer, assigned_at)
    select case when n % 11 = 0 then ${other.id}::int else ${holder.id}::int end, b.id,
      case n % 5 when 0 then 'recontact' when 1 then 'closed_won' else 'new' end,
      -- The newest have no tag: a walk alone would not come to those that do.
      case when n <= 2200 and n % 4 = 0 then array['common', 'Imported'] when n % 300 = 9 then array['rare'] else '{}' end,
      n % 9 = 5, n % 12 = 7, timestamptz '2026-01-01' + (n / 3) * interval '4 hours'
    from generate_series(1, ${LEADS}) n join businesses b on b.place_id = 'p' || n`);
}, 120_000);
afterAll(() => t.close());

/** The same list, made one lead at a time. */
function expected(viewer: Viewer, query: LeadPageQuery) {
  const matches = all.filter((lead) => {
    if (viewer.role !== 'admin' && lead.userId !== viewer.id) return false;
    if (query.user !== undefined && lead.userId !== query.user) return false;
    if (query.q && !lead.businessName.toLowerCase().includes(query.q.toLowerCase())) return false;
    if (lead.archived && !query.archived) return false;
    if (lead.existingCustomer) return query.existing;
    if (query.status && lead.status !== query.status) return false;
    if (query.hideClosed && isClosed(lead.status)) return false;
    if (query.tags.length && !query.tags.some((tag) => lead.tags.includes(tag))) return false;
    return !query.town || lead.town?.toLowerCase() === query.town.toLowerCase();
  });
  matches.sort((a, b) => a.assignedAt.localeCompare(b.assignedAt) || a.id - b.id);
  if (query.sort === 'newest') matches.reverse();
  const before = (query.page - 1) * query.pageSize;
  return { total: matches.length, ids: matches.slice(before, before + query.pageSize).map(({ id }) => id) };
}

type Shape = Record<string, string>;
const combined = (...dimensions: Shape[][]) =>
  dimensions.reduce<Shape[]>(
    (begun, choices) => begun.flatMap((shape) => choices.map((choice) => ({ ...shape, ...choice }))),
    [{}],
  );

describe.each<[string, () => Promise<unknown>]>([
  ['looked up, as sets are not made yet', async () => {}],
  ['counted in sets', () => foldLeadSets(t.db)],
  ['counted in sets, of which some are not up to date', () => changeSome()],
])('%s', (_how, prepare) => {
  beforeAll(async () => {
    await prepare();
    all = await t.db.select().from(leads);
  });

  test.each<[string, Shape[]]>([
    ['the first page', [{}]],
    ['a later page, oldest first', [{ page: '4', sort: 'oldest', pageSize: '20' }]],
    ['the last pages', [{ page: '30' }, { page: '1000' }]],
    ['archived ones and customers', [{ archived: 'true', existing: 'true', pageSize: '20' }]],
    ['customers, further on', [{ existing: 'true', page: '9', pageSize: '20' }]],
  ])('every mix of filters gives the leads that match, in order and counted: %s', async (_which, also) => {
    const shapes = combined(
      [{}, { status: 'recontact' }, { hideClosed: 'false' }],
      [{}, { tags: 'common' }, { tags: 'rare' }, { tags: 'common,rare' }],
      [{}, { town: 'leeds' }, { town: 'Settle' }],
      [{}, { q: 'BAKERY' }, { q: 'rarebit' }, { q: 'r bak' }],
      also,
    );
    for (const [nth, shape] of shapes.entries()) {
      const viewer = nth % 2 ? holder : admin;
      const query = leadPageQuery.parse(shape);
      const { items, total, totalCapped } = await leadPage(t.db, viewer, query);
      const found = { total, ids: items.map(({ userBusiness }) => userBusiness.id) };
      expect({ shape, ...found }).toEqual({ shape, ...expected(viewer, query) });
      expect(totalCapped).toBe(false);
    }
  });
});

const changeSome = () =>
  t.db.execute(sql`
    update user_businesses set status = case when id % 2 = 0 then 'recontact' else 'closed_lost' end,
      tags = case when id % 3 = 0 then array['rare'] else tags end, archived = not archived
    where id % 9 = 0`);
