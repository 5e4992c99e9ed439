import type { Locator } from '@playwright/test';
import { planFollowUp } from '#contract/leads/follow-ups/follow-ups.calls.ts';
import { assignLeads } from './leads.ts';
import { expectResultCount } from './list-screen.ts';
import { expect, test } from './product.ts';
import { expectNoOverflow } from './screen.ts';

const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };

const topOf = async (element: Locator) => (await element.boundingBox())?.y ?? Number.NaN;

/** How many of the elements are wholly inside the window. */
const countInWindow = (elements: Locator) =>
  elements.evaluateAll((all) => all.filter((one) => one.getBoundingClientRect().bottom <= window.innerHeight).length);

test('the list starts high on the page', async ({ page, accounts }) => {
  const holder = await accounts.create();
  await assignLeads(accounts, holder, { count: 12 });
  await accounts.signIn(page, holder);
  await page.setViewportSize(DESKTOP);
  await page.goto('/crm');
  await expectResultCount(page, 12);
  await expect(page.getByRole('region', { name: 'Filters' })).toBeVisible();
  await expect(page.getByRole('progressbar', { name: 'Weekly Goal' })).toBeVisible();

  const cards = page.getByRole('article');
  expect(await topOf(cards.first())).toBeLessThanOrEqual(300);
  expect(await countInWindow(cards)).toBeGreaterThanOrEqual(6);

  await page.getByRole('tab', { name: 'Table' }).click();
  const rows = page.getByRole('table', { name: 'Leads' }).locator('tbody').getByRole('row');
  await expect(rows).toHaveCount(10);
  expect(await topOf(page.getByRole('table', { name: 'Leads' }))).toBeLessThanOrEqual(300);
  expect(await countInWindow(rows)).toBe(10);

  await page.setViewportSize(PHONE);
  await page.getByRole('tab', { name: 'List' }).click();
  await page.getByRole('button', { name: 'Hide Filters' }).click();
  await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Leads' })).toBeInViewport();
  expect(await topOf(cards.first())).toBeLessThanOrEqual(260);
  await expectNoOverflow(page);
});

test("a phone's header is one row, with the meters in a slim line below it", async ({ page, accounts }) => {
  const manager = await accounts.create('manager');
  await accounts.signIn(page, manager);
  await page.setViewportSize(PHONE);
  await page.goto('/crm');
  const header = page.getByRole('banner');
  const bell = header.getByRole('button', { name: /Notifications/ });
  const meter = header.getByRole('progressbar', { name: 'Weekly Goal' });
  await expect(bell).toBeVisible();
  await expect(meter).toBeVisible();

  const logo = await header.getByRole('link', { name: 'Highstreet' }).boundingBox();
  const bellBox = await bell.boundingBox();
  expect(
    Math.abs((logo?.y ?? 0) + (logo?.height ?? 0) / 2 - (bellBox?.y ?? 0) - (bellBox?.height ?? 0) / 2),
  ).toBeLessThan(4);
  expect((await header.boundingBox())?.height).toBeLessThanOrEqual(100);
  expect(await topOf(meter)).toBeGreaterThan((logo?.y ?? 0) + (logo?.height ?? 0));

  for (const item of await page.getByRole('navigation', { name: 'Main' }).locator('a, button').all()) {
    const box = await item.boundingBox();
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(48);
  }
});

test('every screen is one click away, for each role', async ({ page, accounts }) => {
  const user = await accounts.create();
  await accounts.signIn(page, user);
  await page.goto('/crm');
  const nav = page.getByRole('navigation', { name: 'Main' });
  await nav.getByRole('link', { name: 'Search' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Search for Businesses' })).toBeFocused();
  await expect(nav.getByRole('link', { name: 'Search' })).toHaveAttribute('aria-current', 'page');
  await nav.getByRole('link', { name: 'Leads' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'CRM Dashboard' })).toBeFocused();
});

test('by keyboard alone, a lead is found, opened, changed and left with at most 20 keystrokes', async ({
  page,
  accounts,
}) => {
  const holder = await accounts.create();
  const [lead] = await assignLeads(accounts, holder, { count: 3 });
  await accounts.signIn(page, holder);
  await page.goto('/crm');
  await expectResultCount(page, 3);
  let keystrokes = 0;
  const press = async (key: string) => {
    await page.keyboard.press(key);
    keystrokes += 1;
  };

  await press('/');
  await expect(page.getByLabel('Find anything').last()).toBeFocused();
  for (const letter of lead.business.name.slice(0, 8)) await press(letter === ' ' ? 'Space' : letter);
  const found = page.getByRole('option').filter({ hasText: lead.business.name }).first();
  await expect(found).toBeVisible();
  while ((await found.getAttribute('aria-selected')) !== 'true') await press('ArrowDown');
  await press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: lead.business.name })).toBeVisible();
  await press('2');
  const inProgress = page.getByRole('button', { name: 'In Progress' });
  await expect(inProgress).toHaveAttribute('aria-pressed', 'true');
  await expect(page.locator(':focus')).not.toHaveJSProperty('tagName', 'BODY');
  await press('Escape');
  await expect(page.getByRole('heading', { level: 1, name: 'CRM Dashboard' })).toBeVisible();
  expect(keystrokes).toBeLessThanOrEqual(20);
});

test('a lead opened on Today, worked through or found goes back there, to its place', async ({ page, accounts }) => {
  const holder = await accounts.create();
  const leads = await assignLeads(accounts, holder, { count: 12 });
  for (const [nth, { id }] of leads.entries()) {
    const at = new Date(Date.now() - (nth + 1) * 3_600_000).toISOString();
    await accounts.sendAsAdmin(planFollowUp.byId, { params: { id }, body: { at } });
  }
  await accounts.signIn(page, holder);
  await page.setViewportSize(PHONE);
  await page.goto('/today');
  const today = page.getByRole('heading', { level: 1, name: 'Today' });
  const link = page.getByRole('listitem').getByRole('link').filter({ hasText: leads[0].business.name }).first();
  await link.click();
  await page.getByRole('tab', { name: 'Notes' }).click();
  await page.getByRole('button', { name: 'Back to Today' }).click();
  await expect(link).toBeFocused();
  await expect(link).toBeInViewport();
  await expect(today).not.toBeInViewport();

  await page
    .getByRole('button', { name: /^Work through/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Next lead' }).click();
  await expect(page.getByText('2 of 12')).toBeVisible();
  await page.getByRole('heading', { level: 1 }).press('Escape');
  await expect(today).toBeVisible();
  await expect(page.getByRole('button', { name: /^Work through/ }).first()).toBeFocused();

  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Find anything' }).fill(leads[1].business.name);
  await page.getByRole('option').filter({ hasText: leads[1].business.name }).first().click();
  await expect(page.getByRole('button', { name: 'Back to Today' })).toBeVisible();
  await page.getByRole('heading', { level: 1 }).press('Escape');
  await expect(today).toBeVisible();

  await page.goto('/crm?view=board&status=new');
  // A column scrolls by itself, and draws only the cards that are seen.
  await page.getByRole('article').first().hover();
  await page.mouse.wheel(0, 5_000);
  const card = page.getByRole('article', { name: leads[0].business.name }).getByRole('heading').getByRole('link');
  await card.click();
  await page.getByRole('button', { name: 'Back to Board' }).click();
  await expect(page).toHaveURL(/view=board&status=new/);
  await expect(card).toBeFocused();
  await expect(card).toBeInViewport();

  // The table of chosen columns scrolls by itself.
  await page.setViewportSize({ width: 1280, height: 500 });
  await page.goto('/crm?view=table&columns=phone&pageSize=20');
  const row = page.getByRole('row', { name: leads[0].business.name }).getByRole('link').first();
  await row.click();
  await page.getByRole('button', { name: 'Back to CRM' }).click();
  await expect(row).toBeFocused();
  await expect(row).toBeInViewport();
});
