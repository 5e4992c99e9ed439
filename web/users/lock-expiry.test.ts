import { act, renderHook } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { accountState } from '#contract/users/account-state.ts';
import { nextLockExpiry, useTimeAtLockExpiry } from './lock-expiry.ts';

const now = new Date('2026-03-04T12:00:00.000Z');
const NOON = now.getTime();
const at = (ms: number) => ({ lockedUntil: new Date(NOON + ms).toISOString(), active: true });
const never = { lockedUntil: null, active: true };

/** React sets the next timer only after it has heard of the first. */
function pass(ms: number) {
  act(() => vi.advanceTimersByTime(ms));
  act(() => vi.advanceTimersByTime(0));
}

test.each([
  { what: 'nobody is there', accounts: [], ends: undefined },
  { what: 'nobody is locked', accounts: [never], ends: undefined },
  { what: 'a lock has run out', accounts: [at(-1)], ends: undefined },
  { what: 'a lock runs out now', accounts: [at(0)], ends: undefined },
  { what: 'one lock holds', accounts: [never, at(1)], ends: 1 },
  { what: 'two locks hold', accounts: [at(5_000), at(3_000), at(-1)], ends: 3_000 },
])('when $what, the next expiry is $ends ms away', ({ accounts, ends }) => {
  expect(nextLockExpiry(accounts, now)).toBe(ends === undefined ? undefined : NOON + ends);
});

test.each([
  { passed: 0, states: ['locked', 'locked', 'active'] },
  { passed: 2_999, states: ['locked', 'locked', 'active'] },
  { passed: 3_000, states: ['locked', 'active', 'active'] },
  { passed: 5_000, states: ['active', 'active', 'active'] },
])('$passed ms later the accounts are $states', ({ passed, states }) => {
  vi.useFakeTimers({ now });
  const accounts = [at(5_000), at(3_000), never];
  const clock = renderHook(() => useTimeAtLockExpiry(accounts));

  pass(passed);

  expect(accounts.map((account) => accountState(account, clock.result.current))).toEqual(states);
});

test('a lock of two months expires, although it exceeds the maximum of a timer', () => {
  vi.useFakeTimers({ now });
  const twoMonths = 60 * 24 * 60 * 60_000;
  const accounts = [at(twoMonths)];
  const clock = renderHook(() => useTimeAtLockExpiry(accounts));

  pass(twoMonths - 1);
  expect(accounts.map((account) => accountState(account, clock.result.current))).toEqual(['locked']);
  pass(1);
  expect(accounts.map((account) => accountState(account, clock.result.current))).toEqual(['active']);
});
