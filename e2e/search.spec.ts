import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { searchBusinesses } from '#contract/search/search.calls.ts';
import { expectAccessible } from './axe.ts';
import { expect, test } from './product.ts';
import { expectNoOverflow } from './screen.ts';

const BAKERIES = { businessType: 'bakery', location: 'Leeds' };

const results = (page: Page) => page.getByRole('region', { name: 'Results' });
const cards = (page: Page) => page.getByRole('list', { name: 'Businesses' }).getByRole('article');
const names = (page: Page) => cards(page).getByRole('heading');

async function search(page: Page, businessType: string, location: string) {
  await page.getByLabel('Business Type').fill(businessType);
  await page.getByLabel('Location').fill(location);
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await expect(page.getByRole('heading', { level: 2, name: /^Results \(\d+ found\)$/ })).toBeVisible();
}

test('results of a search become a lead of a user', { tag: '@screen' }, async ({ page, accounts }) => {
  const sam = await accounts.create('user', 'Sam Searcher');
  const { totalCount } = await accounts.sendAsAdmin(searchBusinesses, { body: BAKERIES });
  expect(totalCount).toBeGreaterThan(0);
  await accounts.signIn(page, accounts.admin);
  await page.goto('/');
  await expect(page.getByRole('tab', { name: 'Search Businesses', selected: true })).toBeVisible();

  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await expect(page.getByText('Business type is required')).toBeVisible();
  await expect(page.getByText('Location is required')).toBeVisible();
  await page.getByLabel('Business Type').pressSequentially('bake');
  await expect(page.getByRole('option', { name: 'Bakery' })).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Business Type')).toHaveValue('Bakery');
  await page.getByLabel('Location').pressSequentially('leed');
  await page.getByRole('option', { name: 'Leeds' }).click();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Sample data.')).toBeVisible();
  await expect(cards(page)).toHaveCount(totalCount);
  const found = await names(page).allTextContents();
  await expect(page.getByText(`Showing ${totalCount} of ${totalCount} results`)).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Table' }).click();
  await page.getByRole('button', { name: 'Business Name' }).click();
  await expect(page.getByRole('columnheader', { name: 'Business Name' })).toHaveAttribute('aria-sort', 'ascending');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Cards' }).click();
  const sorted = found.toSorted((a, b) => a.localeCompare(b, 'en-GB', { numeric: true }));
  await expect(names(page)).toHaveText(sorted);
  const [first = ''] = sorted;

  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: 'CSV File' }).click();
  await expect(page.getByText('Please select at least one business to export.')).toBeVisible();
  await page
    .getByRole('checkbox', { name: `Select ${first}`, exact: true })
    .first()
    .check();
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: 'CSV File' }).click();
  const saved = await saving;
  expect(saved.suggestedFilename()).toBe('business-data.csv');
  const rows = (await readFile(await saved.path(), 'utf8')).trim().split('\r\n');
  expect(rows).toHaveLength(2);
  expect(rows[1]).toContain(first);
  await expect(page.getByText('Data exported as CSV successfully!')).toBeVisible();

  await page.getByRole('button', { name: 'Assign to User' }).click();
  const dialog = page.getByRole('dialog', { name: 'Assign Businesses' });
  await expect(dialog).toContainText('1 selected business will be assigned.');
  await dialog.getByRole('button', { name: 'Assign', exact: true }).click();
  await expect(dialog.getByText('Please select a user')).toBeVisible();
  await expectAccessible(page);
  await dialog.getByLabel('User').selectOption(`Sam Searcher (${sam.username})`);
  await dialog.getByRole('button', { name: 'Assign', exact: true }).click();
  await expect(page.getByText('1 business(es) assigned successfully')).toBeVisible();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('link', { name: 'Lead of Sam Searcher' })).toBeVisible();
  await page.getByRole('switch', { name: 'Hide businesses that are already leads' }).check();
  await expect(cards(page)).toHaveCount(totalCount - 1);

  await page.getByRole('tab', { name: 'CRM Dashboard' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'CRM Dashboard' })).toBeVisible();
  await page.getByRole('tab', { name: 'Search Businesses' }).click();
  await expect(page.getByLabel('Location'), 'the search is still there').toHaveValue('Leeds');
  await expect(cards(page)).toHaveCount(totalCount);

  await accounts.signIn(page, sam);
  await page.goto('/crm');
  await expect(page.getByRole('link', { name: first })).toBeVisible();
});

test('a search is paged by token', async ({ page, accounts }) => {
  await accounts.signIn(page, await accounts.create('user'));
  await page.goto('/search');
  await page.getByRole('button', { name: 'Advanced' }).click();
  await page.getByLabel('Search Radius (miles)').fill('30');
  await page.getByLabel('Max Results').fill('60');
  await search(page, 'restaurant', 'Leeds');
  await expect(page.getByText(/^Showing 20 of \d+ results$/)).toBeVisible();
  const firstPage = await names(page).allTextContents();
  await page.getByRole('checkbox', { name: 'Select All', exact: true }).check();
  await expect(page.getByText('20 selected')).toBeVisible();
  await results(page).getByRole('button', { name: 'Next' }).click();
  await expect(page.getByText(/^Page 2 of/)).toBeVisible();
  expect(await names(page).allTextContents()).not.toEqual(firstPage);
  await expect(page.getByRole('checkbox', { name: 'Select All', exact: true })).not.toBeChecked();
  await expect(page.getByRole('button', { name: 'Assign to User' })).toHaveCount(0);
  await results(page).getByRole('button', { name: 'Previous' }).click();
  await expect(page.getByText('The places provider does not support going back to an earlier page.')).toBeVisible();
  await expect(page.getByText(/^Page 1 of/)).toBeVisible();
  await expect(names(page)).toHaveText(firstPage);
});

test('an unknown location leaves the form filled in', async ({ page, accounts }) => {
  await accounts.signIn(page, await accounts.create('user'));
  await page.goto('/search');
  await page.getByLabel('Business Type').fill('bakery');
  await page.getByLabel('Location').fill('Nowhereville');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Places API Error' })).toBeVisible();
  await expect(page.getByText('Please check the search parameters.')).toBeVisible();
  await expect(page.getByLabel('Location')).toHaveValue('Nowhereville');
  await expectAccessible(page);
  await page.getByLabel('Location').fill('Leeds');
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await expect(cards(page).first()).toBeVisible();
});

test('the results pass axe in both themes and fit a phone', async ({ page, accounts }) => {
  await accounts.signIn(page, accounts.admin);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/search');
  await page.getByRole('button', { name: 'Advanced' }).click();
  await search(page, 'bakery', 'Leeds');
  await expectAccessible(page);
  await expectNoOverflowOnPhones(page);
  await page.getByRole('button', { name: 'Table' }).click();
  await expect(page.getByRole('columnheader', { name: 'Links' })).toBeAttached();
  await expectAccessible(page);
  await expectNoOverflowOnPhones(page);
});

async function expectNoOverflowOnPhones(page: Page) {
  for (const width of [360, 390]) {
    await page.setViewportSize({ width, height: 844 });
    await expectNoOverflow(page);
  }
}
