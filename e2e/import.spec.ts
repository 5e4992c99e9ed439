import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { importBusinesses } from '#contract/import/import.calls.ts';
import { listLeads } from '#contract/leads/lead-lists.calls.ts';
import { expectAccessible } from './axe.ts';
import { holdRequests } from './hold-requests.ts';
import { expect, test } from './product.ts';
import { expectToast } from './screen.ts';

const HEADER = 'Business Name,Address,Town,Contact Name,Phone,Email Address,Website,User,Custom Tag';

const pick = (page: Page, name: string, text: string | Buffer) =>
  page.getByLabel('CSV file').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
const upload = (page: Page) => page.getByRole('button', { name: 'Upload & Import' });
const result = (page: Page) => page.getByRole('alert').filter({ hasText: 'Import Successful' });

test('businesses of a file become leads of the users it names', { tag: '@screen' }, async ({ page, accounts }) => {
  const sam = await accounts.create('user', 'Sam Seller');
  await accounts.signIn(page, accounts.admin);
  await page.goto('/import-businesses');
  await expect(page.getByRole('heading', { level: 1, name: 'Import Businesses' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Back to CRM Dashboard' })).toBeVisible();
  await expect(upload(page)).toBeDisabled();
  await expectAccessible(page);

  const rows = [
    `Aire Bakery,"1 Quay Street, Whitby YO21 3PU",Whitby,Bea Baker,01632 960001,bea@aire.example,aire.example,${sam.username},"Bakery, Spring"`,
    'Brook Café,"2 Quay Street, Whitby YO21 3PU",,,,,,,',
  ];
  await pick(page, 'leads.csv', [HEADER, ...rows].join('\r\n'));
  await expect(upload(page)).toBeEnabled();
  await upload(page).click();

  await expect(page.getByRole('heading', { name: 'Import Successful', exact: true })).toBeFocused();
  await expect(page.getByText('Successfully imported 2 of 2 businesses.').first()).toBeVisible();
  await expectAccessible(page);
  const found = await accounts.sendAsAdmin(listLeads, { query: { town: 'Whitby' } });
  expect(
    found.items.map(({ business, user, userBusiness }) => [business.name, user.username, userBusiness.tags]),
  ).toEqual(
    expect.arrayContaining([
      ['Aire Bakery', sam.username, ['Bakery', 'Spring', 'Imported']],
      ['Brook Café', accounts.admin.username, ['Imported']],
    ]),
  );

  await page.getByRole('button', { name: 'Import Another File' }).click();
  await pick(page, 'leads.csv', [HEADER, ...rows].join('\r\n'));
  await upload(page).click();
  await expect(result(page)).toContainText('2 were already there, and nothing was added twice.');
  expect((await accounts.sendAsAdmin(listLeads, { query: { town: 'Whitby' } })).total).toBe(2);
});

test('refused rows are corrected in a file of their own', async ({ page, accounts }) => {
  await accounts.signIn(page, accounts.admin);
  await page.goto('/import');
  const file = `${HEADER}\nCrag Books,3 Main Street,Ilkley,,,,,,\n,4 Main Street,Ilkley,,,,,,\nDale Tea,5 Main Street,Ilkley,,,,,no-such-user,\n`;
  await pick(page, 'mixed.csv', file);
  await upload(page).click();
  await expect(result(page)).toContainText(/Total\s*3/);
  await expect(result(page)).toContainText(/Successful\s*1/);
  await expect(result(page)).toContainText(/Failed\s*2/);
  await expect(page.getByText('Row 3: Business Name is required')).toBeVisible();
  await expect(page.getByText('Row 4: User "no-such-user" does not exist or is inactive')).toBeVisible();
  await expectAccessible(page);

  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download Refused Rows' }).click();
  const saved = await saving;
  expect(saved.suggestedFilename()).toBe('refused-rows.csv');
  const refused = await readFile(await saved.path(), 'utf8');
  expect(refused).toContain('"Import Error"');
  expect(refused).toContain('"Business Name is required"');

  await page.getByRole('button', { name: 'Import Another File' }).click();
  const corrected = refused
    .replace('"","4 Main Street"', '"Elm Shoes","4 Main Street"')
    .replace('"no-such-user"', '""');
  await pick(page, 'refused-rows.csv', corrected);
  await upload(page).click();
  await expect(page.getByText('Successfully imported 2 of 2 businesses.').first()).toBeVisible();
  expect((await accounts.sendAsAdmin(listLeads, { query: { town: 'Ilkley' } })).total).toBe(3);
});

test('a file that is not CSV is refused by the page or by the server', async ({ page, accounts }) => {
  await accounts.signIn(page, accounts.admin);
  await page.goto('/import');
  await pick(page, 'leads.xlsx', 'Business Name\nx');
  await expect(page.getByText('Please select a CSV file')).toBeVisible();
  await expect(upload(page)).toBeDisabled();
  await pick(page, 'leads.csv', Buffer.from('PK\x03\x04 a spreadsheet in disguise'));
  await upload(page).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Import Failed' })).toContainText(
    '415: Please select a CSV file',
  );
  await expectAccessible(page);
  await pick(page, 'leads.csv', 'Name,Phone\nx,1');
  await upload(page).click();
  await expect(page.getByRole('heading', { level: 2, name: 'Match columns' })).toBeVisible();
});

test('a cancelled import can be completed later', async ({ page, accounts }) => {
  await accounts.signIn(page, accounts.admin);
  await page.goto('/import');
  const rows = Array.from({ length: 20_000 }, (_, nth) => `Fell Shop ${nth},${nth} Long Lane,Settle`);
  const file = `Business Name,Address,Town\n${rows.join('\n')}`;
  await pick(page, 'many.csv', file);
  await upload(page).click();
  await expect(page.getByRole('progressbar', { name: 'Import progress' })).toBeVisible();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText(/^Import cancelled/)).toBeVisible();
  await expect(upload(page)).toBeEnabled();

  await pick(page, 'few.csv', `Business Name,Address,Town\n${rows.slice(0, 700).join('\n')}`);
  // The server ends the cancelled import after the current batch.
  await expect(async () => {
    await upload(page).click();
    await expect(result(page)).toContainText('Imported 700 of 700 businesses.', { timeout: 5_000 });
  }).toPass();
  const { total } = await accounts.sendAsAdmin(listLeads, { query: { town: 'Settle' } });
  expect(total).toBeGreaterThanOrEqual(700);
  expect(total).toBeLessThan(20_000);
});

test('an import shows its result on return', async ({ page, accounts }) => {
  await accounts.signIn(page, accounts.admin);
  await page.goto('/import');
  const release = await holdRequests(page, `**${importBusinesses.path}`);
  await pick(page, 'moors.csv', 'Business Name,Address,Town\nMoor Shop,1 Moor Lane,Goathland');
  await upload(page).click();
  await page.getByRole('link', { name: 'Back to CRM Dashboard' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'CRM Dashboard' })).toBeVisible();

  await page.getByRole('link', { name: 'Import Businesses' }).click();
  await expect(page.getByRole('progressbar', { name: 'Import progress' })).toBeVisible();
  await expect(page.getByText('moors.csv')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeEnabled();
  await page.getByRole('link', { name: 'Back to CRM Dashboard' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'CRM Dashboard' })).toBeVisible();

  release();
  await expectToast(page, 'CSV Import Successful');
  await page.getByRole('link', { name: 'Import Businesses' }).click();
  await expect(result(page)).toContainText('Imported 1 of 1 business.');
});

test('the template can be imported unchanged, by administrators only', async ({ page, accounts }) => {
  await accounts.signIn(page, accounts.admin);
  await page.goto('/import');
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download Template' }).click();
  const template = await readFile(await (await saving).path());
  await pick(page, 'import-template.csv', template);
  await upload(page).click();
  await expect(result(page)).toContainText('Imported 1 of 1 business.');

  await accounts.signIn(page, await accounts.create('manager'));
  await page.goto('/import');
  await expect(page.getByText('Admin Access Required')).toBeVisible();
});
