import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { SearchRequest } from '#contract/search/search.ts';
import { SOURCE_LIMIT } from '#server/places/notices.ts';
import { placesRateLimits } from '#server/schema/places.ts';
import { LEEDS } from '#server/testing/fake-providers/bakeries.ts';
import type { FakeService } from '#server/testing/fake-providers/fake-service.ts';
import { fakeOpenServices } from '#server/testing/fake-providers/osm.ts';
import { clearPlacesTables, placesWith, QUICK, searchFor } from '#server/testing/places.ts';
import { type TestApp, testApp } from '#server/testing/test-app.ts';
import { createRateLimiter } from './rate-limit.ts';

let t: TestApp;
let fake: FakeService;
beforeAll(async () => {
  t = await testApp({ ownDatabase: true });
  fake = await fakeOpenServices();
});
afterAll(async () => {
  await fake.close();
  await t.close();
});
beforeEach(() => clearPlacesTables(t.db));
afterEach(() => fake.reset());

const osm = (more: Record<string, string> = {}, limits = QUICK) =>
  placesWith(
    t.db,
    {
      PLACES_PROVIDER: 'osm',
      OVERPASS_URL: `${fake.url}/api/interpreter`,
      NOMINATIM_URL: fake.url,
      POSTCODES_URL: fake.url,
      ...more,
    },
    limits,
  );
const search = (more: Partial<SearchRequest> = {}) => osm().search(searchFor(more));
const overpassQuery = (index = 0) => new URLSearchParams(fake.requests[index]?.body).get('data') ?? '';

test('one Overpass query by the tags of the type, with our User-Agent', async () => {
  await search({ radius: 3000 });
  expect(fake.requests).toHaveLength(1);
  expect(overpassQuery()).toContain('nwr["shop"="bakery"]["name"](around:3000,53.7965,-1.5478);');
  expect(fake.requests[0]?.headers).toMatchObject({
    'user-agent': 'Highstreet/1.0',
    'content-type': 'application/x-www-form-urlencoded',
  });
});

test('a type without a tag is searched by name, and its text is escaped in the query', async () => {
  await search({ businessType: 'a"]["x"~".*\\' });
  expect(overpassQuery()).toContain('["name"~"a\\"\\\\]\\\\[\\"x\\"~\\"\\\\.\\\\*\\\\\\\\",i]');
});

test('ways have their centre, ids have their element type, and the nearest come first', async () => {
  const { places } = await search({ maxResults: 4 });
  expect(places.map(({ placeId }) => placeId)).toEqual([
    'osm-n900000001',
    'osm-w900000002',
    'osm-n900000003',
    'osm-w900000004',
  ]);
});

test('notices name the data that OpenStreetMap does not have', async () => {
  const { notices } = await search({ sortBy: 'rating', minPrice: 1 });
  expect(notices.join(' ')).toMatch(/no ratings.*no prices/);
});

test('a notice says that more may match where as many elements came as were asked for', async () => {
  const bakery = { type: 'node', lat: LEEDS.latitude, lon: LEEDS.longitude, tags: { shop: 'bakery', name: 'Bakery' } };
  const respondWith = (count: number) =>
    fake.next({ body: { elements: Array.from({ length: count }, (_, id) => ({ ...bakery, id: id + 1 })) } });
  respondWith(399);
  expect((await search({ keyword: 'corner' })).notices).toEqual([]);
  respondWith(400);
  // The limit counts what was returned, before the keyword is looked for.
  expect((await search({ keyword: 'mill' })).notices).toEqual([SOURCE_LIMIT]);
  expect(overpassQuery()).toContain('out tags center 400;');
});

test('locations are geocoded by Nominatim and cached; postcodes by their own service', async () => {
  await search({ location: 'Otley' });
  await search({ location: 'otley', keyword: 'mill' });
  expect(fake.requests.filter(({ path }) => path === '/search')).toHaveLength(1);
  expect(fake.requests[0]?.query.get('countrycodes')).toBe('gb');
  fake.reset();
  await search({ location: 'LS1 2AB' });
  expect(fake.requests.map(({ path }) => path)).toEqual(['/postcodes/LS12AB', '/api/interpreter']);
});

test.each(['LS1', 'near ls1', 'LS1, UK'])(
  '%s is a district of the built-in list, without a request',
  async (location) => {
    const { centre, notices } = await search({ location });
    expect(fake.requests.map(({ path }) => path)).toEqual(['/api/interpreter']);
    expect(centre).toEqual({ latitude: 53.7967, longitude: -1.5475 });
    expect(notices.join()).not.toContain('district');
  },
);

test.each([
  ['retired', 'LS1 9ZZ'],
  ['without a position', 'IM1 1AA'],
  ['unknown to a service that does not respond', 'SW1A 1AA'],
])('a postcode %s is searched around the middle of its district', async (_what, location) => {
  const { centre, notices } = await search({ location });
  expect(centre).not.toBeNull();
  expect(notices[0]).toBe(
    `The postcode itself could not be looked up: the search is around the middle of its district, ${location.split(' ')[0]}.`,
  );
  expect(fake.requests.map(({ path }) => path)).not.toContain('/search');
});

test.each(['Atlantis', 'QQ1 1AA', 'QQ1'])('%s is not found', async (location) => {
  await expect(search({ location })).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringMatching(/INVALID_REQUEST/),
  });
});

describe('errors', () => {
  test('a generic User-Agent is refused', async () => {
    const failing = osm({ PLACES_USER_AGENT: 'node' }).search(searchFor());
    await expect(failing).rejects.toMatchObject({ code: 'request_denied' });
  });

  test.each([
    ['a bad query', [{ status: 400, body: '<html>' }], 'invalid_request'],
    ['too many requests', [{ status: 429, body: '<html>' }], 'over_query_limit'],
    [
      'an overloaded server',
      [
        { status: 504, body: '<html>' },
        { status: 504, body: '<html>' },
      ],
      'provider_error',
    ],
    [
      'a runtime error with nothing',
      [{ body: { elements: [], remark: 'runtime error: Query timed out' } }],
      'provider_error',
    ],
    ['malformed JSON', [{ body: '{' }], 'provider_error'],
  ])('%s', async (_case, responses, code) => {
    fake.next(...responses);
    await expect(search()).rejects.toMatchObject({ code, message: expect.stringMatching(/Places API/) });
  });

  test('a partial response has a notice, and invalid elements are dropped', async () => {
    const tags = { name: 'Left', shop: 'bakery' };
    const elements = [
      { type: 'node', id: 1, lat: 53.7965, lon: -1.5478, tags },
      { type: 'node', id: 2 },
      { type: 'way', id: 3, tags },
      'x',
    ];
    fake.next({ body: { elements, remark: 'runtime error: out of memory' } });
    const { places, notices } = await search();
    expect(places).toMatchObject([
      { placeId: 'osm-n1', name: 'Left', formattedAddress: null, phone: null, openNow: null },
    ]);
    expect(notices.join()).toMatch(/stopped early/);
  });

  test('a request without a response times out', async () => {
    fake.next({ silent: true });
    await expect(osm({}, { ...QUICK, callMs: 250 }).search(searchFor())).rejects.toMatchObject({
      code: 'provider_timeout',
    });
  });

  test('an error of Nominatim is reported', async () => {
    fake.next({ status: 429, body: '<html>' });
    await expect(search({ location: 'Otley' })).rejects.toMatchObject({ code: 'over_query_limit' });
  });
});

test('the rate limit is shared by all callers of a service', async () => {
  const never = new AbortController().signal;
  await createRateLimiter(t.db, 'a-service', 3_600_000)(never);
  const impatient = AbortSignal.abort();
  await expect(createRateLimiter(t.db, 'a-service', 3_600_000)(impatient)).rejects.toMatchObject({
    code: 'provider_timeout',
  });
  const [turn] = await t.db.select().from(placesRateLimits);
  expect(Date.parse(turn?.nextCallAt ?? '') - Date.now()).toBeGreaterThan(1.9 * 3_600_000);
});
