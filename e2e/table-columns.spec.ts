import { expectAccessible } from './axe.ts';
import { assignLeads } from './leads.ts';
import { expectResultCount } from './list-screen.ts';
import { expect, test } from './product.ts';
import { expectNoOverflow, expectToast } from './screen.ts';

test('a user chooses columns, sorts by a heading and edits cells by keyboard and mouse', async ({ page, accounts }) => {
  const holder = await accounts.create();
  const [first] = await assignLeads(accounts, holder, { count: 3 });
  await accounts.signIn(page, holder);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto('/crm?view=table&sort=oldest');
  await expectResultCount(page, 3);
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('checkbox', { name: 'Email' }).check();
  await page.getByRole('checkbox', { name: 'Next follow-up' }).check();
  await page.getByRole('button', { name: 'Move Email left' }).click();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  const grid = page.getByRole('grid', { name: 'Leads' });
  await expect(grid.getByRole('columnheader')).toContainText([
    '',
    'Business Name',
    'Assigned To',
    'Status',
    'Email',
    'Date Assigned',
    'Next follow-up',
    'Actions',
  ]);

  const row = grid.getByRole('row', { name: new RegExp(first.business.name.replace(/[^\w ]/g, '.')) });
  await row.getByRole('gridcell').nth(3).dblclick();
  await page.getByLabel(`Status of ${first.business.name}`).selectOption('In Progress');
  await page.keyboard.press('Enter');
  await expectToast(page, 'Status updated');
  await expect(row.getByRole('gridcell').nth(3)).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await page.keyboard.type('owner@example.com');
  await page.keyboard.press('Enter');
  await expectToast(page, 'Email updated');
  await expect(row.getByRole('link', { name: 'owner@example.com' })).toBeVisible();
  await page.keyboard.press('z');
  await expectToast(page, 'Undone');
  await expect(row.getByRole('link', { name: 'owner@example.com' })).toHaveCount(0);

  await grid.getByRole('button', { name: 'Business Name' }).click();
  await expect(page).toHaveURL(/sort=name/);
  await page.reload();
  await expect(grid.getByRole('columnheader', { name: 'Email' })).toBeVisible();
  for (const width of [1440, 1024, 390]) {
    await page.setViewportSize({ width, height: 800 });
    await expectNoOverflow(page);
    await expectAccessible(page);
  }
});
