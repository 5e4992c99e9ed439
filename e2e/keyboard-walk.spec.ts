import type { Locator, Page } from '@playwright/test';
import { startSweep } from '#contract/sweeps/sweeps.calls.ts';
import { createImportOf } from './imports.ts';
import { assignLeads } from './leads.ts';
import { blockMapTiles } from './list-screen.ts';
import { expect, test } from './product.ts';

const SCREENS = [
  '/',
  '/today',
  '/search',
  '/crm',
  '/crm?view=table',
  '/coverage',
  '/reports',
  '/reports/contacts',
  '/users',
  '/import',
  '/progress',
  '/changes',
  '/proposals',
  '/sweeps',
  '/duplicates',
  '/territories',
  '/audit',
  '/objections',
  '/system',
  '/settings',
  '/account',
  '/help/phone',
];

test('on every screen, the Tab key reaches each control once, in order, and leaves it again', async ({
  page,
  accounts,
}) => {
  const admin = await accounts.create('admin');
  const [lead] = await assignLeads(accounts, admin, { count: 3, location: 'York' });
  await accounts.signIn(page, admin);
  const importId = await createImportOf(page, 'Company,Tel\nBlue Door Bakery,01632 960123');
  const sweep = { businessType: 'Restaurant', places: ['LS1'] };
  const { id: sweepId } = await accounts.sendAsAdmin(startSweep, { body: sweep });
  for (const path of [...SCREENS, `/import/${importId}`, `/sweeps/${sweepId}`, lead.path]) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByRole('status', { name: /loading/i })).toHaveCount(0);
    await test.step(path, () => walk(page));
  }
});

/** With what is shown once the leads are. */
const LIST_VIEWS: [path: string, shown: (page: Page) => Locator][] = [
  ['/crm?view=board', (page) => page.getByRole('article').nth(2)],
  ['/crm?view=table&columns=status,next,tags', (page) => page.getByRole('row').nth(3)],
  ['/crm?view=map', (page) => page.getByText('3 businesses on the map')],
  ['/crm?view=map&trip=EX1', (page) => page.getByText(/^3 stops, /)],
];

test('in every view of the list, the Tab key reaches each control once, in order', async ({
  page,
  accounts,
  expectedErrors,
}) => {
  await blockMapTiles(page, expectedErrors);
  const holder = await accounts.create();
  await assignLeads(accounts, holder, { count: 3, location: 'Exeter' });
  await accounts.signIn(page, holder);
  for (const [path, shown] of LIST_VIEWS) {
    await page.goto(path);
    await expect(shown(page)).toBeVisible();
    await expect(page.getByRole('status', { name: /loading/i })).toHaveCount(0);
    await test.step(path, () => walk(page));
  }
  await page.getByRole('button', { name: 'Start this trip' }).click();
  await expect(page.getByRole('group', { name: 'Outcome' })).toBeVisible();
  await test.step('the trip', () => walk(page));
});

/** Far more than a screen has controls: some are shown later, such as those of a list that is still loading. */
const MAX_PRESSES = 1_000;

/** Presses Tab from the top of the page to its end, and expects every control that can be reached to have been focused. */
async function walk(page: Page) {
  await page.evaluate(() => {
    const reachable = (element: HTMLElement) =>
      element.tabIndex >= 0 &&
      !element.matches(':disabled') &&
      element.checkVisibility({ visibilityProperty: true }) &&
      // A toast comes and goes; F8 leads to it.
      !element.closest('[role="status"]') &&
      // Of a group of radio buttons, Tab reaches the checked one.
      !(element instanceof HTMLInputElement && element.type === 'radio' && !element.checked);
    const controls = document.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea');
    const order = [...controls].filter(reachable);
    for (const [nth, element] of order.entries()) element.dataset.walk = String(nth);
    const start = document.createElement('span');
    start.tabIndex = -1;
    document.body.prepend(start);
    start.focus();
  });
  const names = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('[data-walk]')].map(
      (element) =>
        element.getAttribute('aria-label') || element.textContent || element.getAttribute('name') || element.outerHTML,
    ),
  );
  const visited: number[] = [];
  for (let presses = 0; presses < MAX_PRESSES; presses += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => {
      const element = document.activeElement as HTMLElement;
      // The calendar button in a date field is the browser's own: it has the focus and its ring, and the field has neither.
      const visible = element.matches(':focus-visible') || element.matches('[type="date"]:not(:focus)');
      return { nth: element.dataset.walk, visible, end: element === document.body };
    });
    // After the last control the browser's own follow, or the first again.
    if (focused.end || (focused.nth === '0' && visited.length > 0)) break;
    expect(focused.visible).toBe(true);
    if (focused.nth !== undefined) visited.push(Number(focused.nth));
  }
  const missed = names.filter((_, nth) => !visited.includes(nth));
  expect(missed).toEqual([]);
  expect(visited).toEqual(visited.toSorted((a, b) => a - b));
}
