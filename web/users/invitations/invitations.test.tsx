import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import * as calls from '#contract/account/invitations.calls.ts';
import { readDraft } from '#web/kit/storage/drafts.ts';
import { ada } from '#web/testing/fixtures.ts';
import { fill, openUsers } from '#web/testing/users.tsx';

const invitation = (changes: Partial<calls.Invitation> = {}): calls.Invitation => ({
  id: '6f9619ff-8b86-4d01-b42d-00cf4fc964ff',
  email: 'nora@example.com',
  fullName: 'Nora Newcomer',
  role: 'user',
  monthlyGoal: 100,
  invitedBy: 'Ada Lovelace',
  sentAt: '2026-11-18T09:00:00.000Z',
  expiresAt: '2100-11-25T09:00:00.000Z',
  ...changes,
});
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const list = async () => within(await screen.findByRole('region', { name: 'Open invitations' }));

test('a person is invited by e-mail', async () => {
  const { server, toasts } = await openUsers();
  expect(screen.queryByRole('region', { name: 'Open invitations' })).toBeNull();
  await press('Invite User');
  const dialog = within(screen.getByRole('dialog', { name: 'Invite User' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Send Invitation' }));
  expect(dialog.getByLabelText('Email')).toHaveAccessibleDescription('Must be a valid email');
  expect(dialog.getByLabelText('Full Name')).toHaveAccessibleDescription('Full name must be at least 2 characters');

  await fill({ Email: 'nora@example.com', 'Full Name': 'Nora Newcomer', 'Monthly Goal': '40' });
  await userEvent.selectOptions(dialog.getByLabelText('Role'), 'Manager');
  server.responds(calls.createInvitation, invitation());
  server.responds(calls.listInvitations, [invitation()]);
  await userEvent.click(dialog.getByRole('button', { name: 'Send Invitation' }));
  expect((await list()).getByText('nora@example.com')).toBeVisible();
  expect(server.last(calls.createInvitation)?.body).toEqual({
    ...{ email: 'nora@example.com', fullName: 'Nora Newcomer', role: 'manager', monthlyGoal: 40 },
  });
  expect(toasts).toEqual(['Invitation sent | To nora@example.com']);
  expect(readDraft(ada.id, 'users.invitation')).toBeUndefined();
});

test('an address that was invited already is refused at its field', async () => {
  const { server } = await openUsers();
  await press('Invite User');
  await fill({ Email: 'nora@example.com', 'Full Name': 'Nora Newcomer' });
  const message = 'This address has been invited already';
  server.refuses(calls.createInvitation, 'duplicate_invitation', message, { errors: [{ path: 'email', message }] });
  await press('Send Invitation');
  await waitFor(() => expect(screen.getByLabelText('Email')).toHaveAccessibleDescription(message));
  expect(screen.getByLabelText('Full Name')).toHaveValue('Nora Newcomer');
});

test('invitations are sent again and withdrawn', async () => {
  const expired = invitation({ expiresAt: '2026-11-01T09:00:00.000Z' });
  const { server, toasts } = await openUsers([ada], [expired]);
  expect((await list()).getByText('Expired')).toBeVisible();
  server.responds(calls.sendInvitation, invitation());
  server.responds(calls.listInvitations, [invitation()]);
  await press('Send again: Nora Newcomer');
  await waitFor(() => expect(screen.queryByText('Expired')).toBeNull());

  server.responds(calls.withdrawInvitation, undefined);
  server.responds(calls.listInvitations, []);
  await press('Withdraw: Nora Newcomer');
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Open invitations' })).toBeNull());
  expect(toasts).toEqual(['Invitation sent again | To nora@example.com', 'Invitation withdrawn']);
});
