import { expect, test } from 'vitest';
import { barPercent, newcomersSince, paceOf, teamPace, toPercentage, weeklyTarget } from './pace.ts';

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

test('an account has not had a full day on its first two days', () => {
  const isNewcomer = (createdAt: string, day: number) =>
    new Date(createdAt) >= newcomersSince('Europe/London', { year: 2026, month: 7, day });
  // Half past midnight on the 2nd of July in London.
  expect([2, 3, 4].map((day) => isNewcomer('2026-07-01T23:30:00.000Z', day))).toEqual([true, true, false]);
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

// November 2026: 30 days, the 1st is a Sunday. Two users with a goal of 100; the second joined on the given day.
test.each([
  { joined: 'before the month', day: 10, on: [], pace: 66 },
  { joined: 'on the 1st', day: 10, on: [1], pace: 66 },
  { joined: 'on the 1st', day: 30, on: [1], pace: 200 },
  { joined: 'on the 16th', day: 15, on: [16], pace: 50 },
  { joined: 'on the 16th', day: 16, on: [16], pace: 56 }, // 53 and 3
  { joined: 'on the 16th', day: 30, on: [16], pace: 150 },
  { joined: 'on Saturday the 14th', day: 13, on: [14], pace: 43 },
  { joined: 'on Saturday the 14th', day: 15, on: [14], pace: 56 }, // weekends are days of the month like all others
  { joined: 'on the last day', day: 29, on: [30], pace: 96 },
  { joined: 'on the last day', day: 30, on: [30], pace: 103 },
])('joined $joined: by day $day the team should have $pace', ({ day, on, pace }) => {
  const joined = on.map((day) => ({ day, goal: 100 }));
  expect(teamPace(200, joined, day, 30)).toBe(pace);
});

test.each([28, 30, 31])('without new users the pace of a month of %i days is that of the meters', (daysInMonth) => {
  for (let day = 1; day <= daysInMonth; day += 1) {
    const elapsed = Math.floor((day / daysInMonth) * 100);
    for (const goal of [1, 99, 470])
      expect(teamPace(goal, [], day, daysInMonth)).toBe(paceOf(0, goal, elapsed).expected);
  }
});
