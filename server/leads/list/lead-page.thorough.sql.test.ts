import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { areaOf } from '#contract/districts/district.ts';
import { isClosed, leadStatus, PIPELINE } from '#contract/leads/lead.ts';
import { followUpDue, LEAD_SORTS, type LeadPageQuery, leadPageQuery, MAX_TOTAL } from '#contract/leads/lead-filter.ts';
import type { Viewer } from '#contract/users/user.ts';
import { businesses, leads } from '#server/schema/leads.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';
import { leadPage } from './lead-page.sql.ts';

// The list is compared with a model: the same leads, filtered, sorted and paged one by one in JavaScript.

/** More than MAX_TOTAL, so that both branches of the query are used. */
const LEADS = 11_000;
const NOW = new Date('2026-06-17T09:30:00.000Z');
const TIME = { now: NOW, timeZone: 'Europe/London' };

/** Of businesses in LS1 (four ways to write it), LS11, L1, SW1A, and without a postcode. */
const ADDRESSES = [
  '1 High Street, Leeds LS1 4AP, UK',
  'Unit B2 1AA House, Leeds, ls14dy',
  '2 Low Road, Leeds LS11 5QT',
  'M1 1AE House, 3 Dock Road, Liverpool L1 8JQ',
  'Leeds, LS1  2AB.',
  'LS1',
  '10 Downing Street, London SW1A 2AA, United Kingdom',
  '5 Station Road, Settle, UK',
];
const DISTRICTS = ['LS1', 'LS1', 'LS11', 'L1', 'LS1', 'LS1', 'SW1A', undefined];

let t: TestApp;
let [holder, other]: TestUser[] = [];
let viewers: Viewer[];
type LeadRow = typeof leads.$inferSelect;
let all: LeadRow[];
let addresses: Map<number, string>;

beforeAll(async () => {
  t = await testApp({ ownDatabase: true });
  [holder, other] = [await t.user(), await t.user('manager')];
  viewers = [holder, other, await t.user('admin')];
  for (let from = 1; from <= LEADS; from += 1_000) {
    await t.db.execute(sql`
      insert into businesses (place_id, name, formatted_address, phone, website, type, town)
      select 'p' || n, case when n % 7 = 0 then 'Corner Bakery ' when n % 400 = 3 then 'Rarebit ' else 'Shop ' end || n,
        (${sql.param(ADDRESSES)}::text[])[1 + n % ${ADDRESSES.length}],
        case when n % 6 > 0 then '01632 960' || n % 1000 end,
        case n % 4 when 0 then 'https://shop.example' when 1 then 'Not provided' end,
        case when n % 8 < 3 then 'Cafe' when n % 300 = 4 then 'Zoo' when n % 8 = 5 then 'Pub' end,
        case when n % 3 = 0 then 'Leeds' when n % 500 = 1 then 'Settle' when n % 2 = 0 then 'York' end
      from generate_series(${from}::int, ${from + 999}::int) n`);
    await t.db.execute(sql`
      insert into user_businesses (user_id, business_id, status, tags, archived, existing_customer, assigned_at,
        last_contacted_at, next_step_at, next_step_type, custom_fields)
      select case when n % 11 = 0 then ${other.id}::int else ${holder.id}::int end, b.id,
        case n % 5 when 0 then 'recontact' when 1 then 'closed_won' else 'new' end,
        case when n < 9000 and n % 4 = 0 then array['common', 'Imported'] when n % 300 = 9 then array['rare'] else '{}' end,
        n % 9 = 5, n % 12 = 7, timestamptz '2026-01-01' + (n / 3) * interval '4 hours',
        case when n % 3 > 0 then ${NOW.toISOString()}::timestamptz - n % 60 * interval '1 day' end,
        case when n % 4 = 1 then ${NOW.toISOString()}::timestamptz + (n % 40 - 20) * interval '11 hours' end,
        case when n % 4 = 1 then 'call' end, case when n % 7 = 1 then '{"email":"shop@example.com"}' else '{}' end::jsonb
      from generate_series(${from}::int, ${from + 999}::int) n join businesses b on b.place_id = 'p' || n`);
  }
}, 120_000);
afterAll(() => t.close());

/** All ids that the list should have, in its order. */
function modelList(viewer: Viewer, query: LeadPageQuery): number[] {
  const matching = all.filter((lead) => {
    const everyLead = viewer.role === 'admin' || (viewer.role === 'manager' && query.team);
    if (!everyLead && lead.userId !== viewer.id) return false;
    if (query.user !== undefined && lead.userId !== query.user) return false;
    if (query.q && !isFound(lead, query.q.toLowerCase())) return false;
    if (lead.archived && !query.archived) return false;
    if (!matchesDates(lead, query) || !matchesFacts(lead, query)) return false;
    if (query.district && !isInDistrict(lead, query.district)) return false;
    if (query.types.length && !query.types.includes(lead.businessType ?? '')) return false;
    if (query.customers === 'only') return lead.existingCustomer;
    if (lead.existingCustomer) return query.existing;
    if (query.status.length && !query.status.includes(lead.status)) return false;
    if (query.hideClosed && isClosed(lead.status)) return false;
    if (query.tags.length && !query.tags.some((tag) => lead.tags.includes(tag))) return false;
    return !query.town || lead.town?.toLowerCase() === query.town.toLowerCase();
  });
  const [by = '', direction = 'asc'] = query.sort === 'newest' ? ['oldest', 'desc'] : query.sort.split(/-(?=desc)/);
  matching.sort((a, b) => compareKeys(sortKeyOf(a, by), sortKeyOf(b, by)) || a.id - b.id);
  if (direction === 'desc') matching.reverse();
  return matching.map(({ id }) => id);
}

/** The name contains the text, or each word begins a word. */
function isFound({ businessName, town, customFields }: LeadRow, q: string) {
  const words = `${businessName} ${town} ${customFields.email}`.toLowerCase().split(/[^a-z0-9]+/);
  const eachBegins = q.split(' ').every((part) => words.some((word) => word.startsWith(part)));
  return businessName.toLowerCase().includes(q) || eachBegins;
}

/** In London's summer time, which all these days are in. */
const startsAt = (day: string, daysLater = 0) => {
  const date = day.endsWith('d') ? new Date(NOW.getTime() - Number.parseInt(day, 10) * DAY_MS) : new Date(day);
  date.setUTCHours(0 - 1 + 24 * daysLater, 0, 0, 0);
  return date.toISOString();
};
const DAY_MS = 24 * 60 * 60_000;

function matchesDates(lead: LeadRow, query: LeadPageQuery): boolean {
  const { lastContactedAt, assignedAt, nextStepAt } = lead;
  if (query.contacted === 'never' && lastContactedAt) return false;
  if (query.contactedFrom && (!lastContactedAt || lastContactedAt < startsAt(query.contactedFrom))) return false;
  if (query.contactedTo && (!lastContactedAt || lastContactedAt >= startsAt(query.contactedTo, 1))) return false;
  if (query.assignedFrom && assignedAt < startsAt(query.assignedFrom)) return false;
  if (query.assignedTo && assignedAt >= startsAt(query.assignedTo, 1)) return false;
  if (!query.followUp) return true;
  if (query.followUp === 'none' || nextStepAt === null) return query.followUp === 'none' && nextStepAt === null;
  return {
    any: true,
    overdue: nextStepAt < NOW.toISOString(),
    due: nextStepAt < startsAt('2026-06-18'),
    today: nextStepAt >= startsAt('2026-06-17') && nextStepAt < startsAt('2026-06-18'),
    week: nextStepAt >= startsAt('2026-06-15') && nextStepAt < startsAt('2026-06-22'),
  }[query.followUp];
}

const matchesFacts = (lead: LeadRow, { hasPhone, hasEmail, hasWebsite, source }: LeadPageQuery) =>
  (hasPhone ?? lead.hasPhone) === lead.hasPhone &&
  (hasWebsite ?? lead.hasWebsite) === lead.hasWebsite &&
  (hasEmail === undefined || hasEmail === Boolean(lead.customFields.email)) &&
  (source === undefined || (source === 'import') === lead.tags.includes('Imported'));

function isInDistrict({ businessId }: LeadRow, code: string): boolean {
  const district = DISTRICTS[ADDRESSES.indexOf(addresses.get(businessId) ?? '')];
  return district !== undefined && [district, areaOf(district)].includes(code);
}

/** Null comes last, except that a lead that was never contacted comes first. */
function sortKeyOf(lead: LeadRow, by: string): string | number | null {
  const keys: Record<string, string | number | null> = {
    oldest: lead.assignedAt,
    name: lead.businessName.toLowerCase(),
    town: lead.town?.toLowerCase() ?? null,
    status: PIPELINE.indexOf(lead.status),
    'last-contact': lead.lastContactedAt ?? '',
    'follow-up': lead.nextStepAt,
  };
  return keys[by] ?? null;
}

function compareKeys(a: string | number | null, b: string | number | null): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? 1 : -1;
  return a < b ? -1 : 1;
}

type Shape = Record<string, string>;
const combine = (...dimensions: Shape[][]) =>
  dimensions.reduce<Shape[]>(
    (combined, options) => combined.flatMap((shape) => options.map((option) => ({ ...shape, ...option }))),
    [{}],
  );
const COMBINATIONS = combine(
  [{}, { status: 'recontact' }, { status: 'closed_won', hideClosed: 'false' }, { status: 'new,recontact' }],
  [{}, { tags: 'common' }, { tags: 'rare' }, { tags: 'common,rare' }],
  [{}, { town: 'leeds' }, { town: 'Settle' }],
  [{}, { q: 'BAKERY' }, { q: 'rarebit' }, { q: 'r bak' }, { q: 'sh' }, { q: 'zz' }],
);
const SHOWN: Shape[] = [
  {},
  { hideClosed: 'false' },
  { archived: 'true' },
  { existing: 'true' },
  { hideClosed: 'false', archived: 'true', existing: 'true' },
];

const DATES: Shape[] = [
  { contacted: 'never' },
  { contactedFrom: '2026-05-20', contactedTo: '2026-06-01' },
  { contactedTo: '30d' },
  { contactedFrom: '7d', followUp: 'none' },
  { assignedFrom: '2026-05-01', assignedTo: '2026-05-31' },
  { assignedFrom: '0d' },
  ...followUpDue.options.map((followUp) => ({ followUp })),
];
const FACTS: Shape[] = [
  { hasPhone: 'false' },
  { hasPhone: 'true', hasEmail: 'true' },
  { hasWebsite: 'true' },
  { hasWebsite: 'false', hasEmail: 'false' },
  { source: 'import' },
  { customers: 'only' },
  { source: 'search', hasPhone: 'true' },
];
const TYPES: Shape[] = [{ types: 'Cafe' }, { types: 'Zoo' }, { types: 'Cafe,Zoo' }, { types: 'Castle' }];

const DISTRICT_FILTERS: Shape[] = ['LS1', 'ls11', 'LS', 'L', 'L1', 'SW', 'SW1A', 'S'].map((district) => ({ district }));

/** The same numbers in every run, so that a failure can be repeated. */
function createRandom(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
const random = createRandom(20_261_116);
const pick = <T>(options: readonly T[]): T => options[random(options.length)] as T;

const oneLead = () => sql`id = ${pick(all).id}`;
const manyLeads = () => sql`id % ${random(5) + 2} = ${random(2)}`;

/** Every way in which the leads of a list change. */
const CHANGES: ((condition: () => ReturnType<typeof sql>) => ReturnType<typeof sql>)[] = [
  (condition) => sql`update user_businesses set status = ${pick(leadStatus.options)} where ${condition()}`,
  (condition) =>
    sql`update user_businesses set tags = ${sql.param(pick([['rare'], ['common'], []]))}::text[] where ${condition()}`,
  (condition) => sql`update user_businesses set archived = not archived where ${condition()}`,
  (condition) => sql`update user_businesses set existing_customer = not existing_customer where ${condition()}`,
  (condition) => sql`update user_businesses set user_id = ${pick([holder, other])?.id} where ${condition()}`,
  (condition) => sql`update businesses set name = name || ' Bakery', town = ${pick(['York', 'Settle', null])}
    where id in (select business_id from user_businesses where ${condition()})`,
  (
    condition,
  ) => sql`update businesses set phone = ${pick(['01632 960001', '', null])}, website = ${pick(['https://new.example', null])}
    where id in (select business_id from user_businesses where ${condition()})`,
  (condition) => sql`update user_businesses set last_contacted_at = ${pick([NOW.toISOString(), null])},
    custom_fields = ${pick(['{"email":"new@example.com"}', '{"email":""}'])}::jsonb where ${condition()}`,
  (condition) => sql`update businesses set formatted_address = ${pick([...ADDRESSES, null])}
    where id in (select business_id from user_businesses where ${condition()})`,
  (condition) => sql`update businesses set type = ${pick(['Cafe', 'Zoo', null])}
    where id in (select business_id from user_businesses where ${condition()})`,
  (condition) => sql`delete from user_businesses where ${condition()} and id % 50 = 0`,
];

test.each<[string, () => Promise<unknown>]>([
  ['as they were inserted', async () => {}],
  [
    'after changes of single leads',
    async () => {
      for (let nth = 0; nth < 60; nth += 1) await t.db.execute(pick(CHANGES)(oneLead));
    },
  ],
  [
    'after bulk changes',
    async () => {
      for (const change of CHANGES) await t.db.execute(change(manyLeads));
    },
  ],
])(
  'every combination of filters has the leads of the model on all pages: %s',
  async (_when, change) => {
    all = await t.db.select().from(leads);
    await change();
    all = await t.db.select().from(leads);
    const { id, formattedAddress } = businesses;
    const rows = await t.db.select({ id, formattedAddress }).from(businesses);
    addresses = new Map(rows.map((row) => [row.id, row.formattedAddress ?? '']));
    for (const combination of COMBINATIONS) {
      const viewer = pick(viewers);
      const team = pick(['true', 'false']);
      // Half of the lists have one of the newer filters, so that the others stay long.
      const more = pick([{}, {}, pick(DATES), pick(FACTS), pick(TYPES), pick(DISTRICT_FILTERS)]);
      const shape = { ...combination, ...more, ...pick(SHOWN), team, sort: pick(LEAD_SORTS), pageSize: '100' };
      const expected = modelList(viewer, leadPageQuery.parse(shape));
      // All pages of a short list; of a long one the first, one in the middle, the last and the one after it.
      const last = Math.max(1, Math.ceil(expected.length / 100));
      const pages = last <= 3 ? [1, 2, 3, 4] : [1, 2 + random(last - 2), last, last + 1];
      for (const page of pages) {
        const found = await leadPage(t.db, viewer, leadPageQuery.parse({ ...shape, page: String(page) }), TIME);
        expect({ shape, page, ids: found.items.map(({ userBusiness }) => userBusiness.id) }).toEqual({
          shape,
          page,
          ids: expected.slice((page - 1) * 100, page * 100),
        });
        expect(found.total).toBe(Math.min(expected.length, MAX_TOTAL));
        expect(found.totalCapped).toBe(expected.length > MAX_TOTAL);
      }
    }
  },
  240_000,
);

test('the district of a lead, and whether it has a phone or a website, follow its business', async () => {
  const { rows } = await t.db.execute(sql`
    select lead.id from user_businesses lead join businesses business on business.id = lead.business_id
    where lead.district is distinct from business.district or lead.has_phone <> (coalesce(business.phone, '') <> '')
      or lead.has_website <> (coalesce(business.website, '') not in ('', 'Not provided'))`);
  expect(rows).toEqual([]);
});

test.each(['newest', 'oldest', 'town', 'last-contact-desc'])(
  'a list of more than 10,000 is capped in its total, complete and in order: %s',
  async (sort) => {
    const shape = { sort, hideClosed: 'false', archived: 'true', existing: 'true', pageSize: '100' };
    const [, , admin] = viewers;
    if (!admin) throw new Error('no admin');
    const expected = modelList(admin, leadPageQuery.parse(shape));
    expect(expected.length).toBeGreaterThan(MAX_TOTAL);
    const seen: number[] = [];
    for (let page = 1; seen.length < expected.length; page += 1) {
      const found = await leadPage(t.db, admin, leadPageQuery.parse({ ...shape, page: String(page) }), TIME);
      expect(found).toMatchObject({ total: MAX_TOTAL, totalCapped: true });
      expect(found.items.length).toBeGreaterThan(0);
      seen.push(...found.items.map(({ userBusiness }) => userBusiness.id));
    }
    expect(seen).toEqual(expected);
  },
);
