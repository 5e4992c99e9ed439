import { expect, test } from 'vitest';
import { resolveDays, resolvePeriod, toWeekBefore } from './period.ts';

const THURSDAY = { year: 2026, month: 11, day: 19 };

test.each([
  ['this_week', THURSDAY, '2026-11-16 2026-11-19', '2026-11-09 2026-11-12'],
  ['last_week', THURSDAY, '2026-11-09 2026-11-15', '2026-11-02 2026-11-08'],
  ['month', THURSDAY, '2026-11-01 2026-11-19', '2026-10-01 2026-10-19'],
  ['quarter', THURSDAY, '2026-10-01 2026-11-19', '2026-07-01 2026-08-19'],
  ['year', THURSDAY, '2026-01-01 2026-11-19', '2025-01-01 2025-11-19'],
  ['month', { year: 2026, month: 1, day: 2 }, '2026-01-01 2026-01-02', '2025-12-01 2025-12-02'],
  // February has no 31st day: the whole of it.
  ['month', { year: 2026, month: 3, day: 31 }, '2026-03-01 2026-03-31', '2026-02-01 2026-02-28'],
] as const)('%s on %o', (period, today, days, before) => {
  const resolved = resolvePeriod(period, today);
  expect(`${resolved.days.from} ${resolved.days.to}`).toBe(days);
  expect(`${resolved.before.from} ${resolved.before.to}`).toBe(before);
});

test('chosen days are compared with as many days before them', () => {
  expect(resolveDays({ from: '2026-03-01', to: '2026-03-10' }).before).toEqual({
    from: '2026-02-19',
    to: '2026-02-28',
  });
  expect(resolveDays({ from: '2026-03-01', to: '2026-03-01' }).before).toEqual({
    from: '2026-02-28',
    to: '2026-02-28',
  });
});

test('a week is compared with the same days of the one before, across a change of the clocks', () => {
  expect(toWeekBefore({ from: '2026-10-26', to: '2026-10-28' })).toEqual({ from: '2026-10-19', to: '2026-10-21' });
});
