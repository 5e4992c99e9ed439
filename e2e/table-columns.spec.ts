import { expectAccessible } from './axe.ts';
import { assignLeads } from './leads.ts';
import { expectResultCount } from './list-screen.ts';
import { expect, test } from './product.ts';
import { expectNoOverflow, expectToast } from './screen.ts';

test('a user works in a table of chosen columns', async ({ page, accounts }) => {
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
  // In a low window the menu lies over the table's headings, which stay below it.
  await page.setViewportSize({ width: 1440, height: 640 });
  await page.getByRole('button', { name: 'Move Status left' }).click();
  await page.getByRole('button', { name: 'Move Status right' }).click();
  await page.setViewportSize({ width: 1440, height: 900 });
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

test('a user works in the table by keyboard alone', async ({ page, accounts }) => {
  const holder = await accounts.create();
  const [first] = await assignLeads(accounts, holder, { count: 2 });
  const { name } = first.business;
  await accounts.signIn(page, holder);
  await page.goto('/crm?view=table&sort=oldest&columns=status,tags,next,phone');
  const grid = page.getByRole('grid', { name: 'Leads' });
  const cell = (nth: number) => grid.getByRole('row', { name }).getByRole('gridcell').nth(nth);
  const width = grid.getByRole('separator', { name: 'Width of Status' });
  await width.focus();
  await page.keyboard.press('ArrowRight');
  await expect(width).toHaveAttribute('aria-valuenow', '160');
  await expect(page).toHaveURL(/columns=status\.160/);

  await cell(1).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await page.keyboard.type('Fair, Hot');
  await page.keyboard.press('Escape');
  await expect(cell(3)).toBeFocused();
  await expect(cell(3)).toHaveText('');
  await page.keyboard.press('Enter');
  await page.keyboard.type('Fair, Hot');
  await page.keyboard.press('Enter');
  await expectToast(page, 'Tags updated');
  await expect(cell(3)).toHaveText('FairHot');

  // A refused text stays while another cell is edited.
  await cell(5).focus();
  await page.keyboard.press('Enter');
  const phone = page.getByRole('textbox', { name: `Phone of ${name}` });
  await phone.fill('call me');
  await page.keyboard.press('Enter');
  await expect(phone).toHaveAttribute('aria-invalid', 'true');
  await cell(3).dblclick();
  await expect(page.getByRole('textbox', { name: `Tags of ${name}` })).toBeFocused();
  await expect(phone).toHaveValue('call me');
  await page.keyboard.press('Escape');
  await phone.press('Escape');
  await cell(3).focus();

  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Plan follow-up' });
  await expectAccessible(page);
  await dialog.getByRole('button').first().press('Enter');
  await expectToast(page, 'Follow-up planned');
  await expect(cell(4)).toContainText('Call');

  await grid.getByRole('button', { name: 'Business Name' }).press('Enter');
  await expect(page).toHaveURL(/sort=name/);
  await page.getByRole('button', { name: 'Columns' }).press('Enter');
  await page.getByRole('button', { name: 'Compact' }).press('Enter');
  await page.getByRole('button', { name: 'Move Tags right' }).press('Enter');
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/columns=status\.160%2Cnext%2Ctags%2Cphone/);
  await cell(1).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
});
