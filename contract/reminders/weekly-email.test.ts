import { expect, test } from 'vitest';
import { findWeeklyEmail } from './weekly-email.ts';

const LONDON = 'Europe/London';
const MONDAY = { year: 2026, month: 11, day: 16 };

test.each([
  ['on Monday before 8:00', LONDON, '2026-11-16T07:59:59.999Z', undefined],
  ['on Monday at 8:00', LONDON, '2026-11-16T08:00:00.000Z', MONDAY],
  ['on Monday evening', LONDON, '2026-11-16T22:00:00.000Z', MONDAY],
  ['on Tuesday before 12:00', LONDON, '2026-11-17T11:59:59.999Z', MONDAY],
  ['on Tuesday at 12:00', LONDON, '2026-11-17T12:00:00.000Z', undefined],
  ['on Sunday', LONDON, '2026-11-22T09:00:00.000Z', undefined],
  ['in summer before 8:00', LONDON, '2026-06-15T06:59:59.999Z', undefined],
  ['in summer at 8:00', LONDON, '2026-06-15T07:00:00.000Z', { year: 2026, month: 6, day: 15 }],
  ['on the Monday of another zone', 'Pacific/Auckland', '2026-06-14T20:00:00.000Z', { year: 2026, month: 6, day: 15 }],
])('%s', (_, timeZone, now, monday) => {
  expect(findWeeklyEmail(timeZone, new Date(now))?.monday).toEqual(monday);
});

test('it is about the week before its Monday, also on Tuesday and over a change of the clocks', () => {
  const weeks = {
    lastWeek: { from: '2026-10-19', to: '2026-10-25' },
    weekBefore: { from: '2026-10-12', to: '2026-10-18' },
  };
  expect(findWeeklyEmail(LONDON, new Date('2026-10-26T08:00:00Z'))).toMatchObject(weeks);
  expect(findWeeklyEmail(LONDON, new Date('2026-10-27T09:00:00Z'))).toMatchObject(weeks);
});
