import { expect, test } from 'vitest';
import { axisTicks, buildMonthSeries, dayTicks } from './month-series.ts';

const response = {
  monthName: 'November',
  daysInMonth: 30,
  ownTarget: 100,
  teamTarget: 400,
  days: [
    { day: 1, own: 0, team: 7 },
    { day: 2, own: 5, team: 11 },
    { day: 3, own: 6, team: 6 },
  ],
};

test('each day has the running total and the pace that the meters show', () => {
  expect(buildMonthSeries(response, 'own')).toEqual({
    monthName: 'November',
    daysInMonth: 30,
    target: 100,
    days: [
      { day: 1, contacts: 0, total: 0, pace: 3 },
      { day: 2, contacts: 5, total: 5, pace: 6 },
      { day: 3, contacts: 6, total: 11, pace: 10 },
    ],
  });
  expect(buildMonthSeries(response, 'team').days.at(-1)).toEqual({ day: 3, contacts: 6, total: 24, pace: 40 });
});

test.each([
  [0, [0, 1]],
  [1, [0, 1]],
  [3, [0, 1, 2, 3]],
  [10, [0, 5, 10]],
  [100, [0, 25, 50, 75, 100]],
  [104, [0, 50, 100, 150]],
  [73, [0, 20, 40, 60, 80]],
  [480, [0, 200, 400, 600]],
  [500_000, [0, 200_000, 400_000, 600_000]],
])('the axis up to %i has the ticks %j', (max, ticks) => {
  expect(axisTicks(max)).toEqual(ticks);
});

test('the last day of the month always has a tick', () => {
  expect(dayTicks(28)).toEqual([1, 5, 10, 15, 20, 25, 28]);
  expect(dayTicks(31)).toEqual([1, 5, 10, 15, 20, 25, 31]);
});
