import { readFile } from 'node:fs/promises';
import { expect, type Page, test } from '@playwright/test';
import { exportBusinesses } from '#contract/search/search.calls.ts';
import { startFakeProviders } from './fake-providers.ts';
import { createPeople } from './people.ts';
import { startProduct } from './started-product.ts';
import { watchBrowser } from './watch-browser.ts';

// Each starts a product of its own, so that none has to wait for another.
test.describe.configure({ mode: 'parallel' });

let fakes: Awaited<ReturnType<typeof startFakeProviders>>;
test.beforeAll(async () => {
  fakes = await startFakeProviders();
});
test.afterAll(() => fakes.stop());

const cards = (page: Page) => page.getByRole('list', { name: 'Businesses' }).getByRole('article');
const names = (page: Page) => cards(page).getByRole('heading').allTextContents();
const field = (page: Page, label: string) => page.getByLabel(label);
const searchButton = (page: Page) => page.getByRole('button', { name: 'Search', exact: true });

async function search(page: Page, businessType: string) {
  await field(page, 'Business Type').fill(businessType);
  await field(page, 'Location').fill('Leeds');
  await searchButton(page).click();
}

const JOURNEYS = [
  { provider: 'google', source: 'Google Maps', placeId: 'ChIJexample' },
  { provider: 'google-legacy', source: 'Google Maps', placeId: 'ChIJlegacy' },
  { provider: 'osm', source: '© OpenStreetMap contributors', placeId: 'osm-' },
] as const;

for (const { provider, source, placeId } of JOURNEYS) {
  test(`bakeries of ${provider} are found, sorted, paged, exported, and given to somebody who has them`, async ({
    page,
    context,
  }) => {
    test.slow(); // it starts a product of its own
    const product = await startProduct('main', fakes[provider]);
    try {
      const complaints = watchBrowser(context);
      const people = await createPeople(product.url);
      const sam = await people.person('user', 'Sam Searcher');
      await people.signIn(page, people.admin);
      await page.goto(`${product.url}/`);
      await page.getByRole('button', { name: 'Advanced' }).click();
      await page.getByLabel('Max Results').fill('30');
      await page.getByLabel('Sort Results By').selectOption('Distance');
      await search(page, 'bakery');

      await expect(page.getByText('Showing 20 of 30 results')).toBeVisible({ timeout: 20_000 });
      await expect(page.getByText(`Source: ${source}`)).toBeVisible();
      await expect(page.getByText('Sample data.')).toHaveCount(0);
      const [nearest = ''] = await names(page);
      expect(nearest).toBe('Mill Lane Bakery 1');
      await page.getByRole('button', { name: 'Table' }).click();
      await page.getByRole('button', { name: 'Business Name' }).click();
      await page.getByRole('button', { name: 'Business Name' }).click();
      await page.getByRole('button', { name: 'Cards' }).click();
      const sorted = await names(page);
      expect(sorted).toEqual(sorted.toSorted((a, b) => b.localeCompare(a, 'en-GB', { numeric: true })));

      await page.getByRole('region', { name: 'Results' }).getByRole('button', { name: 'Next' }).click();
      await expect(page.getByText('Page 2 of 2')).toBeVisible();
      await expect(cards(page)).toHaveCount(10);
      const secondPage = await names(page);
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

      await people.signIn(page, sam);
      await page.goto(`${product.url}/crm`);
      for (const name of [first, second]) await expect(page.getByRole('link', { name })).toBeVisible();
      expect(complaints).toEqual([]);
      await page.goto('about:blank');
    } finally {
      await product.stop();
    }
  });
}

const QUOTA = /^The Places API quota has been exceeded\. Please try again later or contact the administrator\.$/;
const FAILED = /^502: The Places API of Google failed\. Please try again\.$/;

/** What is asked, what the panel then says, and what the toast says. */
const FAULTS: [asked: string, panel: RegExp, toast: RegExp][] = [
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
  // Its first page comes; a search that is not whole is none.
  ['Corner', FAILED, /^The Places API of Google failed/],
];

test('every fault of a provider is said in the panel and the toast, keeps the form, and leaves nothing behind', async ({
  page,
  context,
}) => {
  test.slow();
  const product = await startProduct('main', fakes.google);
  try {
    const people = await createPeople(product.url);
    await people.signIn(page, people.admin);
    const waiting = await context.newPage();
    await waiting.goto(`${product.url}/search`);
    await search(waiting, 'fault silent');
    const asked = Date.now();

    await page.bringToFront();
    await page.goto(`${product.url}/search`);
    await page.getByRole('button', { name: 'Advanced' }).click();
    await page.getByLabel('Max Results').fill('40');
    const panel = page.getByRole('region', { name: 'Results' });
    for (const [type, says, toast] of FAULTS) {
      await search(page, type);
      await expect(page.getByRole('heading', { name: 'Places API Error' }), type).toBeVisible({ timeout: 15_000 });
      await expect(panel.getByText(says), type).toBeVisible();
      await expect(page.getByText(toast), type).toBeVisible();
      await expect(field(page, 'Business Type')).toHaveValue(type);
      await expect(field(page, 'Location')).toHaveValue('Leeds');
      await expect(page.getByLabel('Max Results')).toHaveValue('40');
      await expect(searchButton(page)).toBeEnabled();
    }

    // A call has 8 seconds, and the screen tries once more when it is looked at.
    await waiting.bringToFront();
    await expect(
      waiting.getByText('504: The Places API of Google took too long to answer. Please try again.'),
    ).toBeVisible({ timeout: 60_000 });
    expect(Date.now() - asked).toBeLessThan(90_000);
    await expect(field(waiting, 'Business Type')).toHaveValue('fault silent');
    expect(await storedBusinesses(page, product.url), 'nothing was stored').toBe(0);

    await search(page, 'bakery');
    await expect(page.getByText('Showing 20 of 40 results')).toBeVisible();
    expect(await storedBusinesses(page, product.url), 'a page of good ones was').toBe(20);
    for (const open of [page, waiting]) await open.goto('about:blank');
  } finally {
    await product.stop();
  }
});

/** How many of all the businesses that the provider knows can be exported. */
async function storedBusinesses(page: Page, url: string): Promise<number> {
  const placeIds = Array.from({ length: 70 }, (_, index) => `ChIJexample${index + 1}`);
  const data = { businessType: 'bakery', location: 'Leeds', format: 'csv', placeIds };
  const response = await page.request.post(`${url}${exportBusinesses.path}`, { data });
  if (response.status() === 404) return 0;
  return (await response.text()).trim().split('\r\n').length - 1;
}
