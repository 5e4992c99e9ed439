import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import { addComment } from '#contract/leads/comments/comments.calls.ts';
import * as calls from '#contract/leads/leads.calls.ts';
import { button, lead, openProfile, otherUser, press, priya } from '#web/testing/lead-profile.tsx';

function actions(): string[] {
  const card = screen.getByRole('heading', { name: 'Quick Actions' }).parentElement as HTMLElement;
  return [...card.querySelectorAll('a, button')].map(({ textContent }) => textContent ?? '');
}

const EXTERNAL = ['Visit Website', 'Open in Maps'];
const CHANGES = ['Archive Business', 'Mark as Existing Customer', 'Permanently Delete'];

test.each([
  { who: 'its holder', as: priya, offered: [...EXTERNAL, 'Reassign Business', ...CHANGES] },
  {
    who: 'an admin',
    as: otherUser('admin'),
    offered: [...EXTERNAL, 'Reassign Business', 'Ask for an Update', ...CHANGES],
  },
  { who: 'a manager', as: otherUser('manager'), offered: [...EXTERNAL, 'Reassign Business', 'Ask for an Update'] },
  {
    who: 'a manager who holds it',
    as: { ...priya, role: 'manager' as const },
    offered: [...EXTERNAL, 'Reassign Business', ...CHANGES],
  },
])('$who has these actions', async ({ as, offered }) => {
  await openProfile({ as });
  expect(actions()).toEqual(offered);
  const notice = screen.queryByText(/^Priya Shah holds this business\./);
  if (as.role === 'manager' && as.id !== priya.id) expect(notice).toBeVisible();
  else expect(notice).toBeNull();
});

test('one press asks the holder for an update', async () => {
  const { server, toasts } = await openProfile({ as: otherUser('manager') });
  server.responds(addComment.byId, {
    ...{ id: 1, userBusinessId: lead.id, createdBy: 9, createdAt: '2026-07-02T09:05:00.000Z' },
    text: 'Please tell me how this is going.',
    holderNotified: true,
  });
  await press('Ask for an Update');
  await waitFor(() =>
    expect(toasts).toEqual(['Asked for an update | Priya Shah is notified. The answer will be in your notifications.']),
  );
  expect(server.last(addComment.byId)).toMatchObject({ body: { text: 'Please tell me how this is going.' } });

  server.responds(addComment.byId, {
    ...{ id: 1, userBusinessId: lead.id, createdBy: 9, createdAt: '2026-07-02T09:05:00.000Z' },
    text: 'Please tell me how this is going.',
    holderNotified: false,
  });
  await press('Ask for an Update');
  await waitFor(() =>
    expect(toasts.at(-1)).toBe('Asked for an update | Priya Shah is not notified: the account is not active.'),
  );

  server.refuses(addComment.byId, 'not_your_lead', 'This business is assigned to another user');
  await press('Ask for an Update');
  await waitFor(() =>
    expect(toasts.at(-1)).toBe('Failed to ask for an update | 403: This business is assigned to another user'),
  );
});

test.each([
  { what: 'no website', given: { business: { website: null } }, missing: 'Visit Website' },
  { what: '"Not provided" for a website', given: { business: { website: 'Not provided' } }, missing: 'Visit Website' },
  { what: 'a script for a website', given: { business: { website: 'javascript:1' } }, missing: 'Visit Website' },
  { what: 'been imported', given: { lead: { tags: ['Imported'] } }, missing: 'Open in Maps' },
])('a lead that has $what has no $missing', async ({ given, missing }) => {
  await openProfile(given);
  expect(actions()).not.toContain(missing);
  expect(actions()).toContain(EXTERNAL.find((name) => name !== missing));
});

test('external links open in a new tab', async () => {
  await openProfile();
  expect(screen.getByRole('link', { name: 'Visit Website' })).toHaveAttribute('href', 'https://bluedoor.example');
  const maps = screen.getByRole('link', { name: 'Open in Maps' });
  expect(maps).toHaveAttribute('href', expect.stringContaining('query=Blue%20Door%20Bakery%2C%2012%20Mill%20Lane'));
  for (const name of EXTERNAL) {
    expect(screen.getByRole('link', { name })).toHaveAttribute('target', '_blank');
    expect(screen.getByRole('link', { name })).toHaveAttribute('rel', 'noopener noreferrer');
  }
});

const CONFIRMED = [
  {
    action: 'Archive Business',
    title: 'Archive Business',
    role: 'dialog',
    says: [
      'Are you sure you want to archive this business?',
      'It moves to the archive and leaves the active views. You can restore it from there at any time.',
    ],
    confirm: 'Archive',
    busy: 'Archiving...',
    call: calls.archiveLead.byId,
    path: 'POST /api/business/5/archive',
    response: { ...lead, archived: true },
    success: 'Business archived',
    errorTitle: 'Archive failed',
    leaves: true,
  },
  {
    action: 'Mark as Existing Customer',
    title: 'Mark as Existing Customer',
    role: 'dialog',
    says: ['The business is excluded from normal lead views and reporting.', 'The mark can be removed again.'],
    confirm: 'Mark as Existing Customer',
    busy: 'Marking...',
    call: calls.markExistingCustomer.byId,
    path: 'POST /api/business/5/mark-existing-customer',
    response: { ...lead, existingCustomer: true },
    success: 'Marked as existing customer',
    errorTitle: 'Operation failed',
    leaves: false,
  },
  {
    action: 'Permanently Delete',
    title: 'Permanently Delete Business',
    role: 'alertdialog',
    says: ['This action cannot be undone.', 'All activities, notes and assignment history of this business are lost.'],
    confirm: 'Permanently Delete',
    busy: 'Deleting...',
    call: calls.deleteLead.byId,
    path: 'DELETE /api/business/5/delete',
    response: { message: 'Business deleted' },
    success: 'Business deleted',
    errorTitle: 'Deletion failed',
    leaves: true,
  },
];

describe.each(CONFIRMED)(
  '$action',
  ({ action, title, role, says, confirm, busy, call, path, response, success, errorTitle, leaves }) => {
    const dialog = () => within(screen.getByRole(role));
    const closed = () => waitFor(() => expect(screen.queryByRole(role)).toBeNull());

    test('asks for confirmation, is sent once, and shows a toast', async () => {
      const { server, toasts } = await openProfile();
      const held = server.holds(call);
      await press(action);
      expect(screen.getByRole(role, { name: title })).toBeVisible();
      for (const text of ['Blue Door Bakery', ...says]) expect(dialog().getByText(text)).toBeVisible();

      await userEvent.dblClick(dialog().getByRole('button', { name: confirm }));
      expect(dialog().getByRole('button', { name: busy })).toHaveAttribute('aria-disabled', 'true');
      await userEvent.keyboard('{Escape}');
      expect(screen.getByRole(role)).toBeVisible();
      held.respond(response as never);

      await waitFor(() => expect(toasts).toEqual([success]));
      if (leaves) await waitFor(() => expect(window.location.pathname).toBe('/crm'));
      else await closed();
      expect(server.times(call)).toBe(1);
      const { method, path: requested } = server.last(call) ?? {};
      expect(`${method} ${requested}`).toBe(path);
    });

    test('sends nothing when cancelled', async () => {
      const { server } = await openProfile();
      await press(action);
      await userEvent.click(dialog().getByRole('button', { name: 'Cancel' }));
      await closed();
      expect(server.times(call)).toBe(0);
      await waitFor(() => expect(button(action)).toHaveFocus());
    });

    test('stays open when it is refused', async () => {
      const { server, toasts } = await openProfile();
      server.refuses(call, 'internal', 'Something went wrong');
      await press(action);
      await userEvent.click(dialog().getByRole('button', { name: confirm }));
      await waitFor(() => expect(toasts).toEqual([`${errorTitle} | 500: Something went wrong`]));
      expect(dialog().getByRole('button', { name: confirm })).toBeEnabled();
      expect(window.location.pathname).toBe('/');
    });
  },
);

test.each([
  {
    action: 'Restore from Archive',
    before: { archived: true },
    call: calls.restoreLead.byId,
    instead: 'Archive Business',
    success: 'Business restored',
    errorTitle: 'Restore failed',
  },
  {
    action: 'Remove Existing Customer Mark',
    before: { existingCustomer: true },
    call: calls.unmarkExistingCustomer.byId,
    instead: 'Mark as Existing Customer',
    success: 'Existing customer mark removed',
    errorTitle: 'Operation failed',
  },
])('$action reverses it without confirmation', async ({ action, before, call, instead, success, errorTitle }) => {
  const { server, toasts } = await openProfile({ lead: before });
  expect(actions()).not.toContain(instead);
  server.refuses(call, 'busy', 'Please try again');
  await press(action);
  await waitFor(() => expect(toasts).toEqual([`${errorTitle} | 503: Please try again`]));

  server.responds(call, lead);
  await press(action);
  expect(await screen.findByRole('button', { name: instead })).toBeVisible();
  expect(toasts.slice(1)).toEqual([success]);
});
