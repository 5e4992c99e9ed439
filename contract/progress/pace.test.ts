import { expect, test } from 'vitest';
import { barPercent, paceOf, toPercentage, weeklyTarget } from './pace.ts';

test.each([
  { count: 0, target: 100, elapsed: 0, expected: 0, standing: 'ahead' },
  { count: 50, target: 100, elapsed: 50, expected: 50, standing: 'ahead' },
  { count: 49, target: 100, elapsed: 50, expected: 50, standing: 'behind' },
  { count: 33, target: 100, elapsed: 33.1, expected: 34, standing: 'behind' }, // the ceiling, not the floor
  { count: 99, target: 100, elapsed: 100, expected: 100, standing: 'behind' },
  { count: 100, target: 100, elapsed: 99, expected: 99, standing: 'reached' },
  { count: 101, target: 100, elapsed: 1, expected: 1, standing: 'reached' },
  { count: 1, target: 1, elapsed: 0, expected: 0, standing: 'reached' },
])('$count of $target at $elapsed%: $expected expected, $standing', ({ count, target, elapsed, ...pace }) => {
  expect(paceOf(count, target, elapsed)).toEqual({ ...pace, difference: count - pace.expected });
});

test.each([
  [100, 25],
  [101, 26],
  [1, 1],
  [4, 1],
  [5, 2],
])('a monthly goal of %i is a weekly one of %i', (monthly, weekly) => {
  expect(weeklyTarget(monthly)).toBe(weekly);
});

test.each([
  [1, 3, 33.3, 33.33],
  [0, 100, 0, 0],
  [150, 100, 150, 100],
])('%i of %i is %d percent, and the bar at most 100', (count, target, percentage, bar) => {
  expect(toPercentage(count, target)).toBe(percentage);
  expect(barPercent(count, target)).toBeCloseTo(bar, 2);
});
