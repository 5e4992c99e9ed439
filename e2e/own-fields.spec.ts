import { changeOwnValues } from '#contract/leads/leads.calls.ts';
import {
  archiveOwnField,
  createOwnField,
  deleteOwnField,
  listOwnFields,
} from '#contract/leads/own-fields/own-fields.calls.ts';
import { expectAccessible } from './axe.ts';
import { assignLeads } from './leads.ts';
import { expectResultCount, runBulkAction } from './list-screen.ts';
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

test('a list is filtered and sorted by fields, and a field is set on all that match', {
  tag: '@screen',
}, async ({ page, accounts }) => {
  const holder = await accounts.create('user', 'Ines Duarte');
  const leads = await assignLeads(accounts, holder, { count: 3, skip: 1 });
  const seats = await accounts.sendAsAdmin(createOwnField, { body: { name: 'Seats inside', type: 'number' } });
  const choices = [{ label: 'Paper' }, { label: 'Tablet' }];
  const till = await accounts.sendAsAdmin(createOwnField, { body: { name: 'Till', type: 'choice', choices } });
  for (const [nth, { uuid }] of leads.slice(0, 2).entries()) {
    await accounts.sendAsAdmin(changeOwnValues.byUuid, {
      params: { uuid },
      body: { values: { [seats.id]: nth === 0 ? 9 : 100 } },
    });
  }

  await accounts.signIn(page, holder);
  await page.goto(`/crm?view=table&columns=field${seats.id},field${till.id}`);
  await expectResultCount(page, 3);
  const firstCells = page.locator('[data-column="1"]');
  await page.getByRole('button', { name: 'Seats inside', exact: true }).click();
  await expect(firstCells).toHaveText(['9', '100', '']);
  await page.getByRole('button', { name: 'Seats inside', exact: true }).click();
  await expect(firstCells).toHaveText(['100', '9', '']);

  await page.getByRole('button', { name: /^More Filters/ }).click();
  const filters = page.getByRole('dialog', { name: 'More Filters' });
  await filters.getByRole('combobox', { name: 'Seats inside' }).selectOption('Between two values');
  await filters.getByRole('textbox', { name: 'Seats inside from' }).fill('50');
  await expectResultCount(page, 1);
  await expectAccessible(page);
  await filters.getByRole('combobox', { name: 'Seats inside' }).selectOption('Is not empty');
  await expectResultCount(page, 2);
  await page.keyboard.press('Escape');

  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await runBulkAction(page, 'Set field');
  const dialog = page.getByRole('dialog', { name: 'Set Field' });
  await dialog.getByLabel('Field', { exact: true }).selectOption('Till');
  await dialog.getByLabel('Till', { exact: true }).selectOption('Tablet');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Set value' }).click();
  await expect(page.getByText('Field changed for 2 businesses')).toBeVisible();
  await expect(page.getByRole('gridcell', { name: 'Tablet' })).toHaveCount(2);

  await page.getByRole('button', { name: 'Remove filter: Seats inside: not empty' }).click();
  await expectResultCount(page, 3);
  await page.getByRole('button', { name: /^More Filters/ }).click();
  await filters.getByRole('combobox', { name: 'Till' }).selectOption('Is none of');
  await filters.getByRole('button', { name: /^Choices of Till/ }).click();
  await page.getByRole('checkbox', { name: 'Tablet' }).check();
  await expectResultCount(page, 1);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');

  // Other stories see no field of this one.
  for (const { id: fieldId } of [seats, till]) {
    await accounts.sendAsAdmin(archiveOwnField, { params: { fieldId } });
    // One at a time.
    await expect(() => accounts.sendAsAdmin(deleteOwnField, { params: { fieldId }, body: { leads: 2 } })).toPass();
  }
});
