import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import * as calls from '#contract/account/passkeys.calls.ts';
import { getProofs } from '#contract/account/proof.calls.ts';
import { getSettings } from '#contract/auth/settings.calls.ts';
import { fakePasskeys, PASSKEY_ID } from '#web/testing/fake-passkeys.ts';
import { fakeServer } from '#web/testing/fake-server.ts';
import { SETTINGS } from '#web/testing/fixtures.ts';
import { show } from '#web/testing/show.tsx';
import { Passkeys } from './Passkeys.tsx';

const site = window.location.origin;
const CHALLENGE = {
  challenge: 'YQ',
  rp: {},
  user: { id: 'NQ', name: 'ada', displayName: 'Ada' },
  pubKeyCredParams: [],
};
const phone: calls.Passkey = {
  ...{ id: crypto.randomUUID(), name: 'My phone', synced: true },
  ...{ createdAt: '2026-11-16T09:00:00.000Z', lastUsedAt: '2026-11-17T09:00:00.000Z' },
};

function open(passkeys: calls.Passkey[] = [phone], address = site) {
  const server = fakeServer();
  const browser = fakePasskeys();
  server.responds(getSettings, SETTINGS);
  server.responds(calls.listPasskeys, { site: address, passkeys });
  return { server, browser, ...show(<Passkeys />) };
}
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));
const items = async () => within(await screen.findByRole('list', { name: 'Passkeys' })).getAllByRole('listitem');

test('a passkey is added with a name and the password', async () => {
  const { server, browser, toasts } = open([]);
  await press('Add a passkey');
  const dialog = within(await screen.findByRole('dialog', { name: 'Add a passkey' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Continue' }));
  expect(dialog.getByLabelText('Your password')).toHaveAccessibleDescription('Please enter your password');
  await userEvent.type(dialog.getByLabelText('Name'), 'My phone');
  await userEvent.type(dialog.getByLabelText('Your password'), 'my secret');
  server.responds(calls.startPasskey, CHALLENGE);
  server.responds(calls.addPasskey, { site, passkeys: [phone] });
  await userEvent.click(dialog.getByRole('button', { name: 'Continue' }));
  const [item] = await items();
  expect(item).toHaveTextContent('My phone On several devices');
  await waitFor(() => expect(item).toHaveTextContent('Added Nov 16, 2026; last used Nov 17, 2026'));
  expect(server.last(calls.startPasskey)?.body).toEqual({ password: 'my secret' });
  expect(browser.create).toHaveBeenCalledOnce();
  expect(server.last(calls.addPasskey)?.body).toMatchObject({
    name: 'My phone',
    passkey: { id: PASSKEY_ID, type: 'public-key' },
  });
  expect(toasts).toEqual(['Passkey added']);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('a passkey that the browser did not make is said, and what was typed stays', async () => {
  const { server, browser, toasts } = open([]);
  browser.cancelNext('create');
  server.responds(calls.startPasskey, CHALLENGE);
  await press('Add a passkey');
  const dialog = within(await screen.findByRole('dialog'));
  await userEvent.type(dialog.getByLabelText('Name'), 'My phone');
  await userEvent.type(dialog.getByLabelText('Your password'), 'my secret{Enter}');
  await waitFor(() =>
    expect(toasts).toEqual(['Failed to add the passkey | No passkey was chosen. Try again, or use your password.']),
  );
  expect(dialog.getByLabelText('Name')).toHaveValue('My phone');
});

test('users without a password are not asked for one', async () => {
  const { server } = open();
  server.responds(getProofs, { password: false, code: false, passkey: true, sso: null });
  await press('Add a passkey');
  await waitFor(() => expect(screen.queryByLabelText('Your password')).toBeNull());
  server.responds(calls.startPasskey, CHALLENGE);
  server.responds(calls.addPasskey, { site, passkeys: [phone, { ...phone, id: crypto.randomUUID() }] });
  await press('Continue');
  await waitFor(async () => expect(await items()).toHaveLength(2));
  expect(server.last(calls.startPasskey)?.body).toEqual({});
  expect(server.last(calls.addPasskey)?.body).not.toHaveProperty('name');
});

test('a passkey is renamed', async () => {
  const { server, toasts } = open();
  server.responds(calls.renamePasskey, { site, passkeys: [{ ...phone, name: 'Old phone', lastUsedAt: null }] });
  await press('Rename: My phone');
  const name = await screen.findByLabelText('Name');
  expect(name).toHaveValue('My phone');
  await userEvent.clear(name);
  await userEvent.type(name, 'Old phone{Enter}');
  await waitFor(() => expect(toasts).toEqual(['Passkey renamed']));
  expect((await items())[0]).toHaveTextContent('Old phone On several devicesAdded Nov 16, 2026; not used yet');
});

test('a passkey is removed after a question, and the last way in stays', async () => {
  const { server, toasts } = open();
  server.refuses(calls.removePasskey, 'last_way_in', 'It is your only way to sign in. Choose a password first.');
  await press('Remove: My phone');
  await userEvent.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Remove' }));
  await waitFor(() => expect(toasts).toHaveLength(1));
  expect(toasts[0]).toContain('It is your only way to sign in.');
  server.responds(calls.removePasskey, { site, passkeys: [] });
  await press('Remove: My phone');
  await userEvent.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Remove' }));
  await waitFor(() => expect(screen.queryByText('My phone')).toBeNull());
  expect(screen.getByRole('heading', { name: 'Passkeys' })).toHaveFocus();
});

test('at another address than that of the team the page says where passkeys work', async () => {
  open([], 'https://crm.example.com');
  expect(await screen.findByText(`Passkeys work at https://crm.example.com only. This page is ${site}.`)).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Add a passkey' })).toBeNull();
});

test('a page without https says what passkeys need', async () => {
  const server = fakeServer();
  server.responds(getSettings, SETTINGS);
  server.responds(calls.listPasskeys, { site, passkeys: [] });
  show(<Passkeys />);
  expect(await screen.findByText('Passkeys need an address with https.')).toBeVisible();
});
