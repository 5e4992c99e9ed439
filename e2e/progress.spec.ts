import type { Page } from '@playwright/test';
import { getUser } from '#contract/auth/auth.calls.ts';
import { buildPath } from '#contract/call.ts';
import { myBusinesses } from '#contract/leads/lead-lists.calls.ts';
import { changeLeadStatus } from '#contract/leads/leads.calls.ts';
import { getMonthlyContacts } from '#contract/progress/progress.calls.ts';
import { changeUser } from '#contract/users/users.calls.ts';
import { expectAccessible } from './axe.ts';
import { test as base, expect } from './product.ts';
import { startProduct } from './started-product.ts';

/** A team at work, as `npm run demo` makes it. */
const test = base.extend({
  product: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern which fixtures are needed
    async ({}, use) => {
      const product = await startProduct('demo');
      await use(product);
      await product.stop();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
});
const OLIVIA = { username: 'olivia', password: 'Highstreet-demo-1', monthlyGoal: 10 };

test('a contact moves the meters, the goal is celebrated once, and the team is seen in its groups', async ({
  page,
}) => {
  await page.goto('/auth');
  await page.getByLabel(/username/i).fill(OLIVIA.username);
  await page.getByLabel('Password', { exact: true }).fill(OLIVIA.password);
  await page.getByRole('button', { name: /sign in|log in/i }).click();

  await expect(page.getByText('Weekly Goal')).toBeVisible();
  const month = page.getByRole('progressbar', { name: 'Goal for the month' });
  const { count } = await ownMonth(page);
  await expect(month).toHaveAttribute('aria-valuetext', new RegExp(`^${count} of ${OLIVIA.monthlyGoal} contacts`));

  // Somebody else moves the lead, so that only the next poll can know.
  await contactOneMore(page);
  await expect(month).toHaveAttribute('aria-valuetext', new RegExp(`^${count + 1} of ${OLIVIA.monthlyGoal} contacts`));

  await setOwnGoal(page, count + 2);
  await contactOneMore(page);
  await expect(page.getByText('Monthly Target Reached!')).toBeVisible();
  await expect(page.getByText('0 over target')).toBeVisible();
  await page.reload();
  await expect(page.getByText('0 over target')).toBeVisible();
  await expect(page.getByText('Monthly Target Reached!')).toBeHidden();
  const tab = await page.context().newPage();
  await tab.goto('/crm');
  await expect(tab.getByText('0 over target')).toBeVisible();
  await expect(tab.getByText('Monthly Target Reached!')).toBeHidden();
  await tab.close();

  await page.getByRole('link', { name: 'Progress' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Team Progress' })).toBeVisible();
  await expect(page.getByText('Active Team Members')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Top Performers' }).getByText('Priya Shah')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Just Started' }).getByText('Lena Novak')).toBeVisible();
  await expect(page.getByRole('img', { name: /^Contacts in/ })).toBeVisible();

  await page.getByRole('radio', { name: 'Light' }).check({ force: true });
  await expectAccessible(page);
  await page.getByRole('radio', { name: 'Dark' }).check({ force: true });
  await expectAccessible(page);

  await page.setViewportSize({ width: 360, height: 740 });
  await expect(month).toBeVisible();
  await page.getByRole('switch', { name: 'Show as table' }).check();
  await expect(page.getByRole('table', { name: /^Contacts in/ })).toBeVisible();
  await expectAccessible(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
});

const ownMonth = async (page: Page) =>
  getMonthlyContacts.response.parse(await (await page.request.get(getMonthlyContacts.path)).json());

/** Moves a lead that nobody has contacted yet, past the page. */
async function contactOneMore(page: Page) {
  const leads = myBusinesses.response.parse(await (await page.request.get(myBusinesses.path)).json());
  const untouched = leads.find(({ userBusiness }) => userBusiness.status === 'new');
  if (!untouched) throw new Error('the demo left nobody to contact');
  const path = buildPath(changeLeadStatus.byId, { params: { id: String(untouched.userBusiness.id) } });
  const response = await page.request.patch(path, { data: { status: 'in_progress' } });
  expect(response.status()).toBe(200);
}

async function setOwnGoal(page: Page, monthlyGoal: number) {
  const { id, ...user } = getUser.response.parse(await (await page.request.get(getUser.path)).json());
  const response = await page.request.put(buildPath(changeUser, { params: { id: String(id) } }), {
    data: { ...user, monthlyGoal },
  });
  expect(response.status()).toBe(200);
}
