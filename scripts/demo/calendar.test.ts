import { expect, test } from 'vitest';
import { monthsAround } from './calendar.ts';

const london = (now: string) => monthsAround(new Date(now), 'Europe/London');
const iso = (moment: number) => new Date(moment).toISOString();

test('both months begin and end inside themselves', () => {
  const { elapsed, thisMonth, lastMonth } = london('2026-03-10T09:00:00Z');
  expect(elapsed).toBeCloseTo(10 / 31);
  expect([thisMonth.from, thisMonth.to].map(iso)).toEqual(['2026-03-01T12:00:00.000Z', '2026-03-10T09:00:00.000Z']);
  expect([lastMonth.from, lastMonth.to].map(iso)).toEqual(['2026-02-01T12:00:00.000Z', '2026-02-28T12:00:00.000Z']);
});

test("the month is the team's, not the server's", () => {
  // In London it is already July.
  const { thisMonth, lastMonth } = london('2026-06-30T23:30:00Z');
  expect(iso(thisMonth.from)).toBe('2026-06-30T23:29:00.000Z');
  expect(iso(lastMonth.from)).toBe('2026-06-01T12:00:00.000Z');
});
