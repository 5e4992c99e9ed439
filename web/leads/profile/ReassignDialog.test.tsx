import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { listUsersForReassignment, reassignLead } from '#contract/leads/leads.calls.ts';
import { readDraft } from '#web/kit/storage/drafts.ts';
import { button, lead, openProfile, otherUser, press, priya, UUID } from '#web/testing/lead-profile.tsx';

const TEAM = [
  { id: priya.id, fullName: 'Priya Shah', username: 'priya', role: 'user' as const },
  { id: 9, fullName: 'Sam One', username: 'someone', role: 'manager' as const },
  { id: 11, fullName: 'Tom Ellery', username: 'tom', role: 'user' as const },
  { id: 12, fullName: 'Olivia Hart', username: 'olivia', role: 'admin' as const },
];

const dialog = () => within(screen.getByRole('dialog', { name: 'Reassign Business' }));
const picker = () => dialog().getByRole('combobox', { name: 'Reassign to' });
const notes = () => dialog().getByRole('textbox', { name: 'Notes (optional)' });
const submit = () => userEvent.click(dialog().getByRole('button', { name: 'Reassign' }));

async function openDialog(given: Parameters<typeof openProfile>[0] = {}) {
  const opened = await openProfile(given);
  opened.server.responds(listUsersForReassignment, TEAM);
  await press('Reassign Business');
  await dialog().findByRole('combobox');
  return opened;
}

test.each([
  { who: 'its holder', as: priya, expected: ['someone (manager)', 'tom (user)', 'olivia (admin)'] },
  { who: 'a manager', as: otherUser('manager'), expected: ['someone (manager)', 'tom (user)', 'olivia (admin)'] },
])('$who has all users but the holder to choose from', async ({ as, expected }) => {
  await openDialog({ as });
  const options = within(picker()).getAllByRole('option');
  expect(options.map(({ textContent }) => textContent)).toEqual(expected);
  expect(notes()).toHaveAttribute('placeholder', 'Reason for reassignment...');
});

test('the lead is reassigned once, with notes, and the screen is left', async () => {
  const { server, toasts } = await openDialog();
  const held = server.holds(reassignLead.byId);
  await userEvent.selectOptions(picker(), 'tom (user)');
  await userEvent.type(notes(), '  Holiday cover ');
  await userEvent.dblClick(dialog().getByRole('button', { name: 'Reassign' }));
  expect(dialog().getByRole('button', { name: 'Reassigning...' })).toHaveAttribute('aria-disabled', 'true');
  await userEvent.keyboard('{Escape}');
  expect(screen.getByRole('dialog')).toBeVisible();
  held.respond({ ...lead, userId: 11, viewed: false });

  await waitFor(() => expect(window.location.pathname).toBe('/crm'));
  expect(toasts).toEqual(['Business reassigned']);
  expect(server.times(reassignLead.byId)).toBe(1);
  expect(server.last(reassignLead.byId)).toMatchObject({
    path: '/api/reassign-business/5',
    body: { newUserId: 11, notes: 'Holiday cover' },
  });
  expect(server.last(reassignLead.byId)?.headers.get('idempotency-key')).toMatch(/^[A-Za-z0-9-]{8,64}$/);
});

test('a missing user is an error, and empty notes are not sent', async () => {
  const { server } = await openDialog();
  server.responds(reassignLead.byId, lead);
  await submit();
  expect(dialog().getByText('Please select a user to reassign to')).toBeVisible();
  expect(picker()).toBeInvalid();
  expect(server.times(reassignLead.byId)).toBe(0);

  await userEvent.selectOptions(picker(), 'tom (user)');
  expect(dialog().queryByText('Please select a user to reassign to')).toBeNull();
  await userEvent.type(notes(), '   ');
  await submit();
  await waitFor(() => expect(server.last(reassignLead.byId)?.body).toEqual({ newUserId: 11 }));
});

test('a retry after a failure has the same idempotency key, a changed request another', async () => {
  const { server, toasts } = await openDialog();
  const key = () => server.last(reassignLead.byId)?.headers.get('idempotency-key');
  server.refuses(reassignLead.byId, 'already_assigned', 'Business is already assigned to this user');
  await userEvent.selectOptions(picker(), 'tom (user)');
  await submit();
  await waitFor(() => expect(toasts).toEqual(['Reassignment failed | 409: Business is already assigned to this user']));
  const first = key();
  await submit();
  await waitFor(() => expect(toasts).toHaveLength(2));
  expect(key()).toBe(first);

  await userEvent.selectOptions(picker(), 'olivia (admin)');
  await submit();
  await waitFor(() => expect(toasts).toHaveLength(3));
  expect(key()).not.toBe(first);
  expect(window.location.pathname).toBe('/');
});

test('a refusal of the notes is shown at their field', async () => {
  const { server } = await openDialog();
  const errors = [{ path: 'notes', message: 'Notes must be at most 1000 characters' }];
  server.refuses(reassignLead.byId, 'validation_failed', 'Notes must be at most 1000 characters', { errors });
  await userEvent.selectOptions(picker(), 'tom (user)');
  await submit();
  await waitFor(() => expect(notes()).toHaveAccessibleDescription('Notes must be at most 1000 characters'));
});

test('loading is shown; a failure can be retried', async () => {
  const { server } = await openProfile();
  const held = server.holds(listUsersForReassignment);
  await press('Reassign Business');
  expect(dialog().getByText('Loading users…')).toBeVisible();
  held.refuse('internal', 'Something went wrong');
  expect(await dialog().findByText('Users could not be loaded')).toBeVisible();

  server.responds(listUsersForReassignment, TEAM);
  await userEvent.click(dialog().getByRole('button', { name: 'Try Again' }));
  expect(await dialog().findByRole('combobox')).toBeVisible();
});

test('without another user a message is shown', async () => {
  const { server } = await openProfile();
  server.responds(listUsersForReassignment, TEAM.slice(0, 1));
  await press('Reassign Business');
  expect(await dialog().findByText('There is nobody else to hand this business to.')).toBeVisible();
});

test('Cancel sends nothing and returns the focus', async () => {
  const { server } = await openDialog();
  await userEvent.click(dialog().getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(server.times(reassignLead.byId)).toBe(0);
  await waitFor(() => expect(button('Reassign Business')).toHaveFocus());
});

const draft = () => readDraft(priya.id, `${UUID}.reassign`)?.text;

test('Escape keeps the notes as a draft, Cancel discards them', async () => {
  await openDialog();
  await userEvent.type(notes(), 'Holiday cover');
  await userEvent.keyboard('{Escape}');
  await press('Reassign Business');
  expect(notes()).toHaveValue('Holiday cover');
  await userEvent.click(dialog().getByRole('button', { name: 'Cancel' }));
  expect(draft()).toBeUndefined();
});

test('the notes stay a draft when the reassignment fails, and are discarded when it succeeds', async () => {
  const { server, toasts } = await openDialog();
  server.refuses(reassignLead.byId, 'internal', 'Something went wrong');
  await userEvent.selectOptions(picker(), 'tom (user)');
  await userEvent.type(notes(), 'Holiday cover');
  await submit();
  await waitFor(() => expect(toasts).toHaveLength(1));
  expect(draft()).toBe('Holiday cover');
  server.responds(reassignLead.byId, lead);
  await submit();
  await waitFor(() => expect(draft()).toBeUndefined());
});

test('the focus is on the first field, also when the users are loaded after the dialog has opened', async () => {
  await openDialog();
  await waitFor(() => expect(picker()).toHaveFocus());
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(button('Reassign Business')).toHaveFocus());
  await press('Reassign Business');
  await waitFor(() => expect(picker()).toHaveFocus());
});
