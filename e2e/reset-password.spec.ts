import { expectAccessible } from './axe.ts';
import { expect, test } from './product.ts';

test('a forgotten password is replaced through the link in a real mail, which works once', { tag: '@screen' }, async ({
  page,
  accounts,
  product,
  expectedErrors,
}) => {
  expectedErrors.push(/400/);
  const user = await accounts.create('user', 'Frank Forgetful');
  await page.goto('/auth');
  await page.getByRole('link', { name: /forgot/i }).click();
  await expect(page).toHaveURL(/\/forgot-password$/);
  await expectAccessible(page);
  await page.getByLabel('Email').fill('nowhere');
  await page.getByRole('button', { name: /send/i }).click();
  await expect(page.getByText('Please enter a valid email address')).toBeVisible();
  await page.getByLabel('Email').fill(user.email.toUpperCase());
  await page.getByRole('button', { name: /send/i }).click();
  await expect(page.getByText("If an account exists with that email, we've sent a password reset link.")).toBeVisible();

  const mail = await product.mailbox.newestFor(user.email);
  const link = /http\S+\/reset-password\?token=\S+/.exec(mail.text ?? '')?.[0] ?? '';
  expect(link.startsWith(product.url)).toBe(true);

  await page.goto(link);
  await expect(page.getByLabel('New password', { exact: true })).toBeVisible();
  await expect(page).toHaveURL(`${product.url}/reset-password`);
  await expectAccessible(page);
  await page.getByLabel('New password', { exact: true }).fill('no upper 1');
  await page.getByLabel(/confirm/i).fill('no upper 1');
  await page.getByRole('button', { name: /reset password/i }).click();
  await expect(page.getByText('Password must contain at least one uppercase letter')).toBeVisible();
  await page.getByLabel('New password', { exact: true }).fill('Brand new 1');
  await page.getByLabel(/confirm/i).fill('Brand new 2');
  await page.getByRole('button', { name: /reset password/i }).click();
  await expect(page.getByText('Passwords do not match')).toBeVisible();
  await page.getByLabel(/confirm/i).fill('Brand new 1');
  await page.getByRole('button', { name: /reset password/i }).click();
  await page
    .getByRole('button', { name: 'Go to Login' })
    .or(page.getByRole('link', { name: 'Go to Login' }))
    .click();

  await page.getByLabel('Username or email').fill(user.username);
  await page.getByLabel('Password', { exact: true }).fill('Brand new 1');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByText('Welcome back, Frank Forgetful!').first()).toBeVisible();

  await page.goto(link);
  await expect(page.getByText('Invalid or expired token. Please request a new reset link.')).toBeVisible();
  await page.goto('/reset-password');
  await expect(page.getByText('Missing reset token. Please check your reset link or request a new one.')).toBeVisible();
});
