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
  joined: [],
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
    paceLine: [
      { day: 0, pace: 0 },
      { day: 30, pace: 100 },
    ],
  });
  expect(buildMonthSeries(response, 'team').days.at(-1)).toEqual({ day: 3, contacts: 6, total: 24, pace: 40 });
});

test("a user who joined on the 3rd counts toward the team's pace and target from then on", () => {
  const series = buildMonthSeries({ ...response, joined: [{ day: 3, goal: 100 }] }, 'team');
  // Of 400: 300 by the calendar, and 100 for the days since the 3rd.
  expect(series.days.map(({ pace }) => pace)).toEqual([9, 18, 33]);
  expect(series.target).toBe(393);
  expect(series.paceLine.map(({ day, pace }) => [day, pace])).toEqual([
    [0, 0],
    [2, 18],
    [30, 393],
  ]);
  expect(buildMonthSeries({ ...response, joined: [{ day: 3, goal: 100 }] }, 'own')).toEqual(
    buildMonthSeries(response, 'own'),
  );
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
