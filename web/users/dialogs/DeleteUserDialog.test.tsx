import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { deleteUser, listUsers } from '#contract/users/users.calls.ts';
import { ada, aUser, bob } from '#web/testing/fixtures.ts';
import { action, findRow, openUsers, press, usernames } from '#web/testing/users.tsx';

const dialog = () => screen.getByRole('alertdialog', { name: 'Confirm Delete' });
const confirm = () => userEvent.click(within(dialog()).getByRole('button', { name: 'Delete User' }));
const closed = () => waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());

test('it shows what will be deleted', async () => {
  await openUsers();
  await press('bob', 'Delete user');
  const { getByText } = within(dialog());
  expect(getByText('Bob Cratchit (bob)')).toBeVisible();
  expect(getByText('This will permanently delete the user and all their related data.')).toBeVisible();
  expect(getByText('This action cannot be undone.')).toBeVisible();
});

test.each([
  { what: '204', response: new Response(null, { status: 204 }) },
  { what: 'an empty 200', response: new Response('', { status: 200 }) },
])('after $what the account leaves the list', async ({ response }) => {
  const cleo = aUser({ username: 'cleo' });
  const { server, toasts } = await openUsers([ada, bob, cleo]);
  if (response.status === 204) server.responds(deleteUser, undefined);
  else server.breaks(deleteUser, 200, '');
  server.responds(listUsers, [ada, cleo]);

  await press('bob', 'Delete user');
  await confirm();

  await closed();
  await waitFor(() => expect(usernames()).toEqual(['ada', 'cleo']));
  expect(toasts).toEqual(['User Deleted']);
  expect(server.last(deleteUser)?.path).toBe(`/api/users/${bob.id}`);
  // The keyboard focus stays at the same position.
  await waitFor(() => expect(findRow('cleo')).toHaveFocus());
});

test('deleting the last row of the last page opens the page before', async () => {
  const users = [ada, ...Array.from({ length: 9 }, (_, index) => aUser({ username: `user-${index}` })), bob];
  const { server } = await openUsers(users);
  server.responds(deleteUser, undefined);
  await userEvent.click(screen.getByRole('button', { name: 'Next' }));
  expect(screen.getByText('Showing 11 to 11 of 11 users')).toBeVisible();
  server.responds(listUsers, users.slice(0, 10));

  await press('bob', 'Delete user');
  await confirm();

  await waitFor(() => expect(screen.getByText('Showing 1 to 10 of 10 users')).toBeVisible());
  expect(screen.getByText('Page 1 of 1')).toBeVisible();
  await waitFor(() => expect(findRow('ada')).toHaveFocus());
});

test('without rows the search field takes the focus', async () => {
  const { server } = await openUsers();
  server.responds(deleteUser, undefined);
  server.responds(listUsers, [ada]);
  await userEvent.type(screen.getByRole('searchbox'), 'bob');
  await press('bob', 'Delete user');
  await confirm();

  expect(await screen.findByText('No users found matching your search.')).toBeVisible();
  await waitFor(() => expect(screen.getByRole('searchbox')).toHaveFocus());
});

test('cancelling sends nothing', async () => {
  const { server } = await openUsers();
  await press('bob', 'Delete user');
  await userEvent.click(within(dialog()).getByRole('button', { name: 'Cancel' }));

  await closed();
  expect(server.times(deleteUser)).toBe(0);
  await waitFor(() => expect(action('bob', 'Delete user')).toHaveFocus());
});

test('a double click sends one request', async () => {
  const { server } = await openUsers();
  const held = server.holds(deleteUser);
  await press('bob', 'Delete user');
  await userEvent.dblClick(within(dialog()).getByRole('button', { name: 'Delete User' }));
  expect(within(dialog()).getByRole('button', { name: 'Deleting...' })).toHaveAttribute('aria-disabled', 'true');
  await userEvent.keyboard('{Escape}');
  expect(dialog()).toBeVisible();
  server.responds(listUsers, [ada]);
  held.respond(undefined);

  await closed();
  expect(server.times(deleteUser)).toBe(1);
});

test.each([
  { what: 'a refusal', status: 409, text: '{"message":"No","code":"last_admin"}', message: '409: No' },
  { what: 'a failure without a message', status: 500, text: '', message: 'Failed to delete user' },
])('$what shows a toast, and the dialog stays open', async ({ status, text, message }) => {
  const { server, toasts } = await openUsers();
  server.breaks(deleteUser, status, text);
  await press('bob', 'Delete user');
  await confirm();

  await waitFor(() => expect(toasts).toEqual([`Error | ${message}`]));
  expect(within(dialog()).getByRole('button', { name: 'Delete User' })).toBeEnabled();
  expect(screen.getByRole('row', { name: /^bob/, hidden: true })).toBeInTheDocument();
});
