import { expect, test } from 'vitest';
import { canChangeLead, canReassignLead, canSeeLead } from './lead-policy.ts';

const lead = { userId: 1 };

test.each([
  { who: 'holder', viewer: { id: 1, role: 'user' }, see: true, change: true, reassign: true },
  { who: 'other user', viewer: { id: 2, role: 'user' }, see: false, change: false, reassign: false },
  { who: 'manager', viewer: { id: 3, role: 'manager' }, see: true, change: false, reassign: true },
  { who: 'manager who holds it', viewer: { id: 1, role: 'manager' }, see: true, change: true, reassign: true },
  { who: 'admin', viewer: { id: 4, role: 'admin' }, see: true, change: true, reassign: true },
] as const)('$who: see $see, change $change, reassign $reassign', ({ viewer, see, change, reassign }) => {
  expect(canSeeLead(viewer, lead)).toBe(see);
  expect(canChangeLead(viewer, lead)).toBe(change);
  expect(canReassignLead(viewer, lead)).toBe(reassign);
});
