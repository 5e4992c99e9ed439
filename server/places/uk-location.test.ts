import { expect, test } from 'vitest';
import { findDistrict, UK_DISTRICTS } from './uk-districts.ts';
import { findUkPlace, parsePostcode, withoutNear } from './uk-location.ts';

test.each([
  ['Leeds', 'Leeds'],
  [' leeds ', 'Leeds'],
  ['Leeds, UK', 'Leeds'],
  ['Leeds, West Yorkshire', 'Leeds'],
  ['Hull', 'Kingston upon Hull'],
  ['county tyrone', 'County Fermanagh and Tyrone'],
  ['Newport, Wales', 'Newport'],
  ['Atlantis', undefined],
])('%s is %s', (typed, name) => {
  expect(findUkPlace(typed)?.name).toBe(name);
});

test.each([
  ['LS1 2AB', { compact: 'LS12AB', outward: 'LS1', complete: true }],
  ['ls12ab', { compact: 'LS12AB', outward: 'LS1', complete: true }],
  ['SW1A 1AA, UK', { compact: 'SW1A1AA', outward: 'SW1A', complete: true }],
  ['LS1', { compact: 'LS1', outward: 'LS1', complete: false }],
  ['Leeds', null],
  ['12 Mill Lane', null],
])('%s as a postcode', (typed, postcode) => {
  expect(parsePostcode(typed)).toEqual(postcode);
});

test.each([
  ['near BD23', 'BD23'],
  [' Around Leeds', 'Leeds'],
  ['Nearfield', 'Nearfield'],
  ['near', 'near'],
])('the location of %j is %j', (typed, location) => {
  expect(withoutNear(typed)).toBe(location);
});

test('every district of the UK has a position and a region', () => {
  expect(UK_DISTRICTS).toHaveLength(2_856);
  expect(new Set(UK_DISTRICTS.map(({ code }) => code)).size).toBe(2_856);
  for (const { code, latitude, longitude, region } of UK_DISTRICTS) {
    expect(parsePostcode(code)?.complete, code).toBe(false);
    expect(latitude, code).toBeGreaterThan(49);
    expect(latitude, code).toBeLessThan(61);
    expect(longitude, code).toBeGreaterThan(-9);
    expect(longitude, code).toBeLessThan(2);
    expect(region, code).not.toBe('');
  }
  expect(findDistrict('bd23')).toMatchObject({ town: 'Thorlby', region: 'Yorkshire and the Humber' });
});
