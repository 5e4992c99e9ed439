import type { Page } from '@playwright/test';
import { createAccounts } from './accounts.ts';
import { expectAccessible } from './axe.ts';
import { startIdentityProvider } from './identity-provider.ts';
import { expect, test } from './product.ts';

const continueLink = (page: Page) => page.getByRole('link', { name: 'Continue with Example ID' });

/** On the pages of the provider. */
async function signInThere(page: Page, name: string) {
  await page.getByPlaceholder('Enter any login').fill(name);
  await page.getByPlaceholder('and password').fill('any password');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
}

async function signOutThere(page: Page, issuer: string) {
  await page.goto(`${issuer}/session/end`);
  await page.getByRole('button', { name: 'Yes, sign me out' }).click();
  await expect(page.getByText('Sign-out Success')).toBeVisible();
}

test('a user signs in at the identity provider, and out of it', async ({ page, startOwnProduct, expectedErrors }) => {
  // The fonts of the provider's pages.
  expectedErrors.push(/401/, /fonts\.googleapis\.com/, /ERR_NAME_NOT_RESOLVED/);
  const provider = await startIdentityProvider();
  const product = await startOwnProduct('main', provider.env);
  await provider.serve(product.url);
  const accounts = await createAccounts(product.url);
  const user = await accounts.create('user', 'Sonia Single');

  await test.step('and comes back to the page that was asked for', async () => {
    await page.goto(`${product.url}/crm?status=new`);
    await expect(continueLink(page)).toBeVisible();
    await expectAccessible(page);
    await continueLink(page).click();
    await signInThere(page, user.username);
    await expect(page).toHaveURL(`${product.url}/crm?status=new`);
    await expect(page.getByRole('banner').getByText('Sonia Single')).toBeVisible();
    const mail = await product.mailbox.newestFor(user.email);
    expect(mail.subject).toBe('Your Highstreet account was connected to single sign-on');
  });

  await test.step('who is signed in there already is asked for nothing', async () => {
    await page.getByRole('button', { name: 'Logout' }).click();
    await continueLink(page).click();
    await expect(page.getByRole('banner').getByText('Sonia Single')).toBeVisible();
  });

  await test.step('a log-out there ends the session here', async () => {
    await signOutThere(page, provider.issuer);
    await page.goto(`${product.url}/crm`);
    await expect(continueLink(page)).toBeVisible();
  });

  await test.step('a stranger is told whom to ask', async () => {
    await continueLink(page).click();
    await signInThere(page, 'stranger');
    await expect(page.getByRole('alert')).toContainText('There is no account here for you yet.');
    await expectAccessible(page);
    await signOutThere(page, provider.issuer);
  });

  await test.step('who cancels there comes back', async () => {
    await page.goto(`${product.url}/auth`);
    await continueLink(page).click();
    await page.getByRole('link', { name: 'Cancel' }).click();
    await expect(page.getByRole('alert')).toContainText('Example ID did not let you in.');
  });

  await test.step('without the provider, the password works', async () => {
    await provider.stop();
    await page.goto(`${product.url}/auth?sso=unavailable`);
    await expect(page.getByRole('alert')).toContainText('Example ID cannot be reached right now.');
    await page.getByLabel('Username or email').fill(user.username);
    await page.getByLabel('Password', { exact: true }).fill(user.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page.getByRole('banner').getByText('Sonia Single')).toBeVisible();
  });
});
