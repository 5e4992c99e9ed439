import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import { signInWithPasskey, startPasskeySignIn } from '#contract/account/passkey-sign-in.calls.ts';
import { getSso, login } from '#contract/auth/auth.calls.ts';
import { getSettings } from '#contract/auth/settings.calls.ts';
import { read } from '#web/kit/api.ts';
import { currentUrl, openApp, serverForVisitors } from '#web/testing/app.tsx';
import { fakePasskeys, PASSKEY_ID } from '#web/testing/fake-passkeys.ts';
import { ada, SETTINGS } from '#web/testing/fixtures.ts';

async function signIn(username: string, password: string) {
  await userEvent.type(await screen.findByLabelText('Username or email'), username);
  await userEvent.type(screen.getByLabelText('Password'), password);
  await userEvent.click(screen.getByRole('button', { name: 'Sign in' }));
}

const toast = async () => within(await screen.findByRole('region', { name: /Notifications/ })).findByRole('status');

test('it explains that the software is private and who issues accounts', async () => {
  serverForVisitors();
  openApp('/auth');

  expect(await screen.findByText(/private software/)).toHaveTextContent(
    'Accounts are issued by a manager or administrator',
  );
  expect(screen.getByLabelText('Username or email')).toHaveFocus();
  expect(screen.getByLabelText('Username or email')).toHaveAttribute('autocomplete', 'username webauthn');
  expect(screen.getByLabelText('Password')).toHaveAttribute('autocomplete', 'current-password');
});

test('a link opens the forgotten password screen', async () => {
  serverForVisitors();
  openApp('/auth');
  await userEvent.click(await screen.findByRole('link', { name: 'Forgot password?' }));
  await screen.findByRole('heading', { name: 'Forgot password' });
  expect(currentUrl()).toBe('/forgot-password');
});

test('an empty form is not sent', async () => {
  const server = serverForVisitors();
  openApp('/auth');
  await userEvent.click(await screen.findByRole('button', { name: 'Sign in' }));

  await waitFor(() =>
    expect(screen.getByLabelText('Username or email')).toHaveAccessibleDescription(
      'Please enter your username or email address',
    ),
  );
  expect(screen.getByLabelText('Password')).toHaveAccessibleDescription('Password must be at least 6 characters');
  expect(server.times(login)).toBe(0);
});

test('signing in shows a welcome toast, opens the home screen and clears the cache of the previous user', async () => {
  const server = serverForVisitors();
  server.responds(login, ada);
  const { queries } = openApp('/auth');
  queries.setQueryData(read(getSettings).queryKey, { ...SETTINGS, supportEmail: 'old@example.com' });

  await signIn(' ada ', 'correct horse');

  expect(await toast()).toHaveTextContent('Login successfulWelcome back, Ada Lovelace!');
  expect(server.last(login)?.body).toEqual({ username: 'ada', password: 'correct horse' });
  await screen.findByRole('heading', { name: 'Search for Businesses' });
  expect(currentUrl()).toBe('/');
  expect(queries.getQueryData(read(getSettings).queryKey)).toBeUndefined();
});

test('a pending form cannot be submitted again', async () => {
  const server = serverForVisitors();
  const held = server.holds(login);
  openApp('/auth');
  await signIn('ada', 'correct horse');

  await userEvent.click(screen.getByRole('button', { name: 'Sign in' }));

  expect(screen.getByRole('button', { name: 'Sign in' })).toHaveAttribute('aria-disabled', 'true');
  expect(server.times(login)).toBe(1);
  act(() => held.respond(ada));
  await screen.findByRole('banner');
});

describe('an account with one-time codes', () => {
  test('asks for the code after the password, and keeps the password for it', async () => {
    const server = serverForVisitors();
    server.refuses(login, 'code_required', 'Please enter the code of your authenticator app');
    openApp('/auth');
    await signIn('ada', 'correct horse');

    await screen.findByRole('heading', { name: 'Enter your code' });
    expect(screen.queryByText('Login failed')).toBeNull();
    const code = screen.getByLabelText('Code');
    expect(code).toHaveFocus();
    expect(code).toHaveAttribute('autocomplete', 'one-time-code');
    const message = 'The code is not correct, or was used already';
    server.refuses(login, 'invalid_code', message, { errors: [{ path: 'code', message }] });
    await userEvent.type(code, '000000');
    await userEvent.click(screen.getByRole('button', { name: 'Sign in' }));
    await waitFor(() => expect(code).toHaveAccessibleDescription(new RegExp(message)));

    server.responds(login, ada);
    await userEvent.clear(code);
    await userEvent.type(code, '123 456{Enter}');
    await screen.findByRole('heading', { name: 'Search for Businesses' });
    expect(server.last(login)?.body).toEqual({ username: 'ada', password: 'correct horse', code: '123 456' });
  });

  test('goes back to the password, with the name', async () => {
    const server = serverForVisitors();
    server.refuses(login, 'code_required', 'Please enter the code of your authenticator app');
    openApp('/auth');
    await signIn('ada', 'correct horse');
    await userEvent.click(await screen.findByRole('button', { name: 'Start again' }));
    expect(await screen.findByLabelText('Username or email')).toHaveValue('ada');
    expect(screen.getByLabelText('Password')).toHaveValue('');
  });

  test('says so when too many codes were wrong', async () => {
    const server = serverForVisitors();
    server.refuses(login, 'code_required', 'Please enter the code of your authenticator app');
    openApp('/auth');
    await signIn('ada', 'correct horse');
    server.refuses(login, 'too_many_attempts', 'Too many attempts', { retryAfter: 900 });
    await userEvent.type(await screen.findByLabelText('Code'), '000000{Enter}');
    expect(await screen.findByText(/try again in 15 minutes/)).toBeVisible();
  });
});

describe('a passkey', () => {
  const CHALLENGE = { challenge: 'YQ', rpId: 'localhost', allowCredentials: [] };
  const find = (name: string) => screen.findByRole('button', { name });

  test('signs in without a name or a password', async () => {
    const browser = fakePasskeys();
    const server = serverForVisitors();
    server.responds(startPasskeySignIn, CHALLENGE);
    server.responds(signInWithPasskey, ada);
    openApp('/auth');
    const button = await find('Use a passkey');
    expect(server.times(startPasskeySignIn), 'asked for nothing yet').toBe(0);
    await userEvent.click(button);
    expect(await toast()).toHaveTextContent('Login successfulWelcome back, Ada Lovelace!');
    expect(browser.get).toHaveBeenCalledOnce();
    expect(server.last(signInWithPasskey)?.body).toMatchObject({ passkey: { id: PASSKEY_ID } });
    expect(localStorage.getItem('highstreet.passkey')).toBe('used');
    localStorage.removeItem('highstreet.passkey');
  });

  test('that is not chosen, or not known, is a sentence on the page', async () => {
    const browser = fakePasskeys();
    const server = serverForVisitors();
    server.responds(startPasskeySignIn, CHALLENGE);
    browser.cancelNext('get');
    openApp('/auth');
    await userEvent.click(await find('Use a passkey'));
    expect(await screen.findByText(/^No passkey was chosen\./)).toBeVisible();
    server.refuses(signInWithPasskey, 'invalid_credentials', 'This passkey does not work here.');
    await userEvent.click(await find('Use a passkey'));
    expect(await screen.findByText('This passkey does not work here.')).toBeVisible();
    localStorage.removeItem('highstreet.passkey');
  });

  test('is offered first where one was used before', async () => {
    localStorage.setItem('highstreet.passkey', 'used');
    fakePasskeys();
    serverForVisitors();
    openApp('/auth');
    expect(await find('Sign in with a passkey')).toBeVisible();
    localStorage.removeItem('highstreet.passkey');
  });

  test('is not offered where the page cannot use one', async () => {
    serverForVisitors();
    openApp('/auth');
    await find('Sign in');
    expect(screen.queryByRole('button', { name: /passkey/ })).toBeNull();
  });
});

describe('with single sign-on', () => {
  const link = () => screen.findByRole('link', { name: 'Continue with Example ID' });
  const open = (path = '/auth', { only = false, state = null as unknown } = {}) => {
    const server = serverForVisitors();
    server.responds(getSso, { name: 'Example ID', only });
    openApp(path, state);
    return server;
  };

  test('a link leads to the provider, beside the form', async () => {
    open();
    expect(await link()).toHaveAttribute('href', '/api/sso/start');
    expect(screen.getByRole('button', { name: 'Sign in' })).toBeVisible();
  });

  test('the link leads back to the page that was asked for', async () => {
    open('/crm?status=new');
    expect(await link()).toHaveAttribute('href', '/api/sso/start?to=%2Fcrm%3Fstatus%3Dnew');
  });

  test('where it is the only way, the form is for the emergency administrator', async () => {
    open('/auth', { only: true });
    expect(await link()).toBeVisible();
    expect(screen.queryByLabelText('Password')).toBeNull();
    expect(screen.getByText(/Everyone signs in with Example ID/)).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Use a password' }));
    expect(screen.getByLabelText('Username or email')).toHaveFocus();
    expect(screen.queryByRole('button', { name: 'Use a password' })).toBeNull();
  });

  test.each([
    ['unavailable', 'Example ID cannot be reached right now. Try again in a few minutes, or use your password.'],
    ['refused', /Example ID did not let you in/],
    ['expired', /took too long/],
    ['unverified', /The response of Example ID could not be verified/],
    ['no_account', /no account here for you yet/],
    ['account_inactive', /switched off/],
    ['failed', /try again in a moment/],
  ])('%s is one sentence', async (code, sentence) => {
    open(`/auth?sso=${code}`);
    await link();
    expect(screen.getByRole('alert')).toHaveTextContent(sentence);
  });

  test('without passwords, none is advised', async () => {
    open('/auth?sso=unavailable', { only: true });
    expect(await screen.findByRole('alert')).toHaveTextContent(/Try again in a few minutes\.$/);
  });

  test('an unknown code says nothing', async () => {
    open('/auth?sso=%3Cscript%3E');
    await link();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('where it is not known, there is the password', async () => {
    const server = serverForVisitors();
    server.refuses(getSso, 'database_unavailable', 'Not available');
    openApp('/auth');
    expect(await screen.findByRole('button', { name: 'Sign in' })).toBeVisible();
    expect(screen.queryByRole('link', { name: /Continue/ })).toBeNull();
  });
});

describe('a sign-in that fails', () => {
  test.each([
    ['invalid_credentials', 'Invalid username or password', undefined, '401', /did not match an account/],
    ['account_inactive', 'This account is inactive', undefined, '403', /switched off/],
    ['too_many_attempts', 'Too many attempts', 900, '429', /try again in 15 minutes/],
    ['too_many_attempts', 'Too many attempts', 42, '429', /try again in a minute/],
    ['rate_limited', 'Too many requests', undefined, '429', /try again later/],
    ['database_unavailable', 'Not available', undefined, '503', /try again in a moment/],
  ] as const)(
    '%s shows a toast and a notice, and keeps the typed values',
    async (code, message, retryAfter, status, advice) => {
      const server = serverForVisitors();
      server.refuses(login, code, message, { retryAfter });
      openApp('/auth');

      await signIn('ada', 'wrong horse');

      expect(await toast()).toHaveTextContent(`Login failed${status}: ${message}`);
      expect(screen.getByRole('alert')).toHaveTextContent(advice);
      expect(screen.getByLabelText('Username or email')).toHaveValue('ada');
      expect(screen.getByLabelText('Password')).toHaveValue('wrong horse');
      expect(currentUrl()).toBe('/auth');
    },
  );

  test('a connection error shows a toast and a notice', async () => {
    const server = serverForVisitors();
    server.vanishes(login);
    openApp('/auth');

    await signIn('ada', 'correct horse');

    expect(await toast()).toHaveTextContent('Login failedHighstreet could not be reached');
    expect(screen.getByRole('alert')).toHaveTextContent('Check your connection');
  });
});
