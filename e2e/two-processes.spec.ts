import { join } from 'node:path';
import { assignBusiness } from '#contract/leads/leads.calls.ts';
import { searchBusinesses } from '#contract/search/search.calls.ts';
import { createPeople } from './people.ts';
import { expect, test } from './product.ts';
import { startProduct } from './started-product.ts';

test('a browser at one process sees at once what another process on the same database does', async ({ page }) => {
  const one = await startProduct();
  // The second uses the built-in PostgreSQL of the first, by its socket.
  const socketFolder = encodeURIComponent(join(one.dataDir, 'run'));
  const DATABASE_URL = `postgres://highstreet@localhost:5432/highstreet?host=${socketFolder}`;
  const two = await startProduct('main', { DATABASE_URL });
  const people = await createPeople(one.url);
  const holder = await people.person('user', 'Holly Holder');

  const listening = page.waitForResponse((response) => response.url() === `${two.url}/api/events`);
  await page.goto(`${two.url}/auth`);
  await page.getByLabel('Username or email').fill(holder.username);
  await page.getByLabel('Password', { exact: true }).fill(holder.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  const bell = page.getByRole('button', { name: /^Notifications/ });
  await expect(bell).toHaveAccessibleName('Notifications');
  await listening;

  const { businesses } = await people.ask(searchBusinesses, { body: { businessType: 'Bakery', location: 'Leeds' } });
  const businessId = businesses[0]?.id ?? 0;
  await people.ask(assignBusiness, { body: { userId: holder.id, businessId } });

  await expect(bell).toHaveAccessibleName('Notifications, 1 unread', { timeout: 2_000 });
  // A page that is still open would go on asking servers that are no longer there.
  await page.goto('about:blank');
  await two.stop();
  await one.stop();
});
