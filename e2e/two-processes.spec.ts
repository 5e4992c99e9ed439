import { join } from 'node:path';
import { assignBusiness } from '#contract/leads/leads.calls.ts';
import { searchBusinesses } from '#contract/search/search.calls.ts';
import { expect, test } from './product.ts';

test('a browser sees at once what another process on the same database changes', async ({
  page,
  product,
  accounts,
  startOwnProduct,
}) => {
  // The second process uses the built-in PostgreSQL of the first, through its socket.
  const socketFolder = encodeURIComponent(join(product.dataDir, 'run'));
  const DATABASE_URL = `postgres://highstreet@localhost:5432/highstreet?host=${socketFolder}`;
  const { url } = await startOwnProduct('main', { DATABASE_URL });
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
  await accounts.sendAsAdmin(assignBusiness, { body: { userId: holder.id, businessId } });

  // Without the event it would be a poll after 30 seconds.
  await expect(bell).toHaveAccessibleName('Notifications, 1 unread', { timeout: 20_000 });
});
