import { expect, test } from 'vitest';
import { formatRange, formatTimes, markdownTable, median, quantile } from './statistics.ts';

const hundred = Array.from({ length: 100 }, (_, n) => 100 - n);

test('quantiles of unsorted values', () => {
  expect(median(hundred)).toBe(51);
  expect(quantile(hundred, 0.95)).toBe(96);
  expect(quantile(hundred, 1)).toBe(100);
  expect(formatTimes(hundred)).toBe('51 / 96 / 100 ms');
});

test('a range has the minimum first', () => {
  expect(formatRange([0.239, 0.221, 0.23], 2)).toBe('0.22 to 0.24');
  expect(formatRange([7843, 4562])).toBe('4,562 to 7,843');
});

test('a Markdown table', () => {
  expect(markdownTable(['', 'cores'], [['server', '0.13']])).toBe('|  | cores |\n| --- | --- |\n| server | 0.13 |');
});
