import { expect, test } from 'vitest';
import type { StopReason } from '#contract/leads/trip/trip.ts';
import { formatReason } from './stop-reason.ts';

const due = (at: string): StopReason => ({ kind: 'due', at });

test.each<[StopReason, string]>([
  [due('2026-11-12T10:00:00.000Z'), 'Overdue since Nov 12'],
  [due('2025-12-30T10:00:00.000Z'), 'Overdue since Dec 30, 2025'],
  [due('2026-11-19T08:30:00.000Z'), 'Overdue since 08:30'],
  [due('2026-11-19T16:00:00.000Z'), 'Due today'],
  [due('2026-11-20T16:00:00.000Z'), 'Due Nov 20'],
  [{ kind: 'near', miles: 0.41 }, '0.4 miles away'],
  [{ kind: 'near', miles: 12.3 }, '12 miles away'],
])('%o is "%s"', (reason, text) => {
  expect(formatReason(reason, new Date('2026-11-19T09:00:00.000Z'), 'Europe/London')).toBe(text);
});
