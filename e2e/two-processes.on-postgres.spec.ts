import pg from 'pg';
import { assignBusiness } from '#contract/leads/leads.calls.ts';
import { searchBusinesses } from '#contract/search/search.calls.ts';
import { createPeople } from './people.ts';
import { expect, test } from './product.ts';
import { startProduct } from './started-product.ts';

async function newDatabase(): Promise<string> {
  const server = process.env.TEST_DATABASE_URL ?? '';
  const name = `highstreet_story_${process.pid}_${Date.now()}`;
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

test('what one process is told, a browser at the other process hears at once', async ({ page }) => {
  const DATABASE_URL = await newDatabase();
  // Both at the same moment: one of them migrates.
  const [one, two] = await Promise.all([
    startProduct('main', { DATABASE_URL }),
    startProduct('main', { DATABASE_URL }),
  ]);
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
  await Promise.all([one.stop(), two.stop()]);
});
