import { reassignLead } from '#contract/leads/leads.calls.ts';
import { EVENTS_PATH } from '#contract/notifications/events.ts';
import { expectAccessible } from './axe.ts';
import { assignLeads } from './leads.ts';
import { expect, test } from './product.ts';
import { expectNoOverflow } from './screen.ts';

/** Pages without a stream poll every 30 seconds: what appears sooner was sent. */
const BEFORE_A_POLL = { timeout: 20_000 };

test('a reassignment shows on the other screens by itself', async ({ page, accounts, browser, baseURL }) => {
  const grace = await accounts.create('user', 'Grace Okafor');
  const tom = await accounts.create('user', 'Tom Ellery');
  const [lead] = await assignLeads(accounts, grace);
  const tomsPage = await browser.newPage({ baseURL });
  await accounts.signIn(page, grace);
  await accounts.signIn(tomsPage, tom);

  const connected = [page, tomsPage].map((tab) =>
    tab.waitForResponse((response) => response.url().endsWith(EVENTS_PATH)),
  );
  await page.goto(lead.path);
  await tomsPage.goto('/crm');
  // Opening a lead reads its notification.
  await expect(page.getByRole('button', { name: 'Notifications', exact: true })).toBeVisible();
  await expect(tomsPage.getByRole('button', { name: 'Notifications', exact: true })).toBeVisible();
  await Promise.all(connected);

  await accounts.sendAsAdmin(reassignLead.byId, {
    params: { id: lead.id },
    body: { newUserId: tom.id, notes: 'Closer to the area' },
  });

  await Promise.all([
    expect(tomsPage.getByRole('button', { name: 'Notifications, 1 unread' })).toBeVisible(BEFORE_A_POLL),
    expect(page.getByRole('heading', { level: 1, name: 'Customer Assigned to Another User' })).toBeVisible(
      BEFORE_A_POLL,
    ),
    expect(page.getByRole('button', { name: 'Notifications, 1 unread' })).toBeVisible(BEFORE_A_POLL),
  ]);

  await tomsPage.getByRole('button', { name: 'Notifications, 1 unread' }).click();
  await tomsPage.getByRole('link', { name: /Business reassigned to you/ }).click();
  await expect(tomsPage.getByRole('heading', { level: 1, name: lead.business.name })).toBeVisible();
  await expect(tomsPage.getByRole('button', { name: 'Notifications', exact: true })).toBeVisible();
  await tomsPage.getByRole('tab', { name: 'Assignment History (2)' }).click();
  await expect(tomsPage.getByText(`Reassigned from ${grace.username} to ${tom.username}`)).toBeVisible();
  await expect(tomsPage.getByText('Closer to the area')).toBeVisible();
  await tomsPage.close();
});

test('many tabs share one connection, and none of them stalls', async ({ context, accounts }) => {
  const grace = await accounts.create('user', 'Grace Okafor');
  const streams: string[] = [];
  context.on('request', (request) => void (request.url().endsWith(EVENTS_PATH) && streams.push(request.url())));

  // One more than a browser opens connections to one server.
  const tabs = [];
  for (let count = 0; count < 7; count += 1) {
    const tab = await context.newPage();
    if (count === 0) await accounts.signIn(tab, grace);
    await tab.goto('/crm');
    await expect(tab.getByRole('button', { name: 'Notifications', exact: true })).toBeVisible();
    tabs.push(tab);
  }
  expect(streams).toHaveLength(1);

  await assignLeads(accounts, grace);
  for (const tab of tabs) {
    await expect(tab.getByRole('button', { name: 'Notifications, 1 unread' })).toBeVisible();
  }

  // When the tab that holds the connection is closed, another takes over.
  const [listener, ...others] = tabs;
  await listener?.close();
  await expect.poll(() => streams.length).toBe(2);
  await assignLeads(accounts, grace, { skip: 1 });
  for (const tab of others) {
    await expect(tab.getByRole('button', { name: 'Notifications, 2 unread' })).toBeVisible();
  }
});

test('the bell passes axe in both themes and fits a narrow window', async ({ page, accounts }) => {
  const grace = await accounts.create('user', 'Grace Okafor');
  await assignLeads(accounts, grace, { count: 5 });
  await accounts.signIn(page, grace);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/crm');
  await page.getByRole('button', { name: 'Notifications, 5 unread' }).click();
  await expect(page.getByRole('list', { name: 'Notifications' }).getByRole('listitem')).toHaveCount(5);
  await expectAccessible(page);
  await expectNoOverflow(page);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Notifications, 5 unread' })).toBeFocused();
});
