import type { Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { expect, test } from './product.ts';
import { chooseTheme, expectNoOverflow, expectToast } from './screen.ts';
import { expectLargeTargets } from './target-sizes.ts';

const group = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ hasText: name, has: page.getByRole('button', { name: 'Merge…' }) });
/** The background job compares businesses every ten seconds; a list that has groups already stays as it is. */
async function expectFound(page: Page, name: string) {
  const newer = page.getByRole('button', { name: 'Show them' });
  await expect(async () => {
    if (await newer.isVisible()) await newer.click();
    await expect(group(page, name)).toBeVisible({ timeout: 1_000 });
  }).toPass({ timeout: 40_000 });
}

const undoInToast = (page: Page) => page.getByRole('status').getByRole('button', { name: 'Undo' });

async function importTwice(page: Page, name: string, phone: string, usernames: [string, string]) {
  const rows = [
    'Business Name,Address,Phone,User',
    `${name},"1 Quay Street, Scarborough YO11 1AA",${phone},${usernames[0]}`,
    `The ${name} Ltd,"1 Quay St, Scarborough YO11 1AA",+44 ${phone.slice(1)},${usernames[1]}`,
  ];
  await page.goto('/import');
  const buffer = Buffer.from(rows.join('\r\n'));
  await page.getByLabel('CSV file').setInputFiles({ name: 'leads.csv', mimeType: 'text/csv', buffer });
  await page.getByRole('button', { name: 'Upload & Import' }).click();
  await expect(page.getByRole('heading', { name: 'Import Successful', exact: true })).toBeVisible();
}

test('duplicates are decided by keyboard', async ({ page, accounts }) => {
  test.setTimeout(120_000);
  const holder = await accounts.create();
  await accounts.signIn(page, accounts.admin);
  await importTwice(page, 'Whalebone Arch Bakery', '01632 960741', [holder.username, holder.username]);

  await page.getByRole('main').focus();
  await page.keyboard.press('g');
  await page.keyboard.press('d');
  await expect(page).toHaveURL('/duplicates');
  const found = group(page, 'Whalebone Arch Bakery');
  await expectFound(page, 'Whalebone Arch Bakery');
  await expect(found.getByText('Same phone')).toBeVisible();
  const records = found.getByRole('list', { name: 'Records' });
  await expect(records.getByText('The Whalebone Arch Bakery Ltd')).toBeVisible();
  for (const theme of ['Light', 'Dark'] as const) {
    await chooseTheme(page, accounts.admin.fullName, theme);
    await expectAccessible(page);
  }

  const lead = found.getByRole('link').first();
  await lead.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Back to Duplicates' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(lead).toBeFocused();

  await found.getByRole('button', { name: 'Not a duplicate' }).focus();
  await page.keyboard.press('Enter');
  await expectToast(page, 'Marked as not a duplicate');
  await expect(found).toBeHidden();
  await undoInToast(page).click();
  await expect(found).toBeVisible();

  await found.getByRole('button', { name: 'Merge…' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Merge 2 records?' });
  await expect(dialog).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('radio', { name: 'Whalebone Arch Bakery', exact: true }).check();
  await dialog.getByRole('button', { name: 'Merge', exact: true }).focus();
  await page.keyboard.press('Enter');
  await expectToast(page, '2 records merged');
  await expect(found).toBeHidden();

  await page.goto(`/crm?search=Whalebone`);
  await expect(page.getByText('The Whalebone Arch Bakery Ltd')).toHaveCount(0);
  await page.goto('/changes?kind=merge');
  const change = page.getByRole('row').filter({ hasText: /Merged with (The )?Whalebone/ });
  await change.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click();
  await expectToast(page, 'Undone');
  await page.goto('/duplicates');
  await expect(group(page, 'Whalebone Arch Bakery')).toBeVisible();
});

test('on a phone, a duplicate of two holders is merged', { tag: '@screen' }, async ({ page, accounts }) => {
  test.setTimeout(120_000);
  const [first, second] = [await accounts.create(), await accounts.create()];
  await accounts.signIn(page, accounts.admin);
  await importTwice(page, 'Pannett Park Florist', '01632 960742', [first.username, second.username]);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/duplicates');
  const found = group(page, 'Pannett Park Florist');
  await expectFound(page, 'Pannett Park Florist');
  await expectNoOverflow(page, '/duplicates');
  await expectLargeTargets(page, 'the duplicates');
  await found.getByRole('button', { name: 'Merge…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Merge', exact: true }).click();
  await expectToast(page, '2 records merged');
  await expect(found).toBeHidden();
  await undoInToast(page).click();
  await expectToast(page, 'Undone');
  await expect(found).toBeVisible();
});
