import type { Page } from '@playwright/test';
import { importBusinesses } from '#contract/import/import.calls.ts';
import { bulkUpdateStatus, listLeads } from '#contract/leads/lead-lists.calls.ts';
import { assignBusiness } from '#contract/leads/leads.calls.ts';
import { EVENTS_PATH } from '#contract/notifications/events.ts';
import { searchBusinesses } from '#contract/search/search.calls.ts';
import { deviceIsReady } from './device.ts';
import { assignLeads } from './leads.ts';
import { expectResultCount } from './list-screen.ts';
import { expect, test } from './product.ts';
import { expectToast } from './screen.ts';

/** Opens a screen and waits until its events arrive. */
async function openConnected(page: Page, path: string) {
  const connected = page.waitForResponse((response) => response.url().endsWith(EVENTS_PATH));
  await page.goto(path);
  await connected;
}

test('a change by one user appears on the screens of another', async ({ page, accounts, browser, baseURL }) => {
  const grace = await accounts.create('user', 'Grace Okafor');
  const [lead] = await assignLeads(accounts, grace);
  const adminsPage = await browser.newPage({ baseURL });
  await accounts.signIn(page, grace);
  await accounts.signIn(adminsPage, accounts.admin);
  await openConnected(adminsPage, `/crm?user=${grace.id}`);
  const card = adminsPage.getByRole('article', { name: lead.business.name });
  await expect(card).toBeVisible();

  await page.goto(lead.path);
  await page.getByRole('button', { name: 'Recontact', exact: true }).click();
  await expectToast(page, 'Status updated');
  await expect(card.getByText('Recontact')).toBeVisible();

  // The other way round, while she types.
  await openConnected(page, lead.path);
  await page.getByRole('textbox', { name: 'Activity notes' }).fill('Spoke to the chef');
  await page.getByRole('button', { name: /(Add|Edit) email/ }).click();
  await page.getByRole('textbox', { name: 'Email' }).fill('chef@example');
  await adminsPage.goto(lead.path);
  await adminsPage.getByRole('button', { name: 'In Progress', exact: true }).click();
  await expectToast(adminsPage, 'Status updated');
  await expect(page.getByRole('button', { name: 'In Progress', exact: true })).toHaveAttribute('aria-pressed', 'true');
  await expect(page.getByRole('textbox', { name: 'Activity notes' })).toHaveValue('Spoke to the chef');
  await expect(page.getByRole('textbox', { name: 'Email' })).toHaveValue('chef@example');
  await expect(page.getByRole('textbox', { name: 'Email' })).toBeFocused();
  await expect(page.getByRole('status').filter({ hasText: /updated|refreshed/i })).toHaveCount(0);

  await adminsPage.close();
});

test('a bulk change of 500 leads causes one or two requests of an open list', async ({ page, accounts }) => {
  const holder = await accounts.create('user', 'Holly Holder');
  await accounts.signIn(page, accounts.admin);
  const rows = Array.from(
    { length: 500 },
    (_, n) => `Bulk Shop ${n},"${n} Long Lane, Otley LS21 1AA",${holder.username}`,
  );
  const buffer = Buffer.from(['Business Name,Address,User', ...rows].join('\n'));
  const file = { name: 'bulk.csv', mimeType: 'text/csv', buffer };
  const imported = await page.request.post(importBusinesses.path, { multipart: { file } });
  expect(imported.ok()).toBe(true);
  const ids: number[] = [];
  for (let n = 1; n <= 5; n += 1) {
    const query = { user: holder.id, pageSize: 100, page: n };
    for (const { userBusiness } of (await accounts.sendAsAdmin(listLeads, { query })).items) ids.push(userBusiness.id);
  }
  expect(ids).toHaveLength(500);

  await accounts.signIn(page, holder);
  await openConnected(page, '/crm');
  await expectResultCount(page, 500);
  const requests: string[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === listLeads.path) requests.push(request.url());
  });
  await accounts.sendAsAdmin(bulkUpdateStatus, { body: { ids, status: 'recontact' } });
  await expect(page.getByRole('article').first().getByText('Recontact')).toBeVisible();
  // A second change comes later than any further request for the first.
  await accounts.sendAsAdmin(bulkUpdateStatus, { body: { ids, status: 'in_progress' } });
  await expect(page.getByRole('article').first().getByText('In Progress')).toBeVisible();
  expect(requests.length).toBeGreaterThanOrEqual(2);
  expect(requests.length).toBeLessThanOrEqual(4);
});

test('a page that was offline recovers by itself', async ({ page, context, accounts, expectedErrors }) => {
  expectedErrors.push(/net::ERR_/);
  const grace = await accounts.create('user', 'Grace Okafor');
  const [lead] = await assignLeads(accounts, grace);
  await accounts.signIn(page, grace);
  await page.goto(lead.path);
  const notes = page.getByRole('textbox', { name: 'Activity notes' });
  await notes.fill('Left a message');
  const bar = page.getByRole('status').filter({ hasText: 'You are offline; what you write is kept' });
  await expect(bar).toHaveCount(0);
  await deviceIsReady(page);

  await context.setOffline(true);
  await expect(bar).toBeVisible();
  await page.getByRole('button', { name: 'Add Activity' }).click();
  await expectToast(page, 'Kept on this device');
  // A screen that cannot be loaded recovers when the network is back.
  await page.getByRole('tab', { name: /Assignment History/ }).click();

  await context.setOffline(false);
  await expect(bar).toHaveCount(0);
  await page.getByRole('tab', { name: /Contact Activities/ }).click();
  // What was added is sent by itself.
  await expect(page.getByRole('tab', { name: 'Contact Activities (1)' })).toBeVisible();
  await expect(notes).toHaveValue('');
});

test('the notices of one action are one line', async ({ page, accounts }) => {
  const grace = await accounts.create('user', 'Grace Okafor');
  const search = { businessType: 'Restaurant', location: 'Leeds' };
  const { businesses } = await accounts.sendAsAdmin(searchBusinesses, { body: search });
  const batch = crypto.randomUUID();
  for (const business of businesses.slice(0, 3)) {
    await accounts.sendAsAdmin(assignBusiness, { body: { userId: grace.id, businessId: business.id, batch } });
  }
  await assignLeads(accounts, grace, { skip: 3 });
  await accounts.signIn(page, grace);
  await page.goto('/crm');
  await page.getByRole('button', { name: 'Notifications, 2 unread' }).click();
  const line = page.getByRole('listitem').filter({ hasText: 'assigned 3 businesses to you' });
  await expect(line).toHaveCount(1);
  await line.getByRole('link', { name: 'Open them' }).click();
  await expectResultCount(page, 3);
  await expect(page.getByText('Assigned together')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Notifications, 1 unread' })).toBeVisible();
  await page.getByRole('button', { name: 'Reset Filters' }).first().click();
  await expectResultCount(page, 4);

  // Opening the lead of the other one from the list counts as reading it.
  await page.getByRole('article').first().getByRole('link', { name: 'View Profile' }).click();
  await expect(page.getByRole('button', { name: 'Notifications', exact: true })).toBeVisible();
});
