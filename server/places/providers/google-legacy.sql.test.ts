import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { SearchRequest } from '#contract/search/search.ts';
import type { FakeService } from '#server/testing/fake-providers/fake-service.ts';
import { fakeGoogleLegacy } from '#server/testing/fake-providers/google-legacy.ts';
import { clearPlacesTables, placesWith, QUICK, searchFor } from '#server/testing/places.ts';
import { type TestApp, testApp } from '#server/testing/test-app.ts';

let t: TestApp;
let fake: FakeService;
beforeAll(async () => {
  t = await testApp({ ownDatabase: true });
  fake = await fakeGoogleLegacy({ earlyTokens: 2 });
});
afterAll(async () => {
  await fake.close();
  await t.close();
});
beforeEach(() => clearPlacesTables(t.db));
afterEach(() => fake.reset());

const legacy = (more: Record<string, string> = {}, limits = QUICK) =>
  placesWith(
    t.db,
    { PLACES_PROVIDER: 'google-legacy', GOOGLE_MAPS_URL: fake.url, POSTCODES_URL: fake.url, ...more },
    limits,
  );
const search = (more: Partial<SearchRequest> = {}) => legacy().search(searchFor(more));
const queriesTo = (method: string) =>
  fake.requests.filter(({ path }) => path.includes(method)).map(({ query }) => query);

test('a text search names the location, and details need one call per place', async () => {
  await search({ maxResults: 3, keyword: 'mill', openNow: true, minPrice: 1 });
  const [text] = queriesTo('textsearch');
  expect(Object.fromEntries(text ?? [])).toMatchObject({
    query: 'Bakery mill in Leeds',
    opennow: 'true',
    minprice: '1',
    radius: '5000',
    region: 'uk',
  });
  expect(queriesTo('details')).toHaveLength(3);
});

test('a nearby search has a radius unless it is sorted by distance', async () => {
  await search({ searchMethod: 'nearbySearch', sortBy: 'distance', maxResults: 1 });
  await search({ searchMethod: 'nearbySearch', sortBy: 'prominence', maxResults: 1 });
  const [distance, prominence] = queriesTo('nearbysearch');
  expect(distance?.get('rankby')).toBe('distance');
  expect(distance?.has('radius')).toBe(false);
  expect(prominence?.get('radius')).toBe('5000');
  expect(distance?.has('opennow')).toBe(false);
});

test('a page token that does not work yet is retried', async () => {
  const { places } = await search({ maxResults: 40 });
  expect(places).toHaveLength(40);
  const tokens = queriesTo('textsearch').filter((query) => query.has('pagetoken'));
  expect(tokens).toHaveLength(3);
  expect([...(tokens[0]?.keys() ?? [])].sort()).toEqual(['key', 'pagetoken']);
});

test('a page token that never works fails the search', async () => {
  fake.next({ body: { status: 'OK', results: [], next_page_token: 'x' } });
  for (let tries = 0; tries < 4; tries += 1) fake.next({ body: { status: 'INVALID_REQUEST' } });
  await expect(search({ maxResults: 40 })).rejects.toMatchObject({ code: 'invalid_request' });
});

test('places without details are returned with a notice', async () => {
  fake.next({
    body: {
      status: 'OK',
      results: [
        { place_id: 'ChIJlegacy1', name: 'One' },
        { place_id: 'gone', name: 'Two' },
      ],
    },
  });
  const { places, notices } = await search();
  expect(places).toMatchObject([{ phone: '0113 496 0000' }, { phone: null }]);
  expect(notices.join()).toMatch(/could not be read/);
});

describe('errors', () => {
  test.each([
    ['bad-key', 'api_key_missing', /Places API key/],
    ['disabled-key', 'request_denied', /REQUEST_DENIED/],
    ['quota-key', 'over_query_limit', /quota.*OVER_QUERY_LIMIT/],
  ])('%s is refused with %s', async (key, code, message) => {
    const failing = legacy({ GOOGLE_MAPS_API_KEY: key }).search(searchFor());
    await expect(failing).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
  });

  test.each([
    ['INVALID_REQUEST', 400, 'invalid_request'],
    ['OVER_DAILY_LIMIT', 200, 'over_query_limit'],
    ['SOMETHING_NEW', 200, 'provider_error'],
  ])('%s with HTTP %s', async (status, http, code) => {
    fake.next({ status: http, body: { status } });
    await expect(search()).rejects.toMatchObject({ code });
  });

  test('an unknown error is retried once', async () => {
    fake.next({ body: { status: 'UNKNOWN_ERROR' } });
    expect((await search({ maxResults: 2 })).places).toHaveLength(2);
    fake.next({ body: { status: 'UNKNOWN_ERROR' } }, { body: { status: 'UNKNOWN_ERROR' } });
    await expect(search({ maxResults: 3 })).rejects.toMatchObject({ code: 'provider_error' });
  });

  test('malformed JSON is a provider error, no response a time-out', async () => {
    fake.next({ body: '{"status":' });
    await expect(search()).rejects.toMatchObject({ code: 'provider_error' });
    fake.next({ silent: true });
    await expect(legacy({}, { ...QUICK, callMs: 250 }).search(searchFor())).rejects.toMatchObject({
      code: 'provider_timeout',
    });
  });

  test('the whole search has a time-out', async () => {
    fake.next({ silent: true });
    await expect(legacy({}, { ...QUICK, searchMs: 250 }).search(searchFor())).rejects.toMatchObject({
      code: 'provider_timeout',
    });
  });
});
