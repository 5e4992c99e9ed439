import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { confirmCodes, getCodes, setUpCodes } from '#contract/account/codes.calls.ts';
import { listPasskeys } from '#contract/account/passkeys.calls.ts';
import { logout } from '#contract/auth/auth.calls.ts';
import { getSettings } from '#contract/auth/settings.calls.ts';
import { fakeServer } from '#web/testing/fake-server.ts';
import { SETTINGS } from '#web/testing/fixtures.ts';
import { show } from '#web/testing/show.tsx';
import { SecurityGate } from './SecurityGate.tsx';

function open(settings: Partial<typeof SETTINGS>) {
  const server = fakeServer();
  server.responds(getSettings, { ...SETTINGS, ...settings });
  server.responds(getCodes, { since: null, recoveryCodesLeft: 0 });
  server.responds(listPasskeys, { site: window.location.origin, passkeys: [] });
  const view = show(
    <SecurityGate>
      {(hints) => (
        <>
          {hints}
          <p>The screen</p>
        </>
      )}
    </SecurityGate>,
  );
  return { server, ...view };
}

test('who has nothing to do sees the screen only', async () => {
  const { server } = open({});
  await waitFor(() => expect(server.times(getSettings)).toBe(1));
  expect(screen.getByText('The screen')).toBeVisible();
  expect(screen.queryByRole('link')).toBeNull();
});

test('a password that another person has set can be replaced, or not now', async () => {
  open({ chooseOwnPassword: true });
  const link = await screen.findByRole('link', { name: 'Choose your own' });
  expect(link).toHaveAttribute('href', '/account#password');
  await userEvent.click(screen.getByRole('button', { name: 'Not now' }));
  expect(screen.queryByText(/has set your password/)).toBeNull();
  expect(screen.getByText('The screen')).toBeVisible();
});

test('it is asked where users arrive, and not above their lists', async () => {
  window.history.replaceState(null, '', '/crm');
  const { server } = open({ chooseOwnPassword: true });
  await waitFor(() => expect(server.times(getSettings)).toBe(1));
  expect(screen.getByText('The screen')).toBeVisible();
  expect(screen.queryByRole('link', { name: 'Choose your own' })).toBeNull();
  window.history.replaceState(null, '', '/');
});

test('a second factor that is asked for soon is announced', async () => {
  open({ secondFactorDue: '2126-12-03T09:00:00.000Z' });
  expect(await screen.findByText(/From Dec 3, 2126 on, your team asks for more than a password/)).toBeVisible();
  expect(screen.getByRole('link', { name: 'Set it up' })).toHaveAttribute('href', '/account#security');
  expect(screen.getByText('The screen')).toBeVisible();
});

test('one that is overdue comes before every screen, until it is set up', async () => {
  const { server, queries } = open({ secondFactorDue: '2026-01-03T09:00:00.000Z', secondFactorOverdue: true });
  expect(await screen.findByRole('heading', { name: 'Set up a second factor' })).toBeVisible();
  expect(screen.queryByText('The screen')).toBeNull();
  expect(await screen.findByRole('button', { name: 'Set up one-time codes' })).toBeVisible();
  server.responds(getSettings, SETTINGS);
  await queries.invalidateQueries();
  expect(await screen.findByText('The screen')).toBeVisible();
});

test('who does not want to set it up now can log out', async () => {
  const { server } = open({ secondFactorDue: '2026-01-03T09:00:00.000Z', secondFactorOverdue: true });
  server.responds(logout, { message: 'You have been logged out successfully.' });
  await userEvent.click(await screen.findByRole('button', { name: 'Logout' }));
  await waitFor(() => expect(server.times(logout)).toBe(1));
});

test('the recovery codes can be read before the screens open', async () => {
  const { server } = open({ secondFactorDue: '2026-01-03T09:00:00.000Z', secondFactorOverdue: true });
  server.responds(setUpCodes, { key: 'JBSW Y3DP', qr: { size: 3, path: 'M0 0h1v1h-1z' } });
  await userEvent.click(await screen.findByRole('button', { name: 'Set up one-time codes' }));
  server.responds(confirmCodes, { recoveryCodes: Array.from({ length: 10 }, (_, n) => `aaaa${n}-bbbb${n}`) });
  server.responds(getSettings, SETTINGS);
  await userEvent.type(await screen.findByLabelText('Code'), '123456');
  await userEvent.type(screen.getByLabelText('Your password'), 'my secret{Enter}');
  expect(await screen.findByText('aaaa0-bbbb0')).toBeVisible();
  await waitFor(() => expect(server.times(getCodes)).toBeGreaterThan(1));
  expect(screen.getByText('aaaa0-bbbb0')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'I have stored them' }));
  expect(await screen.findByText('The screen')).toBeVisible();
});
