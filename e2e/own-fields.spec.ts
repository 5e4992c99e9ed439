import { archiveOwnField, deleteOwnField, listOwnFields } from '#contract/leads/own-fields/own-fields.calls.ts';
import { expectAccessible } from './axe.ts';
import { assignLeads } from './leads.ts';
import { expect, test } from './product.ts';

test('a field is added, filled on a profile, read in the table, and told when it is archived meanwhile', {
  tag: '@screen',
}, async ({ page, accounts, browser, baseURL }) => {
  const holder = await accounts.create('user', 'Grace Okafor');
  const [lead] = await assignLeads(accounts, holder);

  await accounts.signIn(page, accounts.admin);
  await page.goto('/settings');
  await page.getByRole('button', { name: 'Add field' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add field' });
  await dialog.getByLabel('Name').fill('Seats outside');
  await dialog.getByLabel('Type').selectOption('Number');
  await dialog.getByLabel('Unit').fill('seats');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Add field' }).click();
  await expect(page.getByRole('list', { name: 'Fields' })).toContainText('Seats outside');

  const other = await browser.newPage({ baseURL });
  await accounts.signIn(other, holder);
  await other.goto(lead.path);
  await other.getByRole('button', { name: 'Add seats outside' }).click();
  await other.getByLabel('Seats outside (seats)').fill('1,200');
  await other.keyboard.press('Enter');
  await expect(other.getByText('1,200 seats')).toBeVisible();
  await expectAccessible(other);

  const { fields } = await accounts.sendAsAdmin(listOwnFields);
  const fieldId = fields.find(({ name }) => name === 'Seats outside')?.id ?? 0;
  await other.goto(`/crm?view=table&columns=status,field${fieldId}`);
  await expect(other.getByRole('gridcell', { name: '1,200 seats' })).toBeVisible();

  await other.goto(lead.path);
  await other.getByRole('button', { name: 'Edit seats outside' }).click();
  await other.getByLabel('Seats outside (seats)').fill('1,300');
  await page.getByRole('button', { name: 'More about Seats outside' }).click();
  await page.getByRole('menuitem', { name: 'Archive' }).click();
  await expect(other.getByText('This field was archived meanwhile')).toBeVisible();
  await expect(other.getByText('1,300', { exact: true })).toBeVisible();
  await other.close();

  // Other stories see no field of this one.
  await accounts.sendAsAdmin(archiveOwnField, { params: { fieldId } });
  await accounts.sendAsAdmin(deleteOwnField, { params: { fieldId }, body: { leads: 1 } });
});
