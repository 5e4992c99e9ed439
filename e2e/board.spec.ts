import { expectAccessible } from './axe.ts';
import { assignLeads } from './leads.ts';
import { expect, test } from './product.ts';
import { expectNoOverflow, expectToast } from './screen.ts';

test('a user moves leads on the board by mouse and by keyboard, and undoes it', async ({ page, accounts }) => {
  const holder = await accounts.create();
  const [first, second] = await assignLeads(accounts, holder, { count: 2 });
  await accounts.signIn(page, holder);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto('/crm');
  await page.getByRole('button', { name: 'Views', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Show as board' }).click();
  await expect(page).toHaveURL(/view=board/);
  const column = (name: string) => page.getByRole('region', { name, exact: true });
  const card = (name: string) => page.getByRole('article', { name });
  await expect(column('New').getByRole('article')).toHaveCount(2);

  // Beside the name: a drag of a link would be the browser's own.
  await card(first.business.name).dragTo(column('In Progress'), { sourcePosition: { x: 8, y: 60 } });
  await expect(column('In Progress').getByRole('article', { name: first.business.name })).toBeVisible();
  await expectToast(page, 'Status updated');
  await expect(column('New').getByRole('heading', { level: 2 })).toContainText('1');

  await page.getByRole('button', { name: `Move ${second?.business.name} to…` }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Recontact' }).press('Enter');
  await expect(column('Recontact').getByRole('article')).toHaveCount(1);
  await expect(page.getByRole('status').filter({ hasText: `${second?.business.name} moved to Recontact` })).toHaveCount(
    1,
  );
  await expect(page.getByRole('region', { name: 'Follow-ups' })).toBeVisible();
  await page.getByRole('button', { name: 'No date' }).click();
  await page.keyboard.press('z');
  await expect(column('New').getByRole('article', { name: second?.business.name ?? '' })).toBeVisible();

  for (const width of [1440, 1024, 390]) {
    await page.setViewportSize({ width, height: 800 });
    await expectNoOverflow(page);
    await expectAccessible(page);
  }
});
