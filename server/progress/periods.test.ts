import { expect, test } from 'vitest';
import { cachedPeriods } from './periods.ts';

test('the cached periods are never those of another day', () => {
  const periods = cachedPeriods('Europe/London');
  const before = periods(new Date('2026-06-30T22:59:59.999Z'));
  const after = periods(new Date('2026-06-30T23:00:00.000Z'));
  expect([before.monthName, before.today.day]).toEqual(['June', 30]);
  expect([after.monthName, after.today.day]).toEqual(['July', 1]);
  expect(after.month.from).toEqual(before.month.to);
  expect(periods(new Date('2026-06-30T23:00:59.999Z'))).toBe(after);
  expect(after.lastWeek.to).toEqual(after.week.from);
});
