import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MORE_MATCH, type SearchRequest } from '#contract/search/search.ts';
import { SOURCE_LIMIT } from '#server/places/notices.ts';
import { placesCache, placesUsage } from '#server/schema/places.ts';
import type { FakeService } from '#server/testing/fake-providers/fake-service.ts';
import { fakeGoogle } from '#server/testing/fake-providers/google.ts';
import { clearPlacesTables, placesWith, QUICK, searchFor } from '#server/testing/places.ts';
import { type TestApp, testApp } from '#server/testing/test-app.ts';

let t: TestApp;
let fake: FakeService;
beforeAll(async () => {
  t = await testApp({ ownDatabase: true });
  fake = await fakeGoogle();
});
afterAll(async () => {
  await fake.close();
  await t.close();
});
beforeEach(() => clearPlacesTables(t.db));
afterEach(() => fake.reset());

const google = (more: Record<string, string> = {}, limits = QUICK) =>
  placesWith(
    t.db,
    {
      PLACES_PROVIDER: 'google',
      GOOGLE_PLACES_URL: fake.url,
      GOOGLE_MAPS_URL: fake.url,
      POSTCODES_URL: fake.url,
      ...more,
    },
    limits,
  );
const search = (more: Partial<SearchRequest> = {}) => google().search(searchFor(more));
const sent = (index = 0) => JSON.parse(fake.requests[index]?.body ?? '{}');
const requestedMethods = () => fake.requests.map(({ path }) => path.split(/[:/]/).at(-1));

describe('requests', () => {
  test('a text search is restricted to the bounding box and to the type of Google', async () => {
    await search({ keyword: 'mill', openNow: true, minPrice: 1, maxPrice: 2 });
    expect(requestedMethods()).toEqual(['searchText']);
    expect(sent()).toMatchObject({
      textQuery: 'Bakery mill',
      includedType: 'bakery',
      openNow: true,
      priceLevels: ['PRICE_LEVEL_INEXPENSIVE', 'PRICE_LEVEL_MODERATE'],
      pageSize: 20,
      rankPreference: 'RELEVANCE',
      regionCode: 'GB',
    });
    const { low, high } = sent().locationRestriction.rectangle;
    expect(high.latitude - low.latitude).toBeCloseTo(10_000 / 111_320, 3);
    expect(fake.requests[0]?.headers).toMatchObject({ 'x-goog-api-key': 'secret-key' });
  });

  test('a nearby search has one page: a full one says that more may match', async () => {
    const full = await search({ searchMethod: 'nearbySearch', maxResults: 20 });
    expect(full.notices).toEqual([SOURCE_LIMIT]);
    const fewer = await search({ searchMethod: 'nearbySearch', maxResults: 7 });
    expect(fewer.notices).toEqual([MORE_MATCH]);
    expect(requestedMethods()).toEqual(['searchNearby', 'searchNearby']);
  });

  test('a nearby search with a keyword or many results becomes a text search', async () => {
    await search({ searchMethod: 'nearbySearch', sortBy: 'distance' });
    expect(sent()).toMatchObject({ includedTypes: ['bakery'], rankPreference: 'DISTANCE', maxResultCount: 20 });
    await search({ searchMethod: 'nearbySearch', keyword: 'mill' });
    await search({ searchMethod: 'nearbySearch', maxResults: 40 });
    expect(requestedMethods().slice(0, 2)).toEqual(['searchNearby', 'searchText']);
  });

  test('find place requests few results, with a location bias only', async () => {
    await search({ searchMethod: 'findPlace', businessType: 'Corner Bakery 3' });
    expect(sent()).toMatchObject({ pageSize: 5, locationBias: { circle: { radius: 5000 } } });
    expect(sent()).not.toHaveProperty('rankPreference');
  });

  test('an unlisted location is geocoded; one that is not found is named in the text query', async () => {
    await search({ location: 'Otley' });
    expect(requestedMethods()).toEqual(['json', 'searchText']);
    fake.reset();
    await search({ location: 'Atlantis' });
    expect(sent(1).textQuery).toBe('Bakery in Atlantis, UK');
    expect(sent(1)).not.toHaveProperty('locationRestriction');
  });

  test('further pages are requested with the same body, as many as are needed', async () => {
    const { places } = await search({ maxResults: 40 });
    expect(fake.requests).toHaveLength(3); // each page repeats a row of the one before
    const { pageToken: _, ...second } = sent(1);
    expect(second).toEqual(sent(0));
    expect(new Set(places.map(({ placeId }) => placeId)).size).toBe(places.length);
  });

  test('results outside the circle are removed, without a further paid call', async () => {
    const { places } = await search({ radius: 300 });
    expect(places.length).toBeLessThan(20);
    expect(fake.requests).toHaveLength(1);
  });

  test('sorted by rating, unrated places come last', async () => {
    const rated = (await search({ sortBy: 'rating', maxResults: 40 })).places.map(({ rating }) => rating ?? -1);
    expect(rated).toEqual([...rated].sort((a, b) => b - a));
  });
});

describe('errors', () => {
  test.each([
    ['bad-key', 503, 'api_key_missing', /Places API key/],
    ['disabled-key', 502, 'request_denied', /Places API.*REQUEST_DENIED/],
    ['quota-key', 429, 'over_query_limit', /Places API quota.*OVER_QUERY_LIMIT/],
  ])('%s is refused with %s %s', async (key, _status, code, message) => {
    const failing = google({ GOOGLE_MAPS_API_KEY: key }).search(searchFor());
    await expect(failing).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
    expect(fake.requests).toHaveLength(1);
  });

  test('without a key no request is made', async () => {
    const failing = google({ GOOGLE_MAPS_API_KEY: '' }).search(searchFor());
    await expect(failing).rejects.toMatchObject({ code: 'api_key_missing' });
    expect(fake.requests).toHaveLength(0);
  });

  test.each([
    [
      'an invalid request',
      [{ status: 400, body: { error: { status: 'INVALID_ARGUMENT', message: 'secret-key' } } }],
      'invalid_request',
      1,
    ],
    [
      'an error page twice',
      [
        { status: 502, body: '<html>' },
        { status: 503, body: '' },
      ],
      'provider_error',
      2,
    ],
    ['a broken connection twice', [{ broken: true }, { broken: true }], 'provider_error', 2],
    ['no JSON', [{ body: '<html>not json</html>' }], 'provider_error', 1],
    ['JSON of another kind', [{ body: { places: 'none' } }], 'provider_error', 1],
    ['a list', [{ body: [] }], 'provider_error', 1],
    ['a redirect', [{ status: 302, body: '', headers: { location: 'http://127.0.0.1:1/' } }], 'provider_error', 1],
    ['a teapot', [{ status: 418, body: {} }], 'provider_error', 1],
  ])('%s', async (_case, responses, code, calls) => {
    fake.next(...responses);
    const failure = await search().catch((error) => error);
    expect(failure).toMatchObject({ code });
    expect(failure.message).toMatch(/Places API/);
    expect(failure.message).not.toMatch(/secret-key|127\.0\.0\.1|API key/);
    expect(fake.requests).toHaveLength(calls);
  });

  test('a request without a response times out and is not retried', async () => {
    fake.next({ silent: true });
    const failing = google({}, { ...QUICK, callMs: 250 }).search(searchFor());
    await expect(failing).rejects.toMatchObject({ code: 'provider_timeout' });
    expect(fake.requests.length).toBeLessThan(2);
  });

  test('a response that is too large is not read to its end', async () => {
    fake.next({ body: { places: [], padding: 'x'.repeat(3_000) } });
    await expect(google({}, { ...QUICK, maxBytes: 2_000 }).search(searchFor())).rejects.toMatchObject({
      code: 'provider_error',
    });
  });

  test('one failed request is retried', async () => {
    fake.next({ status: 503, body: '<html>' });
    expect((await search()).places).toHaveLength(20);
    fake.reset();
    await clearPlacesTables(t.db);
    fake.next({ broken: true });
    expect((await search()).places).toHaveLength(20);
  });

  test('invalid items are dropped, invalid fields are null, texts are truncated', async () => {
    const parseValid = {
      id: 'ok-1',
      displayName: { text: 'x'.repeat(500) },
      rating: 'five',
      location: { latitude: 999 },
    };
    const javascript = {
      id: 'ok-2',
      displayName: { text: 'Two' },
      websiteUri: 'javascript:alert(1)',
      userRatingCount: -1,
    };
    fake.next({
      body: { places: [null, 7, { id: 'no-name' }, { displayName: { text: 'no id' } }, parseValid, javascript] },
    });
    const { places } = await search();
    expect(places.map(({ placeId }) => placeId)).toEqual(['ok-1', 'ok-2']);
    expect(places[0]).toMatchObject({ name: 'x'.repeat(200), rating: null, latitude: null });
    expect(places[1]).toMatchObject({ website: null, userRatingsTotal: null });
  });

  test('a repeated page token, or the fifth page, ends the search', async () => {
    const row = (id: string) => ({ id, displayName: { text: id } });
    for (const id of ['a', 'b', 'c']) fake.next({ body: { places: [row(id)], nextPageToken: 'same' } });
    expect((await search({ maxResults: 60 })).places).toHaveLength(2);
    fake.reset();
    for (let page = 1; page <= 9; page += 1)
      fake.next({ body: { places: [row(`p${page}`)], nextPageToken: `t${page}` } });
    expect((await search({ maxResults: 59 })).places).toHaveLength(5);
    expect(fake.requests).toHaveLength(5);
  });
});

describe('paid calls', () => {
  const used = async () => (await t.db.select().from(placesUsage))[0];

  test('an identical search is cached for half an hour, and concurrent ones share a request', async () => {
    const places = google();
    const [one, two] = await Promise.all([
      places.search(searchFor()),
      places.search(searchFor({ location: ' leeds ' })),
    ]);
    expect(two).toEqual(one);
    expect(await google().search(searchFor({ page: 1, pageSize: 5 }))).toEqual(one);
    expect(fake.requests).toHaveLength(1);
    expect(await used()).toEqual({ month: '2026-03', calls: 1 });
    await t.db.update(placesCache).set({ expiresAt: '2026-01-01T00:00:00Z' });
    await google().search(searchFor());
    expect(fake.requests).toHaveLength(2);
  });

  test('at the monthly cap no further request is made', async () => {
    const capped = google({ PLACES_MONTHLY_REQUEST_CAP: '2' });
    await capped.search(searchFor());
    await capped.search(searchFor({ keyword: 'mill' }));
    await expect(capped.search(searchFor({ keyword: 'corner' }))).rejects.toMatchObject({
      code: 'over_query_limit',
      message: expect.stringMatching(/quota.*OVER_QUERY_LIMIT/),
    });
    expect(fake.requests).toHaveLength(2);
    await expect(google({ PLACES_MONTHLY_REQUEST_CAP: '0' }).search(searchFor({ keyword: 'x' }))).rejects.toThrow(
      /quota/,
    );
  });

  test('forty concurrent searches do not exceed the cap', async () => {
    const capped = google({ PLACES_MONTHLY_REQUEST_CAP: '10' });
    const all = Array.from({ length: 40 }, (_, index) => capped.search(searchFor({ radius: 100 + index })));
    const refused = (await Promise.allSettled(all)).filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(30);
    expect(fake.requests).toHaveLength(10);
  });
});
