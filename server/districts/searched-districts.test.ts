import { expect, test } from 'vitest';
import { MORE_MATCH } from '#contract/search/search.ts';
import { SOURCE_LIMIT, STOPPED_EARLY } from '#server/places/notices.ts';
import { findSearchedDistricts } from './searched-districts.ts';

const LEEDS = { latitude: 53.7969, longitude: -1.5478 };
const request = { radius: 1_500, keyword: null, openNow: null, minPrice: null, maxPrice: null };

test('a search that found everything covers the districts within its radius', () => {
  const found = findSearchedDistricts(request, { centre: LEEDS, notices: [] });
  expect(found).toContain('LS1');
  expect(found).toContain('LS2');
  expect(found).not.toContain('LS29');
});

test.each([
  ['that found too many', request, [MORE_MATCH]],
  ['that reached the limit of the source', request, [SOURCE_LIMIT]],
  ['with a keyword', { ...request, keyword: 'vegan' }, []],
  ['for what is open now', { ...request, openNow: true }, []],
  ['within a price range', { ...request, maxPrice: 2 }, []],
])('a search %s covers the district of its centre only', (_what, narrowed, notices) => {
  expect(findSearchedDistricts(narrowed, { centre: LEEDS, notices })).toEqual(['LS1']);
});

test('a search that the source cut off covers none', () => {
  expect(findSearchedDistricts(request, { centre: LEEDS, notices: [STOPPED_EARLY] })).toEqual([]);
});

test('a search far from every district, or without a centre, covers none', () => {
  expect(findSearchedDistricts(request, { centre: { latitude: 48.86, longitude: 2.35 }, notices: [] })).toEqual([]);
  expect(findSearchedDistricts(request, { centre: null, notices: [] })).toEqual([]);
});

test('in the country, the nearest district is further away than the radius', () => {
  const moor = { latitude: 54.05, longitude: -2.1 };
  expect(findSearchedDistricts({ ...request, radius: 100 }, { centre: moor, notices: [] })).toHaveLength(1);
});
