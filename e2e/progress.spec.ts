import type { Page } from '@playwright/test';
import { getUser } from '#contract/auth/auth.calls.ts';
import { buildPath } from '#contract/call.ts';
import { listOwnLeads } from '#contract/leads/lead-lists.calls.ts';
import { changeLeadStatus } from '#contract/leads/leads.calls.ts';
import { getMonthlyContacts } from '#contract/progress/progress.calls.ts';
import { changeUser } from '#contract/users/users.calls.ts';
import { expectAccessible } from './axe.ts';
import { expect, test } from './product.ts';
import { chooseTheme, expectNoOverflow } from './screen.ts';
import { expectLargeTargets } from './target-sizes.ts';

/** A manager of the team that `npm run demo` creates. */
const OLIVIA = { username: 'olivia', password: 'Highstreet-demo-1', monthlyGoal: 10 };

test('contacts move a user to their goal', async ({ page, startOwnProduct }) => {
  const { url } = await startOwnProduct('demo');
  await page.goto(`${url}/auth`);
  await page.getByLabel(/username/i).fill(OLIVIA.username);
  await page.getByLabel('Password', { exact: true }).fill(OLIVIA.password);
  await page.getByRole('button', { name: /sign in|log in/i }).click();

  await expect(page.getByText('Weekly Goal')).toBeVisible();
  const month = page.getByRole('progressbar', { name: 'Goal for the month' });
  const { count } = await getOwnMonth(page, url);
  await expect(month).toHaveAttribute('aria-valuetext', new RegExp(`^${count} of ${OLIVIA.monthlyGoal} contacts`));

  // Not through the page, so that only its next poll can find out.
  await contactOneMore(page, url);
  await expect(month).toHaveAttribute('aria-valuetext', new RegExp(`^${count + 1} of ${OLIVIA.monthlyGoal} contacts`));

  await setOwnGoal(page, url, count + 2);
  await contactOneMore(page, url);
  await expect(page.getByText('Monthly Target Reached!')).toBeVisible();
  await expect(page.getByText('0 over target')).toBeVisible();
  await page.reload();
  await expect(page.getByText('0 over target')).toBeVisible();
  await expect(page.getByText('Monthly Target Reached!')).toBeHidden();
  const tab = await page.context().newPage();
  await tab.goto(`${url}/crm`);
  await expect(tab.getByText('0 over target')).toBeVisible();
  await expect(tab.getByText('Monthly Target Reached!')).toBeHidden();
  await tab.close();

  await page.getByRole('link', { name: 'Progress' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Team Progress' })).toBeVisible();
  await expect(page.getByText('Active Team Members')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Top Performers' }).getByText('Priya Shah')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Just Started' }).getByText('Lena Novak')).toBeVisible();
  await expect(page.getByRole('img', { name: /^Contacts in/ })).toBeVisible();
  const neglected = page.getByRole('region', { name: 'Overdue, Going Quiet, No Contact' });
  await expect(neglected.getByRole('link', { name: /^\d+ overdue of Ben Carver$/ })).toBeVisible();

  const longOverdue = neglected.getByRole('link', { name: /^\d+ overdue by more than a week of Ben Carver$/ });
  const uncontacted = neglected.getByRole('link', { name: /^\d+ never contacted after 3 days of Ben Carver$/ });
  for (const [link, chip] of [
    [longOverdue, 'Overdue by more than a week'],
    [uncontacted, 'Never contacted after 3 days'],
  ] as const) {
    const leads = parseInt((await link.textContent()) ?? '', 10);
    await link.click();
    await expect(page.getByText(`${leads} results found`)).toBeVisible();
    await expect(page.getByText(chip, { exact: true })).toBeVisible();
    await expect(page.getByRole('heading', { name: `${chip}: leads of Ben Carver` })).toBeVisible();
    await page.goBack();
  }

  await chooseTheme(page, 'Olivia Hart', 'Light');
  await expectAccessible(page);
  await chooseTheme(page, 'Olivia Hart', 'Dark');
  await expectAccessible(page);

  await page.setViewportSize({ width: 360, height: 740 });
  await expect(month).toBeVisible();
  await expectLargeTargets(page, 'Progress of a team', 'main');
  await page.getByRole('switch', { name: 'Show as table' }).check();
  await expect(page.getByRole('table', { name: /^Contacts in/ })).toBeVisible();
  await expectAccessible(page);
  await expectNoOverflow(page);
});

const getOwnMonth = async (page: Page, url: string) =>
  getMonthlyContacts.response.parse(await (await page.request.get(url + getMonthlyContacts.path)).json());

/** Changes the status of a new lead with the session of the page, but without the page. */
async function contactOneMore(page: Page, url: string) {
  const leads = listOwnLeads.response.parse(await (await page.request.get(url + listOwnLeads.path)).json());
  const newLead = leads.find(({ userBusiness }) => userBusiness.status === 'new');
  if (!newLead) throw new Error('the demo has no new lead');
  const path = buildPath(changeLeadStatus.byId, { params: { id: String(newLead.userBusiness.id) } });
  const response = await page.request.patch(url + path, { data: { status: 'in_progress' } });
  expect(response.status()).toBe(200);
}

async function setOwnGoal(page: Page, url: string, monthlyGoal: number) {
  const { id, ...user } = getUser.response.parse(await (await page.request.get(url + getUser.path)).json());
  const response = await page.request.put(url + buildPath(changeUser, { params: { id: String(id) } }), {
    data: { ...user, monthlyGoal },
  });
  expect(response.status()).toBe(200);
}
