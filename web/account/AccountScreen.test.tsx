import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import * as calls from '#contract/account/account.calls.ts';
import { getCodes } from '#contract/account/codes.calls.ts';
import { listPasskeys } from '#contract/account/passkeys.calls.ts';
import { getProofs } from '#contract/account/proof.calls.ts';
import { getSso } from '#contract/auth/auth.calls.ts';
import { changeStart, getSettings } from '#contract/auth/settings.calls.ts';
import { getReminderSettings } from '#contract/reminders/reminders.calls.ts';
import { fakeServer } from '#web/testing/fake-server.ts';
import { anAccount, SETTINGS } from '#web/testing/fixtures.ts';
import { show } from '#web/testing/show.tsx';
import { AccountScreen } from './AccountScreen.tsx';

const SIGNED_IN = { signedInAt: '2026-11-18T09:00:00.000Z', lastUsedAt: '2026-11-18T10:00:00.000Z' };
const own = {
  id: crypto.randomUUID(),
  browser: 'Chrome',
  system: 'Windows',
  ip: '192.0.2.1',
  ...SIGNED_IN,
  current: true,
};
const phone = { ...own, id: crypto.randomUUID(), browser: 'Safari', system: 'iPhone', current: false };
const unknown = { ...phone, id: crypto.randomUUID(), browser: null, system: null, ip: null };

function respondToAll(server: ReturnType<typeof fakeServer>) {
  server.responds(getSettings, SETTINGS);
  server.responds(getReminderSettings, { morningEmail: true, weeklyEmail: false, calendarCreatedAt: null });
  server.responds(calls.getAccount, anAccount());
  server.responds(calls.listSessions, [own, phone, unknown]);
  server.responds(getCodes, { since: null, recoveryCodesLeft: 0 });
  server.responds(listPasskeys, { site: window.location.origin, passkeys: [] });
}

function open() {
  const server = fakeServer();
  respondToAll(server);
  return { server, ...show(<AccountScreen />) };
}
const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }));
const fill = async (label: string, text: string) => userEvent.type(screen.getByLabelText(label), text);

test('users change their own name', async () => {
  const { server, toasts } = open();
  const field = await screen.findByLabelText('Full name');
  expect(field).toHaveValue('Ada Lovelace');
  await userEvent.clear(field);
  await press('Save name');
  expect(field).toHaveAccessibleDescription('Full name must be at least 2 characters');
  server.responds(calls.changeName, anAccount({ user: { ...anAccount().user, fullName: 'Ada King' } }));
  await userEvent.type(field, 'Ada King');
  await press('Save name');
  await waitFor(() => expect(toasts).toEqual(['Name changed']));
  expect(server.last(calls.changeName)?.body).toEqual({ fullName: 'Ada King' });
  expect(await screen.findByDisplayValue('Ada King')).toBeVisible();
});

test('a new e-mail address waits for its link', async () => {
  const { server, toasts } = open();
  await press('Change e-mail');
  const dialog = within(await screen.findByRole('dialog', { name: 'Change e-mail' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Send link' }));
  expect(dialog.getByLabelText('New e-mail')).toHaveAccessibleDescription('Must be a valid email');
  expect(dialog.getByLabelText('Your password')).toHaveAccessibleDescription('Please enter your password');

  await userEvent.type(dialog.getByLabelText('New e-mail'), 'ada@new.example');
  await userEvent.type(dialog.getByLabelText('Your password'), 'wrong');
  const message = 'The password is not correct';
  server.refuses(calls.changeEmail, 'invalid_credentials', message, { errors: [{ path: 'password', message }] });
  await userEvent.click(dialog.getByRole('button', { name: 'Send link' }));
  await waitFor(() => expect(dialog.getByLabelText('Your password')).toHaveAccessibleDescription(message));
  expect(dialog.getByLabelText('New e-mail')).toHaveValue('ada@new.example');

  server.responds(calls.changeEmail, anAccount({ newEmail: 'ada@new.example' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Send link' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(toasts.at(-1)).toBe('Confirm the new address | We have sent a link to ada@new.example.');
  expect(screen.getByText('ada@new.example')).toBeVisible();
  expect(screen.getByText('ada@example.com')).toBeVisible();

  server.responds(calls.withdrawEmail, anAccount());
  await press('Keep the current address');
  await waitFor(() => expect(screen.queryByText('ada@new.example')).toBeNull());
});

test('a new password is saved, and the fields are empty again', async () => {
  const { server, toasts } = open();
  await screen.findByLabelText('Current password');
  await fill('New password', 'short');
  await press('Change password');
  expect(screen.getByLabelText('Current password')).toHaveAccessibleDescription('Please enter your password');
  expect(screen.getByLabelText('New password')).toHaveAccessibleDescription(/^Password must be at least 8 characters/);
  await fill('Current password', 'god bless us');
  await fill('New password', ' but longer');
  server.responds(calls.changePassword, anAccount());
  await press('Change password');
  await waitFor(() => expect(toasts).toEqual(['Password changed | All other sessions have ended.']));
  expect(server.last(calls.changePassword)?.body).toEqual({
    password: 'god bless us',
    newPassword: 'short but longer',
  });
  expect(screen.getByLabelText('Current password')).toHaveValue('');
  expect(screen.getByLabelText('New password')).toHaveValue('');
});

test('a refused password leaves what was typed', async () => {
  const { server, toasts } = open();
  await screen.findByLabelText('Current password');
  await fill('Current password', 'wrong');
  await fill('New password', 'long enough 1');
  const message = 'The password is not correct';
  server.refuses(calls.changePassword, 'invalid_credentials', message, { errors: [{ path: 'password', message }] });
  await press('Change password');
  await waitFor(() => expect(screen.getByLabelText('Current password')).toHaveAccessibleDescription(message));
  expect(screen.getByLabelText('New password')).toHaveValue('long enough 1');
  expect(toasts).toEqual([`Failed to change the password | 401: ${message}`]);
});

test('the screen to start with is chosen', async () => {
  const { server } = open();
  server.responds(changeStart, { startAt: 'search' });
  const start = await screen.findByRole('combobox', { name: 'Start with' });
  expect(start).toHaveDisplayValue('As usual');
  await userEvent.selectOptions(start, 'Search');
  await waitFor(() => expect(start).toHaveDisplayValue('Search'));
  expect(server.last(changeStart)?.body).toEqual({ startAt: 'search' });
});

const sessionItems = async () => within(await screen.findByRole('list', { name: 'Sessions' })).getAllByRole('listitem');

test('sessions are listed, and one is ended', async () => {
  const { server, toasts } = open();
  expect((await sessionItems()).map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^Chrome on Windows This one.* from 192\.0\.2\.1/),
    expect.stringMatching(/^Safari on iPhone.*End session/),
    expect.stringMatching(/^Unknown browser.*End session/),
  ]);
  server.responds(calls.endSession, [own, unknown]);
  await press('End session: Safari on iPhone');
  await waitFor(async () => expect(await sessionItems()).toHaveLength(2));
  expect(server.last(calls.endSession)?.path).toBe(`/api/account/sessions/${phone.id}`);
  expect(toasts).toEqual(['Session ended']);
  expect(screen.getByRole('list', { name: 'Sessions' })).toHaveFocus();
});

test('all other sessions are ended after a question', async () => {
  const { server } = open();
  server.responds(calls.endOtherSessions, [own]);
  await press('End all other sessions');
  await userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'End them' }));
  await waitFor(async () => expect(await sessionItems()).toHaveLength(1));
  expect(screen.queryByRole('button', { name: 'End all other sessions' })).toBeNull();
});

test('the stored data is saved as a file', async () => {
  const { server, toasts } = open();
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:1', revokeObjectURL: () => {} }));
  const clicked = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
  server.responds(calls.exportAccount, { account: {} });
  await press('Save your data');
  await waitFor(() => expect(toasts).toEqual(['Your data was saved']));
  expect(clicked).toHaveBeenCalledOnce();
});

test('an account that cannot be loaded can be loaded again', async () => {
  const server = fakeServer();
  server.refuses(calls.getAccount, 'internal', 'Something went wrong');
  show(<AccountScreen />);
  expect(await screen.findByText('Your account could not be loaded')).toBeVisible();
  respondToAll(server);
  await press('Try Again');
  expect(await screen.findByLabelText('Full name')).toBeVisible();
});

test('the density is a choice of the browser', async () => {
  open();
  const compact = await screen.findByRole('button', { name: 'Compact' });
  expect(screen.getByRole('button', { name: 'Comfortable' })).toHaveAttribute('aria-pressed', 'true');
  await userEvent.click(compact);
  expect(compact).toHaveAttribute('aria-pressed', 'true');
  expect(document.documentElement.dataset.density).toBe('compact');
  expect(localStorage.getItem('highstreet.density')).toBe('compact');
  await userEvent.click(screen.getByRole('button', { name: 'Comfortable' }));
  expect(document.documentElement.dataset.density).toBeUndefined();
  expect(localStorage.getItem('highstreet.density')).toBeNull();
});

test('where only single sign-on works, there is no password and no second factor to look after', async () => {
  const server = fakeServer();
  respondToAll(server);
  server.responds(getSso, { name: 'Example ID', only: true });
  server.responds(getProofs, { password: false, code: false, passkey: false, sso: 'Example ID' });
  show(<AccountScreen />);
  expect(await screen.findByText(/You sign in with Example ID/)).toBeVisible();
  expect(screen.queryByRole('heading', { name: 'Password' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Set up one-time codes' })).toBeNull();
  expect(screen.getByRole('heading', { name: 'Sessions' })).toBeVisible();
});
