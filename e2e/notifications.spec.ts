import { reassignLead } from '#contract/leads/leads.calls.ts';
import { EVENTS_PATH } from '#contract/notifications/notifications.calls.ts';
import { expectAccessible } from './axe.ts';
import { giveLeads } from './leads.ts';
import { expect, test } from './product.ts';

const AT_ONCE = { timeout: 1_000 };

test('a reassignment shows on the other screens within a second', async ({ page, people, browser, baseURL }) => {
  const grace = await people.person('user', 'Grace Okafor');
  const tom = await people.person('user', 'Tom Ellery');
  const [lead] = await giveLeads(people, grace);
  const toms = await browser.newPage({ baseURL });
  await people.signIn(page, grace);
  await people.signIn(toms, tom);

  const listening = [page, toms].map((who) => who.waitForResponse((response) => response.url().endsWith(EVENTS_PATH)));
  await page.goto(lead.path);
  await toms.goto('/crm');
  await expect(page.getByRole('button', { name: 'Notifications, 1 unread' })).toBeVisible();
  await expect(toms.getByRole('button', { name: 'Notifications', exact: true })).toBeVisible();
  await Promise.all(listening);

  await people.ask(reassignLead.byId, {
    params: { id: lead.id },
    body: { newUserId: tom.id, notes: 'Closer to the area' },
  });

  await Promise.all([
    expect(toms.getByRole('button', { name: 'Notifications, 1 unread' })).toBeVisible(AT_ONCE),
    expect(page.getByRole('heading', { level: 1, name: 'Customer Assigned to Another User' })).toBeVisible(AT_ONCE),
    expect(page.getByRole('button', { name: 'Notifications, 2 unread' })).toBeVisible(AT_ONCE),
  ]);

  await toms.getByRole('button', { name: 'Notifications, 1 unread' }).click();
  await toms.getByRole('link', { name: /Business reassigned to you/ }).click();
  await expect(toms.getByRole('heading', { level: 1, name: lead.business.name })).toBeVisible();
  await expect(toms.getByRole('button', { name: 'Notifications', exact: true })).toBeVisible();
  await toms.getByRole('tab', { name: 'Assignment History (2)' }).click();
  await expect(toms.getByText(`Reassigned from ${grace.username} to ${tom.username}`)).toBeVisible();
  await expect(toms.getByText('Closer to the area')).toBeVisible();
  await toms.close();
});

test('many tabs share one connection, and none of them stalls', async ({ context, people }) => {
  const grace = await people.person('user', 'Grace Okafor');
  const streams: string[] = [];
  context.on('request', (request) => void (request.url().endsWith(EVENTS_PATH) && streams.push(request.url())));

  // One more than a browser opens connections to one server.
  const tabs = [];
  for (let count = 0; count < 7; count += 1) {
    const tab = await context.newPage();
    if (count === 0) await people.signIn(tab, grace);
    await tab.goto('/crm');
    await expect(tab.getByRole('button', { name: 'Notifications', exact: true })).toBeVisible();
    tabs.push(tab);
  }
  expect(streams).toHaveLength(1);

  await giveLeads(people, grace);
  for (const tab of tabs) {
    await expect(tab.getByRole('button', { name: 'Notifications, 1 unread' })).toBeVisible();
  }

  // When the tab that listens is closed, another takes over.
  const [listener, ...others] = tabs;
  await listener?.close();
  await expect.poll(() => streams.length).toBe(2);
  await giveLeads(people, grace, 1, 1);
  for (const tab of others) {
    await expect(tab.getByRole('button', { name: 'Notifications, 2 unread' })).toBeVisible();
  }
});

test('the bell passes axe in both themes and fits a narrow window', async ({ page, people }) => {
  const grace = await people.person('user', 'Grace Okafor');
  await giveLeads(people, grace, 5);
  await people.signIn(page, grace);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/crm');
  await page.getByRole('button', { name: 'Notifications, 5 unread' }).click();
  await expect(page.getByRole('list', { name: 'Notifications' }).getByRole('listitem')).toHaveCount(5);
  await expectAccessible(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Notifications, 5 unread' })).toBeFocused();
});
