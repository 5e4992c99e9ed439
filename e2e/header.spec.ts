import { expectAccessible } from './axe.ts';
import { holdRequests } from './hold-requests.ts';
import { expect, test } from './product.ts';
import { expectNoOverflow } from './screen.ts';

/** The parts that are loaded after the rest of the header. */
const PARTS = /\/assets\/(Bell|HeaderMeters)-.*\.js/;

test('every user reaches the leads and the search from the header', async ({ page, accounts }) => {
  await accounts.signIn(page, await accounts.create('user', 'Bartholomew Featherstonehaugh-Cholmondeley'));
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const skip = page.getByRole('link', { name: 'Skip to content' });
  await skip.focus();
  await expect(skip).toHaveCSS('padding', '8px 16px');
  const nav = page.getByRole('navigation', { name: 'Main' });
  await nav.getByRole('link', { name: 'Search' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Search for Businesses' })).toBeVisible();
  await expect(nav.getByRole('link', { name: 'Search' })).toHaveAttribute('aria-current', 'page');
  await nav.getByRole('link', { name: 'Leads' }).click();
  await expect(page).toHaveURL(/\/crm$/);
  await expect(nav.getByRole('link', { name: 'Leads' })).toHaveAttribute('aria-current', 'page');
});

test('the header of an administrator with a long name fits every window', async ({ page, accounts }) => {
  await accounts.signIn(page, await accounts.create('admin', 'Bartholomew Featherstonehaugh-Cholmondeley'));
  await page.goto('/search');
  await expect(page.getByRole('button', { name: 'Notifications', exact: true })).toBeVisible();
  await expect(page.getByRole('progressbar').first()).toBeVisible();
  const height = async () => (await page.getByRole('banner').boundingBox())?.height;
  for (const [width, maxHeight] of [
    [1440, 80],
    [1280, 80],
    [1024, 140],
    [390, 180],
    [360, 180],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await expectNoOverflow(page);
    await expect.poll(height, `the header's height at ${width} px`).toBeLessThanOrEqual(maxHeight);
  }
});

test('the header shows whole names and leaves room in a zoomed window', async ({ page, accounts }) => {
  await accounts.signIn(page, await accounts.create('admin', 'Bartholomew Featherstonehaugh-Cholmondeley'));
  await page.goto('/search');
  const header = page.getByRole('banner');
  for (const width of [1280, 1440, 1600]) {
    await page.setViewportSize({ width, height: 900 });
    for (const name of ['Weekly Goal', 'Monthly Goal']) {
      const label = header.getByText(name);
      await expect(label).toBeVisible();
      expect(await label.evaluate((element) => element.scrollWidth - element.clientWidth), `${name} at ${width}`).toBe(
        0,
      );
    }
    expect((await header.boundingBox())?.height, `the header at ${width} px`).toBeLessThan(60);
  }
  // A window of 1280 × 720 at 200%.
  await page.setViewportSize({ width: 640, height: 360 });
  const bars = [header, page.getByRole('navigation', { name: 'Main' })];
  const heights = async () => {
    const boxes = await Promise.all(bars.map((bar) => bar.boundingBox()));
    return boxes.reduce((sum, box) => sum + (box?.height ?? 0), 0);
  };
  await expect.poll(heights).toBeLessThan(120);
});

test('the header keeps its height while its parts and their numbers load', async ({ page, accounts }) => {
  await accounts.signIn(page, await accounts.create());
  const height = async () => (await page.getByRole('banner').boundingBox())?.height;
  for (const width of [1280, 1024, 900, 390]) {
    await page.setViewportSize({ width, height: 800 });
    const releaseParts = await holdRequests(page, PARTS);
    const releaseNumbers = await holdRequests(page, /\/api\/(weekly|monthly|today)-contacts/);
    await page.goto('/search');
    await expect(page.getByRole('link', { name: 'Leads' })).toBeVisible();
    const reserved = await height();
    releaseParts();
    await expect(page.getByRole('banner').getByText('Loading…').first()).toBeAttached();
    await expect(page.getByRole('button', { name: 'Notifications', exact: true })).toBeVisible();
    expect(await height(), `with loading meters at ${width} px`).toBe(reserved);
    releaseNumbers();
    await expect(page.getByRole('progressbar')).toHaveCount(2);
    expect(await height(), `with loaded meters at ${width} px`).toBe(reserved);
  }
});

test('a part of the header that cannot be loaded leaves the app alone', async ({ page, accounts, expectedErrors }) => {
  expectedErrors.push(/Failed to fetch dynamically imported module|net::ERR_FAILED|error occurred in/);
  await accounts.signIn(page, await accounts.create('user', 'Grace Okafor'));
  await page.route(PARTS, (route) => route.abort());
  await page.goto('/crm');
  await expect(page.getByRole('heading', { level: 1, name: 'CRM Dashboard' })).toBeVisible();
  const bell = page.getByRole('button', { name: 'Notifications could not be loaded. Try again' });
  await expect(bell).toBeVisible();
  await expect(page.getByText('Unable to load progress data')).toBeVisible();
  await expect(page.getByText('No business assignments found')).toBeVisible();
  await expectAccessible(page);

  await page.unroute(PARTS);
  await bell.click();
  await expect(page.getByRole('button', { name: 'Notifications', exact: true })).toBeVisible();
  await page.getByRole('banner').getByRole('button', { name: 'Try Again' }).click();
  await expect(page.getByRole('progressbar').first()).toBeVisible();
});
