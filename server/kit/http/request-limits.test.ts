import { expect, test } from 'vitest';
import { Refusal } from '#contract/errors.ts';
import { requestLimits } from './request-limits.ts';

const times = (count: number, work: () => void) => {
  for (let i = 0; i < count; i++) work();
};
const refusal = (work: () => void) => {
  try {
    work();
  } catch (error) {
    return error as Refusal;
  }
  return undefined;
};

test.each([
  ['read', 1200, 60],
  ['write', 600, 60],
  ['search', 30, 60],
  ['export', 30, 60],
  ['import', 20, 3600],
] as const)('%s: %i in %i seconds, and then again', (kind, most, seconds) => {
  let now = 0;
  const limits = requestLimits(1, () => now);
  times(most, () => limits.user(1, kind));
  now = 1000;
  const refused = refusal(() => limits.user(1, kind));
  expect(refused).toBeInstanceOf(Refusal);
  expect(refused?.details.retryAfter).toBe(seconds - 1);
  limits.user(2, kind);
  now = seconds * 1000;
  expect(refusal(() => limits.user(1, kind))).toBeUndefined();
});

test('searches are counted by the day too', () => {
  let now = 0;
  const limits = requestLimits(1, () => now);
  times(1000, () => {
    limits.user(1, 'search');
    now += 2_000;
  });
  expect(refusal(() => limits.user(1, 'search'))?.details.retryAfter).toBe(86_400 - 2_000);
});

test('the factor multiplies; an address has its own 120 a minute', () => {
  const limits = requestLimits(2, () => 0);
  times(240, () => limits.ip('192.0.2.1'));
  expect(refusal(() => limits.ip('192.0.2.1'))?.code).toBe('rate_limited');
  limits.ip('192.0.2.2');
});

test('a count that is given back is free again, and a refused request leaves no count', () => {
  let now = 0;
  const limits = requestLimits(1, () => now);
  const giveBack = limits.ip('192.0.2.1');
  times(119, () => limits.ip('192.0.2.1'));
  times(5, () => expect(refusal(() => limits.ip('192.0.2.1'))?.code).toBe('rate_limited'));
  giveBack();
  limits.ip('192.0.2.1');
  expect(refusal(() => limits.ip('192.0.2.1'))?.code).toBe('rate_limited');

  // What was counted in a window that is over is not given back to the next one.
  now = 60_000;
  giveBack();
  times(120, () => limits.ip('192.0.2.1'));
  expect(refusal(() => limits.ip('192.0.2.1'))?.code).toBe('rate_limited');
});
