import type { Locator, Page } from '@playwright/test';
import { planFollowUp } from '#contract/leads/follow-ups/follow-ups.calls.ts';
import { expectAccessible } from './axe.ts';
import { assignLeads } from './leads.ts';
import { expectResultCount } from './list-screen.ts';
import { expect, test } from './product.ts';
import { expectNoOverflow, expectToast } from './screen.ts';

const COUNT = 12;
const MAX_TABS = 120;

/** Presses Tab until the control has the focus. */
async function tabTo(page: Page, control: Locator) {
  await expect(control).toBeVisible();
  for (let pressed = 0; pressed < MAX_TABS; pressed += 1) {
    if (await control.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  await expect(control).toBeFocused();
}

/** Opens the menu of a button and chooses by the first letters. */
async function chooseByKeys(page: Page, button: string, ...items: string[]) {
  await tabTo(page, page.getByRole('button', { name: button, exact: true }));
  await page.keyboard.press('Enter');
  for (const name of items) {
    const item = page.getByRole('menuitem', { name, exact: true });
    await expect(item).toBeVisible();
    await page.keyboard.type(name);
    await expect(item).toBeFocused();
    await page.keyboard.press('Enter');
  }
  await expect(page.getByRole('menu')).toHaveCount(0);
}

/** The first field of a dialog has the focus a moment after the dialog was asked for. */
const waitForField = (page: Page) => expect(page.locator('input:focus')).toBeVisible();

test('a list is worked from filter to bulk action by keyboard alone', async ({ page, accounts }) => {
  await page.setViewportSize({ width: 1024, height: 800 });
  const holder = await accounts.create();
  const leads = await assignLeads(accounts, holder, { count: COUNT });
  const planned = leads[2];
  const at = new Date(Date.now() + 60 * 60_000).toISOString();
  await accounts.sendAsAdmin(planFollowUp.byId, { params: { id: String(planned?.id) }, body: { at, type: 'call' } });
  await accounts.signIn(page, holder);
  await page.goto('/crm');
  await expectResultCount(page, COUNT);

  await tabTo(page, page.getByLabel('Sort by date'));
  await page.keyboard.type('Name A');
  const [first = ''] = leads.map(({ business }) => business.name).sort((a, b) => a.localeCompare(b, 'en'));
  await expect(page.getByRole('article').getByRole('heading').first()).toHaveText(first);
  await tabTo(page, page.getByRole('button', { name: 'More Filters' }));
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByLabel('Next follow-up'));
  await page.keyboard.type('Planned');
  await page.keyboard.press('Escape');
  await expectResultCount(page, 1);

  await chooseByKeys(page, 'Views', 'Save as new view');
  await waitForField(page);
  await page.keyboard.type('Next by name');
  await page.keyboard.press('Enter');
  await expectToast(page, 'View "Next by name" saved');
  await chooseByKeys(page, 'Views', 'Manage views');
  const dialog = page.getByRole('dialog', { name: 'Manage Views' });
  await tabTo(page, dialog.getByRole('button', { name: 'Pin Next by name' }));
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('button', { name: 'Unpin Next by name' })).toBeVisible();
  await chooseByKeys(page, 'Actions for Next by name', 'Rename');
  await waitForField(page);
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('My next');
  await page.keyboard.press('Enter');
  await chooseByKeys(page, 'Actions for My next', 'Duplicate');
  await waitForField(page);
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('button', { name: /^Actions for My next .*copy/i })).toBeVisible();
  await chooseByKeys(page, 'Actions for My next', 'Open first after signing in');
  // One may be for the tooltip of the focused button, or for a toast.
  await expect(async () => {
    await page.keyboard.press('Escape');
    await expect(page.getByRole('button', { name: 'Views', exact: true })).toBeFocused({ timeout: 1_000 });
  }).toPass();

  await page.goto('/crm?view=table');
  await expectResultCount(page, COUNT);
  await tabTo(page, page.getByLabel('Select all on this page'));
  await page.keyboard.press('Space');
  await tabTo(page, page.getByRole('button', { name: `Select all ${COUNT} that match` }));
  await page.keyboard.press('Enter');
  await expect(page.getByText(`${COUNT} selected`)).toBeVisible();
  await chooseByKeys(page, 'Bulk Actions', 'Add tag');
  await waitForField(page);
  await page.keyboard.type('Spring fair');
  await page.keyboard.press('Enter');
  await expectToast(page, `Tag added to ${COUNT} businesses`);

  const tab = page.getByRole('navigation', { name: 'Pinned views' }).getByRole('link', { name: /My next\s*1/ });
  await tabTo(page, tab);
  await page.keyboard.press('Enter');
  await expectResultCount(page, 1);
  await page.reload();
  await expectResultCount(page, 1);
  await expectNoOverflow(page);
  await expectAccessible(page);

  // The view opens on the first visit after signing in.
  await tabTo(page, page.getByRole('button', { name: 'Logout' }));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/auth$/);
  await accounts.signIn(page, holder);
  await page.goto('/crm');
  await expectResultCount(page, 1);
});
