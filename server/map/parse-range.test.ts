import { expect, test } from 'vitest';
import { parseRange } from './parse-range.ts';

test.each([
  ['bytes=0-126', { start: 0, end: 126 }],
  ['bytes=100-', { start: 100, end: 999 }],
  ['bytes=990-5000', { start: 990, end: 999 }],
  ['bytes=999-999', { start: 999, end: 999 }],
  ['bytes=1000-', 'unsatisfiable'],
  ['bytes=5000-6000', 'unsatisfiable'],
  ['bytes=9-3', undefined],
  ['bytes=0-1,5-6', undefined],
  ['bytes=-5', undefined],
  ['lines=1-2', undefined],
  [undefined, undefined],
])('%s of 1000 bytes is %o', (header, range) => {
  expect(parseRange(header, 1_000)).toEqual(range);
});
