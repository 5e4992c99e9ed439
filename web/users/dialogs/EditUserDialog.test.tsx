import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { changeUser, listUsers } from '#contract/users/users.calls.ts';
import { readDraft } from '#web/kit/storage/drafts.ts';
import { ada, bob } from '#web/testing/fixtures.ts';
import { action, errorOn, fill, findRow, openUsers, press, submit } from '#web/testing/users.tsx';

const field = (label: string) => within(screen.getByRole('dialog')).getByLabelText(label);

test('an account is changed, and the list shows it', async () => {
  const { server, toasts } = await openUsers();
  const changed = { ...bob, fullName: 'Robert Cratchit', role: 'manager', monthlyGoal: 90 } as const;
  server.responds(changeUser, changed);
  server.responds(listUsers, [ada, changed]);

  await press('bob', 'Edit user');
  expect(screen.getByRole('dialog', { name: 'Edit User' })).toBeVisible();
  expect(field('Username')).toHaveValue('bob');
  expect(field('Email')).toHaveValue('bob@example.com');
  expect(field('Full Name')).toHaveValue('Bob Cratchit');
  expect(field('Role')).toHaveValue('user');
  expect(field('Monthly Goal')).toHaveValue('80');
  await fill({ 'Full Name': 'Robert Cratchit', 'Monthly Goal': '90' });
  await userEvent.selectOptions(field('Role'), 'Manager');
  await submit('Save Changes');

  await waitFor(() => expect(within(findRow('bob')).getByText('Robert Cratchit')).toBeVisible());
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(toasts).toEqual(['User Updated']);
  expect(server.last(changeUser)).toMatchObject({
    path: `/api/users/${bob.id}`,
    body: {
      username: 'bob',
      email: 'bob@example.com',
      fullName: 'Robert Cratchit',
      role: 'manager',
      monthlyGoal: 90,
    },
  });
  await waitFor(() => expect(action('bob', 'Edit user')).toHaveFocus());
});

test('it has no password field', async () => {
  await openUsers();
  await press('bob', 'Edit user');
  expect(within(screen.getByRole('dialog')).queryByLabelText(/password/i)).toBeNull();
});

test('the viewer’s own role is fixed, the other fields can be changed', async () => {
  const { server } = await openUsers();
  server.responds(changeUser, ada);
  await press('ada', 'Edit user');

  expect(field('Role')).toBeDisabled();
  expect(field('Role')).toHaveValue('admin');
  expect(field('Role')).toHaveAccessibleDescription('You cannot change your own role.');
  await fill({ 'Full Name': 'Countess of Lovelace' });
  await submit('Save Changes');

  await waitFor(() =>
    expect(server.last(changeUser)?.body).toMatchObject({ role: 'admin', fullName: 'Countess of Lovelace' }),
  );
});

test.each([
  { label: 'Username', text: 'ab', message: 'Username must be at least 3 characters' },
  { label: 'Email', text: 'bob', message: 'Must be a valid email' },
  { label: 'Full Name', text: 'B', message: 'Full name must be at least 2 characters' },
  { label: 'Monthly Goal', text: 'x', message: 'Monthly goal must be a number' },
  { label: 'Monthly Goal', text: '0', message: 'Monthly goal must be at least 1' },
])('$label "$text" is refused: $message', async ({ label, text, message }) => {
  const { server } = await openUsers();
  await press('bob', 'Edit user');
  await fill({ [label]: text });
  await submit('Save Changes');

  await waitFor(() => expect(errorOn(label)).toBe(message));
  expect(server.times(changeUser)).toBe(0);
});

test('an empty goal is 100', async () => {
  const { server } = await openUsers();
  server.responds(changeUser, bob);
  await press('bob', 'Edit user');
  await fill({ 'Monthly Goal': '' });
  await submit('Save Changes');
  await waitFor(() => expect(server.last(changeUser)?.body).toMatchObject({ monthlyGoal: 100 }));
});

test('a duplicate name is shown at its field and in a toast, and can be corrected', async () => {
  const { server, toasts } = await openUsers();
  const message = 'This username is already taken';
  server.refuses(changeUser, 'duplicate_username', message, { errors: [{ path: 'username', message }] });
  await press('bob', 'Edit user');
  await fill({ Username: 'ada' });
  await submit('Save Changes');
  await waitFor(() => expect(errorOn('Username')).toBe(message));
  expect(toasts).toEqual([`Error | 409: ${message}`]);

  server.responds(changeUser, bob);
  await fill({ Username: 'bobby' });
  expect(errorOn('Username')).toBeUndefined();
  await submit('Save Changes');
  await waitFor(() => expect(toasts).toContain('User Updated'));
});

test.each([
  { what: 'a refusal', status: 409, text: '{"message":"No","code":"last_admin"}', message: '409: No' },
  { what: 'a failure without a message', status: 500, text: '', message: 'Failed to update user' },
  { what: 'an unreadable response', status: 200, text: '', message: 'Failed to update user: Invalid server response' },
])('$what shows an error and keeps the typed values', async ({ status, text, message }) => {
  const { server, toasts } = await openUsers();
  server.breaks(changeUser, status, text);
  await press('bob', 'Edit user');
  await fill({ 'Full Name': 'Robert' });
  await submit('Save Changes');

  await waitFor(() => expect(toasts).toEqual([`Error | ${message}`]));
  expect(field('Full Name')).toHaveValue('Robert');
});

test('changed fields are a draft, and the other fields show the current account', async () => {
  const { unmount } = await openUsers();
  await press('bob', 'Edit user');
  await fill({ 'Full Name': 'Robert' });
  await userEvent.keyboard('{Escape}');
  unmount();

  await openUsers([ada, { ...bob, email: 'bob@new.example' }]);
  await press('bob', 'Edit user');
  expect(field('Full Name')).toHaveValue('Robert');
  expect(field('Email')).toHaveValue('bob@new.example');
  await fill({ 'Full Name': 'Bob Cratchit' });
  expect(readDraft(ada.id, `users.${bob.id}`)).toBeUndefined();
});
