import { describe, expect, test } from 'vitest';
import {
  daysInMonth,
  monthContaining,
  monthName,
  monthProgress,
  startOfDay,
  toLocalDate,
  toWeekday,
  weekContaining,
  weekProgress,
} from './calendar.ts';

const LONDON = 'Europe/London';
const span = ({ from, to }: { from: Date; to: Date }) => [from.toISOString(), to.toISOString()];
const hours = ({ from, to }: { from: Date; to: Date }) => (to.getTime() - from.getTime()) / 3_600_000;

test.each([
  ['2026-03-29T00:30:00Z', '2026-3-29'],
  ['2026-06-30T23:30:00Z', '2026-7-1'], // 00:30 on the 1st, in summer time
  ['2026-06-30T22:59:59Z', '2026-6-30'],
  ['2026-12-31T23:59:59Z', '2026-12-31'],
  ['2027-01-01T00:00:00Z', '2027-1-1'],
  ['2028-02-29T12:00:00Z', '2028-2-29'],
])('%s is %s in London', (moment, date) => {
  const { year, month, day } = toLocalDate(LONDON, new Date(moment));
  expect(`${year}-${month}-${day}`).toBe(date);
});

describe('weeks start on Monday', () => {
  test.each([
    // Sunday 23:59 and the minute after.
    ['2026-03-08T23:59:00Z', '2026-03-02T00:00:00.000Z', '2026-03-09T00:00:00.000Z'],
    ['2026-03-09T00:00:00Z', '2026-03-09T00:00:00.000Z', '2026-03-16T00:00:00.000Z'],
    // The week in which clocks go forward ends an hour early, the one in which they go back an hour late.
    ['2026-03-25T12:00:00Z', '2026-03-23T00:00:00.000Z', '2026-03-29T23:00:00.000Z'],
    ['2026-10-21T12:00:00Z', '2026-10-18T23:00:00.000Z', '2026-10-26T00:00:00.000Z'],
    // Over the end of a year.
    ['2027-01-01T12:00:00Z', '2026-12-28T00:00:00.000Z', '2027-01-04T00:00:00.000Z'],
  ])('%s is in the week from %s to %s', (moment, from, to) => {
    expect(span(weekContaining(LONDON, new Date(moment)))).toEqual([from, to]);
  });

  test('the clock changes make weeks of 167 and 169 hours', () => {
    expect(hours(weekContaining(LONDON, new Date('2026-03-29T12:00:00Z')))).toBe(167);
    expect(hours(weekContaining(LONDON, new Date('2026-10-25T12:00:00Z')))).toBe(169);
  });

  test('last week ends where this week begins', () => {
    const now = new Date('2026-10-26T09:00:00Z');
    expect(weekContaining(LONDON, now, -1).to).toEqual(weekContaining(LONDON, now).from);
    expect(span(weekContaining(LONDON, now, -1))).toEqual(['2026-10-18T23:00:00.000Z', '2026-10-26T00:00:00.000Z']);
  });
});

test.each([
  ['2026-07-01T00:30:00+01:00', '2026-06-30T23:00:00.000Z', '2026-07-31T23:00:00.000Z'],
  ['2026-03-15T12:00:00Z', '2026-03-01T00:00:00.000Z', '2026-03-31T23:00:00.000Z'],
  ['2026-10-15T12:00:00Z', '2026-09-30T23:00:00.000Z', '2026-11-01T00:00:00.000Z'],
  ['2026-12-31T23:59:59Z', '2026-12-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z'],
  ['2028-02-29T23:59:59Z', '2028-02-01T00:00:00.000Z', '2028-03-01T00:00:00.000Z'],
])('%s is in the month from %s to %s', (moment, from, to) => {
  expect(span(monthContaining(LONDON, new Date(moment)))).toEqual([from, to]);
});

test.each([
  ['Europe/London', { year: 2026, month: 3, day: 29 }, '2026-03-29T00:00:00.000Z'],
  ['Europe/London', { year: 2026, month: 3, day: 30 }, '2026-03-29T23:00:00.000Z'],
  ['America/New_York', { year: 2026, month: 11, day: 1 }, '2026-11-01T04:00:00.000Z'],
  ['America/New_York', { year: 2026, month: 11, day: 2 }, '2026-11-02T05:00:00.000Z'],
  ['Asia/Kolkata', { year: 2026, month: 1, day: 1 }, '2025-12-31T18:30:00.000Z'],
  ['Pacific/Kiritimati', { year: 2026, month: 1, day: 1 }, '2025-12-31T10:00:00.000Z'],
  // Midnight does not exist there on that day: clocks go from 23:59 to 01:00.
  ['America/Santiago', { year: 2026, month: 9, day: 6 }, '2026-09-06T04:00:00.000Z'],
  ['UTC', { year: 2026, month: 1, day: 1 }, '2026-01-01T00:00:00.000Z'],
])('in %s the day %o begins at %s', (timeZone, date, moment) => {
  expect(startOfDay(timeZone, date).toISOString()).toBe(moment);
});

test.each([
  [{ year: 2026, month: 3, day: 9 }, 1, 14],
  [{ year: 2026, month: 3, day: 10 }, 2, 28],
  [{ year: 2026, month: 3, day: 14 }, 6, 85],
  [{ year: 2026, month: 3, day: 15 }, 7, 100],
])('%o is weekday %i, with %i%% of the week elapsed', (date, weekday, percent) => {
  expect(toWeekday(date)).toBe(weekday);
  expect(weekProgress(date)).toBe(percent);
});

test.each([
  [{ year: 2026, month: 2, day: 1 }, 28, 3],
  [{ year: 2028, month: 2, day: 29 }, 29, 100],
  [{ year: 2026, month: 3, day: 10 }, 31, 32],
  [{ year: 2026, month: 11, day: 15 }, 30, 50],
])('%o is in a month of %i days, with %i%% of it elapsed', (date, days, percent) => {
  expect(daysInMonth(date)).toBe(days);
  expect(monthProgress(date)).toBe(percent);
});

test('months have English names', () => {
  expect(monthName({ month: 11 })).toBe('November');
});
