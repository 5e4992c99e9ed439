import { expect, test } from 'vitest';
import { at, median, range, table, times } from './figures.ts';

const hundred = Array.from({ length: 100 }, (_, n) => 100 - n);

test('shares of many values', () => {
  expect(median(hundred)).toBe(51);
  expect(at(hundred, 0.95)).toBe(96);
  expect(at(hundred, 1)).toBe(100);
  expect(times(hundred)).toBe('51 / 96 / 100 ms');
});

test('a spread names the least and the most', () => {
  expect(range([0.239, 0.221, 0.23], 2)).toBe('0.22 to 0.24');
  expect(range([7843, 4562])).toBe('4,562 to 7,843');
});

test('a table in Markdown', () => {
  expect(table(['', 'cores'], [['server', '0.13']])).toBe('|  | cores |\n| --- | --- |\n| server | 0.13 |');
});
