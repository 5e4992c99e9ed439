import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { getSetup, register } from '#contract/auth/auth.calls.ts';
import { currentUrl, openApp, serverForVisitors } from '#web/testing/app.tsx';
import { ada } from '#web/testing/fixtures.ts';

const account = { username: 'ada', email: 'ada@example.com', fullName: 'Ada Lovelace', password: 'engine no. 1' };

async function fill() {
  await userEvent.type(await screen.findByLabelText('Full name'), account.fullName);
  await userEvent.type(screen.getByLabelText('Email'), account.email);
  await userEvent.type(screen.getByLabelText('Username'), account.username);
  await userEvent.type(screen.getByLabelText('Password'), account.password);
}

const submit = () => userEvent.click(screen.getByRole('button', { name: 'Create administrator account' }));
const toast = async () => within(await screen.findByRole('region', { name: /Notifications/ })).findByRole('status');

test.each(['/', '/auth', '/crm', '/users', '/forgot-password', '/reset-password', '/nowhere'])(
  'without any account %s redirects to the set-up',
  async (path) => {
    serverForVisitors({ setup: true });
    openApp(path);
    await screen.findByRole('heading', { name: 'Set up Highstreet' });
    expect(currentUrl()).toBe('/setup');
    expect(screen.getByText(/no accounts yet/)).toBeVisible();
  },
);

test('once there is an account it redirects to sign-in', async () => {
  serverForVisitors();
  openApp('/setup');
  await screen.findByRole('heading', { name: 'Sign in' });
  expect(currentUrl()).toBe('/auth');
});

test('the first administrator is created and signed in, with a welcome toast', async () => {
  const server = serverForVisitors({ setup: true });
  server.responds(register, ada);
  openApp('/setup');
  await fill();
  expect(screen.queryByLabelText('Set-up code')).toBeNull();

  await submit();

  expect(await toast()).toHaveTextContent('Registration successfulWelcome, Ada Lovelace!');
  expect(server.last(register)?.body).toEqual(account);
  await screen.findByRole('banner');
  expect(currentUrl()).toBe('/');
});

test('the set-up code has a field where it is required', async () => {
  const server = serverForVisitors({ setup: true, codeRequired: true });
  server.responds(register, ada);
  openApp('/setup');
  await fill();
  await userEvent.type(screen.getByLabelText('Set-up code'), 'K7PQ-22MX-81ZD-Q0TT');

  await submit();

  await waitFor(() => expect(server.last(register)?.body).toEqual({ ...account, setupCode: 'K7PQ-22MX-81ZD-Q0TT' }));
});

test('validation errors are shown at their fields', async () => {
  const server = serverForVisitors({ setup: true });
  openApp('/setup');
  await screen.findByLabelText('Full name');

  await submit();

  await waitFor(() =>
    expect(screen.getByLabelText('Full name')).toHaveAccessibleDescription('Full name must be at least 2 characters'),
  );
  expect(screen.getByLabelText('Email')).toHaveAccessibleDescription('Must be a valid email');
  expect(screen.getByLabelText('Username')).toHaveAccessibleDescription('Username must be at least 3 characters');
  expect(screen.getByLabelText('Password')).toHaveAccessibleDescription(/^Password must be at least 8 characters/);
  expect(server.times(register)).toBe(0);
});

test('the typed password can be shown', async () => {
  serverForVisitors({ setup: true });
  openApp('/setup');
  await fill();
  expect(screen.getByLabelText('Password')).toHaveAttribute('type', 'password');
  await userEvent.click(screen.getByRole('button', { name: 'Show password' }));
  expect(screen.getByLabelText('Password')).toHaveAttribute('type', 'text');
});

test('a refusal shows a toast and a notice, and keeps the typed values', async () => {
  const server = serverForVisitors({ setup: true, codeRequired: true });
  server.refuses(register, 'forbidden', 'The set-up code is wrong');
  openApp('/setup');
  await fill();

  await submit();

  expect(await toast()).toHaveTextContent('Registration failed403: The set-up code is wrong');
  expect(screen.getByRole('alert')).toHaveTextContent('No account was created.');
  expect(screen.getByLabelText('Username')).toHaveValue('ada');
});

test('a second visitor is redirected to sign-in once the first account exists', async () => {
  const server = serverForVisitors({ setup: true });
  server.refuses(register, 'registration_closed', 'Accounts are issued by an administrator');
  openApp('/setup');
  await fill();
  server.responds(getSetup, { needed: false, codeRequired: false });

  await submit();

  await screen.findByRole('heading', { name: 'Sign in' });
  expect(await toast()).toHaveTextContent('Registration failed403: Accounts are issued by an administrator');
});
