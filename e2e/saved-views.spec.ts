import type { Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { assignLeads } from './leads.ts';
import { expectResultCount } from './list-screen.ts';
import { expect, test } from './product.ts';
import { expectNoOverflow, expectToast } from './screen.ts';

const openViews = (page: Page) => page.getByRole('button', { name: 'Views', exact: true }).click();

test('a shared view is opened by its link and pinned', async ({ page, accounts }) => {
  const manager = await accounts.create('manager');
  const holder = await accounts.create();
  await assignLeads(accounts, holder, { count: 3 });
  await assignLeads(accounts, holder, { skip: 3, fields: { status: 'recontact' } });
  await assignLeads(accounts, manager, { skip: 4, count: 2, fields: { status: 'recontact' } });
  const name = `To call again ${manager.id}`;

  await accounts.signIn(page, manager);
  await page.goto('/crm?status=recontact&sort=name&view=table');
  await expectResultCount(page, 2);
  await expect(page.getByRole('navigation', { name: 'Pinned views' })).toHaveCount(0);
  await openViews(page);
  await page.getByRole('menuitem', { name: 'Save as new view' }).click();
  await page.getByRole('dialog', { name: 'Save as New View' }).getByLabel('Name').fill(name);
  await page.getByLabel('Share with the team').check();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Save view' }).click();
  await expectToast(page, `View "${name}" saved`);
  await expect(page).toHaveURL(/[?&]saved=/);
  const saved = new URL(page.url()).searchParams.get('saved');
  expect(saved).toMatch(/^[0-9a-f-]{36}$/);
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL(/\/auth$/);

  await accounts.signIn(page, holder);
  await page.goto(`/crm?saved=${saved}`);
  // The same view, with the leads of this user.
  await expectResultCount(page, 1);
  await expect(page.getByRole('tab', { name: 'Table' })).toHaveAttribute('aria-selected', 'true');

  await page.getByRole('button', { name: 'Views', exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Manage views' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Manage Views' });
  await dialog.getByRole('button', { name: `Pin ${name}` }).press('Enter');
  await dialog.getByRole('button', { name: 'Pin My open leads' }).press('Enter');
  await dialog.getByRole('button', { name: 'Move My open leads up' }).press('Enter');
  await expect(dialog.getByRole('button', { name: 'Move My open leads up' })).toHaveAttribute('aria-disabled', 'true');
  await expectAccessible(page);
  await page.keyboard.press('Escape');

  const tabs = page.getByRole('navigation', { name: 'Pinned views' });
  await expect(tabs.getByRole('link')).toHaveText([/My open leads\s*4/, new RegExp(`${name}\\s*1`)]);
  await tabs.getByRole('link', { name: /My open leads/ }).click();
  await expectResultCount(page, 4);
  await expect(page.getByRole('tab', { name: 'List' })).toHaveAttribute('aria-selected', 'true');
  await page.goBack();
  await expectResultCount(page, 1);
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 800 });
    await expectNoOverflow(page);
    await expectAccessible(page);
  }
});

test('a deleted view is restored by Undo', async ({ page, accounts }) => {
  const holder = await accounts.create();
  await assignLeads(accounts, holder);
  await accounts.signIn(page, holder);
  await page.goto('/crm?sort=name');
  await openViews(page);
  await page.getByRole('menuitem', { name: 'Save as new view' }).click();
  await page.getByLabel('Name', { exact: true }).fill('By name');
  await page.getByLabel('Name', { exact: true }).press('Enter');
  await expectToast(page, 'View "By name" saved');
  await openViews(page);
  await page.getByRole('menuitem', { name: 'Manage views' }).click();
  await page.getByRole('button', { name: 'Actions for By name' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await expectToast(page, 'View "By name" deleted');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expectToast(page, 'View "By name" restored');
  await page.goto('/crm');
  await openViews(page);
  await expect(page.getByRole('menuitem', { name: 'By name' })).toBeVisible();
});
