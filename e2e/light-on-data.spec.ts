import type { Page } from '@playwright/test';
import { planFollowUp } from '#contract/leads/follow-ups/follow-ups.calls.ts';
import { assignLeads } from './leads.ts';
import { startPhoneNetwork } from './phone-network.ts';
import { expect, test } from './product.ts';

test.use({ serviceWorkers: 'allow', viewport: { width: 390, height: 844 } });

const MAX_TODAY_KB = 60;
const MAX_PROFILE_KB = 15;

const waitForWorker = (page: Page) =>
  expect
    .poll(() => page.evaluate(() => caches.keys().then((names) => navigator.serviceWorker.controller && names.length)))
    .toBe(1);

test('after the first visit, Today needs at most 60 kB and a profile 15 kB', async ({ page, product, accounts }) => {
  const holder = await accounts.create();
  const leads = await assignLeads(accounts, holder, { count: 20, location: 'Leeds' });
  leads.push(...(await assignLeads(accounts, holder, { count: 20, location: 'London' })));
  for (const { id } of leads) {
    const at = new Date(Date.now() - 3_600_000).toISOString();
    await accounts.sendAsAdmin(planFollowUp.byId, { params: { id }, body: { at } });
  }
  await accounts.signIn(page, holder);
  const network = await startPhoneNetwork(product.url);
  const row = page.getByRole('listitem', { name: leads[0].business.name });
  /** Until nothing has come for a second. */
  const settle = async () => {
    let sum = 0;
    for (let more = 1; more > 0; sum += more) {
      await page.waitForTimeout(1_000);
      more = network.takeKilobytes();
    }
    return sum;
  };
  await page.goto(`${network.url}/today`);
  await expect(row).toBeVisible();
  await waitForWorker(page);
  const first = await settle();

  // A new page, as when the app is opened again.
  await page.goto('about:blank');
  network.takeKilobytes();
  await page.goto(`${network.url}/today`);
  await expect(row).toBeVisible();
  const today = await settle();
  await row.getByRole('link').first().click();
  await expect(page.getByRole('heading', { level: 1, name: leads[0].business.name })).toBeVisible();
  await expect(page.getByRole('tab', { name: /Timeline/ })).toBeVisible();
  const profile = await settle();
  test.info().annotations.push({
    type: 'kB',
    description: `first visit ${first.toFixed(0)}, Today ${today.toFixed(1)}, profile ${profile.toFixed(1)}`,
  });
  await page.goto('about:blank');
  await network.stop();
  expect(today).toBeLessThanOrEqual(MAX_TODAY_KB);
  expect(profile).toBeLessThanOrEqual(MAX_PROFILE_KB);
});
