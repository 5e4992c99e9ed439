import { expect, test } from 'vitest';
import { findUkPlace, parsePostcode } from './uk-location.ts';

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
  ['LS1 2AB', { compact: 'LS12AB', complete: true }],
  ['ls12ab', { compact: 'LS12AB', complete: true }],
  ['SW1A 1AA, UK', { compact: 'SW1A1AA', complete: true }],
  ['LS1', { compact: 'LS1', complete: false }],
  ['Leeds', null],
  ['12 Mill Lane', null],
])('%s as a postcode', (typed, postcode) => {
  expect(parsePostcode(typed)).toEqual(postcode);
});
