import { expect, test } from 'vitest';
import { accountState } from './account-state.ts';

const now = new Date('2026-03-10T09:00:00.000Z');

test.each([
  { active: true, lockedUntil: null, state: 'active' },
  { active: false, lockedUntil: null, state: 'inactive' },
  { active: true, lockedUntil: '2026-03-10T09:00:00.001Z', state: 'locked' },
  { active: false, lockedUntil: '2026-03-10T09:15:00.000Z', state: 'locked' },
  { active: true, lockedUntil: '2026-03-10T09:00:00.000Z', state: 'active' },
  { active: false, lockedUntil: '2026-03-09T09:00:00.000Z', state: 'inactive' },
])('active $active, locked until $lockedUntil: $state', ({ state, ...account }) => {
  expect(accountState(account, now)).toBe(state);
});
