import { expect, test } from 'vitest';
import { canChangeLead, canListTeam, canReassignLead, canSeeLead, listsEveryLead } from './lead-policy.ts';

const lead = { userId: 1 };

test.each([
  { name: 'holder', viewer: { id: 1, role: 'user' }, see: true, change: true, reassign: true },
  { name: 'other user', viewer: { id: 2, role: 'user' }, see: false, change: false, reassign: false },
  { name: 'manager', viewer: { id: 3, role: 'manager' }, see: true, change: false, reassign: true },
  { name: 'manager who holds it', viewer: { id: 1, role: 'manager' }, see: true, change: true, reassign: true },
  { name: 'admin', viewer: { id: 4, role: 'admin' }, see: true, change: true, reassign: true },
] as const)('$name: see $see, change $change, reassign $reassign', ({ viewer, see, change, reassign }) => {
  expect(canSeeLead(viewer, lead)).toBe(see);
  expect(canChangeLead(viewer, lead)).toBe(change);
  expect(canReassignLead(viewer, lead)).toBe(reassign);
});

test.each([
  { role: 'user', may: false, own: false, team: false },
  { role: 'manager', may: true, own: false, team: true },
  { role: 'admin', may: true, own: true, team: true },
] as const)('the list of a $role has every lead: $own; the one of the team: $team', ({ role, may, own, team }) => {
  const viewer = { id: 1, role };
  expect(canListTeam(viewer)).toBe(may);
  expect(listsEveryLead(viewer, { team: false })).toBe(own);
  expect(listsEveryLead(viewer, { team: true })).toBe(team);
});
