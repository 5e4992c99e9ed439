import { act, renderHook } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { accountState } from '#contract/users/account-state.ts';
import { nextLockExpiry, useTimeAtLockExpiry } from './lock-expiry.ts';

const now = new Date('2026-03-04T12:00:00.000Z');
const NOON = now.getTime();
const lockedFor = (ms: number) => ({ lockedUntil: new Date(NOON + ms).toISOString(), active: true });
const unlocked = { lockedUntil: null, active: true };

/** The second step: React sets the next timer only after rendering the first expiry. */
function advance(ms: number) {
  act(() => vi.advanceTimersByTime(ms));
  act(() => vi.advanceTimersByTime(0));
}

test.each([
  { what: 'there are no accounts', accounts: [], expiresIn: undefined },
  { what: 'no account is locked', accounts: [unlocked], expiresIn: undefined },
  { what: 'a lock has expired', accounts: [lockedFor(-1)], expiresIn: undefined },
  { what: 'a lock expires now', accounts: [lockedFor(0)], expiresIn: undefined },
  { what: 'one lock is active', accounts: [unlocked, lockedFor(1)], expiresIn: 1 },
  { what: 'two locks are active', accounts: [lockedFor(5_000), lockedFor(3_000), lockedFor(-1)], expiresIn: 3_000 },
])('when $what, the next expiry is $expiresIn ms away', ({ accounts, expiresIn }) => {
  expect(nextLockExpiry(accounts, now)).toBe(expiresIn === undefined ? undefined : NOON + expiresIn);
});

test.each([
  { passed: 0, states: ['locked', 'locked', 'active'] },
  { passed: 2_999, states: ['locked', 'locked', 'active'] },
  { passed: 3_000, states: ['locked', 'active', 'active'] },
  { passed: 5_000, states: ['active', 'active', 'active'] },
])('$passed ms later the accounts are $states', ({ passed, states }) => {
  vi.useFakeTimers({ now });
  const accounts = [lockedFor(5_000), lockedFor(3_000), unlocked];
  const clock = renderHook(() => useTimeAtLockExpiry(accounts));

  advance(passed);

  expect(accounts.map((account) => accountState(account, clock.result.current))).toEqual(states);
});

test('a lock of two months expires, although it exceeds the maximum of a timer', () => {
  vi.useFakeTimers({ now });
  const twoMonths = 60 * 24 * 60 * 60_000;
  const accounts = [lockedFor(twoMonths)];
  const clock = renderHook(() => useTimeAtLockExpiry(accounts));

  advance(twoMonths - 1);
  expect(accounts.map((account) => accountState(account, clock.result.current))).toEqual(['locked']);
  advance(1);
  expect(accounts.map((account) => accountState(account, clock.result.current))).toEqual(['active']);
});
