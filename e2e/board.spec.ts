import type { Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { assignLeads } from './leads.ts';
import { expect, test } from './product.ts';
import { expectNoOverflow, expectToast } from './screen.ts';
import { expectLargeTargets } from './target-sizes.ts';
import { openTouchScreen } from './touch.ts';

const column = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const card = (page: Page, name: string) => page.getByRole('article', { name, exact: true });

test('leads are dragged on the board with the mouse', async ({ page, accounts }) => {
  const holder = await accounts.create();
  const [first] = await assignLeads(accounts, holder, { count: 2 });
  const { name } = first.business;
  await accounts.signIn(page, holder);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto('/crm');
  await page.getByRole('tab', { name: 'Board' }).click();
  await expect(page).toHaveURL(/view=board/);
  await expect(column(page, 'New').getByRole('article')).toHaveCount(2);

  // By its name: that is a link, which a drag does not open.
  await page.getByRole('link', { name, exact: true }).hover();
  await page.mouse.down();
  await column(page, 'In Progress').hover();
  await page.keyboard.press('Escape');
  await page.mouse.up();
  await expect(column(page, 'New').getByRole('article')).toHaveCount(2);

  await card(page, name).dragTo(column(page, 'In Progress'));
  await expect(column(page, 'In Progress').getByRole('article', { name })).toBeVisible();
  await expectToast(page, 'Status updated');
  await expect(page).toHaveURL(/view=board/);
  await expect(column(page, 'New').getByRole('heading', { level: 2 })).toContainText('1');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(column(page, 'New').getByRole('article')).toHaveCount(2);

  // Closed leads are hidden, but a lead can be closed.
  await card(page, name).dragTo(page.getByRole('tabpanel').getByText('Closed (Won)', { exact: true }));
  await expectToast(page, 'Status updated');
  await expect(column(page, 'New').getByRole('article')).toHaveCount(1);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(column(page, 'New').getByRole('article')).toHaveCount(2);

  for (const width of [1440, 1024, 390]) {
    await page.setViewportSize({ width, height: 800 });
    await expectNoOverflow(page);
    await expectLargeTargets(page, 'the board', 'main');
    await expectAccessible(page);
  }
});

test('leads are moved on the board by keyboard alone', { tag: '@screen' }, async ({ page, accounts }) => {
  const holder = await accounts.create();
  const [first, second] = await assignLeads(accounts, holder, { count: 2 });
  const [name, next] = [first.business.name, second?.business.name ?? ''];
  await accounts.signIn(page, holder);
  await page.goto('/crm?view=board&sort=oldest');
  await expect(column(page, 'New').getByRole('article')).toHaveCount(2);
  await page.getByRole('tab', { name: 'Board' }).focus();
  const move = page.getByRole('button', { name: `Move ${name} to…` });
  await expect
    .poll(async () => {
      await page.keyboard.press('Tab');
      return move.evaluate((button) => button === document.activeElement);
    })
    .toBe(true);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Recontact' })).toBeVisible();
  await page.keyboard.type('rec');
  await expect(page.getByRole('menuitem', { name: 'Recontact' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(column(page, 'Recontact').getByRole('article', { name })).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: `${name} moved to Recontact` })).toHaveCount(1);
  await expect(page.getByRole('button', { name: `Move ${next} to…` })).toBeFocused();
  await expect(page.getByRole('region', { name: 'Follow-ups' })).toBeVisible();
  await page.keyboard.press('z');
  await expect(column(page, 'New').getByRole('article', { name })).toBeVisible();
});

test('leads are dragged on the board with a finger', async ({ page, accounts }) => {
  const holder = await accounts.create();
  const [first] = await assignLeads(accounts, holder, { count: 2 });
  const { name } = first.business;
  await accounts.signIn(page, holder);
  await page.setViewportSize({ width: 390, height: 800 });
  const touch = await openTouchScreen(page);
  await page.goto('/crm?view=board');
  await expect(column(page, 'New').getByRole('article')).toHaveCount(2);
  const box = await card(page, name).boundingBox();
  const from = { x: (box?.x ?? 0) + 60, y: (box?.y ?? 0) + 80 };

  const leftOf = async (status: string) => (await column(page, status).boundingBox())?.x ?? 0;
  await touch.swipe(from, { x: from.x - 150, y: from.y });
  await expect.poll(() => leftOf('New')).toBeLessThan(0);
  await touch.swipe({ x: 100, y: from.y }, { x: 350, y: from.y });
  await expect.poll(() => leftOf('New')).toBeGreaterThan(0);
  await expect(column(page, 'New').getByRole('article')).toHaveCount(2);

  await touch.press(from);
  await expect(page.locator('[data-dragging]')).toHaveCount(1);
  // At the edge of the screen the board scrolls to the next columns.
  await touch.move({ x: 370, y: from.y });
  await expect.poll(() => leftOf('In Progress')).toBeLessThan(200);
  await touch.move({ x: 250, y: from.y });
  await touch.release();
  await expect(column(page, 'In Progress').getByRole('article', { name })).toBeVisible();
  await expectToast(page, 'Status updated');
  await expect(page).toHaveURL(/view=board/);
});
