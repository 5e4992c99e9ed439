import type { Page } from '@playwright/test';
import { markExistingCustomer } from '#contract/leads/leads.calls.ts';
import { giveLeads } from './leads.ts';
import { bulk, expectNoOverflow, found, toast, withoutTiles } from './list-screen.ts';
import type { People, Person } from './people.ts';
import { expect, test } from './product.ts';

type Case = 'plain' | 'hot' | 'both' | 'york' | 'won' | 'archived' | 'customer';

/** One lead for each case that a filter may tell apart, in this order. */
async function leadsToTellApart(people: People, holder: Person): Promise<Record<Case, string>> {
  const leeds = async (from: number, more: object = {}) => (await giveLeads(people, holder, 1, from, 'Leeds', more))[0];
  const plain = await leeds(0);
  const hot = await leeds(1, { status: 'in_progress', tags: ['Ripe'] });
  const both = await leeds(2, { status: 'recontact', tags: ['Ripe', 'Market day'] });
  const [york] = await giveLeads(people, holder, 1, 0, 'York', { tags: ['Market day'] });
  const won = await leeds(3, { status: 'closed_won' });
  const archived = await leeds(4, { archived: true });
  const customer = await leeds(5);
  await people.ask(markExistingCustomer.byId, { params: { id: String(customer.id) } });
  const all = { plain, hot, both, york, won, archived, customer };
  return Object.fromEntries(Object.entries(all).map(([name, { business }]) => [name, business.name])) as never;
}

for (const { role, width } of [
  { role: 'user', width: 390 },
  { role: 'admin', width: 1280 },
] as const) {
  test(`every filter and view finds what it says, for one who is ${role}, at ${width} px`, async ({
    page,
    people,
    expectedComplaints,
  }) => {
    test.setTimeout(120_000);
    await withoutTiles(page, expectedComplaints);
    await page.setViewportSize({ width, height: 800 });
    const holder = await people.person('user', `Fay Filter ${role}`);
    const names = await leadsToTellApart(people, holder);
    const shows = (...cases: Case[]) =>
      expect(page.getByRole('article').getByRole('heading')).toHaveText(cases.map((each) => names[each]));
    await people.signIn(page, role === 'admin' ? people.admin : holder);
    await page.goto('/crm');
    await toast(page, 'List refreshed');
    if (width < 1024) await page.getByRole('button', { name: 'Show Filters' }).click();
    if (role === 'admin') await page.getByLabel('Assigned User').selectOption(holder.fullName);
    await shows('york', 'both', 'hot', 'plain');
    await expectNoOverflow(page);

    await page.getByLabel('Hide Closed Leads').uncheck();
    await shows('won', 'york', 'both', 'hot', 'plain');
    await page.getByLabel('Hide Closed Leads').check();
    await page.getByLabel('Lead Status').selectOption('Recontact');
    await shows('both');
    // An existing customer passes by holder and name alone, whatever else is asked for.
    await page.getByLabel('Show Existing Customers').check();
    await shows('customer', 'both');
    await page.getByLabel('Show Existing Customers').uncheck();
    await page.getByLabel('Lead Status').selectOption('All Statuses');

    await page.getByLabel('UK Town').selectOption('York');
    await shows('york');
    await page.getByLabel('UK Town').selectOption('All Towns');
    await page.getByLabel('Show Archived').check();
    await shows('archived', 'york', 'both', 'hot', 'plain');
    await expect(page.getByRole('article', { name: names.archived }).getByText('ARCHIVED')).toBeVisible();
    await page.getByLabel('Show Archived').uncheck();

    await chooseTags(page, 'Market day');
    await shows('york', 'both');
    await chooseTags(page, 'Ripe');
    await shows('york', 'both', 'hot');
    await page.getByRole('button', { name: /^Custom Tags/ }).click();
    await page.getByRole('button', { name: 'Clear all' }).click();
    await page.keyboard.press('Escape');
    await shows('york', 'both', 'hot', 'plain');

    await page.getByLabel('Search by name').fill(names.hot.toLowerCase());
    await page.getByLabel('Search by name').press('Enter');
    await shows('hot');
    await page.getByRole('button', { name: 'Reset Filters' }).click();
    await expect(page.getByLabel('Search by name')).toHaveValue('');
    if (role === 'admin') await page.getByLabel('Assigned User').selectOption(holder.fullName);
    await page.getByLabel('Sort by date').selectOption('Oldest first');
    await shows('plain', 'hot', 'both', 'york');

    await page.getByRole('tab', { name: 'Table' }).click();
    await expect(page.getByRole('row').getByRole('link', { name: names.york })).toBeVisible();
    await expectNoOverflow(page);
    await page.getByRole('tab', { name: 'Map' }).click();
    await expect(page.getByText('4 businesses on the map')).toBeVisible();
    await page.getByRole('tab', { name: 'List' }).click();
    await page.getByRole('button', { name: 'Refresh List' }).click();
    await toast(page, 'List refreshed');
    await found(page, 4);

    await page.getByLabel(`Select ${names.plain}`).check();
    await page.getByLabel(`Select ${names.york}`).check();
    await bulk(page, 'Archive');
    await toast(page, '2 businesses archived successfully');
    await shows('hot', 'both');
  });
}

async function chooseTags(page: Page, tag: string) {
  await page.getByRole('button', { name: /^Custom Tags/ }).click();
  await page.getByLabel('Search tags').fill(tag.slice(0, 3).toUpperCase());
  await page.getByRole('checkbox', { name: tag }).check();
  await page.keyboard.press('Escape');
}

test('an address can be sent to a colleague, and each person finds the list as they left it', async ({
  page,
  people,
}) => {
  test.setTimeout(120_000);
  const [first, second] = [await people.person(), await people.person()];
  const [own] = await giveLeads(people, first, 1, 6, 'Leeds', { status: 'recontact' });
  const [theirs] = await giveLeads(people, second, 1, 7, 'Leeds', { status: 'recontact' });
  await giveLeads(people, second, 1, 8);
  const heading = page.getByRole('article').getByRole('heading');

  await people.signIn(page, first);
  await page.goto('/crm');
  await page.getByLabel('Lead Status').selectOption('Recontact');
  await page.getByLabel('Items per page').selectOption('40');
  await expect(heading).toHaveText([own.business.name]);
  await expect(page).toHaveURL(/status=recontact/);
  const address = page.url();

  // The same question of somebody else has their own leads as its answer.
  await people.signIn(page, second);
  await page.goto('/crm');
  await found(page, 2);
  await expect(page.getByLabel('Lead Status')).toHaveValue('all');
  await page.goto(address);
  await expect(heading).toHaveText([theirs.business.name]);
  await expect(page.getByLabel('Items per page')).toHaveValue('40');
  await page.getByRole('button', { name: 'Reset Filters' }).click();
  await found(page, 2);

  await people.signIn(page, first);
  await page.goto('/crm');
  await expect(page.getByLabel('Lead Status')).toHaveValue('recontact');
  await expect(page.getByLabel('Items per page')).toHaveValue('40');
  await expect(heading).toHaveText([own.business.name]);
});
