import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { metresBetween } from '#contract/geo.ts';
import { MAX_RADIUS_METRES } from '#contract/search/radius.ts';
import type { SearchRequest } from '#contract/search/search.ts';
import { MORE_MATCH } from '#contract/search/search.ts';
import type { Database } from '#server/kit/db/open.ts';
import { mayMatchMore } from '#server/places/notices.ts';
import { places as placesTable } from '#server/schema/places.ts';
import { BAKERIES, LEEDS } from '#server/testing/fake-providers/bakeries.ts';
import type { FakeService } from '#server/testing/fake-providers/fake-service.ts';
import { fakeGoogle } from '#server/testing/fake-providers/google.ts';
import { fakeGoogleLegacy } from '#server/testing/fake-providers/google-legacy.ts';
import { fakeOpenServices } from '#server/testing/fake-providers/osm.ts';
import { clearPlacesTables, placesWith, searchFor } from '#server/testing/places.ts';
import { type TestApp, testApp } from '#server/testing/test-app.ts';

// The same searches and expectations for every provider.
let t: TestApp;
let db: Database['db'];
const fakes: Record<string, FakeService> = {};
const settings: Record<string, () => Record<string, string>> = {
  google: () => ({ GOOGLE_PLACES_URL: fakes.google?.url ?? '', GOOGLE_MAPS_URL: fakes.google?.url ?? '' }),
  'google-legacy': () => ({ GOOGLE_MAPS_URL: fakes.legacy?.url ?? '' }),
  osm: () => ({ OVERPASS_URL: `${fakes.open?.url}/api/interpreter`, NOMINATIM_URL: fakes.open?.url ?? '' }),
  local: () => ({}),
};
beforeAll(async () => {
  t = await testApp({ ownDatabase: true });
  db = t.db;
  [fakes.google, fakes.legacy, fakes.open] = await Promise.all([fakeGoogle(), fakeGoogleLegacy(), fakeOpenServices()]);
  await db.insert(placesTable).values(
    BAKERIES.map((one) => ({
      source: 'overture',
      sourceId: `ovt-${one.number}`,
      name: one.name,
      categories: ['bakery'],
      address: one.street,
      town: one.town,
      postcode: one.postcode,
      phone: `+44 ${one.phone.slice(1)}`,
      website: one.website,
      latitude: one.latitude,
      longitude: one.longitude,
      openingHours: one.open ? '24/7' : 'Mo-Su off',
    })),
  );
});
afterAll(async () => {
  await Promise.all(Object.values(fakes).map((fake) => fake.close()));
  await t.close();
});
beforeEach(() => clearPlacesTables(db));

describe.each(Object.keys(settings))('%s', (provider) => {
  const search = (more: Partial<SearchRequest> = {}) =>
    placesWith(db, {
      PLACES_PROVIDER: provider,
      POSTCODES_URL: fakes.open?.url ?? '',
      ...settings[provider]?.(),
    }).search(searchFor(more));

  test('returns places with all fields and an attribution', async () => {
    const { places, attributions, sample } = await search();
    expect(places).toHaveLength(20);
    expect(attributions.length).toBeGreaterThan(0);
    expect(sample).toBe(false);
    const known = places.find(({ name }) => name === 'Corner Bakery 2');
    expect(known).toMatchObject({
      vicinity: '2 Mill Lane, Leeds',
      phone: '0113 496 0001',
      internationalPhone: '+44 113 496 0001',
      website: expect.stringMatching(/^https:\/\/bakery-2\.example/),
      googleMapsUrl: expect.stringMatching(/^https:\/\//),
      openNow: false,
      latitude: expect.closeTo(LEEDS.latitude + 0.0003),
    });
    expect(known?.formattedAddress).toMatch(/^2 Mill Lane, Leeds LS1 2AB(, UK)?$/);
    expect(known?.types.join()).toContain('bakery');
  });

  test('stops at maxResults with a notice, and returns no duplicates', async () => {
    for (const maxResults of [1, 7, 45]) {
      const { places, notices } = await search({ maxResults, radius: MAX_RADIUS_METRES });
      expect(places).toHaveLength(maxResults);
      expect(new Set(places.map(({ placeId }) => placeId)).size).toBe(maxResults);
      expect(notices).toContain(MORE_MATCH);
    }
  });

  test('says that more may match where it returned as many as it ever does', async () => {
    const { places, notices } = await search({ maxResults: 100, radius: MAX_RADIUS_METRES });
    expect(places.length === BAKERIES.length).toBe(!mayMatchMore(notices));
  });

  test('returns only places within the radius', async () => {
    const { places } = await search({ radius: 500, maxResults: 60 });
    expect(places.length).toBeGreaterThan(10);
    for (const { latitude, longitude } of places) {
      expect(metresBetween(LEEDS, { latitude: latitude ?? 0, longitude: longitude ?? 0 })).toBeLessThanOrEqual(500);
    }
  });

  test('sorted by distance, the nearest come first', async () => {
    const { places } = await search({ sortBy: 'distance', maxResults: 30 });
    const far = places.map(({ latitude }) => latitude ?? 0);
    expect(far).toEqual([...far].sort((a, b) => a - b));
  });

  test('filters by keyword', async () => {
    const { places } = await search({ keyword: 'mill' });
    expect(places).toHaveLength(10);
    for (const { name } of places) expect(name).toContain('Mill');
  });

  test('filters by open now', async () => {
    const { places } = await search({ openNow: true, maxResults: 10 });
    expect(places).toHaveLength(10);
    for (const { openNow } of places) expect(openNow).not.toBe(false);
  });

  test.each(['nearbySearch', 'findPlace'] as const)('%s returns places', async (searchMethod) => {
    const { places } = await search({
      searchMethod,
      ...(searchMethod === 'findPlace' && { businessType: 'Corner Bakery 3' }),
    });
    expect(places.map(({ name }) => name)).toContain('Corner Bakery 3');
  });

  test('a search without results returns an empty list', async () => {
    expect((await search({ businessType: 'Zeppelin hangar' })).places).toEqual([]);
  });

  test('accepts a postcode as location', async () => {
    expect((await search({ location: 'LS1 2AB', maxResults: 5 })).places).toHaveLength(5);
  });
});
