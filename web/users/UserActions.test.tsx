import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { listUsers, setUserActive, unlockUser } from '#contract/users/users.calls.ts';
import { ada, aUser, bob } from '#web/testing/fixtures.ts';
import { action, findRow, minutesAway, openUsers, press } from '#web/testing/users.tsx';

const locked = { ...bob, lockedUntil: minutesAway(15), failedLoginAttempts: 5 };
const inactive = { ...bob, active: false };

test('a locked account can be unlocked', async () => {
  const { server, toasts } = await openUsers([ada, locked]);
  server.responds(unlockUser, bob);
  server.responds(listUsers, [ada, bob]);

  await press('bob', 'Unlock account');

  await waitFor(() => expect(within(findRow('bob')).getByText('Active')).toBeVisible());
  expect(toasts).toEqual(['Account Unlocked']);
  expect(server.last(unlockUser)).toMatchObject({ path: `/api/users/${bob.id}/unlock`, body: undefined });
  // The focused button is gone; its row takes the focus.
  expect(findRow('bob')).toHaveFocus();
});

test.each([
  { before: bob, after: inactive, button: 'Deactivate User (prevent login)', done: 'deactivated', shows: 'Inactive' },
  { before: inactive, after: bob, button: 'Activate User (allow login)', done: 'activated', shows: 'Active' },
])('an account can be $done', async ({ before, after, button, done, shows }) => {
  const { server, toasts } = await openUsers([ada, before]);
  server.responds(setUserActive, after);
  server.responds(listUsers, [ada, after]);

  await press('bob', button);

  await waitFor(() => expect(within(findRow('bob')).getByText(shows)).toBeVisible());
  expect(toasts).toEqual([`Account ${done} | User account has been ${done} successfully.`]);
  expect(server.last(setUserActive)).toMatchObject({
    path: `/api/users/${bob.id}/set-active-status`,
    body: { active: after.active },
  });
});

test('a pending action cannot be started twice, and its button keeps the focus', async () => {
  const { server } = await openUsers();
  const held = server.holds(setUserActive);

  await press('bob', /deactivate/i);
  await waitFor(() => expect(action('bob', /deactivate/i)).toHaveAttribute('aria-busy', 'true'));
  await press('bob', /deactivate/i);
  expect(server.times(setUserActive)).toBe(1);
  expect(action('bob', /deactivate/i)).toHaveFocus();

  server.responds(listUsers, [ada, inactive]);
  held.respond(inactive);
  await waitFor(() => expect(action('bob', /^activate/i)).toHaveFocus());
});

const FAILURES = [
  { name: 'Unlock account', call: unlockUser, fallbackMessage: 'Failed to unlock account' },
  { name: /deactivate/i, call: setUserActive, fallbackMessage: 'Failed to change account status' },
];

test.each(FAILURES)('$name: a refusal shows the message of the server', async ({ name, call }) => {
  const { server, toasts } = await openUsers([ada, locked]);
  server.refuses(call, 'last_admin', 'The last active administrator cannot be removed');
  await press('bob', name);
  await waitFor(() => expect(toasts).toEqual(['Error | 409: The last active administrator cannot be removed']));
});

test.each(FAILURES)(
  '$name: a response without a message shows the fallback message',
  async ({ name, call, fallbackMessage }) => {
    const { server, toasts } = await openUsers([ada, locked]);
    server.breaks(call, 502, '');
    await press('bob', name);
    await waitFor(() => expect(toasts).toEqual([`Error | ${fallbackMessage}`]));
  },
);

test.each(FAILURES)('$name: an unreadable response shows an error', async ({ name, call, fallbackMessage }) => {
  const { server, toasts } = await openUsers([ada, locked]);
  server.breaks(call, 200, '<html>');
  await press('bob', name);
  await waitFor(() => expect(toasts).toEqual([`Error | ${fallbackMessage}: Invalid server response`]));
});

test.each([
  { name: /deactivate/i, reason: 'You cannot deactivate your own account' },
  { name: 'Delete user', reason: 'You cannot delete your own account' },
])('on the viewer’s own row $name is disabled with a reason', async ({ name, reason }) => {
  const { server } = await openUsers();
  const button = action('ada', name);
  expect(button).toHaveAttribute('aria-disabled', 'true');

  await userEvent.click(button);
  expect(server.times(setUserActive)).toBe(0);
  expect(screen.queryByRole('dialog')).toBeNull();

  await userEvent.tab({ shift: true });
  await userEvent.tab();
  expect(button).toHaveFocus();
  expect(await screen.findByRole('tooltip')).toHaveTextContent(reason);
  expect(button).toHaveAccessibleDescription(reason);
});

test('the viewer’s own row is marked', async () => {
  await openUsers([ada, bob, aUser({ username: 'cleo' })]);
  expect(within(findRow('ada')).getByText('You')).toBeVisible();
  expect(screen.getAllByText('You')).toHaveLength(1);
});
