import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import * as calls from '#contract/account/codes.calls.ts';
import { listPasskeys } from '#contract/account/passkeys.calls.ts';
import { getSettings } from '#contract/auth/settings.calls.ts';
import { fakeServer } from '#web/testing/fake-server.ts';
import { SETTINGS } from '#web/testing/fixtures.ts';
import { show } from '#web/testing/show.tsx';
import { SecurityCard } from './SecurityCard.tsx';

const SECRET = { key: 'JBSW Y3DP', qr: { size: 3, path: 'M0 0h1v1h-1z' } };
const RECOVERY_CODES = Array.from({ length: 10 }, (_, n) => `aaaa${n}-bbbb${n}`);
const ON = { since: '2026-11-18T09:00:00.000Z', recoveryCodesLeft: 10 };

function open(codes: calls.CodesState) {
  const server = fakeServer();
  server.responds(getSettings, SETTINGS);
  server.responds(calls.getCodes, codes);
  server.responds(listPasskeys, { site: window.location.origin, passkeys: [] });
  return { server, ...show(<SecurityCard />) };
}
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));
const inDialog = async (name: string) => within(await screen.findByRole('dialog', { name }));

async function enterCode(dialog: ReturnType<typeof within>, button: string) {
  await userEvent.type(dialog.getByLabelText('Code'), '123 456');
  await userEvent.type(dialog.getByLabelText('Your password'), 'my secret');
  await userEvent.click(dialog.getByRole('button', { name: button }));
}

test('codes are set up with a picture, a first code and recovery codes that are shown once', async () => {
  const { server, toasts } = open({ since: null, recoveryCodesLeft: 0 });
  const user = userEvent.setup();
  server.responds(calls.setUpCodes, SECRET);
  await press('Set up one-time codes');
  const dialog = await inDialog('Set up one-time codes');
  expect((await dialog.findByRole('img', { name: 'QR code of the key' })).innerHTML).toContain(SECRET.qr.path);
  expect(dialog.getByText('JBSW Y3DP')).toBeVisible();
  await userEvent.click(dialog.getByRole('button', { name: 'Turn on' }));
  expect(dialog.getByLabelText('Code')).toHaveAccessibleDescription(/Please enter the code/);

  const message = 'The code is not correct, or was used already';
  server.refuses(calls.confirmCodes, 'invalid_code', message, { errors: [{ path: 'code', message }] });
  await enterCode(dialog, 'Turn on');
  await waitFor(() => expect(dialog.getByLabelText('Code')).toHaveAccessibleDescription(new RegExp(message)));
  expect(dialog.getByLabelText('Your password')).toHaveValue('my secret');

  server.responds(calls.confirmCodes, { recoveryCodes: RECOVERY_CODES });
  server.responds(calls.getCodes, ON);
  await userEvent.click(dialog.getByRole('button', { name: 'Turn on' }));
  const shown = await inDialog('Your recovery codes');
  expect(shown.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(RECOVERY_CODES);
  expect(server.last(calls.confirmCodes)?.body).toEqual({ code: '123 456', password: 'my secret' });
  await user.click(shown.getByRole('button', { name: 'Copy' }));
  expect(await shown.findByText('Copied.')).toBeVisible();
  expect(await navigator.clipboard.readText()).toBe(RECOVERY_CODES.join('\n'));
  await userEvent.click(shown.getByRole('button', { name: 'I have stored them' }));
  expect(screen.queryByText('aaaa0-bbbb0')).toBeNull();
  expect(await screen.findByText(/You have 10 recovery codes left\./)).toBeVisible();
  expect(toasts.at(-1)).toBe('One-time codes are on');
});

test('without a clipboard the codes can be saved', async () => {
  const { server } = open({ ...ON, recoveryCodesLeft: 1 });
  const user = userEvent.setup();
  expect(await screen.findByText(/You have 1 recovery code left: better make new ones\./)).toBeVisible();
  server.responds(calls.renewRecoveryCodes, { recoveryCodes: RECOVERY_CODES });
  await press('New recovery codes');
  await enterCode(await inDialog('New recovery codes'), 'Make new codes');
  const shown = await inDialog('Your recovery codes');
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('not allowed'));
  await user.click(shown.getByRole('button', { name: 'Copy' }));
  expect(await shown.findByText(/This browser does not allow copying/)).toBeVisible();
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:1', revokeObjectURL: () => {} }));
  const clicked = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
  await userEvent.click(shown.getByRole('button', { name: 'Save as file' }));
  expect(clicked).toHaveBeenCalledOnce();
});

test('codes are turned off with password and code', async () => {
  const { server, toasts } = open(ON);
  server.responds(calls.removeCodes, { since: null, recoveryCodesLeft: 0 });
  await press('Turn off');
  await enterCode(await inDialog('Turn off one-time codes?'), 'Turn off');
  expect(await screen.findByRole('button', { name: 'Set up one-time codes' })).toBeVisible();
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(toasts).toEqual(['One-time codes are off']);
});

test('a key that could not be made can be asked for again', async () => {
  const { server } = open({ since: null, recoveryCodesLeft: 0 });
  server.refuses(calls.setUpCodes, 'internal', 'Something went wrong');
  await press('Set up one-time codes');
  const dialog = await inDialog('Set up one-time codes');
  expect(await dialog.findByText('The key could not be made.')).toBeVisible();
  server.responds(calls.setUpCodes, SECRET);
  await userEvent.click(dialog.getByRole('button', { name: 'Try Again' }));
  expect(await dialog.findByText('JBSW Y3DP')).toBeVisible();
});
