import { expectAccessible } from './axe.ts';
import { expect, test } from './product.ts';

test('whoever is not signed in is asked to, and gets in with their password', async ({ page, people }) => {
  const person = await people.person('user', 'Grace Okafor');

  await page.goto('/crm');
  await expect(page).toHaveURL(/\/auth$/);
  await expectAccessible(page);
  await page.getByLabel(/username/i).fill(person.username);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: /sign in|log in/i }).click();

  await expect(page.getByText('Welcome back, Grace Okafor!').first()).toBeVisible();
});
