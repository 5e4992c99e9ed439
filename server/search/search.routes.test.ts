import { eq, inArray, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listUsersToAssign, searchBusinesses } from '#contract/search/search.calls.ts';
import { businesses } from '#server/schema/leads.ts';
import { places } from '#server/schema/places.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

let t: TestApp;
let admin: TestUser;
let manager: TestUser;
let user: TestUser;
beforeAll(async () => {
  // A Tuesday at noon.
  t = await testApp({ now: '2026-03-10T12:00:00Z' });
  [admin, manager, user] = [await t.user('admin'), await t.user('manager'), await t.user('user')];
});
afterAll(() => t.close());

const inLeeds = { businessType: 'Restaurant', location: 'Leeds' };
const search = (body: object, viewer = user) => t.request(viewer, searchBusinesses, { body: { ...inLeeds, ...body } });
const findBusinesses = async (body: object, viewer = user) => (await search(body, viewer)).body.businesses;

test('without configuration the sample is searched, with a notice, and every result is stored', async () => {
  const { status, body } = await search({});
  expect(status).toBe(200);
  expect(body).toMatchObject({ page: 1, pageSize: 20, provider: 'local', sample: true });
  expect(body.notices.join()).toMatch(/invented sample/);
  expect(body.businesses.length).toBeGreaterThan(5);
  expect(body.totalCount).toBe(body.businesses.length);
  const stored = await t.db
    .select()
    .from(businesses)
    .where(
      inArray(
        businesses.id,
        body.businesses.map(({ id }) => id),
      ),
    );
  expect(stored).toHaveLength(body.businesses.length);
  for (const { placeId, town, name } of stored) {
    expect(town).toBe('Leeds');
    expect(body.businesses.find((business) => business.placeId === placeId)?.name).toBe(name);
  }
  expect((await findBusinesses({})).map(({ id }) => id)).toEqual(body.businesses.map(({ id }) => id));
});

test('pages are requested by token, without gaps or duplicates', async () => {
  const all = await findBusinesses({ maxResults: 12, pageSize: 100 });
  const pages: string[][] = [];
  let token: string | null = null;
  for (let page = 1; page === 1 || token; page += 1) {
    const { body } = await search({ maxResults: 12, pageSize: 5, page, nextPageToken: token });
    expect(body).toMatchObject({ page, pageSize: 5, totalPages: 3, totalCount: 12 });
    pages.push(body.businesses.map(({ placeId }) => placeId));
    token = body.nextPageToken;
  }
  expect(pages.map((page) => page.length)).toEqual([5, 5, 2]);
  expect(pages.flat()).toEqual(all.map(({ placeId }) => placeId));
});

test('a token of another search, or a forged business, is an invalid request', async () => {
  const { body } = await search({ maxResults: 12, pageSize: 5 });
  for (const changed of [{ location: 'York' }, { keyword: 'red' }, { sortBy: 'rating' }, { pageSize: 6 }]) {
    const response = await search({
      maxResults: 12,
      pageSize: 5,
      page: 2,
      nextPageToken: body.nextPageToken,
      ...changed,
    });
    expect(response).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect(response.body.message).toMatch(/INVALID_REQUEST/);
  }
  expect((await search({ nextPageToken: 'nonsense' })).status).toBe(400);
});

describe('sorting and filters', () => {
  test('results are sorted by distance, rating or prominence', async () => {
    const near = (await findBusinesses({ sortBy: 'distance' })).map(({ distanceMetres }) => distanceMetres ?? -1);
    expect(near).toEqual([...near].sort((a, b) => a - b));
    const rated = (await findBusinesses({ sortBy: 'rating', maxResults: 60 })).map(({ rating }) => rating ?? 0);
    expect(rated).toEqual([...rated].sort((a, b) => b - a));
    const known = (await findBusinesses({ sortBy: 'prominence' })).map(({ userRatingsTotal }) => userRatingsTotal ?? 0);
    expect(known).toEqual([...known].sort((a, b) => b - a));
  });

  test('radius, price, open now, keyword and maxResults limit the results', async () => {
    for (const { distanceMetres } of await findBusinesses({ radius: 1500 }))
      expect(distanceMetres).toBeLessThanOrEqual(1500);
    for (const { priceLevel } of await findBusinesses({ minPrice: 1, maxPrice: 2 }))
      expect([1, 2]).toContain(priceLevel);
    for (const { openNow } of await findBusinesses({ openNow: true })) expect(openNow).toBe(true);
    const italian = await findBusinesses({ keyword: 'italian' });
    expect(italian.length).toBeGreaterThan(0);
    for (const { name, types } of italian) expect(`${name} ${types.join(' ')}`.toLowerCase()).toContain('italian');
    expect(await findBusinesses({ maxResults: 3 })).toHaveLength(3);
    expect((await search({ maxResults: 3 })).body.notices.join()).toMatch(/Max results/);
  });

  test('find place searches by name, also with a wrong letter', async () => {
    const [first] = await findBusinesses({});
    const name = first?.name ?? '';
    const [byName] = await findBusinesses({ searchMethod: 'findPlace', businessType: name });
    expect(byName?.name).toBe(name);
    const misspelt = await findBusinesses({ searchMethod: 'findPlace', businessType: `${name.slice(0, -1)}x` });
    expect(misspelt.map((business) => business.name)).toContain(name);
  });

  test('a percent sign is not a wildcard', async () => {
    expect((await search({ businessType: '%', location: 'Leeds' })).body.businesses).toEqual([]);
  });
});

test('a county is searched in a wide circle; an unlisted village or postcode is located by its places', async () => {
  const county = await search({ location: 'West Yorkshire' });
  expect(county.body.notices.join()).toMatch(/is a county/);
  expect(county.body.totalCount).toBe(20);
  await t.db.insert(places).values({
    source: 'sample',
    sourceId: 'sample-village',
    name: 'Village Bakery',
    categories: ['bakery'],
    town: 'Nether Wallop Test',
    postcode: 'ZE99 1ZZ',
    latitude: 51.14,
    longitude: -1.57,
  });
  for (const location of ['nether wallop test', 'ZE99 1ZZ', 'ze99']) {
    expect((await findBusinesses({ businessType: 'Bakery', location })).map(({ name }) => name)).toEqual([
      'Village Bakery',
    ]);
  }
  await t.db.delete(places).where(eq(places.sourceId, 'sample-village'));
});

test.each(['SW1A 1AA', 'near LS1', 'ls1'])(
  '%s finds businesses without a request to another machine',
  async (location) => {
    const { body } = await search({ location });
    expect(body.totalCount).toBeGreaterThan(0);
    expect(body.notices.join().includes('the middle of its district, SW1A')).toBe(location === 'SW1A 1AA');
  },
);

test('an unknown location is an invalid request; an empty result is not an error', async () => {
  const unknown = await search({ location: 'Atlantis' });
  expect(unknown).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  expect(unknown.body.message).toMatch(/INVALID_REQUEST.*Atlantis/);
  const nothing = await search({ businessType: 'Zeppelin hangar' });
  expect(nothing).toMatchObject({
    status: 200,
    body: { businesses: [], totalCount: 0, totalPages: 0, nextPageToken: null, sample: true },
  });
});

test('invalid input is refused with its message', async () => {
  const response = await t.request(user, searchBusinesses, { body: { businessType: '', location: 'Leeds' } });
  expect(response).toMatchObject({
    status: 400,
    body: { code: 'validation_failed', message: 'Business type is required' },
  });
});

test('a phone number that was found to be wrong is marked until the business has another', async () => {
  const [first] = await findBusinesses({});
  const set = (columns: Partial<typeof businesses.$inferInsert>) =>
    t.db
      .update(businesses)
      .set(columns)
      .where(eq(businesses.placeId, first?.placeId ?? ''));
  const isWrong = async () =>
    (await findBusinesses({})).find(({ placeId }) => placeId === first?.placeId)?.phoneIsWrong;
  expect(first?.phoneIsWrong).toBe(false);
  await set({ phone: '01632 960001', phoneTyped: true, wrongPhone: '01632 960001' });
  expect(await isWrong()).toBe(true);
  await set({ phone: '01632 960002' });
  expect(await isWrong()).toBe(false);
});

test('values typed by a user are not overwritten by the next search and are shown in its results', async () => {
  const [first] = await findBusinesses({});
  const placeId = first?.placeId ?? '';
  await t.db
    .update(businesses)
    .set({ phone: '01632 960999', phoneTyped: true, website: 'Not provided', websiteTyped: true, rating: 1 })
    .where(eq(businesses.placeId, placeId));
  const again = (await findBusinesses({})).find((business) => business.placeId === placeId);
  expect(again).toMatchObject({ phone: '01632 960999', website: null, rating: first?.rating });
  const [row] = await t.db.select().from(businesses).where(eq(businesses.placeId, placeId));
  expect(row).toMatchObject({ id: first?.id, phone: '01632 960999', website: 'Not provided', rating: first?.rating });
});

test('a repeated search writes only places that have changed at their provider', async () => {
  const [first, second] = await findBusinesses({ location: 'Durham' });
  const readRows = () =>
    t.db
      .select({ id: businesses.id, written: sql<string>`xmin::text || updated_at::text`, rating: businesses.rating })
      .from(businesses)
      .where(inArray(businesses.id, [first?.id ?? 0, second?.id ?? 0]))
      .orderBy(businesses.id);
  const before = await readRows();
  expect((await findBusinesses({ location: 'Durham' })).slice(0, 2)).toEqual([first, second]);
  expect(await readRows()).toEqual(before);

  await t.db
    .update(places)
    .set({ rating: 1.5 })
    .where(eq(places.sourceId, first?.placeId ?? ''));
  await findBusinesses({ location: 'Durham' });
  const after = await readRows();
  expect(after.find(({ id }) => id === first?.id)?.rating).toBe(1.5);
  expect(after.find(({ id }) => id === second?.id)).toEqual(before.find(({ id }) => id === second?.id));
});

test('results contain their leads: all of them for managers and admins, only own ones for users', async () => {
  const [first] = await findBusinesses({ location: 'York' });
  const businessId = first?.id ?? 0;
  const holder = await t.user('user');
  await t.db.execute(sql`insert into user_businesses (user_id, business_id, status, existing_customer)
    values (${holder.id}, ${businessId}, 'recontact', true)`);
  const findFor = async (viewer: TestUser) =>
    (await findBusinesses({ location: 'York' }, viewer)).find(({ id }) => id === businessId);
  const shownLead = {
    status: 'recontact',
    existingCustomer: true,
    holder: { id: holder.id, username: holder.username },
  };
  for (const viewer of [admin, manager]) {
    expect(await findFor(viewer)).toMatchObject({
      alreadyLead: true,
      existingCustomer: true,
      leads: [{ ...shownLead, mine: false }],
    });
  }
  expect(await findFor(holder)).toMatchObject({ alreadyLead: true, leads: [{ ...shownLead, mine: true }] });
  expect(await findFor(user)).toMatchObject({ alreadyLead: true, existingCustomer: true, leads: [] });
});

test('twenty identical searches at once store every business once', async () => {
  const responses = await Promise.all(Array.from({ length: 20 }, () => findBusinesses({ location: 'Bath' })));
  const first = responses[0]?.map(({ id }) => id) ?? [];
  expect(first.length).toBeGreaterThan(0);
  for (const response of responses) expect(response.map(({ id }) => id)).toEqual(first);
});

test('searches are limited to 30 a minute', async () => {
  const limited = await testApp({ env: { RATE_LIMIT_FACTOR: '1' } });
  const searcher = await limited.user();
  const statuses: number[] = [];
  for (let count = 0; count < 31; count += 1) {
    statuses.push((await limited.request(searcher, searchBusinesses, { body: {} as never })).status);
  }
  expect(statuses).toEqual([...Array(30).fill(400), 429]);
  await limited.close();
});

test('the users to assign to are the active ones, with three fields each', async () => {
  const inactive = await t.user('user', { active: false });
  const { body } = await t.request(admin, listUsersToAssign);
  const ids = body.map(({ id }) => id);
  expect(ids).toEqual(expect.arrayContaining([admin.id, manager.id, user.id]));
  expect(ids).not.toContain(inactive.id);
  expect(Object.keys(body[0] ?? {}).sort()).toEqual(['fullName', 'id', 'username']);
});
