import { expect, test } from 'vitest';
import { knownPlace, postcodeIn } from './uk-location.ts';

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
  expect(knownPlace(typed)?.name).toBe(name);
});

test.each([
  ['LS1 2AB', { compact: 'LS12AB', whole: true }],
  ['ls12ab', { compact: 'LS12AB', whole: true }],
  ['SW1A 1AA, UK', { compact: 'SW1A1AA', whole: true }],
  ['LS1', { compact: 'LS1', whole: false }],
  ['Leeds', null],
  ['12 Mill Lane', null],
])('%s as a postcode', (typed, postcode) => {
  expect(postcodeIn(typed)).toEqual(postcode);
});
