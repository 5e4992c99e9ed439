import type { Page } from '@playwright/test';
import { login } from '#contract/auth/auth.calls.ts';
import { getLead } from '#contract/leads/leads.calls.ts';
import { giveLeads } from './leads.ts';
import type { Person } from './people.ts';
import { expect, test } from './product.ts';

const banner = (page: Page) => page.getByRole('banner');
const card = (page: Page, name: string) => page.getByRole('article', { name });
const atSignIn = (page: Page) => expect(page.getByLabel('Username or email')).toBeVisible();

async function signInByForm(page: Page, { username, password }: Person) {
  await page.getByLabel('Username or email').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

test('every tab of a browser shows the user who is signed in, and nothing of the one before', async ({
  context,
  people,
}) => {
  const grace = await people.person('user', 'Grace Okafor');
  const tom = await people.person('user', 'Tom Ellery');
  const [graces] = await giveLeads(people, grace, 1, 0);
  const [toms] = await giveLeads(people, tom, 1, 1);
  const [first, second] = [await context.newPage(), await context.newPage()];
  await people.signIn(first, grace);
  await first.goto('/crm');
  await expect(card(first, graces.business.name)).toBeVisible();
  await second.goto(graces.path);
  await second.getByRole('textbox', { name: 'Activity notes' }).fill('Half a thought');

  await first.getByRole('button', { name: 'Logout' }).click();
  await atSignIn(first);
  await atSignIn(second);
  await expect(second.getByText(graces.business.name)).toHaveCount(0);
  await expect(second.getByText('Your session has ended')).toHaveCount(0);

  await signInByForm(first, tom);
  for (const tab of [first, second]) {
    await expect(banner(tab).getByText('Tom Ellery')).toBeVisible();
    await expect(card(tab, toms.business.name)).toBeVisible();
    await expect(tab.getByText(graces.business.name)).toHaveCount(0);
  }
  const kept = await second.evaluate(() => JSON.stringify(Object.values(sessionStorage)));
  expect(kept).not.toContain('Half');
  await second.getByRole('button', { name: 'Logout' }).click();
  await atSignIn(first);

  // The draft belongs to its author, in the tab in which it was written.
  await signInByForm(first, grace);
  await expect(banner(second).getByText('Grace Okafor')).toBeVisible();
  await second.goto(graces.path);
  await expect(second.getByRole('textbox', { name: 'Activity notes' })).toHaveValue('Half a thought');
});

test('a tab that missed the next sign-in changes nothing as that user, and follows', async ({ page, people }) => {
  const grace = await people.person('user', 'Grace Okafor');
  const [lead] = await giveLeads(people, grace);
  await people.signIn(page, grace);
  await page.goto(lead.path);
  await expect(page.getByRole('heading', { level: 1, name: lead.business.name })).toBeVisible();

  // Past the web app, so that no tab reports it; an administrator, who may change the lead.
  const { username, password } = people.admin;
  expect((await page.request.post(login.path, { data: { username, password } })).ok()).toBe(true);
  await page.getByRole('button', { name: 'Recontact' }).click();

  await expect(banner(page).getByText('Ada Admin')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: lead.business.name })).toHaveCount(0);
  const { userBusiness } = await people.ask(getLead.byId, { params: { id: lead.id } });
  expect(userBusiness.status).toBe('new');
});

test('two browsers are two people', async ({ page, people, browser, baseURL }) => {
  const grace = await people.person('user', 'Grace Okafor');
  const tom = await people.person('user', 'Tom Ellery');
  const [graces] = await giveLeads(people, grace, 1, 0);
  const [toms] = await giveLeads(people, tom, 1, 1);
  const other = await browser.newPage({ baseURL });
  for (const [tab, person] of [
    [page, grace],
    [other, tom],
  ] as const) {
    await tab.goto('/crm');
    await atSignIn(tab);
    await signInByForm(tab, person);
  }
  await expect(card(page, graces.business.name)).toBeVisible();
  await expect(card(other, toms.business.name)).toBeVisible();
  await expect(page.getByText(toms.business.name)).toHaveCount(0);
  await expect(other.getByText(graces.business.name)).toHaveCount(0);

  await other.getByRole('button', { name: 'Logout' }).click();
  await atSignIn(other);
  await page.reload();
  await expect(banner(page).getByText('Grace Okafor')).toBeVisible();
  await expect(card(page, graces.business.name)).toBeVisible();
  await other.close();
});
