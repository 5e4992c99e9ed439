import { expect, test } from 'vitest';
import { resolvePlaces } from './resolve-places.ts';

const codes = (...places: string[]) => resolvePlaces(places).districts.map(({ code }) => code);

test.each([
  { places: ['LS1'], found: ['LS1'] },
  { places: [' ls1 ', 'LS2', 'LS1'], found: ['LS1', 'LS2'] },
  { places: ['LS10', 'LS2'], found: ['LS2', 'LS10'] },
  { places: ['ec1a', 'EC1'], found: ['EC1', 'EC1A'] },
])('$places is $found', ({ places, found }) => {
  expect(codes(...places)).toEqual(found);
});

test('an area is all of its districts, and no district of another area', () => {
  expect(codes('WF')).toHaveLength(17);
  expect(codes('WF', 'LS')).toHaveLength(17 + 29);
  expect(codes('L').every((code) => /^L[0-9]/.test(code))).toBe(true);
});

test('a region is all of its districts', () => {
  expect(codes('yorkshire and the humber')).toHaveLength(239);
  expect(codes('Yorkshire and the Humber', 'LS')).toHaveLength(239);
});

test('what is neither is returned', () => {
  expect(resolvePlaces(['LS', 'ZZ', 'LS999', 'Leeds', "'; drop"])).toMatchObject({
    unknown: ['ZZ', 'LS999', 'Leeds', "'; drop"],
  });
});
