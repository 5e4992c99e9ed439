import type { Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { assignLeads } from './leads.ts';
import { expect, test } from './product.ts';

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
const shortcuts = (page: Page) => page.getByRole('dialog', { name: 'Keyboard shortcuts' });

test('keys go to every screen of the role', async ({ page, accounts }) => {
  await accounts.signIn(page, accounts.admin);
  await page.goto('/crm');
  await expect(heading(page, 'CRM Dashboard')).toBeVisible();
  for (const [keys, path] of [
    ['gs', '/search'],
    ['gp', '/progress'],
    ['gi', '/import'],
    ['gu', '/users'],
    ['gc', '/changes'],
    ['gd', '/duplicates'],
    ['ga', '/audit'],
    ['gl', '/crm'],
  ] as const) {
    await page.keyboard.type(keys);
    await expect(page).toHaveURL(new RegExp(`${path}(\\?|$)`));
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  }
});

test('a list is worked by keys, as cards and as a table', async ({ page, accounts }) => {
  const holder = await accounts.create('user', 'Grace Okafor');
  const leads = await assignLeads(accounts, holder, { count: 4 });
  const names = leads.map(({ business }) => business.name).toReversed();
  await accounts.signIn(page, holder);
  await page.goto('/crm');
  await expect(page.getByRole('article')).toHaveCount(4);
  const link = (nth: number) => page.getByRole('link', { name: names[nth] ?? '', exact: true });
  const expectSelected = (count: number) =>
    expect(page.getByRole('checkbox', { name: /^Select (?!all)/, checked: true })).toHaveCount(count);

  for (const view of ['List', 'Table']) {
    await page.getByRole('tab', { name: view }).click();
    await page.keyboard.press('j');
    await expect(link(0)).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await expect(link(1)).toBeFocused();
    await page.keyboard.press('k');
    await page.keyboard.press('ArrowUp');
    await expect(link(0)).toBeFocused();
    await page.keyboard.press('x');
    await expectSelected(1);
    await page.keyboard.type('jj');
    await page.keyboard.press('Shift+X');
    await expectSelected(3);
    await page.keyboard.press('Shift+ArrowDown');
    await expectSelected(4);
    await expect(link(3)).toBeFocused();
    for (const box of await page.getByRole('checkbox', { name: /^Select (?!all)/ }).all()) await box.uncheck();
  }
  await link(2).focus();
  await page.keyboard.press('Enter');
  await expect(heading(page, names[2] ?? '')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/\/crm/);
});

test('a lead is worked by keys, and the focus stays', async ({ page, accounts }) => {
  const holder = await accounts.create('user', 'Grace Okafor');
  const [lead] = await assignLeads(accounts, holder);
  await accounts.signIn(page, holder);
  await page.goto(lead.path);
  await expect(heading(page, lead.business.name)).toBeVisible();
  const status = page.getByRole('group', { name: 'Lead status' });
  const tab = page.getByRole('tab', { name: /Activities/ });
  await tab.focus();
  for (const [key, name] of [
    ['2', 'In Progress'],
    ['3', 'Recontact'],
    ['4', 'Closed (Won)'],
    ['5', 'Closed (Lost)'],
    ['1', 'New Lead'],
  ] as const) {
    await page.keyboard.press(key);
    await expect(status.getByRole('button', { name, pressed: true })).toBeEnabled();
    await expect(status.getByRole('button', { name, pressed: true })).not.toHaveAttribute('aria-disabled');
    await expect(tab).toBeFocused();
  }

  // Prevented, because Chromium has no telephone.
  await page.evaluate(() =>
    document.addEventListener('click', (event) => {
      const link = event.target instanceof HTMLAnchorElement ? event.target : undefined;
      if (!link?.href.startsWith('tel:')) return;
      event.preventDefault();
      document.title = link.href;
    }),
  );
  await page.keyboard.press('c');
  await expect(page).toHaveTitle(/^tel:\d+/);
  const logSheet = page.getByRole('dialog', { name: 'Log contact' });
  await expect(logSheet).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(logSheet).toBeHidden();
  await expect(tab).toBeFocused();

  await page.keyboard.press('n');
  await expect(page.getByRole('textbox', { name: 'Notes', exact: true })).toBeFocused();
  // Typed, not run.
  await page.keyboard.type('cltr1?/');
  await expect(page.getByRole('textbox', { name: 'Notes', exact: true })).toHaveValue('cltr1?/');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.getByRole('tab', { name: /Notes/ }).focus();
  await page.keyboard.press('l');
  await expect(logSheet.getByRole('button', { name: 'No answer' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(logSheet).toBeHidden();
  await tab.focus();
  await page.keyboard.press('t');
  await expect(page.getByRole('textbox', { name: 'New tag' })).toBeFocused();
  await tab.focus();
  await page.keyboard.press('r');
  const dialog = page.getByRole('dialog', { name: /Reassign/ });
  await expect(dialog.locator(':focus')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL(lead.path);
});

test('the keys can be looked up and switched off', async ({ page, accounts }) => {
  const user = await accounts.create();
  await accounts.signIn(page, user);
  await page.goto('/search');
  await expect(heading(page, 'Search for Businesses')).toBeVisible();
  await page.getByRole('button', { name: 'Help' }).click();
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
  await expect(shortcuts(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(shortcuts(page)).toBeHidden();
  await page.getByRole('main').focus();
  await page.keyboard.press('Shift+?');
  await expect(shortcuts(page).getByRole('term').filter({ hasText: 'Log a contact' })).toBeVisible();
  await expectAccessible(page);

  await shortcuts(page).getByRole('switch', { name: 'Keyboard shortcuts' }).uncheck();
  await page.keyboard.press('Escape');
  await expect(shortcuts(page)).toBeHidden();
  await page.keyboard.type('gl/?');
  await expect(page).toHaveURL(/\/search/);
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.reload();
  await expect(heading(page, 'Search for Businesses')).toBeVisible();
  await page.keyboard.type('gl');
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog', { name: 'Find anything' })).toBeVisible();
  await expect(page).toHaveURL(/\/search/);
});
