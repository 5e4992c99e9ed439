import type { Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { assignLeads } from './leads.ts';
import { expect, test } from './product.ts';
import { expectNoOverflow, expectToast } from './screen.ts';
import { expectLargeTargets } from './target-sizes.ts';

const PHONE = { width: 390, height: 844 };

const sheet = (page: Page) => page.getByRole('dialog', { name: 'Log contact' });
const status = (page: Page, name: string) =>
  page.getByRole('group', { name: 'Lead status' }).getByRole('button', { name, pressed: true });
const activities = (page: Page, count: number) => page.getByRole('tab', { name: `Activities (${count})` });
/** In percent of 25, a quarter of the monthly goal. */
const weeklyProgress = (page: Page) => page.getByRole('progressbar', { name: 'Weekly Goal' });

/** Chromium has no telephone, and would log that it cannot open the link. */
async function withoutTelephone(page: Page) {
  await page.addInitScript(() =>
    document.addEventListener('click', (event) => {
      const link = event.target instanceof Element ? event.target.closest('a') : null;
      if (link?.href.startsWith('tel:')) event.preventDefault();
    }),
  );
}

test('a contact is logged by keys', async ({ page, accounts }) => {
  const holder = await accounts.create();
  const [lead] = await assignLeads(accounts, holder);
  await withoutTelephone(page);
  await accounts.signIn(page, holder);
  await page.goto(lead.path);

  await page.getByRole('link', { name: 'Call', exact: true }).click();
  await expect(sheet(page)).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('3');
  await expectToast(page, 'Logged: Spoke, not now');
  await expect(status(page, 'In Progress')).toBeVisible();
  await expect(activities(page, 1)).toBeVisible();
  await expect(weeklyProgress(page)).toHaveAttribute('aria-valuenow', '4');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expectToast(page, 'Undone');
  await expect(status(page, 'New Lead')).toBeVisible();
  await expect(activities(page, 0)).toBeVisible();
  await expect(weeklyProgress(page)).toHaveAttribute('aria-valuenow', '0');

  await page.getByRole('main').focus();
  await page.keyboard.press('l');
  await sheet(page).getByRole('textbox', { name: 'Note' }).fill('The owner is back on Thursday');
  await page.keyboard.press('Escape');
  await expect(sheet(page)).toBeHidden();
  // The draft survives a reload.
  page.once('dialog', (dialog) => void dialog.accept());
  await page.reload();
  await page.getByRole('button', { name: 'Log', exact: true }).click();
  await expect(sheet(page).getByRole('textbox', { name: 'Note' })).toHaveValue('The owner is back on Thursday');
  await sheet(page).getByRole('button', { name: 'Call back…' }).click();
  await sheet(page).getByRole('button', { name: 'In a week' }).click();
  await expectToast(page, 'Logged: Call back');
  await expect(status(page, 'Recontact')).toBeVisible();
  await expect(page.getByText('The owner is back on Thursday')).toBeVisible();

  // Closing offers to drop the follow-up in place.
  await page.getByRole('button', { name: 'Closed (Lost)' }).click();
  await expect(page.getByText(/^A follow-up is planned for /)).toBeVisible();
  await page.getByRole('button', { name: 'Drop it' }).click();
  await expectToast(page, 'Follow-up dropped');
  await expect(page.getByText('Nothing is planned.')).toBeVisible();
});

test('by thumb, a contact takes at most four touches', async ({ page, accounts }) => {
  const holder = await accounts.create();
  const [lead] = await assignLeads(accounts, holder);
  const name = lead.business.name;
  await withoutTelephone(page);
  await accounts.signIn(page, holder);
  await page.setViewportSize(PHONE);
  await page.goto('/today');

  let touches = 0;
  const touch = async (role: 'button' | 'link', label: string) => {
    touches += 1;
    await page.getByRole(role, { name: label, exact: true }).click();
  };
  await touch('link', name);
  const bar = page.getByRole('region', { name: 'Contact' });
  await expect(bar.getByRole('link', { name: 'Directions' })).toBeVisible();
  await touch('link', 'Call');
  await touch('button', 'No answer');
  await expectToast(page, 'Logged: No answer');
  expect(touches).toBeLessThanOrEqual(4);

  // The end of the page is above the bar.
  const lastButton = page.getByRole('button', { name: 'Permanently Delete' });
  await lastButton.scrollIntoViewIfNeeded();
  await page.mouse.wheel(0, 10_000);
  const top = (await bar.boundingBox())?.y ?? 0;
  await expect.poll(async () => (await lastButton.boundingBox())?.y ?? top).toBeLessThan(top - 40);
  await expectNoOverflow(page);
  await expectLargeTargets(page, 'the profile with its bar');

  await page.getByRole('button', { name: 'Log', exact: true }).click();
  await expectLargeTargets(page, 'the sheet', '[role="dialog"]');
  await expectAccessible(page);
  await sheet(page).getByRole('button', { name: 'Wrong number' }).click();
  await expectToast(page, 'Logged: Wrong number');
  await expect(page.getByText('Wrong number', { exact: true }).first()).toBeVisible();
  await expect(page.locator('a[href^="tel:"]')).toHaveCount(0);
  await page.goto('/crm');
  await expect(page.getByRole('article', { name }).getByText('Wrong number', { exact: true })).toBeVisible();
  await expect(page.locator('a[href^="tel:"]')).toHaveCount(0);
  await page.goto(lead.path);
  await page.getByRole('button', { name: 'Number is right' }).click();
  await expectToast(page, 'Number marked as right');
  await expect(bar.getByRole('link', { name: 'Call' })).toBeVisible();
});
