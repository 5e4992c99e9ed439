import { changeOwnValues } from '#contract/leads/leads.calls.ts';
import {
  archiveOwnField,
  createOwnField,
  deleteOwnField,
  listOwnFields,
} from '#contract/leads/own-fields/own-fields.calls.ts';
import { expectAccessible } from './axe.ts';
import { createImportOf } from './imports.ts';
import { assignLeads } from './leads.ts';
import { expectResultCount, runBulkAction } from './list-screen.ts';
import { expect, test } from './product.ts';
import { expectNoOverflow } from './screen.ts';
import { expectLargeTargets } from './target-sizes.ts';

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
  const list = page.getByRole('list', { name: 'Fields' });
  await expect(list).toContainText('Seats outside');

  // An open page has what another program adds.
  const roof = await accounts.sendAsAdmin(createOwnField, { body: { name: 'Roof', type: 'yes_no' } });
  const row = (name: string) => list.getByRole('listitem').filter({ hasText: name });
  await expect(list.getByRole('listitem')).toContainText(['Seats outside', 'Roof']);
  await row('Roof').locator('.cursor-grab').dragTo(row('Seats outside'));
  await expect(list.getByRole('listitem')).toContainText(['Roof', 'Seats outside']);
  const down = page.getByRole('button', { name: 'Move Roof down' });
  await down.press('Enter');
  await expect(list.getByRole('listitem')).toContainText(['Seats outside', 'Roof']);
  await expect(down).toBeFocused();
  await page.reload();
  await expect(list.getByRole('listitem')).toContainText(['Seats outside', 'Roof']);

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
  for (const [id, leads] of [
    [fieldId, 1],
    [roof.id, 0],
  ] as const) {
    await accounts.sendAsAdmin(archiveOwnField, { params: { fieldId: id } });
    await expect(() => accounts.sendAsAdmin(deleteOwnField, { params: { fieldId: id }, body: { leads } })).toPass();
  }
});

test('a list is filtered and sorted by fields, and a field is set on all that match', {
  tag: '@screen',
}, async ({ page, accounts }) => {
  const holder = await accounts.create('user', 'Ines Duarte');
  const leads = await assignLeads(accounts, holder, { count: 3, skip: 1 });
  const seats = await accounts.sendAsAdmin(createOwnField, { body: { name: 'Seats inside', type: 'number' } });
  const choices = [{ label: 'Paper' }, { label: 'Tablet' }];
  const till = await accounts.sendAsAdmin(createOwnField, {
    body: { name: 'Till', type: 'choice', choices, onCard: true },
  });
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

  await page.getByRole('button', { name: 'Views', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Save as new view' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('No tablet');
  await page.getByRole('dialog').getByRole('button', { name: 'Save view' }).click();
  await page.goto('/crm?view=board');
  await expect(page.getByRole('article').filter({ hasText: 'Till: Tablet' })).toHaveCount(2);
  await page.getByRole('button', { name: 'Views', exact: true }).click();
  await page.getByRole('menuitem', { name: 'No tablet' }).click();
  await expectResultCount(page, 1);
  await expect(page.getByRole('button', { name: 'Remove filter: Till: not Tablet' })).toBeVisible();

  // Other stories see no field of this one.
  for (const { id: fieldId } of [seats, till]) {
    await accounts.sendAsAdmin(archiveOwnField, { params: { fieldId } });
    // One at a time.
    await expect(() => accounts.sendAsAdmin(deleteOwnField, { params: { fieldId }, body: { leads: 2 } })).toPass();
  }
});

test('a field is made by keyboard, asked for, found, imported with new choices, archived and restored', {
  tag: '@screen',
}, async ({ page, accounts }) => {
  await accounts.signIn(page, accounts.admin);
  await page.goto('/settings');
  await page.getByRole('button', { name: 'Add field' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Add field' });
  await dialog.getByLabel('Name').focus();
  await page.keyboard.type('Main brewery');
  await dialog.getByLabel('Type').focus();
  await page.keyboard.type('One');
  await dialog.getByRole('textbox', { name: 'Choice 1' }).focus();
  await page.keyboard.type('Zwölfbräu');
  await dialog.getByRole('checkbox', { name: 'Ask when a business is added' }).press(' ');
  await dialog.getByRole('button', { name: 'Add field' }).press('Enter');
  await expect(page.getByRole('list', { name: 'Fields' })).toContainText('Main brewery');
  const { fields } = await accounts.sendAsAdmin(listOwnFields);
  const fieldId = fields.find(({ name }) => name === 'Main brewery')?.id ?? 0;

  await page.goto('/today');
  await page.getByRole('button', { name: 'Add business' }).press('Enter');
  const sheet = page.getByRole('dialog', { name: 'Add business' });
  await sheet.getByRole('textbox', { name: 'Name' }).fill('The Brewed Awakening');
  await sheet.getByLabel('Main brewery').focus();
  await page.keyboard.type('Zw');
  await page.keyboard.press('Tab');
  await expectAccessible(page);
  await sheet.getByRole('button', { name: 'Add business' }).press('Enter');
  await expect(page.getByRole('heading', { name: 'The Brewed Awakening' })).toBeVisible();
  await expect(page.getByText('Zwölfbräu')).toBeVisible();

  const file = 'Company,Main brewery\nThe Second Pint,zwölfbräu\nThe Third Pint,Quaffwell\nThe Fourth Pint,Quafwell\n';
  await page.goto(`/import/${await createImportOf(page, file)}`);
  await page.getByRole('button', { name: 'Check file' }).click();
  const box = page.getByRole('group', { name: 'Main brewery' }).getByRole('checkbox', { name: 'Quaffwell (1 row)' });
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await expect(box).toBeVisible();
    await expectAccessible(page);
    await expectNoOverflow(page, 'the preview');
    await expectLargeTargets(page, 'the preview');
  }
  await box.press(' ');
  await page.getByRole('button', { name: 'Import 2 businesses' }).click();
  await expect(page.getByText('3 rows: 2 new leads, 1 refused.')).toBeVisible();

  const found = page.getByRole('dialog', { name: 'Find anything' }).getByRole('option');
  const find = async (text: string) => {
    await page.goto('/search');
    await page.getByRole('button', { name: 'Find anything' }).click();
    await page.getByRole('combobox', { name: 'Find anything' }).fill(text);
  };
  await find('quaffwell');
  await expect(found).toContainText(['The Third Pint']);
  await expect(found).toContainText(['Main brewery: Quaffwell']);
  await accounts.sendAsAdmin(archiveOwnField, { params: { fieldId } });
  await find('quaffwell');
  await expect(page.getByRole('dialog', { name: 'Find anything' }).getByRole('status')).toHaveText(
    'Nothing found for “quaffwell”',
  );
  await page.goto('/settings');
  await page.getByRole('button', { name: 'Restore Main brewery' }).press('Enter');
  await expect(page.getByRole('list', { name: 'Fields' })).toContainText('Main brewery');
  await find('quaffwell');
  await expect(found).toContainText(['Main brewery: Quaffwell']);

  // Other stories see no field of this one.
  await accounts.sendAsAdmin(archiveOwnField, { params: { fieldId } });
  await expect(() => accounts.sendAsAdmin(deleteOwnField, { params: { fieldId }, body: { leads: 3 } })).toPass();
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test('a field is made, filled in, filtered by, archived and restored with a finger', async ({ page, accounts }) => {
    await accounts.signIn(page, accounts.admin);
    await page.goto('/settings');
    await page.getByRole('button', { name: 'Add field' }).tap();
    const dialog = page.getByRole('dialog', { name: 'Add field' });
    await dialog.getByLabel('Name').fill('Loading bay');
    await dialog.getByLabel('Type').selectOption('One choice');
    await dialog.getByRole('textbox', { name: 'Choice 1' }).fill('In the yard');
    await dialog.getByRole('button', { name: 'Add choice' }).tap();
    await dialog.getByRole('textbox', { name: 'Choice 2' }).fill('In the street');
    await dialog.getByRole('checkbox', { name: 'Ask when a business is added' }).tap();
    await expectLargeTargets(page, 'the dialog');
    await dialog.getByRole('button', { name: 'Add field' }).tap();
    await expect(page.getByRole('list', { name: 'Fields' })).toContainText('Loading bay');
    await expectNoOverflow(page, 'the settings');
    await expectLargeTargets(page, 'the fields', '[aria-label="Fields"]');

    await page.goto('/today');
    await page.getByRole('button', { name: 'Add business' }).tap();
    const sheet = page.getByRole('dialog', { name: 'Add business' });
    await sheet.getByRole('textbox', { name: 'Name' }).fill('The Long Lorry');
    await sheet.getByLabel('Loading bay').selectOption('In the yard');
    await sheet.getByRole('button', { name: 'Add business' }).tap();
    await expect(page.getByRole('heading', { name: 'The Long Lorry' })).toBeVisible();
    await page.getByRole('button', { name: 'Edit loading bay' }).tap();
    await page.getByRole('combobox', { name: 'Loading bay' }).selectOption('In the street');
    await expectNoOverflow(page, 'the profile');
    await page.getByRole('button', { name: 'Save', exact: true }).tap();
    await expect(page.getByRole('definition').filter({ hasText: 'In the street' })).toBeVisible();

    await page.goto('/crm');
    await page.getByRole('button', { name: 'Show Filters' }).tap();
    await page.getByRole('button', { name: /^More Filters/ }).tap();
    const filters = page.getByRole('dialog', { name: 'More Filters' });
    await filters.getByRole('combobox', { name: 'Loading bay' }).selectOption('Is not empty');
    await expectResultCount(page, 1);
    await expectNoOverflow(page, 'the filters');
    await expectAccessible(page);

    await page.goto('/settings');
    await page.getByRole('button', { name: 'More about Loading bay' }).tap();
    await page.getByRole('menuitem', { name: 'Archive' }).tap();
    await page.getByRole('button', { name: 'Restore Loading bay' }).tap();
    await expect(page.getByRole('list', { name: 'Fields' })).toContainText('Loading bay');
    const { fields } = await accounts.sendAsAdmin(listOwnFields);
    const fieldId = fields.find(({ name }) => name === 'Loading bay')?.id ?? 0;
    await accounts.sendAsAdmin(archiveOwnField, { params: { fieldId } });
    await expect(() => accounts.sendAsAdmin(deleteOwnField, { params: { fieldId }, body: { leads: 1 } })).toPass();
  });

  test('what was typed for a field that is archived meanwhile goes into the note of the added business', async ({
    page,
    accounts,
  }) => {
    const { id: fieldId } = await accounts.sendAsAdmin(createOwnField, {
      body: { name: 'Way in', type: 'long_text', inForm: true },
    });
    await accounts.signIn(page, accounts.admin);
    await page.goto('/today');
    await page.getByRole('button', { name: 'Add business' }).tap();
    const sheet = page.getByRole('dialog', { name: 'Add business' });
    await sheet.getByRole('textbox', { name: 'Name' }).fill('The Hidden Door');
    await sheet.getByRole('textbox', { name: 'Way in' }).fill('By the yard');
    await expectNoOverflow(page);
    await expectLargeTargets(page, 'the form');
    await accounts.sendAsAdmin(archiveOwnField, { params: { fieldId } });
    await expect(sheet.getByText('“Way in” is no longer a field of your team.', { exact: false })).toBeVisible();
    await expectAccessible(page);
    await expectNoOverflow(page);
    await sheet.getByRole('button', { name: 'Add business' }).tap();
    await expect(page.getByRole('heading', { name: 'The Hidden Door' })).toBeVisible();
    await expect(page.getByLabel('Notes', { exact: true })).toHaveValue('Way in: By the yard');
    await expect(() => accounts.sendAsAdmin(deleteOwnField, { params: { fieldId }, body: { leads: 0 } })).toPass();
  });
});

test.describe('in the table of a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('several choices are ticked in a cell with a finger, and by keys', async ({ page, accounts }) => {
    const holder = await accounts.create();
    const [lead] = await assignLeads(accounts, holder, { skip: 5 });
    const choices = [{ label: 'Cash' }, { label: 'Card' }, { label: 'Voucher' }];
    const { id: fieldId } = await accounts.sendAsAdmin(createOwnField, {
      body: { name: 'Ways to pay', type: 'choices', choices },
    });
    await accounts.signIn(page, holder);
    await page.goto(`/crm?view=table&columns=field${fieldId}`);
    const cell = page.locator('[data-row="0"][data-column="1"]');
    await cell.scrollIntoViewIfNeeded();
    await cell.tap();
    await cell.tap();
    const panel = page.getByRole('dialog', { name: `Ways to pay of ${lead.business.name}` });
    await panel.getByRole('checkbox', { name: 'Card' }).tap();
    await panel.getByRole('checkbox', { name: 'Voucher' }).tap();
    await expectLargeTargets(page, 'the panel', '[role=dialog]');
    await expectNoOverflow(page, 'the panel');
    await expectAccessible(page);
    await panel.getByRole('button', { name: 'Save' }).tap();
    await expect(cell).toHaveText('Card, Voucher');

    await cell.press('Enter');
    await expect(panel.getByRole('checkbox', { name: 'Cash' })).toBeFocused();
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    await page.keyboard.press('Enter');
    await expect(cell).toHaveText('Cash, Voucher');
    await expect(cell).toBeFocused();

    // Other stories see no field of this one.
    await accounts.sendAsAdmin(archiveOwnField, { params: { fieldId } });
    await expect(() => accounts.sendAsAdmin(deleteOwnField, { params: { fieldId }, body: { leads: 1 } })).toPass();
  });
});
