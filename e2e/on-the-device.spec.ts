import type { Page } from '@playwright/test';
import { startReleases } from './next-release.ts';
import { expect, test } from './product.ts';

test.use({ serviceWorkers: 'allow' });

/** Until the app is on the device: the worker controls the page once it has stored everything. */
const waitForWorker = (page: Page) =>
  expect
    .poll(() =>
      page.evaluate(async () => {
        const registration = await navigator.serviceWorker.getRegistration();
        return registration?.active?.state === 'activated' && navigator.serviceWorker.controller !== null;
      }),
    )
    .toBe(true);

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
const NO_SERVER = /net::ERR_|Failed to fetch|error occurred in|status of 50\d/;

test('the app opens without the server, and an update is taken with the next screen', async ({
  page,
  product,
  accounts,
  expectedErrors,
}) => {
  expectedErrors.push(NO_SERVER);
  const releases = await startReleases(product.url);
  await accounts.signIn(page, accounts.admin);
  await page.goto(`${releases.url}/today`);
  await expect(heading(page, 'Today')).toBeVisible();
  await waitForWorker(page);

  await test.step('a second visit loads no file again', async () => {
    releases.takeAsked();
    await page.reload();
    await expect(heading(page, 'Today')).toBeVisible();
    const asked = releases.takeAsked().filter((path) => !path.startsWith('/api/'));
    expect(asked.filter((path) => !/^\/(today|sw\.js|manifest\.webmanifest|icons\/.*)$/.test(path))).toEqual([]);
  });

  await test.step('without the server the app opens, with screens that were never seen', async () => {
    releases.cut();
    await page.getByRole('link', { name: 'Coverage' }).click();
    await expect(heading(page, 'Coverage')).toBeVisible();
    await page.reload();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    releases.restore();
    await page.reload();
    await expect(heading(page, 'Coverage')).toBeVisible();
  });

  await test.step('a page of the release before goes on, until the next screen', async () => {
    releases.release();
    await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update());
    await expect(page.getByText(/^Highstreet was updated\. The next screen/)).toBeVisible();
    // A part that was not loaded before; the server has it no more.
    await page.keyboard.press('Shift+?');
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
    await page.keyboard.press('Escape');
    releases.takeAsked();
    const reloaded = page.waitForEvent('load');
    await page.getByRole('link', { name: 'Reports' }).click();
    await reloaded;
    await expect(heading(page, 'Reports')).toBeVisible();
    await expect(page.getByText('Highstreet was updated', { exact: true })).toBeVisible();
    await expect(page.locator('script[type="module"]')).toHaveAttribute('src', /~2\.js$/);
    expect(releases.takeAsked()).toContain('/reports');
    await page.goBack();
    await expect(heading(page, 'Coverage')).toBeVisible();
  });
  await page.goto('about:blank');
  await releases.stop();
});

test('an operator can turn it off, and browsers delete it', async ({ page, product, accounts, startOwnProduct }) => {
  const server = await startReleases(product.url);
  await accounts.signIn(page, accounts.admin);
  await page.goto(`${server.url}/today`);
  await waitForWorker(page);

  const { url } = await startOwnProduct('main', { SERVICE_WORKER: 'off' });
  server.takeWorkerFrom(url);
  const reloaded = page.waitForEvent('load');
  await page.evaluate(async () => void (await navigator.serviceWorker.getRegistration())?.update());
  await reloaded;
  await expect(heading(page, 'Today')).toBeVisible();
  const left = () =>
    page.evaluate(async () => ({
      caches: await caches.keys(),
      controlled: navigator.serviceWorker.controller !== null,
      registered: (await navigator.serviceWorker.getRegistrations()).length,
    }));
  await expect.poll(left).toEqual({ caches: [], controlled: false, registered: 0 });

  // Also those that come for the first time, again and again.
  await page.reload();
  await expect(heading(page, 'Today')).toBeVisible();
  server.takeAsked();
  await expect.poll(() => server.takeAsked()).toContain('/sw.js');
  await expect.poll(left).toEqual({ caches: [], controlled: false, registered: 0 });
  await page.goto('about:blank');
  await server.stop();
});
