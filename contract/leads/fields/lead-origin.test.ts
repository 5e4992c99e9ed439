import { expect, test } from 'vitest';
import { formatOrigin, formatOriginKey, leadOrigin, originKey } from './lead-origin.ts';

test.each(leadOrigin.shape.kind.options)('a lead that came by %s says so', (kind) => {
  expect(formatOrigin({ kind })).toMatch(/^[A-Z][a-z]+( [a-z]+)?$/);
});

test('a file is named', () => {
  expect(formatOrigin({ kind: 'file', name: 'spring.csv' })).toBe('File: spring.csv');
});

test.each([
  ['search', 'Search'],
  ['file:spring: north.csv', 'File: spring: north.csv'],
  ['file', 'File'],
  ['none', 'Not recorded'],
])('the filter by %s is "%s"', (key, label) => {
  expect(originKey.parse(key)).toBe(key);
  expect(formatOriginKey(key)).toBe(label);
});

test('what is no source is no filter', () => {
  expect(originKey.safeParse('rumour').success).toBe(false);
});
