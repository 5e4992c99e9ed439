import { expect, test } from 'vitest';
import { describeCalls, describeDuration, describeProgress, describeSweep } from './describe-sweep.ts';

test.each([
  [{ businessType: 'Hairdresser', keyword: null, places: ['WF', 'LS'] }, 'Hairdresser in WF, LS'],
  [{ businessType: 'Pub', keyword: 'real ale', places: ['Wales'] }, 'Pub (real ale) in Wales'],
  [{ businessType: 'Pub', keyword: null, places: ['A', 'B', 'C', 'D', 'E', 'F'] }, 'Pub in A, B, C, D and 2 more'],
])('%j is "%s"', (sweep, text) => {
  expect(describeSweep(sweep)).toBe(text);
});

test.each([
  [{ total: 1, done: 0, failed: 0 }, '0 of 1 district'],
  [{ total: 1_200, done: 46, failed: 2 }, '46 of 1,200 districts, 2 failed'],
])('%j is "%s"', (districts, text) => {
  expect(describeProgress({ districts })).toBe(text);
});

test.each([
  [{ calls: 0, paidCalls: 0 }, 'none'],
  [{ calls: 46, paidCalls: 0 }, 'at most 46, free of charge'],
  [{ calls: 1_380, paidCalls: 1_380 }, 'at most 1,380, all paid'],
])('%j is "%s"', (estimate, text) => {
  expect(describeCalls(estimate)).toBe(text);
});

test.each([
  [0, 'a few seconds'],
  [60, 'about a minute'],
  [478, 'about 8 minutes'],
  [34_272, 'about 10 hours'],
])('%s seconds are "%s"', (seconds, text) => {
  expect(describeDuration(seconds)).toBe(text);
});
