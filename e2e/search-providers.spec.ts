import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { exportBusinesses, searchBusinesses } from '#contract/search/search.calls.ts';
import { createAccounts } from './accounts.ts';
import { expect, test } from './product.ts';

const cards = (page: Page) => page.getByRole('list', { name: 'Businesses' }).getByRole('article');
const names = (page: Page) => cards(page).getByRole('heading');
const field = (page: Page, label: string) => page.getByLabel(label);
const searchButton = (page: Page) => page.getByRole('button', { name: 'Search', exact: true });

async function search(page: Page, businessType: string) {
  await field(page, 'Business Type').fill(businessType);
  await field(page, 'Location').fill('Leeds');
  await searchButton(page).click();
}

const PROVIDERS = [
  { provider: 'google', source: 'Google Maps', placeId: 'ChIJexample' },
  { provider: 'google-legacy', source: 'Google Maps', placeId: 'ChIJlegacy' },
  { provider: 'osm', source: '© OpenStreetMap contributors', placeId: 'osm-' },
] as const;

for (const { provider, source, placeId } of PROVIDERS) {
  test(`bakeries of ${provider} become leads`, async ({ page, fakeProviders, startOwnProduct }) => {
    const { url } = await startOwnProduct('main', fakeProviders.env[provider]);
    const accounts = await createAccounts(url);
    const sam = await accounts.create('user', 'Sam Searcher');
    await accounts.signIn(page, accounts.admin);
    await page.goto(`${url}/`);
    await page.getByRole('button', { name: 'Advanced' }).click();
    await page.getByLabel('Max Results').fill('30');
    await page.getByLabel('Sort Results By').selectOption('Distance');
    await search(page, 'bakery');

    await expect(page.getByText('Showing 20 of 30 results')).toBeVisible();
    await expect(page.getByText(`Source: ${source}`)).toBeVisible();
    await expect(page.getByText('Sample data.')).toHaveCount(0);
    await expect(names(page).first()).toHaveText('Mill Lane Bakery 1');
    await page.getByRole('button', { name: 'Table' }).click();
    await page.getByRole('button', { name: 'Business Name' }).click();
    await page.getByRole('button', { name: 'Business Name' }).click();
    await page.getByRole('button', { name: 'Cards' }).click();
    await expect(cards(page)).toHaveCount(20);
    const sorted = await names(page).allTextContents();
    expect(sorted).toEqual(sorted.toSorted((a, b) => b.localeCompare(a, 'en-GB', { numeric: true })));

    await page.getByRole('region', { name: 'Results' }).getByRole('button', { name: 'Next' }).click();
    await expect(page.getByText('Page 2 of 2')).toBeVisible();
    await expect(cards(page)).toHaveCount(10);
    const secondPage = await names(page).allTextContents();
    expect(secondPage.filter((name) => sorted.includes(name))).toEqual([]);
    const [first = '', second = ''] = secondPage;
    for (const name of [first, second])
      await page.getByRole('checkbox', { name: `Select ${name}`, exact: true }).check();

    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('menuitem', { name: 'CSV File' }).click();
    const rows = (await readFile(await (await saving).path(), 'utf8')).trim().split('\r\n');
    expect(rows).toHaveLength(3);
    expect(rows.slice(1).join('\n')).toContain(placeId);
    expect(rows.slice(1).join('\n')).toContain('0113 496 0');

    await page.getByRole('button', { name: 'Assign to User' }).click();
    const dialog = page.getByRole('dialog', { name: 'Assign Businesses' });
    await dialog.getByLabel('User').selectOption(`Sam Searcher (${sam.username})`);
    await dialog.getByRole('button', { name: 'Assign', exact: true }).click();
    await expect(page.getByText('2 business(es) assigned successfully')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Lead of Sam Searcher' })).toHaveCount(2);

    await accounts.signIn(page, sam);
    await page.goto(`${url}/crm`);
    for (const name of [first, second]) await expect(page.getByRole('link', { name })).toBeVisible();
  });
}

const QUOTA = /^The Places API quota has been exceeded\. Please try again later or contact the administrator\.$/;
const FAILED = /^502: The Places API of Google failed\. Please try again\.$/;

/** The business type searched for, and the messages that the panel and the toast then show. */
const FAULTS: [businessType: string, panel: RegExp, toast: RegExp][] = [
  ['fault quota', QUOTA, /quota has been exceeded\. Please try again later\.$/],
  [
    'fault denied',
    /denied, possibly due to API key restrictions or invalid parameters/,
    /^The Places API denied the request/,
  ],
  ['fault key', /key is missing or invalid\. Please contact the administrator/, /key is missing\. Please/],
  ['fault invalid', /INVALID_REQUEST/, /Please check the search parameters/],
  ['fault down', FAILED, /^The Places API of Google failed/],
  ['fault malformed', FAILED, /^The Places API of Google failed/],
  ['fault huge', FAILED, /^The Places API of Google failed/],
  // The first page succeeds and the second fails: an incomplete search counts as failed.
  ['Corner', FAILED, /^The Places API of Google failed/],
];

test('every fault of a provider is reported, and the form kept', async ({
  page,
  context,
  fakeProviders,
  startOwnProduct,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 50[234]/);
  const { url } = await startOwnProduct('main', fakeProviders.env.google);
  const accounts = await createAccounts(url);
  await accounts.signIn(page, accounts.admin);
  const waiting = await context.newPage();
  await waiting.goto(`${url}/search`);
  await search(waiting, 'fault silent');
  const startedAt = Date.now();

  await page.bringToFront();
  await page.goto(`${url}/search`);
  await page.getByRole('button', { name: 'Advanced' }).click();
  await page.getByLabel('Max Results').fill('40');
  const panel = page.getByRole('region', { name: 'Results' });
  for (const [type, message, toast] of FAULTS) {
    // The same message may still be there from the fault before.
    const responded = page.waitForResponse((response) => response.url() === url + searchBusinesses.path);
    await search(page, type);
    await responded;
    await expect(page.getByRole('heading', { name: 'Places API Error' }), type).toBeVisible();
    await expect(panel.getByText(message), type).toBeVisible();
    await expect(page.getByText(toast), type).toBeVisible();
    await expect(field(page, 'Business Type')).toHaveValue(type);
    await expect(field(page, 'Location')).toHaveValue('Leeds');
    await expect(page.getByLabel('Max Results')).toHaveValue('40');
    await expect(searchButton(page)).toBeEnabled();
  }

  // A request to the provider has 8 seconds, and the visible screen retries once.
  await waiting.bringToFront();
  await expect(
    waiting.getByText('504: The Places API of Google took too long to answer. Please try again.'),
  ).toBeVisible({ timeout: 60_000 });
  expect(Date.now() - startedAt).toBeLessThan(90_000);
  await expect(field(waiting, 'Business Type')).toHaveValue('fault silent');
  expect(await countStored(page, url), 'stored after failed searches').toBe(0);

  await search(page, 'bakery');
  await expect(page.getByText('Showing 20 of 40 results')).toBeVisible();
  expect(await countStored(page, url), 'stored after a good search').toBe(20);
});

/** How many of the provider's businesses the product has stored, and can export. */
async function countStored(page: Page, url: string): Promise<number> {
  const placeIds = Array.from({ length: 70 }, (_, index) => `ChIJexample${index + 1}`);
  const data = { businessType: 'bakery', location: 'Leeds', format: 'csv', placeIds };
  const response = await page.request.post(`${url}${exportBusinesses.path}`, { data });
  if (response.status() === 404) return 0;
  return (await response.text()).trim().split('\r\n').length - 1;
}
