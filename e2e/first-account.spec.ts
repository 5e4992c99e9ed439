import { expectAccessible } from './axe.ts';
import { expect, test } from './product.ts';

test('a new installation is set up by its first visitor', { tag: '@screen' }, async ({ page, startOwnProduct }) => {
  const { url } = await startOwnProduct('main', {}, 'empty');
  for (const path of ['/', '/users', '/auth', '/no/such/page']) {
    await page.goto(url + path);
    await expect(page).toHaveURL(`${url}/setup`);
  }
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Create administrator account' }).click();
  await expect(page.getByText('Full name must be at least 2 characters')).toBeVisible();
  await page.getByLabel('Full name').fill('Ada Example');
  await page.getByLabel('Email').fill('ada@example.org');
  await page.getByLabel('Username').fill('ada');
  await page.getByLabel('Password').fill('seven c');
  await page.getByRole('button', { name: 'Create administrator account' }).click();
  await expect(page.getByText('Password must be at least 8 characters')).toBeVisible();
  await page.getByLabel('Password').fill('eight characters');
  await page.getByRole('button', { name: 'Create administrator account' }).click();

  await expect(page.getByText('Welcome, Ada Example!').first()).toBeVisible();
  await expect(page).toHaveURL(`${url}/`);
  await expect(page.getByRole('banner').getByText('Ada Example')).toBeVisible();

  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page.getByText('You have been logged out successfully.').first()).toBeVisible();
  await expect(page).toHaveURL(`${url}/auth`);
  await page.goto(`${url}/setup`);
  await expect(page).toHaveURL(`${url}/auth`);

  await page.getByLabel('Username or email').fill('ADA@example.org');
  await page.getByLabel('Password', { exact: true }).fill('eight characters');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByText('Welcome back, Ada Example!').first()).toBeVisible();
});
