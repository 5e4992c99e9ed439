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
] as const)('%s: %i in %i seconds, then a new window', (kind, max, seconds) => {
  let now = 0;
  const limits = requestLimits(1, () => now);
  times(max, () => limits.countByUser(1, kind));
  now = 1000;
  const refused = refusal(() => limits.countByUser(1, kind));
  expect(refused).toBeInstanceOf(Refusal);
  expect(refused?.details.retryAfter).toBe(seconds - 1);
  limits.countByUser(2, kind);
  now = seconds * 1000;
  expect(refusal(() => limits.countByUser(1, kind))).toBeUndefined();
});

test('programs have lower limits of their own, and leave those of their user', () => {
  const limits = requestLimits(1, () => 0);
  const first = { tokenId: 'first', userId: 1 };
  times(300, () => limits.countByProgram(first, 'read'));
  const refused = refusal(() => limits.countByProgram(first, 'read'));
  expect(refused).toMatchObject({ code: 'rate_limited', details: { retryAfter: 60 } });
  expect(refusal(() => limits.countByProgram({ ...first, tokenId: 'second' }, 'read'))).toBeUndefined();
  times(1200, () => limits.countByUser(1, 'read'));
});

test('what costs money counts for the user, however many tokens there are', () => {
  const limits = requestLimits(1, () => 0);
  for (const tokenId of ['first', 'second', 'third'])
    times(10, () => limits.countByProgram({ tokenId, userId: 1 }, 'search'));
  expect(refusal(() => limits.countByProgram({ tokenId: 'fourth', userId: 1 }, 'search'))?.code).toBe('rate_limited');
  expect(refusal(() => limits.countByUser(1, 'search'))?.code).toBe('rate_limited');
  expect(refusal(() => limits.countByUser(2, 'search'))).toBeUndefined();
});

test('searches also have a daily limit', () => {
  let now = 0;
  const limits = requestLimits(1, () => now);
  times(1000, () => {
    limits.countByUser(1, 'search');
    now += 2_000;
  });
  expect(refusal(() => limits.countByUser(1, 'search'))?.details.retryAfter).toBe(86_400 - 2_000);
});

test('the factor multiplies the limits; each IP has 120 a minute', () => {
  const limits = requestLimits(2, () => 0);
  times(240, () => limits.countByIp('192.0.2.1'));
  expect(refusal(() => limits.countByIp('192.0.2.1'))?.code).toBe('rate_limited');
  limits.countByIp('192.0.2.2');
});

test('a refunded request is free again, and a refused request is not counted', () => {
  let now = 0;
  const limits = requestLimits(1, () => now);
  const refund = limits.countByIp('192.0.2.1');
  times(119, () => limits.countByIp('192.0.2.1'));
  times(5, () => expect(refusal(() => limits.countByIp('192.0.2.1'))?.code).toBe('rate_limited'));
  refund();
  limits.countByIp('192.0.2.1');
  expect(refusal(() => limits.countByIp('192.0.2.1'))?.code).toBe('rate_limited');

  // A refund of an expired window does not apply to the next one.
  now = 60_000;
  refund();
  times(120, () => limits.countByIp('192.0.2.1'));
  expect(refusal(() => limits.countByIp('192.0.2.1'))?.code).toBe('rate_limited');
});
