import { expect, test } from 'vitest';
import { BUSINESS_TYPES } from '#contract/business-types/business-types.ts';
import { metresBetween } from '#contract/geo.ts';
import { parseTown } from '#contract/leads/town.ts';
import { UK_PLACES } from '#contract/search/uk-places.ts';
import { findDistrict } from '#server/places/uk-districts.ts';
import { samplePlaces } from './sample.ts';
import { COMMON_TYPES } from './sample-data.ts';

const places = [...samplePlaces()];

test('more than 5,000 businesses in every listed town, of most types, the same on every call', () => {
  expect(places.length).toBeGreaterThan(5_000);
  expect([...samplePlaces()]).toEqual(places);
  const towns = UK_PLACES.filter(({ kind }) => kind === 'city' || kind === 'town').map(({ name }) => name);
  expect(new Set(places.map(({ town }) => town))).toEqual(new Set(towns));
  expect(new Set(places.map(({ categories }) => categories[1] ?? categories[0])).size).toBeGreaterThan(200);
  expect(new Set(places.map(({ sourceId }) => sourceId)).size).toBe(places.length);
});

test('common types are suggested types', () => {
  expect(COMMON_TYPES.filter((type) => !BUSINESS_TYPES.includes(type))).toEqual([]);
});

test('some have no phone, website, rating or opening hours, and some are closed', () => {
  const some = (is: (place: (typeof places)[number]) => boolean) =>
    expect(places.filter(is).length).toBeGreaterThan(40);
  some(({ phone }) => phone === null);
  some(({ website }) => website === null);
  some(({ rating }) => rating === null);
  some(({ openingHours }) => openingHours === null);
  some(({ businessStatus }) => businessStatus === 'CLOSED_TEMPORARILY');
  some(({ businessStatus }) => businessStatus === 'CLOSED_PERMANENTLY');
});

test('phone numbers, websites and e-mail addresses are reserved ones', () => {
  for (const { phone, website, email } of places) {
    expect(phone ?? '01632 960000').toMatch(/^(01632 960|0\d{3} 49[68] 0|020 7946 0|029 2018 0)\d{3}$/);
    for (const address of [website, email]) expect(address ?? '.example').toMatch(/\.example$/);
  }
});

test('coordinates and address of each are in its town', () => {
  for (const { town, latitude, longitude, address, postcode } of places) {
    const middle = UK_PLACES.find(({ name }) => name === town);
    expect(metresBetween(middle as NonNullable<typeof middle>, { latitude, longitude })).toBeLessThan(5_000);
    expect(parseTown(`${address}, ${town} ${postcode}`)).toBe(town);
  }
});

test('each is in a postcode district that exists, near its town', () => {
  const unknown = places.filter(({ postcode }) => !findDistrict(postcode.split(' ')[0] ?? ''));
  expect(unknown.map(({ postcode }) => postcode)).toEqual([]);
  const far = places.filter((place) => {
    const district = findDistrict(place.postcode.split(' ')[0] ?? '');
    return !district || metresBetween(district, place) > 25_000; // St Davids is in the west of a large one
  });
  expect(far.map(({ town, postcode }) => `${town} ${postcode}`)).toEqual([]);
});

test('a big city has more than a page of popular types', () => {
  const bakeries = places.filter(({ town, categories }) => town === 'Leeds' && categories.includes('bakery'));
  expect(bakeries.length).toBeGreaterThan(20);
});
