import type { Page } from '@playwright/test';
import { searchBusinesses } from '#contract/search/search.calls.ts';
import { expectAccessible } from './axe.ts';
import { assignLeads } from './leads.ts';
import { expectResultCount } from './list-screen.ts';
import { expect, test } from './product.ts';
import { expectNoOverflow } from './screen.ts';

const AROUND_THE_DISTRICT =
  'The postcode itself could not be looked up: the search is around the middle of its district, SW1A.';

/** Refuses every request that does not go to the product, and returns those that were tried. */
async function blockOutside(page: Page, productUrl: string, expectedErrors: RegExp[]) {
  const tried: string[] = [];
  expectedErrors.push(/net::ERR_/, /tile\.openstreetmap\.org/);
  await page.route(
    (url) => url.origin !== new URL(productUrl).origin,
    (route) => {
      tried.push(route.request().url());
      return route.abort();
    },
  );
  return tried;
}

test('without network, a postcode finds businesses and the map shows coast and towns', async ({
  page,
  accounts,
  product,
  expectedErrors,
}) => {
  await blockOutside(page, product.url, expectedErrors);
  const holder = await accounts.create('user');
  await accounts.signIn(page, holder);
  await page.goto('/search');
  await page.getByLabel('Business Type').fill('Restaurant');
  await page.getByLabel('Location').fill('SW1A 1AA');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 2, name: /^Results \([1-9]\d* found\)$/ })).toBeVisible();
  await expect(page.getByText(AROUND_THE_DISTRICT)).toBeVisible();

  await assignLeads(accounts, holder, { count: 2 });
  await page.goto('/crm?view=map');
  await expect(page.locator('path.base-land')).toBeVisible();
  await expect(page.locator('.base-name', { hasText: 'Leeds' })).toBeVisible();
});

test('without network, coverage is read by keyboard', async ({ page, accounts, product, expectedErrors }) => {
  const tried = await blockOutside(page, product.url, expectedErrors);
  const holder = await accounts.create('user', 'Carol Cover');
  const leads = await assignLeads(accounts, holder, { count: 12 });
  const districts = leads.map(({ business }) => /(\S+) \S+$/.exec(business.formattedAddress ?? '')?.[1] ?? '');
  const [district = ''] = districts;
  const inDistrict = districts.filter((code) => code === district).length;
  await accounts.sendAsAdmin(searchBusinesses, { body: { businessType: 'Bakery', location: district } });
  await accounts.signIn(page, accounts.admin);
  await page.goto('/');
  await page.getByRole('link', { name: 'Coverage' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Coverage' })).toBeVisible();
  await expect(page.getByText(/^Figures of/)).toBeVisible();
  await page.getByLabel('Person').selectOption({ label: `Carol Cover (${holder.username})` });
  await page.getByLabel('Show').selectOption('Never contacted');
  await expect(page.locator('path.sea-mask').first()).toBeVisible();
  await expect(page.locator('.base-name', { hasText: 'London' })).toBeVisible();

  const area = page.getByRole('button', { name: new RegExp(`^${district.replace(/\d.*/, '')} `) });
  await area.focus();
  await page.keyboard.press('Enter');
  await expect(area).toHaveAttribute('aria-expanded', 'true');
  const row = page.getByRole('button', { name: new RegExp(`^${district}\\b`) });
  await row.focus();
  await page.keyboard.press('Enter');
  const panel = page.getByRole('region', { name: new RegExp(`^${district}\\b`) });
  await expect(panel.getByRole('heading')).toBeFocused();
  await expect(panel.getByText('Never contacted').locator('..')).toContainText(String(inDistrict));
  await expect(panel.getByText('Last searched').locator('..')).not.toContainText('Never');
  await expectAccessible(page);

  await panel.getByRole('link', { name: `Leads in ${district}` }).press('Enter');
  await expectResultCount(page, inDistrict);
  await expect(page.getByText(`District: ${district}`)).toBeVisible();
  await page.goBack();
  await panel.getByRole('link', { name: `Search in ${district}` }).press('Enter');
  await expect(page.getByLabel('Location')).toHaveValue(district);
  expect(tried, 'the screen has no tiles').toEqual([]);
});

test('the map of districts is walked by the arrow keys', async ({ page, accounts }) => {
  await accounts.signIn(page, await accounts.create('manager'));
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/coverage?metric=known&area=LS');
  const map = page.getByRole('application', { name: /^Map of businesses known/ });
  await expect(map).toBeVisible();
  await map.focus();
  await page.keyboard.press('ArrowLeft');
  const tooltip = page.locator('.leaflet-tooltip').last(); // the one before fades out
  await expect(tooltip).toContainText(/^LS\d+ .*: Businesses known [\d,]+, Leads [\d,]+, (never )?searched/);
  const first = await tooltip.textContent();
  expect((await tooltip.boundingBox())?.width).toBeLessThan((await map.boundingBox())?.width ?? 0);
  await page.keyboard.press('ArrowLeft');
  await expect(tooltip).not.toHaveText(first ?? '');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('link', { name: /^Leads in / })).toBeVisible();
  await expect(page.getByText('Last searched')).toBeVisible();
  await expectAccessible(page);
  for (const width of [360, 390, 1440]) {
    await page.setViewportSize({ width, height: 844 });
    await expectNoOverflow(page, '/coverage');
  }
});

test('the pointer shows the numbers of a district', async ({ page, accounts }) => {
  await accounts.signIn(page, await accounts.create('manager'));
  await page.goto('/coverage?metric=known&area=HX');
  await expect(page.locator('path.sea-mask').first()).toBeVisible();
  const map = page.getByRole('application', { name: /^Map of businesses known/ });
  await map.hover();
  const text = (await page.locator('.leaflet-tooltip').textContent()) ?? '';
  const [, name = '', known, leads] =
    /^(.+): Businesses known ([\d,]+), Leads ([\d,]+), (?:never )?searched/.exec(text) ?? [];
  expect(name).toMatch(/^[A-Z]+\d+ \w+/);
  await map.click();
  const panel = page.getByRole('region', { name });
  await expect(panel.getByRole('heading', { name })).toBeFocused();
  await expect(panel.getByText('Businesses known').locator('..')).toHaveText(`Businesses known${known}`);
  await expect(panel.getByText('Leads', { exact: true }).locator('..')).toHaveText(`Leads${leads}`);
  await expect(page).toHaveURL(new RegExp(`district=${name.split(' ')[0]}$`));
});

test('a user sees their own coverage', { tag: '@screen' }, async ({ page, accounts }) => {
  await accounts.signIn(page, await accounts.create('user'));
  await page.goto('/coverage');
  await expect(page.getByRole('heading', { level: 1, name: 'Coverage' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'LS Leeds' })).toBeVisible();
  await expect(page.getByLabel('Person')).toHaveCount(0);
});
