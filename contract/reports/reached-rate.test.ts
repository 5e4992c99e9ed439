import { expect, test } from 'vitest';
import { toReachedRate } from './reached-rate.ts';

test.each([
  // Figures of Wilson's interval from tables.
  [0, 10, '0% (0–28)'],
  [10, 10, '100% (72–100)'],
  [5, 10, '50% (24–76)'],
  [30, 100, '30% (22–40)'],
  [300, 1_000, '30% (27–33)'],
  [1, 1, '100% (21–100)'],
] as const)('%d of %d calls are %s', (reached, calls, text) => {
  const rate = toReachedRate(reached, calls);
  expect(rate && `${rate.rate}% (${rate.low}–${rate.high})`).toBe(text);
});

test('no calls have no rate', () => {
  expect(toReachedRate(0, 0)).toBeUndefined();
});
