import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { listUsersWithCodes, removeCodesOfUser } from '#contract/account/codes.calls.ts';
import { disconnectSsoOfUser, listUsersWithSso } from '#contract/auth/sso.calls.ts';
import { ada, bob } from '#web/testing/fixtures.ts';
import { openUsers, press } from '#web/testing/users.tsx';

test('an administrator turns off the codes of a user who has lost them', async () => {
  const { server, toasts } = await openUsers();
  server.responds(listUsersWithCodes, [bob.id]);
  await press('bob', 'Edit user');
  await userEvent.click(await screen.findByRole('button', { name: 'Remove them' }));

  const question = within(screen.getByRole('alertdialog', { name: 'Remove the one-time codes and passkeys of bob?' }));
  server.responds(removeCodesOfUser, undefined);
  server.responds(listUsersWithCodes, []);
  await userEvent.click(question.getByRole('button', { name: 'Remove' }));
  await waitFor(() => expect(screen.queryByText('Has one-time codes or passkeys.')).toBeNull());
  expect(server.last(removeCodesOfUser)?.path).toBe(`/api/users/${bob.id}/codes`);
  expect(toasts).toEqual(['One-time codes and passkeys removed']);
  expect(screen.getByRole('dialog', { name: 'Edit User' })).toBeVisible();
});

test('for users without codes the dialog says nothing of them', async () => {
  const { server } = await openUsers();
  server.responds(listUsersWithCodes, [bob.id]);
  await press('ada', 'Edit user');
  await waitFor(() => expect(server.times(listUsersWithCodes)).toBe(1));
  expect(screen.getByRole('dialog', { name: 'Edit User' })).toBeVisible();
  expect(ada.id).not.toBe(bob.id);
  expect(screen.queryByText('Has one-time codes or passkeys.')).toBeNull();
});

test('an administrator disconnects a user from single sign-on', async () => {
  const { server, toasts } = await openUsers();
  server.responds(listUsersWithSso, [bob.id]);
  await press('bob', 'Edit user');
  await userEvent.click(await screen.findByRole('button', { name: 'Disconnect' }));

  const question = within(screen.getByRole('alertdialog', { name: 'Disconnect bob from single sign-on?' }));
  server.responds(disconnectSsoOfUser, undefined);
  server.responds(listUsersWithSso, []);
  await userEvent.click(question.getByRole('button', { name: 'Disconnect' }));
  await waitFor(() => expect(screen.queryByText('Is connected to single sign-on.')).toBeNull());
  expect(server.last(disconnectSsoOfUser)?.path).toBe(`/api/users/${bob.id}/sso`);
  expect(toasts).toEqual(['Disconnected from single sign-on']);
});
