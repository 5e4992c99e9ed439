import type { Page } from '@playwright/test';
import { getUser, login } from '#contract/auth/auth.calls.ts';
import { expectAccessible } from './axe.ts';
import { expect, test } from './product.ts';

const userRow = (page: Page, username: string) => page.getByRole('row', { name: new RegExp(username) });

test('an administrator manages an account from creation to deletion', { tag: '@screen' }, async ({
  page,
  accounts,
  product,
  expectedErrors,
}) => {
  expectedErrors.push(/401|409|429/);
  await accounts.signIn(page, accounts.admin);
  await page.goto('/');
  await page.getByRole('link', { name: 'Users' }).click();
  await expect(page).toHaveURL(/\/users$/);
  await expectAccessible(page);

  const taken = await accounts.create();
  await page.getByRole('button', { name: 'Add User' }).click();
  const creating = page.getByRole('dialog', { name: 'Create New User' });
  await expect(creating.getByText('All fields are required.')).toBeVisible();
  await expectAccessible(page);
  await creating.getByLabel('Username').fill(taken.username.toUpperCase());
  await creating.getByLabel('Email').fill('nell@example.org');
  await creating.getByLabel('Full Name').fill('Nell Newman');
  await creating.getByLabel('Password', { exact: true }).fill('seven77');
  await creating.getByRole('button', { name: /create/i }).click();
  await expect(creating.getByText('Password must be at least 8 characters')).toBeVisible();
  await creating.getByLabel('Password', { exact: true }).fill('eight characters');
  await creating.getByRole('button', { name: /create/i }).click();
  await expect(creating.getByText('This username is already taken').first()).toBeVisible();
  await creating.getByLabel('Username').fill('nell.newman');
  await creating.getByRole('button', { name: /create/i }).click();
  await expect(page.getByText('User Created').first()).toBeVisible();

  await page.getByLabel('Search users').fill('NELL');
  await expect(page.getByText('Showing 1 to 1 of 1 users')).toBeVisible();
  const row = userRow(page, 'nell.newman');
  await row.getByRole('button', { name: 'Edit user' }).click();
  const editing = page.getByRole('dialog', { name: 'Edit User' });
  await editing.getByLabel('Monthly Goal').fill('0');
  await editing.getByRole('button', { name: /save|update/i }).click();
  await expect(editing.getByText('Monthly goal must be at least 1')).toBeVisible();
  await editing.getByLabel('Monthly Goal').fill('42');
  await editing.getByLabel('Role').selectOption('manager');
  await editing.getByRole('button', { name: /save|update/i }).click();
  await expect(page.getByText('User Updated').first()).toBeVisible();
  await expect(row).toContainText('42');
  await expect(row).toContainText('Manager');

  const attempt = (password: string) =>
    fetch(product.url + login.path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'nell.newman', password }),
    });
  for (let i = 0; i < 5; i++) expect((await attempt('wrong one')).status).toBe(401);
  expect((await attempt('eight characters')).status).toBe(429);
  await page.reload();
  await page.getByLabel('Filter by status').selectOption('Locked');
  await expect(row).toContainText('Locked');
  await row.getByRole('button', { name: 'Unlock account' }).click();
  await expect(page.getByText('Account Unlocked').first()).toBeVisible();
  await expect(page.getByText('No users found matching your search.')).toBeVisible();
  await page.getByLabel('Filter by status').selectOption('All Statuses');
  const signedIn = await attempt('eight characters');
  expect(signedIn.status).toBe(200);
  const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? '';

  await page.getByLabel('Search users').fill('nell');
  await row.getByRole('button', { name: 'Deactivate User (prevent login)' }).click();
  await expect(page.getByText('User account has been deactivated successfully.').first()).toBeVisible();
  expect((await fetch(product.url + getUser.path, { headers: { cookie } })).status).toBe(401);
  await row.getByRole('button', { name: 'Activate User (allow login)' }).click();
  await expect(page.getByText('User account has been activated successfully.').first()).toBeVisible();

  await row.getByRole('button', { name: 'Reset password' }).click();
  const resetting = page.getByRole('dialog', { name: 'Reset Password' });
  await expect(resetting.getByText('Set a new password for nell.newman.')).toBeVisible();
  await resetting.getByLabel('New Password', { exact: true }).fill('another password');
  await resetting.getByRole('button', { name: /reset password/i }).click();
  await expect(page.getByText('Password Reset').first()).toBeVisible();
  expect((await attempt('another password')).status).toBe(200);

  await row.getByRole('button', { name: 'Delete user' }).click();
  const deleting = page.getByRole('alertdialog', { name: 'Confirm Delete' });
  await expect(deleting).toContainText('This will permanently delete the user and all their related data.');
  await expectAccessible(page);
  await deleting.getByRole('button', { name: /delete/i }).click();
  await expect(page.getByText('User Deleted').first()).toBeVisible();
  await expect(page.getByText('No users found matching your search.')).toBeVisible();
  expect((await attempt('another password')).status).toBe(401);
});

test('a manager sees that a page is for administrators, and no list', async ({ page, accounts }) => {
  await accounts.signIn(page, await accounts.create('manager'));
  for (const path of [
    '/users',
    '/import',
    '/import-businesses',
    '/duplicates',
    '/objections',
    '/audit',
    '/system',
    '/settings',
  ]) {
    await page.goto(path);
    await expect(page.getByRole('heading', { name: 'Admin Access Required' })).toBeVisible();
    await expect(page.getByText('You need administrator privileges to access this page.')).toBeVisible();
  }
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Return to Home' }).click();
  await expect(page).toHaveURL(/\/$/);
  await expect(page.getByRole('link', { name: 'Users' })).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Progress' })).toBeVisible();
});
