import { expect, test } from 'vitest';
import { canAskForUpdate, canCommentOnLead, canDeleteComment } from './comment-policy.ts';

const lead = { userId: 1 };

test.each([
  { name: 'holder', viewer: { id: 1, role: 'user' }, comment: true, ask: false },
  { name: 'other user', viewer: { id: 2, role: 'user' }, comment: false, ask: false },
  { name: 'manager', viewer: { id: 3, role: 'manager' }, comment: true, ask: true },
  { name: 'manager who holds it', viewer: { id: 1, role: 'manager' }, comment: true, ask: false },
  { name: 'admin', viewer: { id: 4, role: 'admin' }, comment: true, ask: true },
] as const)('$name: comment $comment, ask for an update $ask', ({ viewer, comment, ask }) => {
  expect(canCommentOnLead(viewer, lead)).toBe(comment);
  expect(canAskForUpdate(viewer, lead)).toBe(ask);
});

test.each([
  { name: 'author', viewer: { id: 1, role: 'user' }, may: true },
  { name: 'manager', viewer: { id: 2, role: 'manager' }, may: false },
  { name: 'admin', viewer: { id: 3, role: 'admin' }, may: true },
] as const)('$name: delete a comment $may', ({ viewer, may }) => {
  expect(canDeleteComment(viewer, { createdBy: 1 })).toBe(may);
});

test('a comment whose author is gone is deleted by admins', () => {
  expect(canDeleteComment({ id: 1, role: 'manager' }, { createdBy: null })).toBe(false);
  expect(canDeleteComment({ id: 1, role: 'admin' }, { createdBy: null })).toBe(true);
});
