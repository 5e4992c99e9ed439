import { expectAccessible } from './axe.ts';
import { assignLeads } from './leads.ts';
import { expectResultCount, runBulkAction } from './list-screen.ts';
import { expect, test } from './product.ts';
import { expectNoOverflow, expectToast } from './screen.ts';

const COUNT = 12;

test('all leads that match are changed as one action', async ({ page, accounts }) => {
  const holder = await accounts.create('user', 'Olga Overloaded');
  const [one, two] = [await accounts.create('user', 'Una Unburdened'), await accounts.create('user', 'Vera Vacant')];
  await assignLeads(accounts, holder, { count: COUNT });
  await accounts.signIn(page, accounts.admin);
  await page.goto(`/crm?user=${holder.id}&view=table`);
  await expectResultCount(page, COUNT);
  const selectAll = async () => {
    await page.getByLabel('Select all on this page').focus();
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: `Select all ${COUNT} that match` }).press('Enter');
    await expect(page.getByText(`${COUNT} selected`)).toBeVisible();
  };

  await selectAll();
  await runBulkAction(page, 'Add tag');
  await page.getByRole('combobox', { name: 'Tag' }).fill('Spring fair');
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await expectToast(page, `Tag added to ${COUNT} businesses`);
  await page.keyboard.press('z');
  await expectToast(page, 'Undone');

  await selectAll();
  await runBulkAction(page, 'Assign evenly');
  const dialog = page.getByRole('dialog', { name: 'Assign Evenly' });
  await dialog.getByRole('checkbox', { name: one.fullName }).check();
  await dialog.getByRole('checkbox', { name: two.fullName }).press('Space');
  await expect(dialog.getByRole('row', { name: /Una Unburdened.*6$/ })).toBeVisible();
  await page.setViewportSize({ width: 390, height: 800 });
  await expectNoOverflow(page);
  await expectAccessible(page);
  await page.setViewportSize({ width: 1440, height: 800 });
  await dialog.getByRole('button', { name: 'Assign' }).click();
  await expectToast(page, `${COUNT} businesses reassigned successfully`);
  await expectResultCount(page, 0);
  await page.goto(`/crm?user=${two.id}`);
  await expectResultCount(page, COUNT / 2);
});

test('no more leads are deleted than were confirmed', async ({ page, accounts }) => {
  const holder = await accounts.create('user', 'Olga Overloaded');
  await assignLeads(accounts, holder, { count: COUNT });
  await accounts.signIn(page, accounts.admin);
  await page.goto(`/crm?user=${holder.id}&view=table`);
  await page.getByLabel('Select all on this page').check();
  await page.getByRole('button', { name: `Select all ${COUNT} that match` }).click();
  await runBulkAction(page, 'Delete');
  const dialog = page.getByRole('alertdialog', { name: 'Confirm Deletion' });
  await expect(dialog).toContainText(`delete ${COUNT} selected business(es)`);

  // One more comes while the question is open: it is selected with the others, but not confirmed.
  await assignLeads(accounts, holder, { skip: COUNT });
  await expect(page.getByText(`${COUNT + 1} selected`)).toBeVisible();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expectToast(page, 'Deletion failed');
  await expect(dialog).toContainText(`delete ${COUNT + 1} selected business(es)`);
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expectToast(page, `${COUNT + 1} businesses deleted successfully`);
  await expectResultCount(page, 0);
});
