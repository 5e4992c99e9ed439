import type { Page } from '@playwright/test';
import { login } from '#contract/auth/auth.calls.ts';
import { getLead } from '#contract/leads/leads.calls.ts';
import { getMonthlyContacts, getWeeklyContacts } from '#contract/progress/progress.calls.ts';
import type { Account } from './accounts.ts';
import { assignLeads } from './leads.ts';
import { expect, test } from './product.ts';

const banner = (page: Page) => page.getByRole('banner');
const card = (page: Page, name: string) => page.getByRole('article', { name });
const expectSignInForm = (page: Page) => expect(page.getByLabel('Username or email')).toBeVisible();

async function signInByForm(page: Page, { username, password }: Account) {
  await page.getByLabel('Username or email').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

test('every tab of a browser shows the user who is signed in', async ({ context, accounts }) => {
  const grace = await accounts.create('user', 'Grace Okafor');
  const tom = await accounts.create('user', 'Tom Ellery');
  const [gracesLead] = await assignLeads(accounts, grace);
  const [tomsLead] = await assignLeads(accounts, tom, { skip: 1 });
  const [first, second] = [await context.newPage(), await context.newPage()];
  await accounts.signIn(first, grace);
  await first.goto('/crm');
  await expect(card(first, gracesLead.business.name)).toBeVisible();
  await second.goto(gracesLead.path);
  await second.getByRole('textbox', { name: 'Activity notes' }).fill('Half a thought');

  await first.getByRole('button', { name: 'Logout' }).click();
  await expectSignInForm(first);
  await expectSignInForm(second);
  await expect(second.getByText(gracesLead.business.name)).toHaveCount(0);
  await expect(second.getByText('Your session has ended')).toHaveCount(0);

  await signInByForm(first, tom);
  for (const tab of [first, second]) {
    await expect(banner(tab).getByText('Tom Ellery')).toBeVisible();
    await expect(card(tab, tomsLead.business.name)).toBeVisible();
    await expect(tab.getByText(gracesLead.business.name)).toHaveCount(0);
  }
  const stored = await second.evaluate(() => JSON.stringify(Object.values(sessionStorage)));
  expect(stored).not.toContain('Half');
  await second.getByRole('button', { name: 'Logout' }).click();
  await expectSignInForm(first);

  // The draft belongs to its author, in the tab in which it was written.
  await signInByForm(first, grace);
  await expect(banner(second).getByText('Grace Okafor')).toBeVisible();
  await second.goto(gracesLead.path);
  await expect(second.getByRole('textbox', { name: 'Activity notes' })).toHaveValue('Half a thought');
});

test('a tab that missed a sign-in changes nothing as the new user', async ({ page, accounts }) => {
  const grace = await accounts.create('user', 'Grace Okafor');
  const [lead] = await assignLeads(accounts, grace);
  await accounts.signIn(page, grace);
  await page.goto(lead.path);
  await expect(page.getByRole('heading', { level: 1, name: lead.business.name })).toBeVisible();

  // A poll that is under way during the sign-in would be refused, which ends the session: sign in between two polls.
  await Promise.all([getWeeklyContacts, getMonthlyContacts].map(({ path }) => page.waitForResponse(`**${path}`)));
  // Not through the web app, so that no tab announces it. An administrator may change the lead.
  const { username, password } = accounts.admin;
  expect((await page.request.post(login.path, { data: { username, password } })).ok()).toBe(true);
  await page.getByRole('button', { name: 'Recontact' }).click();

  await expect(banner(page).getByText('Ada Admin')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: lead.business.name })).toHaveCount(0);
  const { userBusiness } = await accounts.sendAsAdmin(getLead.byId, { params: { id: lead.id } });
  expect(userBusiness.status).toBe('new');
});

test('two browsers have two sessions', async ({ page, accounts, browser, baseURL }) => {
  const grace = await accounts.create('user', 'Grace Okafor');
  const tom = await accounts.create('user', 'Tom Ellery');
  const [gracesLead] = await assignLeads(accounts, grace);
  const [tomsLead] = await assignLeads(accounts, tom, { skip: 1 });
  const other = await browser.newPage({ baseURL });
  for (const [tab, person] of [
    [page, grace],
    [other, tom],
  ] as const) {
    await tab.goto('/crm');
    await expectSignInForm(tab);
    await signInByForm(tab, person);
  }
  await expect(card(page, gracesLead.business.name)).toBeVisible();
  await expect(card(other, tomsLead.business.name)).toBeVisible();
  await expect(page.getByText(tomsLead.business.name)).toHaveCount(0);
  await expect(other.getByText(gracesLead.business.name)).toHaveCount(0);

  await other.getByRole('button', { name: 'Logout' }).click();
  await expectSignInForm(other);
  await page.reload();
  await expect(banner(page).getByText('Grace Okafor')).toBeVisible();
  await expect(card(page, gracesLead.business.name)).toBeVisible();
  await other.close();
});
