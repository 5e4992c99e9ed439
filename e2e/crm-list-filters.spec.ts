import type { Page } from '@playwright/test';
import { markExistingCustomer } from '#contract/leads/leads.calls.ts';
import type { Account, Accounts } from './accounts.ts';
import { assignLeads } from './leads.ts';
import { blockMapTiles, expectResultCount, runBulkAction } from './list-screen.ts';
import { expect, test } from './product.ts';
import { expectNoOverflow, expectToast } from './screen.ts';

type Case = 'plain' | 'hot' | 'both' | 'york' | 'won' | 'archived' | 'customer';

/** Assigns one lead for each case that a filter distinguishes, in this order, and returns their names. */
async function assignOneLeadPerCase(accounts: Accounts, holder: Account): Promise<Record<Case, string>> {
  const leeds = async (skip: number, fields: object = {}) => (await assignLeads(accounts, holder, { skip, fields }))[0];
  const plain = await leeds(0);
  const hot = await leeds(1, { status: 'in_progress', tags: ['Ripe'] });
  const both = await leeds(2, { status: 'recontact', tags: ['Ripe', 'Market day'] });
  const [york] = await assignLeads(accounts, holder, { location: 'York', fields: { tags: ['Market day'] } });
  const won = await leeds(3, { status: 'closed_won' });
  const archived = await leeds(4, { archived: true });
  const customer = await leeds(5);
  await accounts.sendAsAdmin(markExistingCustomer.byId, { params: { id: String(customer.id) } });
  const all = { plain, hot, both, york, won, archived, customer };
  return Object.fromEntries(Object.entries(all).map(([name, { business }]) => [name, business.name])) as never;
}

for (const { role, width } of [
  { role: 'user', width: 390 },
  { role: 'admin', width: 1280 },
] as const) {
  test(`every filter and view shows the matching leads, to role ${role} at ${width} px`, async ({
    page,
    accounts,
    expectedErrors,
  }) => {
    await blockMapTiles(page, expectedErrors);
    await page.setViewportSize({ width, height: 800 });
    const holder = await accounts.create('user', `Fay Filter ${role}`);
    const names = await assignOneLeadPerCase(accounts, holder);
    const shows = (...cases: Case[]) =>
      expect(page.getByRole('article').getByRole('heading')).toHaveText(cases.map((each) => names[each]));
    await accounts.signIn(page, role === 'admin' ? accounts.admin : holder);
    await page.goto('/crm');
    await expectToast(page, 'List refreshed');
    if (width < 1024) await page.getByRole('button', { name: 'Show Filters' }).click();
    if (role === 'admin') await page.getByLabel('Assigned User').selectOption(holder.fullName);
    await shows('york', 'both', 'hot', 'plain');
    await expectNoOverflow(page);

    await page.getByLabel('Hide Closed Leads').uncheck();
    await shows('won', 'york', 'both', 'hot', 'plain');
    await page.getByLabel('Hide Closed Leads').check();
    await page.getByLabel('Lead Status').selectOption('Recontact');
    await shows('both');
    // Existing customers are filtered by holder and name only.
    await page.getByLabel('Show Existing Customers').check();
    await shows('customer', 'both');
    await page.getByLabel('Show Existing Customers').uncheck();
    await page.getByLabel('Lead Status').selectOption('All Statuses');
    await chooseStatuses(page, 'In Progress', 'Recontact');
    await shows('both', 'hot');
    await expect(page.getByLabel('Lead Status')).toHaveValue('several');
    await page.reload();
    await shows('both', 'hot');
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
    await expectToast(page, 'List refreshed');
    await expectResultCount(page, 4);

    await page.getByLabel(`Select ${names.plain}`).check();
    await page.getByLabel(`Select ${names.york}`).check();
    await runBulkAction(page, 'Archive');
    await expectToast(page, '2 businesses archived successfully');
    await shows('hot', 'both');
  });
}

async function chooseStatuses(page: Page, ...statuses: string[]) {
  await page.getByRole('button', { name: /^More Filters/ }).click();
  await page.getByRole('button', { name: /^Statuses/ }).click();
  for (const status of statuses) await page.getByRole('checkbox', { name: status }).check();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
}

async function chooseTags(page: Page, tag: string) {
  await page.getByRole('button', { name: /^Custom Tags/ }).click();
  await page.getByLabel('Search tags').fill(tag.slice(0, 3).toUpperCase());
  await page.getByRole('checkbox', { name: tag }).check();
  await page.keyboard.press('Escape');
}

test('each user finds their own filters again', async ({ page, accounts }) => {
  const [first, second] = [await accounts.create(), await accounts.create()];
  const [own] = await assignLeads(accounts, first, { skip: 6, fields: { status: 'recontact' } });
  const [theirs] = await assignLeads(accounts, second, { skip: 7, fields: { status: 'recontact' } });
  await assignLeads(accounts, second, { skip: 8 });
  const heading = page.getByRole('article').getByRole('heading');

  await accounts.signIn(page, first);
  await page.goto('/crm');
  await page.getByLabel('Lead Status').selectOption('Recontact');
  await page.getByLabel('Items per page').selectOption('40');
  await expect(heading).toHaveText([own.business.name]);
  await expect(page).toHaveURL(/status=recontact/);
  const link = page.url();

  // The same filters show another user their own leads.
  await accounts.signIn(page, second);
  await page.goto('/crm');
  await expectResultCount(page, 2);
  await expect(page.getByLabel('Lead Status')).toHaveValue('all');
  await page.goto(link);
  await expect(heading).toHaveText([theirs.business.name]);
  await expect(page.getByLabel('Items per page')).toHaveValue('40');
  await page.getByRole('button', { name: 'Reset Filters' }).click();
  await expectResultCount(page, 2);

  await accounts.signIn(page, first);
  await page.goto('/crm');
  await expect(page.getByLabel('Lead Status')).toHaveValue('recontact');
  await expect(page.getByLabel('Items per page')).toHaveValue('40');
  await expect(heading).toHaveText([own.business.name]);
});
