import { expect, test } from 'vitest';
import { lockMinutes } from './lockout.ts';

test.each([
  { failures: 0, minutes: 0 },
  { failures: 4, minutes: 0 },
  { failures: 5, minutes: 15 },
  { failures: 6, minutes: 0 },
  { failures: 9, minutes: 0 },
  { failures: 10, minutes: 30 },
  { failures: 15, minutes: 60 },
  { failures: 45, minutes: 60 },
  { failures: 49, minutes: 0 },
  { failures: 50, minutes: 1440 },
  { failures: 55, minutes: 1440 },
])('failure $failures locks for $minutes minutes', ({ failures, minutes }) => {
  expect(lockMinutes(failures)).toBe(minutes);
});
