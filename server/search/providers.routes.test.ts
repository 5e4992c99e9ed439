import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { searchBusinesses } from '#contract/search/search.calls.ts';
import type { FakeService } from '#server/testing/fake-providers/fake-service.ts';
import { fakeGoogle } from '#server/testing/fake-providers/google.ts';
import { clearPlacesTables } from '#server/testing/places.ts';
import { type TestApp, testApp } from '#server/testing/test-app.ts';

let fake: FakeService;
let t: TestApp;
const env = (key: string) => ({
  PLACES_PROVIDER: 'google',
  GOOGLE_MAPS_API_KEY: key,
  GOOGLE_PLACES_URL: fake.url,
  GOOGLE_MAPS_URL: fake.url,
  POSTCODES_URL: fake.url,
});
beforeAll(async () => {
  fake = await fakeGoogle();
  t = await testApp({ env: env('secret-key') });
});
afterAll(async () => {
  await t.close();
  await fake.close();
});
beforeEach(() => clearPlacesTables(t.db));
afterEach(() => fake.reset());

const bakeries = { businessType: 'Bakery', location: 'Leeds', maxResults: 40 };

test('a search by Google has its attribution; paging has our own tokens and no further requests to Google', async () => {
  const person = await t.user();
  const first = await t.request(person, searchBusinesses, { body: bakeries });
  expect(first.body).toMatchObject({ provider: 'google', sample: false, totalCount: 40, totalPages: 2, page: 1 });
  expect(first.body.attributions[0]?.text).toBe('Google Maps');
  const calls = fake.requests.length;
  const { nextPageToken } = first.body;
  const second = await t.request(person, searchBusinesses, { body: { ...bakeries, page: 2, nextPageToken } });
  expect(second.body).toMatchObject({ page: 2, nextPageToken: null });
  expect(fake.requests).toHaveLength(calls);
  const ids = [...first.body.businesses, ...second.body.businesses].map(({ placeId }) => placeId);
  expect(new Set(ids).size).toBe(40);
});

describe('errors of the provider', () => {
  test.each([
    ['', 503, 'api_key_missing', /Places API key/],
    ['bad-key', 503, 'api_key_missing', /Places API key/],
    ['disabled-key', 502, 'request_denied', /Places API.*REQUEST_DENIED/],
    ['quota-key', 429, 'over_query_limit', /Places API quota.*OVER_QUERY_LIMIT/],
  ])('with the key "%s" the response is %s %s', async (key, status, code, message) => {
    const app = await testApp({ env: env(key) });
    const response = await app.request(await app.user(), searchBusinesses, { body: bakeries });
    expect(response).toMatchObject({ status, body: { code, message: expect.stringMatching(message) } });
    expect(response.headers['retry-after'] !== undefined).toBe(status === 429);
    await app.close();
  });

  test('a fault of the provider is a 502, and neither response nor log has the key', async () => {
    fake.next({ status: 500, body: 'secret-key' }, { status: 500, body: 'secret-key' });
    const response = await t.request(await t.user(), searchBusinesses, { body: { ...bakeries, keyword: 'mill' } });
    expect(response).toMatchObject({ status: 502, body: { code: 'provider_error' } });
    expect(JSON.stringify(response.body) + t.lines.join()).not.toMatch(/secret-key/);
  });
});
