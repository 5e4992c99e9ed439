import type { Page } from '@playwright/test';
import { createAccounts } from './accounts.ts';
import { expectAccessible } from './axe.ts';
import { expectResultCount } from './list-screen.ts';
import { expect, test } from './product.ts';
import { chooseTheme, expectNoOverflow, expectToast } from './screen.ts';
import { expectLargeTargets } from './target-sizes.ts';

/** The hosts of all requests of the page. */
function collectHosts(page: Page) {
  const hosts = new Set<string>();
  page.on('request', (request) => {
    if (request.url().startsWith('http')) hosts.add(new URL(request.url()).host);
  });
  return hosts;
}

/** No key, and nothing listens at the addresses of the services outside. */
const NOWHERE = 'http://127.0.0.1:9';
const BLOCKED = {
  GOOGLE_MAPS_API_KEY: '',
  GOOGLE_PLACES_URL: NOWHERE,
  GOOGLE_MAPS_URL: NOWHERE,
  OVERPASS_URL: NOWHERE,
  NOMINATIM_URL: NOWHERE,
  POSTCODES_URL: NOWHERE,
};

test('without network and key, all districts of Yorkshire are swept by keyboard', async ({ page, startOwnProduct }) => {
  test.setTimeout(240_000);
  const { url } = await startOwnProduct('main', BLOCKED);
  const accounts = await createAccounts(url);
  const holder = await accounts.create('user', 'Grace Okafor');
  const hosts = collectHosts(page);
  await accounts.signIn(page, accounts.admin);
  await page.goto(`${url}/crm`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();

  const palette = page.getByRole('dialog', { name: 'Find anything' });
  // The keys work once the page has loaded what listens to them.
  await expect(async () => {
    if (!(await palette.isVisible())) await page.keyboard.press('Control+k');
    await expect(palette).toBeVisible({ timeout: 5_000 });
  }).toPass();
  await page.keyboard.type('sweeps');
  await expect(page.getByRole('option', { name: /Sweeps/ }).first()).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${url}/sweeps`);
  await page.getByLabel('Business Type').focus();
  await page.keyboard.type('Hairdresser');
  await page.keyboard.press('Escape');
  await page.getByLabel('Districts').focus();
  await page.keyboard.type('Yorkshire and the Humber');
  const estimate = page.getByRole('region', { name: 'Estimate' });
  await expect(estimate).toContainText('239');
  await expect(estimate).toContainText("This installation's own places");
  await expect(estimate).toContainText('none');
  await expect(estimate).toContainText('a few seconds');
  await page.getByRole('button', { name: 'Start Sweep' }).focus();
  await page.keyboard.press('Enter');

  await expect(page.getByRole('heading', { level: 1, name: 'Hairdresser in Yorkshire and the Humber' })).toBeVisible();
  await expect(page.getByText('239 of 239 districts')).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText('Done', { exact: true }).first()).toBeVisible();
  for (const theme of ['Light', 'Dark'] as const) {
    await chooseTheme(page, accounts.admin.fullName, theme);
    await expectAccessible(page);
  }
  await page.getByRole('tab', { name: 'Results' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('region', { name: 'Districts' }).getByRole('row')).toHaveCount(101);
  await expectAccessible(page);
  await page.keyboard.press('ArrowLeft');

  const assignAll = page.getByRole('button', { name: /^Assign all new \(\d+\)$/ });
  const found = Number(/\d+/.exec((await assignAll.textContent()) ?? '')?.[0]);
  expect(found).toBeGreaterThan(20);
  await assignAll.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Assign Results' });
  await dialog.getByLabel('User').selectOption({ label: `Grace Okafor (${holder.username})` });
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Assign', exact: true }).focus();
  await page.keyboard.press('Enter');
  await expectToast(page, `${found} businesses assigned`);
  await expect(page.getByText('No new businesses')).toBeVisible();

  await page.getByRole('link', { name: 'View the leads' }).focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/crm\?.*changes=/);
  await expectResultCount(page, found);
  await page.goto(`${url}/changes?kind=assign`);
  await page.getByRole('row').getByRole('button', { name: 'Undo' }).first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click();
  await expectToast(page, 'Undone');
  await page.goto(`${url}/sweeps`);
  await page.getByRole('link', { name: 'Hairdresser in Yorkshire and the Humber' }).click();
  await expect(page.getByRole('button', { name: `Assign all new (${found})` })).toBeVisible();
  expect([...hosts]).toEqual([new URL(url).host]);
});

test('on a phone, some results of a sweep are assigned evenly', { tag: '@screen' }, async ({
  page,
  startOwnProduct,
}) => {
  const { url } = await startOwnProduct();
  const accounts = await createAccounts(url);
  const [first, second] = [await accounts.create('user', 'Grace Okafor'), await accounts.create('user', 'Omar Siddiq')];
  await accounts.signIn(page, accounts.admin);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${url}/sweeps?area=LS&type=Restaurant`);
  await expect(page.getByRole('region', { name: 'Estimate' })).toContainText('29');
  await expectNoOverflow(page);
  await expectLargeTargets(page, 'the form of a sweep');
  await page.getByRole('button', { name: 'Start Sweep' }).click();
  await expect(page.getByText('29 of 29 districts')).toBeVisible({ timeout: 60_000 });
  await expectNoOverflow(page);
  await expectLargeTargets(page, 'a sweep');
  await expectAccessible(page);
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await page.getByRole('button', { name: 'Assign selected' }).click();
  const dialog = page.getByRole('dialog', { name: 'Assign Results' });
  await dialog.getByRole('button', { name: 'By open leads' }).click();
  for (const { fullName } of [first, second]) await dialog.getByRole('checkbox', { name: fullName }).check();
  await expect(dialog.getByRole('row', { name: /Grace Okafor/ })).toBeVisible();
  await expectLargeTargets(page, 'the dialog', '[role="dialog"]');
  await dialog.getByRole('button', { name: 'Assign', exact: true }).click();
  await expectToast(page, 'businesses assigned');
  await page.getByRole('tab', { name: 'Districts' }).click();
  await expect(page.getByRole('region', { name: 'Districts' })).toBeVisible();
  await expectNoOverflow(page);
});

test('with a paid provider, a sweep stops at the cap that was shown', async ({
  page,
  fakeProviders,
  startOwnProduct,
}) => {
  const cap = { PLACES_MONTHLY_REQUEST_CAP: '4' };
  const { url } = await startOwnProduct('main', { ...fakeProviders.env.google, ...cap });
  const accounts = await createAccounts(url);
  await accounts.signIn(page, accounts.admin);
  await page.goto(`${url}/sweeps?area=LS1,+LS2&type=Bakery`);
  const estimate = page.getByRole('region', { name: 'Estimate' });
  await expect(estimate).toContainText('at most 6, all paid');
  await expect(estimate).toContainText('4 of 4 paid calls left');
  await expect(estimate).toContainText('The cap may be reached');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Start Sweep' }).click();
  await expect(page.getByText('Stopped at the cap: 1 of 2 districts done.')).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole('button', { name: 'Continue' })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Assign all new \([1-9]/ })).toBeEnabled();
  await expectAccessible(page);
});

test('a paused sweep on OpenStreetMap is continued to its end', async ({ page, fakeProviders, startOwnProduct }) => {
  const { url } = await startOwnProduct('main', fakeProviders.env.osm);
  const accounts = await createAccounts(url);
  await accounts.signIn(page, accounts.admin);
  // A call a second: long enough to pause it.
  await page.goto(`${url}/sweeps?area=LS1,+LS2,+LS3,+LS4,+LS5,+LS6,+LS7,+LS8,+LS9,+LS10&type=Bakery`);
  await expect(page.getByRole('region', { name: 'Estimate' })).toContainText('free of charge');
  await page.getByRole('button', { name: 'Start Sweep' }).click();
  const some = page.getByText(/^[1-9] of 10 districts$/);
  await expect(some).toBeVisible({ timeout: 30_000 });
  await page.getByRole('button', { name: 'Pause' }).click();
  const proceed = page.getByRole('button', { name: 'Continue' });
  await expect(proceed).toBeEnabled({ timeout: 30_000 });
  await expect(page.getByText('Paused', { exact: true }).first()).toBeVisible();
  await expect(some).toBeVisible();
  await expect(page.getByRole('button', { name: 'Assign all new (70)' })).toBeEnabled();
  await expectAccessible(page);

  await proceed.click();
  await expect(page.getByText('10 of 10 districts')).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText('Done', { exact: true }).first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Assign all new (70)' })).toBeEnabled();
  await expect(proceed).toBeHidden();
});
