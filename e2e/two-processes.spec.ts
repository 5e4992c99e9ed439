import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildPath } from '#contract/call.ts';
import { planFollowUp } from '#contract/leads/follow-ups/follow-ups.calls.ts';
import { assignBusiness } from '#contract/leads/leads.calls.ts';
import { listNotifications } from '#contract/notifications/notifications.calls.ts';
import { searchBusinesses } from '#contract/search/search.calls.ts';
import { expect, test } from './product.ts';

test('two processes on one database act as one', async ({ page, product, accounts, startOwnProduct }) => {
  // The second process uses the built-in PostgreSQL of the first, through its socket.
  const socketFolder = encodeURIComponent(join(product.dataDir, 'run'));
  const password = readFileSync(join(product.dataDir, 'postgres-password'), 'utf8');
  const DATABASE_URL = `postgres://highstreet:${password}@localhost:5432/highstreet?host=${socketFolder}`;
  const { url } = await startOwnProduct('main', { DATABASE_URL }, 'empty');
  const holder = await accounts.create('user', 'Holly Holder');

  const connected = page.waitForResponse((response) => response.url() === `${url}/api/events`);
  await page.goto(`${url}/auth`);
  await page.getByLabel('Username or email').fill(holder.username);
  await page.getByLabel('Password', { exact: true }).fill(holder.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  const bell = page.getByRole('button', { name: /^Notifications/ });
  await expect(bell).toHaveAccessibleName('Notifications');
  await connected;

  const { businesses } = await accounts.sendAsAdmin(searchBusinesses, {
    body: { businessType: 'Bakery', location: 'Leeds' },
  });
  const businessId = businesses[0]?.id ?? 0;
  const lead = await accounts.sendAsAdmin(assignBusiness, { body: { userId: holder.id, businessId } });

  // Without the event it would be a poll after 30 seconds.
  await expect(bell).toHaveAccessibleName('Notifications, 1 unread', { timeout: 20_000 });

  // Both processes look for due follow-ups every ten seconds; one of them sends the reminder.
  const at = new Date(Date.now() + 1_000).toISOString();
  const plan = `${url}${buildPath(planFollowUp.byId, { params: { id: lead.id } })}`;
  expect((await page.request.put(plan, { data: { at } })).ok()).toBe(true);
  await expect(bell).toHaveAccessibleName('Notifications, 2 unread', { timeout: 20_000 });
  await page.waitForTimeout(11_000);
  const { items } = await (await page.request.get(`${url}${listNotifications.path}`)).json();
  expect(items.filter(({ type }: { type: string }) => type === 'follow_up_due')).toHaveLength(1);
});
