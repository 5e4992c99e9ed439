import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { setUserPassword } from '#contract/users/users.calls.ts';
import { bob } from '#web/testing/fixtures.ts';
import { action, errorOn, fill, openUsers, press, submit } from '#web/testing/users.tsx';

async function openReset() {
  const opened = await openUsers();
  await press('bob', 'Reset password');
  return opened;
}

test('a new password is set', async () => {
  const { server, toasts } = await openReset();
  server.responds(setUserPassword, bob);
  expect(screen.getByRole('dialog', { name: 'Reset Password' })).toHaveAccessibleDescription(
    'Set a new password for bob.',
  );
  await fill({ 'New Password': 'god bless us' });
  await submit('Reset Password');

  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(toasts).toEqual(['Password Reset']);
  expect(server.last(setUserPassword)).toMatchObject({
    path: `/api/users/${bob.id}/reset-password`,
    body: { newPassword: 'god bless us' },
  });
  await waitFor(() => expect(action('bob', 'Reset password')).toHaveFocus());
});

test.each(['', 'seven77'])('"%s" is too short', async (text) => {
  const { server } = await openReset();
  await fill({ 'New Password': text });
  await submit('Reset Password');
  await waitFor(() => expect(errorOn('New Password')).toBe('Password must be at least 8 characters'));
  expect(server.times(setUserPassword)).toBe(0);
});

test.each([
  { what: 'a refusal', status: 404, text: '{"message":"Gone","code":"not_found"}', message: '404: Gone' },
  { what: 'a failure without a message', status: 502, text: '', message: 'Failed to reset password' },
  {
    what: 'an unreadable response',
    status: 200,
    text: '<',
    message: 'Failed to reset password: Invalid server response',
  },
])('$what shows an error and keeps the typed value', async ({ status, text, message }) => {
  const { server, toasts } = await openReset();
  server.breaks(setUserPassword, status, text);
  await fill({ 'New Password': 'god bless us' });
  await submit('Reset Password');

  await waitFor(() => expect(toasts).toEqual([`Error | ${message}`]));
  expect(within(screen.getByRole('dialog')).getByLabelText('New Password')).toHaveValue('god bless us');
});
