import { expectAccessible } from './axe.ts';
import { expect, test } from './product.ts';

test('a visitor signs in with a password', { tag: '@screen' }, async ({ page, accounts }) => {
  const account = await accounts.create('user', 'Grace Okafor');

  await page.goto('/crm');
  await expect(page).toHaveURL(/\/auth$/);
  await expectAccessible(page);
  await page.getByLabel(/username/i).fill(account.username);
  await page.getByLabel('Password', { exact: true }).fill(account.password);
  await page.getByRole('button', { name: /sign in|log in/i }).click();

  await expect(page.getByText('Welcome back, Grace Okafor!').first()).toBeVisible();
});
