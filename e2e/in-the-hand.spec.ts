import { planFollowUp } from '#contract/leads/follow-ups/follow-ups.calls.ts';
import { assignLeads } from './leads.ts';
import { blockMapTiles } from './list-screen.ts';
import { expect, test } from './product.ts';
import { expectNoOverflow } from './screen.ts';
import { openTouchScreen } from './touch.ts';

const PHONE = { width: 390, height: 844 };
const ON_ITS_SIDE = { width: 740, height: 360 };

test('a day on a phone: swipes, the bottom bar, Back, and the phone on its side', async ({
  page,
  accounts,
  expectedErrors,
}) => {
  await blockMapTiles(page, expectedErrors);
  const holder = await accounts.create();
  const leads = await assignLeads(accounts, holder, { count: 8, location: 'Leeds' });
  for (const { id } of leads) {
    const at = new Date(Date.now() - 3_600_000).toISOString();
    await accounts.sendAsAdmin(planFollowUp.byId, { params: { id }, body: { at } });
  }
  await accounts.signIn(page, holder);
  await page.setViewportSize(PHONE);
  await page.goto('/today');
  const touch = await openTouchScreen(page);
  const row = page.getByRole('listitem', { name: leads[0].business.name });
  const middle = async () => {
    const box = await row.boundingBox();
    return { x: PHONE.width / 2, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 };
  };
  const drag = async (by: { x?: number; y?: number }) => {
    const from = await middle();
    await touch.swipe(from, { x: from.x + (by.x ?? 0), y: from.y + (by.y ?? 0) });
  };

  await test.step('a swipe to the right logs, and Back closes the sheet', async () => {
    await expect(row).toBeVisible();
    await drag({ x: 140 });
    const sheet = page.getByRole('dialog', { name: 'Log contact' });
    await expect(sheet).toBeVisible();
    await page.goBack();
    await expect(sheet).toBeHidden();
    await expect(page).toHaveURL(/\/today$/);
  });

  await test.step('a swipe to the left moves', async () => {
    await drag({ x: -140 });
    const times = page.getByRole('group', { name: `When to follow up with ${leads[0].business.name}` });
    await expect(times).toBeVisible();
    await times.getByRole('button', { name: 'Cancel' }).click();
    await expect(times).toBeHidden();
  });

  await test.step('a finger that moves up scrolls, also at an angle', async () => {
    await drag({ x: 60, y: -300 });
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(50);
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(page.getByRole('group', { name: /^When to follow up/ })).toHaveCount(0);
  });

  await test.step('the bottom bar has the map; the rest is under More, which Back closes', async () => {
    const bar = page.getByRole('navigation', { name: 'Main' });
    await bar.getByRole('link', { name: 'Map' }).click();
    await expect(page.getByText('8 businesses on the map')).toBeVisible();
    await expect(bar.getByRole('link', { name: 'Map' })).toHaveAttribute('aria-current', 'page');
    await bar.getByRole('button', { name: 'More' }).click();
    const more = page.getByRole('dialog', { name: 'More' });
    await expect(more.getByRole('link', { name: 'Coverage' })).toBeFocused();
    await page.goBack();
    await expect(more).toBeHidden();
    await expect(page).toHaveURL(/view=map/);
    await bar.getByRole('button', { name: 'More' }).click();
    await more.getByRole('button', { name: 'Help' }).click();
    await page.getByRole('link', { name: 'On your phone' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'On your phone' })).toBeVisible();
    await expect(more).toBeHidden();
    await page.goBack();
    await expect(page.getByText('8 businesses on the map')).toBeVisible();
  });

  await test.step('on its side, nothing is cut off', async () => {
    await page.setViewportSize(ON_ITS_SIDE);
    for (const path of ['/today', '/crm', '/crm?view=map', '/trip', '/help/phone', leads[1].path]) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expectNoOverflow(page, path);
    }
    await page.getByRole('button', { name: 'More', exact: true }).last().click();
    await expect(page.getByRole('dialog', { name: 'More' })).toBeInViewport();
    await expectNoOverflow(page, 'More');
  });
});
