import type { Page } from '@playwright/test';
import { listLeads } from '#contract/leads/lead-lists.calls.ts';
import { changeLeadStatus, getLead } from '#contract/leads/leads.calls.ts';
import type { Account, Accounts } from './accounts.ts';
import { expectAccessible } from './axe.ts';
import { assignLeads } from './leads.ts';
import { expectResultCount, runBulkAction } from './list-screen.ts';
import { expect, test } from './product.ts';
import { expectNoOverflow, expectToast } from './screen.ts';
import { expectLargeTargets } from './target-sizes.ts';

const undoInToast = (page: Page) => page.getByRole('status').getByRole('button', { name: 'Undo' });
const status = (page: Page, name: string) =>
  page.getByRole('group', { name: 'Lead status' }).getByRole('button', { name, pressed: true });
const weeklyProgress = (page: Page) => page.getByRole('progressbar', { name: 'Weekly Goal' });
const change = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text }).first();
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Undo this change?' });

async function undoInList(page: Page, text: string) {
  await change(page, text).getByRole('button', { name: 'Undo' }).click();
  await dialog(page).getByRole('button', { name: 'Undo' }).click();
  await expectToast(page, 'Undone');
  await expect(dialog(page)).toBeHidden();
}

async function importLeads(page: Page, name: string, count: number, { username }: Account) {
  await page.goto('/import');
  const rows = Array.from({ length: count }, (_, nth) => `${name} ${nth},${nth} Quay Street,${username}`);
  const buffer = Buffer.from(['Business Name,Address,User', ...rows].join('\r\n'));
  await page.getByLabel('CSV file').setInputFiles({ name: 'leads.csv', mimeType: 'text/csv', buffer });
  await page.getByRole('button', { name: 'Upload & Import' }).click();
  await expect(page.getByRole('heading', { name: 'Import Successful', exact: true })).toBeVisible();
}

const countHeld = async (accounts: Accounts, { id }: Account) =>
  (await accounts.sendAsAdmin(listLeads, { query: { user: id } })).total;

test('a wrong status is taken back with its credit', async ({ page, accounts }) => {
  const holder = await accounts.create();
  const [lead] = await assignLeads(accounts, holder);
  await accounts.signIn(page, holder);
  await page.goto(lead.path);
  await page.getByRole('button', { name: 'In Progress' }).click();
  await expectToast(page, 'Status updated');
  await expect(weeklyProgress(page)).toHaveAttribute('aria-valuenow', '4');
  await undoInToast(page).click();
  await expectToast(page, 'Undone');
  await expect(status(page, 'New Lead')).toBeVisible();
  await expect(weeklyProgress(page)).toHaveAttribute('aria-valuenow', '0');

  await page.getByRole('button', { name: 'Recontact' }).click();
  await expectToast(page, 'Status updated');
  await page.getByRole('main').focus();
  await page.keyboard.press('z');
  await expectToast(page, 'Undone');
  await expect(status(page, 'New Lead')).toBeVisible();
  // Undoing is a change, too, and can be undone: here by keys alone.
  // F8 leads to the region, Tab to the toast and then to its button.
  for (const key of ['F8', 'Tab', 'Tab']) await page.keyboard.press(key);
  await expect(undoInToast(page)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(status(page, 'Recontact')).toBeVisible();

  await page.getByRole('main').focus();
  await page.keyboard.type('gc');
  await expect(page.getByRole('heading', { level: 1, name: 'Recent changes' })).toBeFocused();
  await expectAccessible(page);
  await undoInList(page, 'Undone: Undo');
  await page.goto(lead.path);
  await expect(status(page, 'New Lead')).toBeVisible();
});

test('a wrong archive is taken back', async ({ page, accounts }) => {
  const holder = await accounts.create();
  const [lead] = await assignLeads(accounts, holder);
  const isArchived = async () =>
    (await accounts.sendAsAdmin(getLead.byId, { params: { id: lead.id } })).userBusiness.archived;
  const archive = async () => {
    await page.goto(lead.path);
    await page.getByRole('button', { name: 'Archive Business' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Archive', exact: true }).click();
    await expectToast(page, 'Business archived');
    await expect(page).toHaveURL(/\/crm/);
  };
  await accounts.signIn(page, holder);
  await archive();
  await undoInToast(page).click();
  await expectToast(page, 'Undone');
  await expect(page.getByRole('article', { name: lead.business.name })).toBeVisible();
  expect(await isArchived()).toBe(false);

  await archive();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/changes');
  await expect(change(page, 'Archived').getByRole('link', { name: lead.business.name })).toBeVisible();
  await expectNoOverflow(page, '/changes');
  await expectLargeTargets(page, 'the recent changes');
  await change(page, 'Archived').getByRole('button', { name: 'Undo' }).click();
  await expect(dialog(page).getByText('This change will be taken back.')).toBeVisible();
  await expectAccessible(page);
  await dialog(page).getByRole('button', { name: 'Undo' }).click();
  await expectToast(page, 'Undone');
  await expect(change(page, 'Archived').getByText('Undone', { exact: true })).toBeVisible();
  expect(await isArchived()).toBe(false);
});

test('a bulk reassignment of 100 leads is taken back by the toast and from the recent changes', async ({
  page,
  accounts,
}) => {
  const holder = await accounts.create('user', 'Hilda Holder');
  const wrong = await accounts.create('user', 'Walter Wrong');
  await accounts.signIn(page, accounts.admin);
  await importLeads(page, 'Moved Shop', 100, holder);

  const reassign = async () => {
    await page.goto(`/crm?view=table&user=${holder.id}&pageSize=100`);
    await expectResultCount(page, 100);
    await page.getByLabel('Select all on this page').check();
    await runBulkAction(page, 'Reassign');
    const reassigning = page.getByRole('dialog', { name: 'Reassign Businesses' });
    await reassigning.getByRole('combobox').selectOption(`Walter Wrong (${wrong.username})`);
    await reassigning.getByRole('button', { name: 'Reassign' }).click();
    await expectToast(page, '100 businesses reassigned successfully');
    expect(await countHeld(accounts, wrong)).toBe(100);
  };
  await reassign();
  await undoInToast(page).click();
  await expectToast(page, '100 taken back');
  await expectResultCount(page, 100);
  expect(await countHeld(accounts, wrong)).toBe(0);

  await reassign();
  await page.goto('/changes');
  await page.getByLabel('Person').selectOption(`Ada Admin (${accounts.admin.username})`);
  await page.getByLabel('Kind').selectOption('Reassignment');
  const row = change(page, `Reassigned to ${wrong.fullName}`);
  await row.getByRole('link', { name: '100 leads' }).click();
  await expectResultCount(page, 100);
  await page.getByRole('button', { name: 'Remove filter: Changed together' }).click();
  await expect(page).not.toHaveURL(/changes=/);
  await page.goto('/changes?kind=reassign');
  await row.getByRole('button', { name: 'Undo' }).click();
  await expect(dialog(page).getByText('The changes of all 100 leads will be taken back.')).toBeVisible();
  await dialog(page).getByRole('button', { name: 'Undo' }).click();
  await expectToast(page, '100 taken back');
  expect(await countHeld(accounts, holder)).toBe(100);

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  expect((await download).suggestedFilename()).toBe('changes.csv');
});

test('the import of a wrong file is undone from the recent changes, except for a lead worked on since', async ({
  page,
  accounts,
}) => {
  const holder = await accounts.create('user', 'Imogen Importer');
  await accounts.signIn(page, accounts.admin);
  await importLeads(page, 'Wrong Shop', 3, holder);
  const { items } = await accounts.sendAsAdmin(listLeads, { query: { user: holder.id } });
  const kept = items[0];
  if (!kept) throw new Error('nothing was imported');
  const { id } = kept.userBusiness;
  await accounts.sendAsAdmin(changeLeadStatus.byId, { params: { id }, body: { status: 'in_progress' } });

  await page.getByRole('link', { name: 'Recent changes' }).click();
  await expect(page).toHaveURL(/\/changes\?kind=import$/);
  await change(page, 'Imported').getByRole('button', { name: 'Undo' }).click();
  await expect(dialog(page).getByText('The changes of 2 of 3 leads will be taken back.')).toBeVisible();
  await expect(
    dialog(page).getByText('2 leads that this import created will be deleted. Undo cannot restore them.'),
  ).toBeVisible();
  await expect(dialog(page).getByText(`1 was worked on since, so it is kept: ${kept.business.name}`)).toBeVisible();
  await expectAccessible(page);
  await dialog(page).getByRole('button', { name: 'Undo' }).click();
  await expectToast(page, '2 taken back (2 leads deleted)');
  expect(await countHeld(accounts, holder)).toBe(1);
});

test('businesses assigned to the wrong user are taken back as one', { tag: '@screen' }, async ({ page, accounts }) => {
  const wrong = await accounts.create('user', 'Wanda Wrong');
  await accounts.signIn(page, accounts.admin);
  await page.goto('/search');
  await page.getByLabel('Business Type').fill('Restaurant');
  await page.getByLabel('Location').fill('Leeds');
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  const boxes = page.getByRole('checkbox', { name: /^Select (?!all)/i });
  for (const nth of [0, 1]) await boxes.nth(nth).check();
  await page.getByRole('button', { name: 'Assign to User' }).click();
  const assigning = page.getByRole('dialog', { name: 'Assign Businesses' });
  await assigning.getByLabel('User').selectOption(`Wanda Wrong (${wrong.username})`);
  await assigning.getByRole('button', { name: 'Assign' }).click();
  await expectToast(page, '2 business(es) assigned successfully');
  expect(await countHeld(accounts, wrong)).toBe(2);
  await undoInToast(page).click();
  await expectToast(page, '2 taken back (2 leads deleted)');
  expect(await countHeld(accounts, wrong)).toBe(0);
});
