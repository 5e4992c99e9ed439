import type { Page } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';
import type { Account } from './accounts.ts';
import { expectAccessible } from './axe.ts';
import { expect, test } from './product.ts';
import { expectToast } from './screen.ts';

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const linkIn = (text: string | undefined, path: string) =>
  new RegExp(`http\\S+/${path}\\?token=\\S+`).exec(text ?? '')?.[0] ?? '';

async function signInByForm(page: Page, { username }: Account, password: string) {
  await field(page, 'Username or email').fill(username);
  await field(page, 'Password').fill(password);
  await press(page, 'Sign in');
}

test('a user looks after their own name, address and password', { tag: '@screen' }, async ({
  page,
  accounts,
  product,
}) => {
  const user = await accounts.create('user', 'Nora Newcomer');
  await accounts.signIn(page, user);
  await page.goto('/crm');
  await press(page, 'Nora Newcomer');
  await page.getByRole('link', { name: 'Your account' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Your account' })).toBeFocused();
  await expectAccessible(page);

  await field(page, 'Full name').fill('Nora Newhouse');
  await page.keyboard.press('Enter');
  await expectToast(page, 'Name changed');
  await expect(page.getByRole('banner').getByText('Nora Newhouse')).toBeVisible();

  const address = `moved-${user.email}`;
  await press(page, 'Change e-mail');
  await field(page, 'New e-mail').fill(address);
  await field(page, 'Your password').fill(user.password);
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await expect(page.getByText(`Open the link that we have sent to ${address}`)).toBeVisible();
  const link = linkIn((await product.mailbox.newestFor(address)).text, 'confirm-email');
  await page.goto(link);
  await expect(page).toHaveURL(`${product.url}/confirm-email`);
  await expectAccessible(page);
  await press(page, 'Confirm this address');
  await expect(page.getByText('Your e-mail address has been changed.')).toBeVisible();
  expect((await product.mailbox.newestFor(user.email)).subject).toBe('Your Highstreet e-mail address was changed');

  await page.goto('/account');
  await expect(page.getByText(address)).toBeVisible();
  await field(page, 'Current password').fill(user.password);
  await field(page, 'New password').fill('Another secret 1');
  await page.keyboard.press('Enter');
  await expectToast(page, 'Password changed');
  await press(page, 'Logout');
  await signInByForm(page, user, 'Another secret 1');
  await expect(page.getByText('Welcome back, Nora Newhouse!').first()).toBeVisible();
});

test('a sign-in by another person is reported and ended', async ({
  page,
  accounts,
  product,
  browser,
  expectedErrors,
}) => {
  expectedErrors.push(/401/);
  const user = await accounts.create('user', 'Stella Stolen');
  await accounts.signIn(page, user);
  await page.goto('/account');
  const userAgent = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:150.0) Gecko/20100101 Firefox/150.0';
  const stranger = await browser.newContext({ baseURL: product.url, userAgent });
  const strangersPage = await stranger.newPage();
  await accounts.signIn(strangersPage, user);
  await strangersPage.goto('/account');
  await expect(strangersPage.getByText('This one')).toBeVisible();

  const mail = await product.mailbox.newestFor(user.email);
  expect(mail.subject).toBe('A new sign-in to your Highstreet account');
  await page.reload();
  await expect(page.getByRole('list', { name: 'Sessions' }).getByRole('listitem')).toHaveCount(2);
  await page.goto(linkIn(mail.text, 'report-sign-in'));
  await expect(page).toHaveURL(`${product.url}/report-sign-in`);
  await expectAccessible(page);
  await press(page, 'This was not me');
  await expect(page.getByText(/its password no longer works/)).toBeVisible();
  await strangersPage.reload();
  await expect(field(strangersPage, 'Username or email')).toBeVisible();
  await stranger.close();

  await press(page, 'Go to Login');
  await signInByForm(page, user, user.password);
  await expect(page.getByText('Login failed').first()).toBeVisible();
  const reset = linkIn((await product.mailbox.newestFor(user.email)).text, 'reset-password');
  expect(reset).toContain(product.url);
});

test('an invited person creates their account with the link of the mail', async ({
  page,
  accounts,
  product,
  browser,
}) => {
  await accounts.signIn(page, accounts.admin);
  await page.goto('/users');
  await press(page, 'Invite User');
  const email = 'ivy.invited@example.org';
  await field(page, 'Email').fill(email);
  await field(page, 'Full Name').fill('Ivy Invited');
  await page.getByLabel('Role').last().selectOption('Manager');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await press(page, 'Invite User');
  await expect(field(page, 'Full Name'), 'what was typed is kept').toHaveValue('Ivy Invited');
  await press(page, 'Send Invitation');
  await expect(page.getByRole('region', { name: 'Open invitations' }).getByText(email)).toBeVisible();

  const guest = await (await browser.newContext({ baseURL: product.url })).newPage();
  await guest.goto(linkIn((await product.mailbox.newestFor(email)).text, 'invitation'));
  await expect(guest).toHaveURL(`${product.url}/invitation`);
  await field(guest, 'Username').fill('ivy');
  await field(guest, 'Password').fill('Welcome to us 1');
  await expectAccessible(guest);
  await guest.keyboard.press('Enter');
  await expect(guest.getByRole('banner').getByText('Ivy Invited')).toBeVisible();
  await guest.context().close();

  await expect(page.getByText(email, { exact: true }), 'an account now').toHaveCount(1);
  await expect(page.getByRole('region', { name: 'Open invitations' })).toHaveCount(0);
});

test('a user signs in with one-time codes, and with a recovery code', async ({ page, accounts, expectedErrors }) => {
  expectedErrors.push(/401/);
  const user = await accounts.create('user', 'Cora Coded');
  await accounts.signIn(page, user);
  await page.goto('/account');
  await press(page, 'Set up one-time codes');
  await expect(page.getByRole('img', { name: 'QR code of the key' })).toBeVisible();
  await expectAccessible(page);
  const key = (await page.getByRole('dialog').locator('code').textContent()) ?? '';
  const totp = new TOTP({ secret: Secret.fromBase32(key.replaceAll(' ', '')) });
  await field(page, 'Code').fill(totp.generate());
  await field(page, 'Your password').fill(user.password);
  await page.keyboard.press('Enter');
  const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
  await expect(codes).toHaveCount(10);
  await expectAccessible(page);
  const [recovery = '', lastCode = ''] = await codes.allTextContents();
  await press(page, 'I have stored them');
  await expect(page.getByText(/You have 10 recovery codes left/)).toBeVisible();

  await press(page, 'Logout');
  await signInByForm(page, user, user.password);
  await expect(page.getByRole('heading', { name: 'Enter your code' })).toBeVisible();
  await expect(field(page, 'Code')).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.type('000000');
  await page.keyboard.press('Enter');
  await expect(page.getByText('The code is not correct, or was used already').first()).toBeVisible();
  await field(page, 'Code').fill(totp.generate({ timestamp: Date.now() + 30_000 }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('banner').getByText('Cora Coded')).toBeVisible();

  await press(page, 'Logout');
  await signInByForm(page, user, user.password);
  await field(page, 'Code').fill(recovery.toUpperCase());
  await page.keyboard.press('Enter');
  await expect(page.getByRole('banner').getByText('Cora Coded')).toBeVisible();
  await page.goto('/account');
  await expect(page.getByText(/You have 9 recovery codes left/)).toBeVisible();
  await press(page, 'Turn off');
  await field(page, 'Code').fill(lastCode);
  await field(page, 'Your password').fill(user.password);
  await page.keyboard.press('Enter');
  await expectToast(page, 'One-time codes are off');
  await expect(page.getByRole('button', { name: 'Set up one-time codes' })).toBeVisible();
});

/** A device that makes and uses passkeys, as a phone with a fingerprint does. */
async function addAuthenticator(page: Page) {
  const client = await page.context().newCDPSession(page);
  await client.send('WebAuthn.enable');
  const options = {
    ...({ protocol: 'ctap2', transport: 'internal' } as const),
    ...{ hasResidentKey: true, hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
  };
  await client.send('WebAuthn.addVirtualAuthenticator', { options });
}

test('a user adds a passkey and signs in with it, without a name', async ({
  page,
  accounts,
  product,
  expectedErrors,
}) => {
  expectedErrors.push(/401/);
  const user = await accounts.create('user', 'Petra Passkey');
  // The authenticator of the tests answers a suggestion by itself, at times: this is a browser that suggests nothing.
  await page.addInitScript(() => Reflect.deleteProperty(PublicKeyCredential, 'isConditionalMediationAvailable'));
  await addAuthenticator(page);
  await accounts.signIn(page, user);
  await page.goto('/account');
  await press(page, 'Add a passkey');
  await page.getByRole('dialog').getByLabel('Name').fill('My phone');
  await field(page, 'Your password').fill(user.password);
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await expectToast(page, 'Passkey added');
  const item = page.getByRole('list', { name: 'Passkeys' }).getByRole('listitem');
  await expect(item).toContainText('My phone');
  await expect(item).toContainText('not used yet');
  expect((await product.mailbox.newestFor(user.email)).subject).toBe('A passkey was added to your Highstreet account');

  await press(page, 'Logout');
  await press(page, 'Sign in with a passkey');
  await expect(page.getByRole('banner').getByText('Petra Passkey')).toBeVisible();
  await page.goto('/account');
  await expect(item).toContainText('last used');
  await page.getByRole('button', { name: /^Remove.*My phone/ }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  await expectToast(page, 'Passkey removed');
  await expect(page.getByRole('heading', { name: 'Passkeys' })).toBeFocused();

  await press(page, 'Logout');
  await press(page, 'Sign in with a passkey');
  await expect(page.getByText('This passkey does not work here. Sign in with your password.')).toBeVisible();
  await expectAccessible(page);
});
