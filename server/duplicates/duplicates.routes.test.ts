import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import * as calls from '#contract/duplicates/duplicates.calls.ts';
import { MAX_MERGED } from '#contract/duplicates/merge.ts';
import { businesses } from '#server/schema/leads.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';
import { findDuplicates } from './duplicate-job.ts';

let t: TestApp;
let admin: TestUser;
let holder: TestUser;
beforeAll(async () => {
  t = await testApp({ ownDatabase: true });
  admin = await t.user('admin');
  holder = await t.user();
});
afterAll(() => t.close());
beforeEach(() => t.db.execute(sql`truncate businesses, business_match_keys, duplicate_scan cascade`));

const bakery = { formattedAddress: '1 High Street, York YO1 7HU, UK', town: 'York', phone: '01632 960001' };
const addBakery = (name: string, given: Partial<typeof businesses.$inferInsert> = {}) =>
  t.lead(holder, {}, { name, ...bakery, ...given });
const compareAll = async () => {
  while (!(await findDuplicates(t.db)));
};
const list = async (query = {}) => (await t.request(admin, calls.listDuplicates, { query })).body;
const ids = async (query = {}) => (await list(query)).items.map(({ records }) => records.map(({ id }) => id).sort());
const decide = (call: typeof calls.dismissDuplicates, businessIds: number[], viewer = admin) =>
  t.request(viewer, call, { body: { businessIds } });

test('records that look like one business are listed with what agrees, the most likely first', async () => {
  const first = await addBakery('Blue Door Bakery');
  const second = await addBakery('The Blue Door Bakery Ltd', { phone: '+44 1632 960001' });
  const third = await addBakery('Hartley Motors', { phone: '01632 960002', formattedAddress: null });
  const fourth = await addBakery('Hartley Motors', { phone: null, formattedAddress: null });
  await compareAll();

  const { items, total, scan } = await list();

  expect(total).toBe(2);
  expect(items[0]).toMatchObject({ reasons: ['phone', 'name_postcode'] });
  expect(items[0]?.records.map(({ id }) => id)).toEqual([first.business.id, second.business.id]);
  expect(items[0]?.records[0]).toMatchObject({
    agrees: ['name', 'address', 'town', 'phone'],
    leads: [{ uuid: first.uuid, holder: { id: holder.id } }],
  });
  expect(items[1]?.records.map(({ id }) => id)).toEqual([third.business.id, fourth.business.id]);
  expect(scan).toMatchObject({ businesses: 4, waiting: 0, completedAt: expect.any(String) });
  expect((await list({ reason: 'name_town' })).total).toBe(1);
  expect((await list({ reason: 'email' })).total).toBe(0);
});

test('three records of one business are one group', async () => {
  await addBakery('Blue Door Bakery');
  await addBakery('Blue Door Bakery Ltd');
  await addBakery('The Blue Door Bakery');
  await compareAll();
  expect((await list()).items.map(({ records }) => records.length)).toEqual([3]);
});

test('a group has no more records than can be decided at once; the rest come up afterwards', async () => {
  for (let nth = 0; nth < MAX_MERGED + 2; nth += 1) await addBakery('Blue Door Bakery', { phone: null });
  await compareAll();

  const [first = []] = await ids();

  expect(first).toHaveLength(MAX_MERGED);
  expect(await decide(calls.dismissDuplicates, first)).toMatchObject({ status: 200 });
  const [next = []] = await ids();
  expect(next.length).toBeGreaterThan(1);
  expect(next.some((id) => !first.includes(id))).toBe(true);
});

test('businesses without a lead are not listed', async () => {
  await t.db.insert(businesses).values([
    { placeId: 'a', name: 'Blue Door Bakery', ...bakery },
    { placeId: 'b', name: 'Blue Door Bakery', ...bakery },
  ]);
  await compareAll();
  expect((await list()).total).toBe(0);
});

test('before they are compared, the list says how many are waiting', async () => {
  await addBakery('Blue Door Bakery');
  expect((await list()).scan).toEqual({ businesses: 1, waiting: 1, completedAt: null });
});

test('a pair that was changed apart is no longer listed', async () => {
  await addBakery('Blue Door Bakery');
  const { business } = await addBakery('Blue Door Bakery');
  await compareAll();
  expect((await list()).total).toBe(1);
  await t.db.execute(sql`
    update businesses set name = 'Hartley Motors', phone = '01632 960099', updated_at = now() where id = ${business.id}`);
  await compareAll();
  expect((await list()).total).toBe(0);
});

test('"not a duplicate" is remembered, also after a change, and can be taken back', async () => {
  const pair = [
    (await addBakery('Blue Door Bakery')).business.id,
    (await addBakery('Blue Door Bakery Ltd')).business.id,
  ];
  await compareAll();

  expect(await decide(calls.dismissDuplicates, pair)).toMatchObject({ status: 200, body: { count: 1 } });

  await t.db.execute(sql`update businesses set name = 'Blue Door Bakers', updated_at = now() where id = ${pair[0]}`);
  await compareAll();
  expect(await ids()).toEqual([]);
  expect(await ids({ state: 'dismissed' })).toEqual([pair]);
  expect(await decide(calls.dismissDuplicates, pair)).toMatchObject({ status: 404 });

  expect(await decide(calls.reopenDuplicates, pair)).toMatchObject({ status: 200, body: { count: 1 } });
  expect(await ids()).toEqual([pair]);
  expect(await decide(calls.reopenDuplicates, pair)).toMatchObject({ status: 404 });
});

test.each([calls.dismissDuplicates, calls.reopenDuplicates])(
  '$path is refused to others and with wrong input',
  async (call) => {
    const pair = [
      (await addBakery('Blue Door Bakery')).business.id,
      (await addBakery('Blue Door Bakery Ltd')).business.id,
    ];
    await compareAll();
    expect(await decide(call, pair, holder)).toMatchObject({ status: 403 });
    expect(await decide(call, [pair[0] as number])).toMatchObject({ status: 400 });
    expect(await ids()).toEqual([pair]);
  },
);

test('a search result that looks like the business of a lead is matched with it', async () => {
  const lead = await addBakery('Blue Door Bakery');
  const [found, other] = await t.db
    .insert(businesses)
    .values([
      { placeId: 'found', name: 'The Blue Door Bakery', ...bakery },
      { placeId: 'other', name: 'Hartley Motors', town: 'York' },
    ])
    .returning();
  const matches = (viewer: TestUser, businessIds: number[]) =>
    t.request(viewer, calls.findDuplicateMatches, { body: { businessIds } });
  const both = [found?.id as number, other?.id as number];

  expect((await matches(admin, both)).body).toEqual([
    {
      businessId: found?.id,
      leadUuid: lead.uuid,
      match: {
        businessId: lead.business.id,
        name: 'Blue Door Bakery',
        town: 'York',
        reasons: ['phone', 'name_postcode'],
        score: expect.any(Number),
      },
    },
  ]);
  await decide(calls.dismissDuplicates, [found?.id as number, lead.business.id]);
  expect((await matches(admin, both)).body).toEqual([]);
  expect(await matches(holder, both)).toMatchObject({ status: 403 });
  expect(await matches(admin, [0])).toMatchObject({ status: 400 });
});

test.each([
  ['whose keys are not refreshed yet', '-infinity'],
  ['that committed after others, whose keys are', 'now'],
])(
  'after a large import %s, a match waits for one step of keys, those of the same district first',
  async (_, keysAt) => {
    await t.db.execute(sql`insert into businesses (place_id, name, town, formatted_address)
    select 'import ' || n, 'Shop ' || n, 'Leeds', n || ' High Street, Leeds LS1 4AP' from generate_series(1, 2500) n`);
    const lead = await addBakery('Blue Door Bakery');
    const [found] = await t.db
      .insert(businesses)
      .values({ placeId: 'found', name: 'The Blue Door Bakery', ...bakery })
      .returning();
    await t.db.execute(sql`insert into duplicate_scan (keys_at, keys_id) values (${keysAt}::timestamptz, 2147483647)`);
    const { body } = await t.request(admin, calls.findDuplicateMatches, {
      body: { businessIds: [found?.id as number] },
    });
    expect(body).toMatchObject([{ businessId: found?.id, leadUuid: lead.uuid }]);
    const { rows } = await t.db.execute(sql`select count(*)::int as keys from business_match_keys`);
    expect(rows).toEqual([{ keys: 1_000 }]);
  },
);

test.each([{ page: 0 }, { state: 'merged' }, { reason: 'rating' }])('the list refuses %j', async (query) => {
  expect(await t.request(admin, calls.listDuplicates, { query: query as never })).toMatchObject({ status: 400 });
});
