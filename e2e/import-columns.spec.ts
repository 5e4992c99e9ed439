import type { Page } from '@playwright/test';
import { listLeads } from '#contract/leads/lead-lists.calls.ts';
import { expectAccessible } from './axe.ts';
import { expect, test } from './product.ts';
import { expectNoOverflow, expectToast } from './screen.ts';
import { expectLargeTargets } from './target-sizes.ts';
import { buildWorkbook } from './workbook.ts';

const pick = (page: Page, name: string, text: string) =>
  page.getByLabel('CSV file').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
const upload = (page: Page) => page.getByRole('button', { name: 'Upload & Import' }).click();
const step = (page: Page, name: string) => page.getByRole('heading', { level: 2, name });
const becomes = (page: Page, column: number) => page.getByRole('combobox', { name: `Column ${column} becomes` });
const count = (page: Page, label: string) => page.locator('dl > div').filter({ hasText: label }).locator('dd');

/** Axe, no overflow and large targets, on a phone and on a desktop. */
async function expectGood(page: Page, screen: string) {
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await test.step(`${screen} at ${width} px`, async () => {
      await expectAccessible(page);
      await expectNoOverflow(page, screen);
      await expectLargeTargets(page, screen);
    });
  }
}

test('a file with other headings is imported', async ({ page, accounts }) => {
  const sam = await accounts.create('user', 'Sam Seller');
  await accounts.signIn(page, accounts.admin);
  await page.goto('/import');
  const header = 'Company;Street;City;Tel;Owner;Segment;Opening hours';
  const rows = [
    'Kettle Bakery;1 Dock Street;Grimsby;01632 960401;;Bakery;9 to 5',
    'Lamp Books;2 Dock Street;Grimsby;01632 960402;no-such-user;Books;',
    ';3 Dock Street;Grimsby;;;;',
  ];
  await pick(page, 'other.csv', [header, ...rows].join('\r\n'));
  await upload(page);

  await expect(step(page, 'Match columns')).toBeVisible();
  await expect(page).toHaveURL(/\/import\/[0-9a-f-]{36}$/);
  await expect(becomes(page, 1)).toHaveValue('Business Name');
  await expect(becomes(page, 4)).toHaveValue('Phone');
  await becomes(page, 6).selectOption('Custom Tag');
  await becomes(page, 7).selectOption('Keep as note');
  await page.reload();
  await expect(becomes(page, 6)).toHaveValue('Custom Tag');
  await expect(becomes(page, 7)).toHaveValue('Note');
  await expectGood(page, 'the columns');
  await page.getByRole('button', { name: 'Check file' }).click();

  await expect(step(page, 'What will happen')).toBeFocused();
  await expect(count(page, 'New leads')).toHaveText('1');
  await expect(count(page, 'Refused')).toHaveText('2');
  await page
    .getByRole('combobox', { name: 'Rows of no-such-user go to' })
    .selectOption({ label: `Sam Seller (${sam.username})` });
  await expect(count(page, 'Refused')).toHaveText('1');
  await page.reload();
  await expect(count(page, 'New leads')).toHaveText('2');
  await expectGood(page, 'the preview');
  await page.getByRole('button', { name: 'Import 2 businesses' }).click();

  await expect(step(page, 'Import Successful')).toBeVisible();
  await expect(count(page, 'New leads')).toHaveText('2');
  await expect(page.getByRole('link', { name: 'Correct 1 row' })).toBeVisible();
  await expectGood(page, 'the result');
  const found = await accounts.sendAsAdmin(listLeads, { query: { town: 'Grimsby' } });
  expect(found.items.map(({ business, user }) => [business.name, user.username])).toEqual(
    expect.arrayContaining([
      ['Kettle Bakery', accounts.admin.username],
      ['Lamp Books', sam.username],
    ]),
  );

  await page.getByRole('link', { name: 'Import Another File' }).click();
  await pick(page, 'again.csv', [header, 'Mill Café;4 Dock Street;Grimsby;;;;'].join('\r\n'));
  await upload(page);
  await expect(
    page.getByText('These choices are remembered from an earlier file with the same headings.'),
  ).toBeVisible();
  await expect(becomes(page, 7)).toHaveValue('Note');
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
  await expectToast(page, 'Import discarded');
  await expect(page).toHaveURL(/\/import$/);
  await expect(page.getByRole('list', { name: 'Recent imports' })).not.toContainText('again.csv');
});

test('look-alikes are not added in silence', async ({ page, accounts }) => {
  const priya = await accounts.create('user', 'Priya Shah');
  await accounts.signIn(page, accounts.admin);
  await page.goto('/import');
  await pick(page, 'hers.csv', `Business Name,Town,Phone,User\nQuay Barbers,Whitehaven,01632 960771,${priya.username}`);
  await upload(page);
  await page.getByRole('button', { name: 'Import Another File' }).click();
  const rows = [
    'Hill Top Bakery;Whitehaven;01632 960770',
    'Hill Top Bakery Ltd;Whitehaven;+44 1632 960770',
    'The Quay Barbers;Whitehaven;01632 960771',
  ];
  await pick(page, 'alike.csv', ['Company;City;Tel', ...rows].join('\n'));
  await upload(page);
  await page.getByRole('button', { name: 'Check file' }).click();

  await expect(count(page, 'Rows in the file')).toHaveText('3');
  await expect(count(page, 'New leads')).toHaveText('1');
  await expect(count(page, 'Repeated in the file')).toHaveText('1');
  await expect(count(page, 'Already there')).toHaveText('1');
  await expect(page.getByText(/^Row 3: Hill Top Bakery Ltd looks like row 2, Hill Top Bakery/)).toBeVisible();
  await expect(page.getByText(/Priya Shah works it, New$/)).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'Row 4' })).toHaveValue('leave');
  await expectGood(page, 'the look-alikes');
  await page.getByRole('combobox', { name: 'Row 4' }).selectOption('Add a second lead');
  await page.getByRole('button', { name: 'Import 2 businesses' }).click();

  await expect(page.getByText('3 rows: 2 new leads, 1 repeated in the file.').first()).toBeVisible();
  const { items } = await accounts.sendAsAdmin(listLeads, { query: { town: 'Whitehaven' } });
  expect(items.map(({ business, user }) => [business.name, user.username]).sort()).toEqual(
    [
      ['Hill Top Bakery', accounts.admin.username],
      ['Quay Barbers', accounts.admin.username],
      ['Quay Barbers', priya.username],
    ].sort(),
  );
});

test('a sheet of a workbook with a title above its table is imported', async ({ page, accounts }) => {
  await accounts.signIn(page, accounts.admin);
  await page.goto('/import');
  const buffer = buildWorkbook({
    Readme: [['About this workbook'], ['See the next sheet']],
    Leads: [
      ['Leads of March', '', ''],
      ['Company', 'City', 'Mobile'],
      ['Needle Shop', 'Boston', '07700 900123'],
    ],
  });
  await page.getByLabel('Excel file').setInputFiles({ name: 'march.xlsx', mimeType: 'application/zip', buffer });
  await upload(page);
  await expect(step(page, 'Match columns')).toBeVisible();
  const sheet = page.getByRole('combobox', { name: 'Sheet' });
  const row = page.getByRole('spinbutton', { name: 'Headings are in row' });
  await sheet.selectOption('Readme');
  await expect(page.getByText('Business Name is required: choose the column that has it.')).toBeVisible();
  await sheet.selectOption('Leads');
  await expect(row).toHaveValue('2');
  await row.fill('1');
  await page.getByRole('button', { name: 'Use this row' }).click();
  await expect(row).toHaveAccessibleDescription(/^Row 1 looks like a title/);
  await row.fill('2');
  await page.getByRole('button', { name: 'Use this row' }).click();
  await expect(becomes(page, 1)).toHaveValue('Business Name');
  await expect(becomes(page, 3)).toHaveValue('Phone');
  await page.getByRole('button', { name: 'Check file' }).click();
  await page.getByRole('button', { name: 'Import 1 business' }).click();
  await expect(step(page, 'Import Successful')).toBeVisible();
  const { items } = await accounts.sendAsAdmin(listLeads, { query: { town: 'Boston' } });
  expect(items.map(({ business }) => [business.name, business.phone])).toEqual([['Needle Shop', '07700 900123']]);
});

test('an import goes on while the page is closed', async ({ page, accounts }) => {
  await accounts.signIn(page, accounts.admin);
  await page.goto('/import');
  const rows = Array.from({ length: 12_000 }, (_, nth) => `Oak Shop ${nth};${nth} Pier Lane;Skegness`);
  await pick(page, 'oak.csv', `Company;Street;City\n${rows.join('\n')}`);
  await upload(page);
  await page.getByRole('button', { name: 'Check file' }).click();
  await expect(step(page, 'What will happen')).toBeVisible({ timeout: 60_000 });
  await page.getByRole('button', { name: 'Import 12,000 businesses' }).click();
  await expect(step(page, 'Importing')).toBeVisible();

  await page.goto('/import');
  const current = page.getByRole('list', { name: 'Current imports' });
  await expect(current).toContainText('oak.csv');
  await expectAccessible(page);
  await current.getByRole('link', { name: 'Open oak.csv' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(step(page, 'Import cancelled')).toBeVisible();
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(step(page, 'Importing')).toBeVisible();
  await expect(step(page, 'Import Successful')).toBeVisible({ timeout: 60_000 });
  await expect(count(page, 'New leads')).toHaveText('12,000');
  await expect(page.getByRole('link', { name: 'Undo in Recent changes' })).toBeVisible();
});

test('refused rows are corrected on the page', async ({ page, accounts }) => {
  await accounts.signIn(page, accounts.admin);
  await page.goto('/import');
  await pick(
    page,
    'wrong.csv',
    'Business Name,Town,Phone\nPear Shop,Louth,01632 960501\n,Louth,01632 960502\nQuill Books,Louth,ask Bob\n',
  );
  await upload(page);
  await page.getByRole('link', { name: 'Correct 2 rows' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Correct rows of wrong.csv' })).toBeFocused();
  const name = page.getByRole('textbox', { name: 'Row 3, Business Name' });
  const phone = page.getByRole('textbox', { name: 'Row 4, Phone' });
  await expect(name).toHaveAttribute('aria-invalid', 'true');
  await expect(phone).toHaveAccessibleDescription(/Phone number may contain only/);
  await expectGood(page, 'the grid');

  await name.fill('Rope Shop');
  await page.getByRole('textbox', { name: 'Row 3, Phone' }).press('ArrowDown');
  await expect(phone).toBeFocused();
  await phone.fill('ask Sue');
  await page.reload();
  await expect(name).toHaveValue('Rope Shop');
  await expect(phone).toHaveValue('ask Sue');

  await page.getByRole('button', { name: 'Import corrected rows' }).click();
  await expectToast(page, '1 row imported');
  await expect(name).toHaveCount(0);
  await expect(phone).toHaveValue('ask Sue');
  await expect(phone).toHaveAccessibleDescription(/"ask Sue"/);
  await phone.fill('01632 960503');
  await page.getByRole('button', { name: 'Import corrected rows' }).click();
  await expect(page.getByRole('heading', { name: 'All rows are corrected' })).toBeVisible();
  const { items } = await accounts.sendAsAdmin(listLeads, { query: { town: 'Louth' } });
  expect(items.map(({ business }) => business.name).sort()).toEqual(['Pear Shop', 'Quill Books', 'Rope Shop']);
});
