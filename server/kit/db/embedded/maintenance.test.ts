import { expect, test } from 'vitest';
import { msUntilNight } from './maintenance.ts';

const HOUR = 3_600_000;

test.each([
  { now: new Date(2025, 0, 10, 1, 0), hours: 2 },
  { now: new Date(2025, 0, 10, 3, 0), hours: 24 },
  { now: new Date(2025, 0, 10, 22, 0), hours: 5 },
])('at $now the night work is $hours hours away', ({ now, hours }) => {
  expect(msUntilNight(now)).toBe(hours * HOUR);
});
