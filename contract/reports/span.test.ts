import { expect, test } from 'vitest';
import { chooseSpan, listSpans } from './span.ts';

const write = (from: string, to: string) => listSpans({ from, to }).map((span) => `${span.from} ${span.to}`);

test('up to a month is counted by day, a quarter by week, more by month', () => {
  const lengths = [
    ['2026-10-01', '2026-10-31', 'day'],
    ['2026-10-01', '2026-11-01', 'week'],
    ['2026-07-01', '2026-09-30', 'week'],
    ['2026-01-01', '2026-04-09', 'month'],
    ['2026-01-01', '2026-12-31', 'month'],
  ] as const;
  for (const [from, to, span] of lengths) expect([from, to, chooseSpan({ from, to })]).toEqual([from, to, span]);
});

test('a week or a month at the edge of the period has the days that are in it', () => {
  expect(write('2026-10-24', '2026-10-26')).toEqual([
    '2026-10-24 2026-10-24',
    '2026-10-25 2026-10-25',
    '2026-10-26 2026-10-26',
  ]);
  const weeks = write('2026-10-01', '2026-11-17');
  expect([weeks.length, weeks[0], weeks[1], weeks.at(-1)]).toEqual([
    ...[8, '2026-10-01 2026-10-04', '2026-10-05 2026-10-11', '2026-11-16 2026-11-17'],
  ]);
  const months = write('2025-12-31', '2026-04-15');
  expect(months).toEqual([
    ...['2025-12-31 2025-12-31', '2026-01-01 2026-01-31', '2026-02-01 2026-02-28', '2026-03-01 2026-03-31'],
    '2026-04-01 2026-04-15',
  ]);
});
