import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { exportAccount } from '#contract/account/account.calls.ts';
import { getProofs, prove, startPasskeyProof } from '#contract/account/proof.calls.ts';
import { send } from '#web/kit/api.ts';
import { fakePasskeys, PASSKEY_ID } from '#web/testing/fake-passkeys.ts';
import { fakeServer } from '#web/testing/fake-server.ts';
import { show } from '#web/testing/show.tsx';
import { ProofPrompt } from './ProofPrompt.tsx';

const CHALLENGE = { challenge: 'YQ', rpId: 'localhost' };

/** A call that needs a recent proof, as any might. */
function open() {
  const server = fakeServer();
  show(<ProofPrompt />);
  const outcome = { value: undefined as unknown };
  server.refuses(exportAccount, 'proof_required', 'Please confirm that it is you');
  const call = send(exportAccount).then(
    (value) => {
      outcome.value = value;
    },
    (error: Error) => {
      outcome.value = error.name;
    },
  );
  return { server, outcome, call };
}
const dialog = async () => within(await screen.findByRole('dialog', { name: 'Confirm that it is you' }));

test('a call that needs a proof asks for the password and then goes on', async () => {
  const { server, outcome } = open();
  const shown = await dialog();
  await userEvent.click(await shown.findByRole('button', { name: 'Confirm' }));
  expect(shown.getByLabelText('Your password')).toHaveAccessibleDescription('Please enter your password');
  const message = 'The password is not correct';
  server.refuses(prove, 'invalid_credentials', message, { errors: [{ path: 'password', message }] });
  await userEvent.type(shown.getByLabelText('Your password'), 'a guess{Enter}');
  await waitFor(() => expect(shown.getByLabelText('Your password')).toHaveAccessibleDescription(message));

  server.responds(prove, undefined);
  server.responds(exportAccount, { account: {} });
  await userEvent.click(shown.getByRole('button', { name: 'Confirm' }));
  await waitFor(() => expect(outcome.value).toEqual({ account: {} }));
  expect(server.last(prove)?.body).toEqual({ password: 'a guess' });
  expect(server.times(exportAccount)).toBe(2);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('without a proof the call is as if it had not been made', async () => {
  const { outcome } = open();
  await userEvent.click(await (await dialog()).findByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(outcome.value).toBe('AbortError'));
});

test('a one-time code or a passkey will do as well', async () => {
  const server = fakeServer();
  const browser = fakePasskeys();
  server.responds(getProofs, { password: true, code: true, passkey: true, sso: null });
  server.refuses(exportAccount, 'proof_required', 'Please confirm that it is you');
  show(<ProofPrompt />);
  const first = send(exportAccount);
  const second = send(exportAccount);
  const shown = await dialog();
  await userEvent.click(await shown.findByRole('button', { name: 'Use a one-time code instead' }));
  server.refuses(prove, 'too_many_attempts', 'Too many failed attempts.');
  await userEvent.type(shown.getByLabelText('Code'), '123456{Enter}');
  expect(await shown.findByText('Too many failed attempts.')).toBeVisible();
  expect(server.last(prove)?.body).toEqual({ code: '123456' });

  server.responds(startPasskeyProof, CHALLENGE);
  browser.cancelNext('get');
  await userEvent.click(shown.getByRole('button', { name: 'Use a passkey' }));
  expect(await shown.findByText(/^No passkey was chosen\./)).toBeVisible();
  server.responds(prove, undefined);
  server.responds(exportAccount, { account: {} });
  await userEvent.click(shown.getByRole('button', { name: 'Use a passkey' }));
  expect(await first).toEqual({ account: {} });
  expect(await second, 'one question for both').toEqual({ account: {} });
  expect(server.last(prove)?.body).toMatchObject({ passkey: { id: PASSKEY_ID } });
});

test('a user with passkeys only is asked for one', async () => {
  const server = fakeServer();
  fakePasskeys();
  server.responds(getProofs, { password: false, code: false, passkey: true, sso: null });
  server.refuses(exportAccount, 'proof_required', 'Please confirm that it is you');
  show(<ProofPrompt />);
  const call = send(exportAccount).catch((error: Error) => error.name);
  const shown = await dialog();
  expect(await shown.findByRole('button', { name: 'Use a passkey' })).toBeVisible();
  expect(shown.queryByLabelText('Your password')).toBeNull();
  await userEvent.click(shown.getByRole('button', { name: 'Close' }));
  expect(await call).toBe('AbortError');
});

test('a user of single sign-on signs in again, and comes back', async () => {
  window.history.replaceState(null, '', '/account?x=1');
  const server = fakeServer();
  server.responds(getProofs, { password: false, code: false, passkey: false, sso: 'Example ID' });
  server.refuses(exportAccount, 'proof_required', 'Please confirm that it is you');
  show(<ProofPrompt />);
  void send(exportAccount).catch(() => {});
  const link = await (await dialog()).findByRole('link', { name: 'Continue with Example ID' });
  expect(link).toHaveAttribute('href', '/api/sso/start?to=%2Faccount%3Fx%3D1&again=true');
});
