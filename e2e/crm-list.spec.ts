import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { assignLeads } from './leads.ts';
import { blockMapTiles, expectResultCount, runBulkAction } from './list-screen.ts';
import { expect, test } from './product.ts';
import { expectNoOverflow, expectToast } from './screen.ts';

const COUNT = 12;

test('a user who comes back from a lead finds the list unchanged', { tag: '@screen' }, async ({ page, accounts }) => {
  const holder = await accounts.create();
  const leads = await assignLeads(accounts, holder, { count: COUNT });
  await accounts.signIn(page, holder);
  await page.goto('/');

  await expect(page.getByRole('heading', { name: 'CRM Dashboard', level: 1 })).toBeVisible();
  await expect(page.getByRole('tab', { name: 'Search Businesses' })).toHaveCount(0);
  await expect(page.getByLabel('Assigned User')).toBeDisabled();
  await expect(page.getByRole('link', { name: 'Import Businesses' })).toHaveCount(0);
  await expectResultCount(page, COUNT);
  await expectToast(page, 'List refreshed');
  await expect(page.getByRole('article')).toHaveCount(10);

  const last = leads[COUNT - 1]?.business.name ?? '';
  await page.getByLabel('Search by name').fill(last.toUpperCase());
  await expect(page.getByRole('article', { name: last })).toBeVisible();
  await expect(page).toHaveURL(/[?&]q=/);
  await page.getByRole('article', { name: last }).getByRole('button', { name: 'Mark as Viewed' }).click();
  await expectToast(page, 'Business marked as viewed');
  await page.getByRole('button', { name: 'Reset Filters' }).click();
  await expectResultCount(page, COUNT);

  await page.getByLabel('Lead Status').selectOption('Closed (Won)');
  await expect(page.getByText('No business assignments found')).toBeVisible();
  await expect(page.getByText('Your administrator will assign businesses to you when available.')).toBeVisible();
  await expect(page.getByLabel('Hide Closed Leads')).not.toBeChecked();
  await page.getByRole('button', { name: 'Reset Filters' }).click();

  await page.getByLabel('Sort by date').selectOption('Oldest first');
  await page.getByRole('tab', { name: 'Table' }).click();
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page.getByText('Page 2 of 2')).toBeVisible();
  await page.getByRole('button', { name: 'Previous' }).click();
  await expect(page.getByText('Page 1 of 2')).toBeVisible();
  await page.getByRole('button', { name: 'Next' }).click();
  const row = page.getByRole('row', { name: new RegExp(escapeRegExp(last)) });
  await row.getByRole('link', { name: 'View Profile' }).click();
  await expect(page.getByRole('heading', { name: last, level: 1 })).toBeVisible();

  await page.goto('/crm');
  await expect(row).toHaveAttribute('data-highlighted', 'true'); // for a moment
  await expect(page.getByText('Page 2 of 2')).toBeVisible();
  await expect(page).toHaveURL(/view=table/);
  await expect(page.getByLabel('Sort by date')).toHaveValue('oldest');
  await expect(row).not.toHaveAttribute('data-highlighted', 'true');

  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL(/\/auth$/);
  // A reload stores what the tab is to keep.
  await page.reload();
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('remembered')))).toEqual([]);
  expect(await page.evaluate(() => JSON.stringify([{ ...sessionStorage }, history.state]))).not.toMatch(/business|crm/);
});

test('going back restores the scroll position of every list and profile', async ({ page, accounts }) => {
  const holder = await accounts.create();
  await assignLeads(accounts, holder, { count: COUNT });
  await accounts.signIn(page, holder);
  await page.setViewportSize({ width: 900, height: 500 });
  await page.goto('/crm');
  await expectResultCount(page, COUNT);
  const scrollY = () => page.evaluate(() => window.scrollY);
  const scrollTo = async (y: number) => {
    await page.evaluate((to) => window.scrollTo(0, to), y);
    await expect.poll(scrollY).toBe(y);
  };

  await scrollTo(600);
  await page.evaluate(() => window.history.pushState(null, '', '/crm?sort=oldest&q=no-such-name'));
  await expectResultCount(page, 0);
  await expect.poll(scrollY).toBe(0);
  await page.goBack();
  await expectResultCount(page, COUNT);
  await expect(page.getByLabel('Sort by date')).toHaveValue('newest');
  await expect.poll(scrollY).toBe(600);

  const profile = page.getByRole('link', { name: 'View Profile' }).nth(6);
  await profile.scrollIntoViewIfNeeded();
  const left = await scrollY();
  expect(left).toBeGreaterThan(0);
  await profile.click();
  await expect(page.getByRole('tab', { name: 'Notes' })).toBeVisible();
  await expect.poll(scrollY).toBe(0);
  await scrollTo(100);
  await page.goBack();
  await expectResultCount(page, COUNT);
  await expect.poll(scrollY).toBe(left);
  await page.goForward();
  await expect(page.getByRole('tab', { name: 'Notes' })).toBeVisible();
  await expect.poll(scrollY).toBe(100);
  await page.reload();
  await expect(page.getByRole('tab', { name: 'Notes' })).toBeVisible();
  await expect.poll(scrollY).toBe(100);
});

test('an administrator changes many leads at once', async ({ page, accounts }) => {
  const holder = await accounts.create('user', 'Hilda Holder');
  const successor = await accounts.create('user', 'Henry Heir');
  await assignLeads(accounts, holder, { count: COUNT });
  await accounts.signIn(page, accounts.admin);
  await page.goto('/');
  await expect(page.getByRole('tab', { name: 'Search Businesses' })).toHaveAttribute('aria-selected', 'true');
  await page.getByRole('tab', { name: 'CRM Dashboard' }).click();
  await expect(page.getByRole('link', { name: 'Import Businesses' })).toHaveAttribute('href', '/import');

  await page.getByLabel('Assigned User').selectOption('Hilda Holder');
  await expectResultCount(page, COUNT);
  await page.getByRole('tab', { name: 'Table' }).click();
  await page.getByLabel('Select all on this page').check();
  await expect(page.getByText('10 selected')).toBeVisible();

  await runBulkAction(page, 'Archive');
  await expectToast(page, '10 businesses archived successfully');
  await expectResultCount(page, 2);
  await page.getByLabel('Show Archived').check();
  await expectResultCount(page, COUNT);
  await page.getByLabel('Items per page').selectOption('20');
  await expect(page.getByText('ARCHIVED', { exact: true })).toHaveCount(10);
  await page.getByLabel('Select all on this page').check();
  await runBulkAction(page, 'Restore');
  await expectToast(page, `${COUNT} businesses restored successfully`);
  await page.getByLabel('Show Archived').uncheck();
  await expectResultCount(page, COUNT);

  await page
    .getByLabel(/^Select (?!all)/)
    .first()
    .check();
  await runBulkAction(page, 'Update Status', 'Negotiation');
  await expectToast(page, 'Status updated for 1 businesses');
  await page.getByLabel('Lead Status').selectOption('Negotiation');
  await expectResultCount(page, 1);
  await page.getByLabel('Lead Status').selectOption('All Statuses');
  await expectResultCount(page, COUNT);

  await page
    .getByLabel(/^Select (?!all)/)
    .nth(0)
    .check();
  await page
    .getByLabel(/^Select (?!all)/)
    .nth(1)
    .check();
  await runBulkAction(page, 'Reassign');
  const reassigning = page.getByRole('dialog', { name: 'Reassign Businesses' });
  await reassigning.getByRole('button', { name: 'Reassign' }).click();
  await expect(reassigning.getByText('Please select a user to reassign to')).toBeVisible();
  await expectAccessible(page);
  await reassigning.getByRole('combobox').selectOption(`Henry Heir (${successor.username})`);
  await reassigning.getByLabel('Notes').fill('New territory');
  await reassigning.getByRole('button', { name: 'Reassign' }).click();
  await expectToast(page, '2 businesses reassigned successfully');
  await expectResultCount(page, COUNT - 2);

  await page.getByLabel('Select all on this page').check();
  await runBulkAction(page, 'Delete');
  const deleting = page.getByRole('alertdialog', { name: 'Confirm Deletion' });
  await expect(deleting).toContainText(
    'Are you sure you want to delete 10 selected business(es)? This action is permanent and cannot be undone.',
  );
  await deleting.getByRole('button', { name: 'Delete' }).click();
  await expectToast(page, '10 businesses deleted successfully');
  await expect(page.getByText('Assign businesses to users from the search results page.')).toBeVisible();
});

test('the map shows leads to pointer and keyboard, even without tiles', { tag: '@screen' }, async ({
  page,
  accounts,
  expectedErrors,
}) => {
  await blockMapTiles(page, expectedErrors);
  const holder = await accounts.create('user', 'Mia Mapper');
  const [first] = await assignLeads(accounts, holder, { count: 3 });
  await accounts.signIn(page, holder);
  await page.goto('/crm');
  await page.getByRole('tab', { name: 'Map' }).click();
  await expect(page.getByText('3 businesses on the map')).toBeVisible();
  await expect(page.locator('.leaflet-marker-icon')).toHaveCount(3);
  await expect(page.getByText(/It shows coasts and towns only/)).toBeVisible();
  await expect(page.locator('.base-land')).toBeVisible();
  await expect(page.locator('[aria-hidden] > .base-name').first()).toBeVisible();
  await expect(page.getByText('Natural Earth', { exact: false })).toBeVisible();

  await page.getByRole('button', { name: `Show on the map: ${first.business.name}` }).press('Enter');
  const popup = page.getByRole('region', { name: 'Business', exact: true });
  await expect(popup.getByRole('heading', { name: first.business.name })).toBeVisible();
  await expect(popup.getByText('Mia Mapper')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Reset View' }).click();
  await popup.getByRole('link', { name: 'Business Profile' }).click();
  await expect(page).toHaveURL(new RegExp(`${first.path}$`));
});

test('the map frames its markers at every size', async ({ page, accounts, expectedErrors }) => {
  await blockMapTiles(page, expectedErrors);
  const holder = await accounts.create('user', 'Mia Mapper');
  await assignLeads(accounts, holder, { count: 10 });
  await assignLeads(accounts, holder, { count: 10, location: 'Bristol' });
  await accounts.signIn(page, holder);
  const map = page.getByRole('region', { name: 'Map' });
  for (const [width, height] of [
    [1440, 900],
    [1280, 720],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.goto('/crm?view=map');
    await expect(page.getByText('20 businesses on the map')).toBeVisible();
    await expect.poll(() => countMarkersInView(page), `${width}×${height}`).toBe(20);
    // In the size that the map has now, and not in one that it had while the page was drawn.
    const opened = await page.locator('.leaflet-marker-icon').first().boundingBox();
    await page.getByRole('button', { name: 'Reset View' }).click();
    expect(await page.locator('.leaflet-marker-icon').first().boundingBox(), `${width}×${height}`).toEqual(opened);
  }
  const before = await page.locator('.leaflet-marker-icon').first().boundingBox();
  // Far outside the viewport.
  await assignLeads(accounts, holder, { location: 'Aberdeen' });
  await expect(page.getByText('21 businesses on the map')).toBeVisible();
  // The new marker may be the first one.
  const markers = await page.locator('.leaflet-marker-icon').all();
  expect(await Promise.all(markers.map((marker) => marker.boundingBox()))).toContainEqual(before);
  expect(await countMarkersInView(page)).toBe(20);
  await page.getByRole('button', { name: 'Reset View' }).click();
  await expect.poll(() => countMarkersInView(page)).toBe(21);
  await expect(map.getByRole('button', { name: 'Business' })).toHaveCount(0);
});

const countMarkersInView = (page: Page) =>
  page.evaluate(() => {
    const area = document.querySelector('.street-map')?.getBoundingClientRect() ?? new DOMRect();
    return [...document.querySelectorAll('.leaflet-marker-icon')].filter((marker) => {
      const { left, right, top, bottom } = marker.getBoundingClientRect();
      return left >= area.left && right <= area.right && top >= area.top && bottom <= area.bottom;
    }).length;
  });

test('the toast of the list covers no control', async ({ page, accounts }) => {
  const holder = await accounts.create();
  await assignLeads(accounts, holder, { count: COUNT });
  await accounts.signIn(page, holder);
  const toast = page.getByRole('status').filter({ hasText: 'List refreshed' });
  for (const [width, height, view] of [
    [1440, 900, 'list'],
    [1280, 720, 'table'],
    [390, 844, 'list'],
    [390, 844, 'table'],
  ] as const) {
    const size = `${view} at ${width}×${height}`;
    await page.setViewportSize({ width, height });
    await page.goto(`/crm?view=${view}`);
    await expect(toast).toBeVisible();
    await expect(page.getByRole('button', { name: 'Next' })).toBeAttached();
    expect(await findCoveredControls(toast), `on load: ${size}`).toEqual([]);
    await expect(toast).toBeHidden();
    await page.getByRole('button', { name: 'Refresh List' }).click();
    await expect(toast).toBeVisible();
    expect(await findCoveredControls(toast), `on refresh: ${size}`).toEqual([]);
  }
});

/** The controls on the screen that an element stands on. */
const findCoveredControls = (element: Locator) =>
  element.evaluate((toast) => {
    const { top, right, bottom, left } = toast.getBoundingClientRect();
    return [...document.querySelectorAll('a[href], button, input, select, textarea, [role="tab"]')]
      .filter((control) => {
        const box = control.getBoundingClientRect();
        const overlaps = box.left < right && box.right > left && box.top < bottom && box.bottom > top;
        return overlaps && !toast.contains(control) && control.checkVisibility();
      })
      .map((control) => control.outerHTML.slice(0, 200));
  });

test('every view fits a phone and is accessible in both themes', async ({ page, accounts, expectedErrors }) => {
  await blockMapTiles(page, expectedErrors);
  const holder = await accounts.create();
  await assignLeads(accounts, holder, { count: 3 });
  await accounts.signIn(page, holder);
  for (const view of ['list', 'table', 'map']) {
    await page.goto(`/crm?view=${view}&sort=oldest`);
    await expectResultCount(page, 3);
    if (view === 'map') await expect(page.getByRole('region', { name: 'Map' })).toBeVisible();
    for (const width of [1280, 390, 360]) {
      await page.setViewportSize({ width, height: 800 });
      await expectNoOverflow(page);
      if (width !== 360) await expectAccessible(page);
    }
  }
  await page.getByRole('button', { name: 'Show Filters' }).click();
  await page.getByRole('button', { name: /^Custom Tags/ }).click();
  await expect(page.getByRole('button', { name: 'Clear all' })).toBeVisible();
  await expectNoOverflow(page);
  await expectAccessible(page);
});

const escapeRegExp = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
