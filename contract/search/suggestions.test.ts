import { expect, test } from 'vitest';
import { BUSINESS_TYPE_GROUPS, BUSINESS_TYPES } from '../business-types/business-types.ts';
import { MAX_BUSINESS_TYPES, MAX_LOCATIONS, suggest } from './suggestions.ts';
import { UK_PLACES } from './uk-places.ts';

const towns = ['Leeds', 'Ledbury', 'Sleaford', 'Bradford', 'Alfred'];

test.each([
  { query: '', found: [] },
  { query: 'l', found: [] },
  { query: ' l ', found: [] },
  { query: 'le', found: ['Ledbury', 'Leeds', 'Sleaford'] },
  { query: 'LEE', found: ['Leeds'] },
  { query: '  leeds ', found: ['Leeds'] },
  { query: 'fr', found: ['Alfred'] },
  { query: 'zz', found: [] },
])('"$query" suggests $found', ({ query, found }) => {
  expect(suggest(towns, query, 10)).toEqual(found);
});

test('at most ten locations and twenty business types are suggested', () => {
  const names = UK_PLACES.map(({ name }) => name);
  expect(suggest(names, 'on', MAX_LOCATIONS)).toHaveLength(10);
  expect(suggest(BUSINESS_TYPES, 'sh', MAX_BUSINESS_TYPES)).toHaveLength(20);
});

test('the lists have over 300 places with coordinates in the UK and over 250 types, without duplicates', () => {
  expect(UK_PLACES.length).toBeGreaterThan(300);
  expect(BUSINESS_TYPES.length).toBeGreaterThan(250);
  expect(new Set(BUSINESS_TYPES).size).toBe(BUSINESS_TYPES.length);
  expect(new Set(UK_PLACES.map(({ name }) => name)).size).toBe(UK_PLACES.length);
  for (const { latitude, longitude, kind } of UK_PLACES) {
    expect(latitude).toBeGreaterThan(49.8);
    expect(latitude).toBeLessThan(60.9);
    expect(longitude).toBeGreaterThan(-8.7);
    expect(longitude).toBeLessThan(1.8);
    expect(['city', 'town', 'county', 'region']).toContain(kind);
  }
  expect(Object.keys(BUSINESS_TYPE_GROUPS)).toContain('Trades');
});
