import { expectAccessible } from './axe.ts';
import { giveLeads } from './leads.ts';
import { bulk, expectNoOverflow, found, toast, withoutTiles } from './list-screen.ts';
import { expect, test } from './product.ts';

const COUNT = 12;

test('a user filters their leads, opens one and finds the list as it was left', async ({ page, people }) => {
  const holder = await people.person();
  const leads = await giveLeads(people, holder, COUNT);
  await people.signIn(page, holder);
  await page.goto('/');

  await expect(page.getByRole('heading', { name: 'CRM Dashboard', level: 1 })).toBeVisible();
  await expect(page.getByRole('tab', { name: 'Search Businesses' })).toHaveCount(0);
  await expect(page.getByLabel('Assigned User')).toBeDisabled();
  await expect(page.getByRole('link', { name: 'Import Businesses' })).toHaveCount(0);
  await found(page, COUNT);
  await toast(page, 'List refreshed');
  await expect(page.getByRole('article')).toHaveCount(10);

  const last = leads[COUNT - 1]?.business.name ?? '';
  await page.getByLabel('Search by name').fill(last.toUpperCase());
  await expect(page.getByRole('article', { name: last })).toBeVisible();
  await expect(page).toHaveURL(/[?&]q=/);
  await page.getByRole('article', { name: last }).getByRole('button', { name: 'Mark as Viewed' }).click();
  await toast(page, 'Business marked as viewed');
  await page.getByRole('button', { name: 'Reset Filters' }).click();
  await found(page, COUNT);

  await page.getByLabel('Lead Status').selectOption('Closed (Won)');
  await expect(page.getByText('No business assignments found')).toBeVisible();
  await expect(page.getByText('Your administrator will assign businesses to you when available.')).toBeVisible();
  await expect(page.getByLabel('Hide Closed Leads')).not.toBeChecked();
  await page.getByRole('button', { name: 'Reset Filters' }).click();

  await page.getByLabel('Sort by date').selectOption('Oldest first');
  await page.getByRole('tab', { name: 'Table' }).click();
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page.getByText('Page 2 of 2')).toBeVisible();
  await page.getByRole('button', { name: 'Previous' }).click();
  await expect(page.getByText('Page 1 of 2')).toBeVisible();
  await page.getByRole('button', { name: 'Next' }).click();
  const row = page.getByRole('row', { name: new RegExp(literally(last)) });
  await row.getByRole('button', { name: 'View Profile' }).click();
  await expect(page.getByRole('heading', { name: last, level: 1 })).toBeVisible();

  await page.goto('/crm');
  await expect(page.getByText('Page 2 of 2')).toBeVisible();
  await expect(page).toHaveURL(/view=table/);
  await expect(page.getByLabel('Sort by date')).toHaveValue('oldest');
  await expect(row).toHaveAttribute('data-highlighted', 'true');
  await expect(row).not.toHaveAttribute('data-highlighted', 'true');

  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL(/\/auth$/);
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('remembered')))).toEqual([]);
});

test('going back finds every list and profile where it was left', async ({ page, people }) => {
  const holder = await people.person();
  await giveLeads(people, holder, COUNT);
  await people.signIn(page, holder);
  await page.setViewportSize({ width: 900, height: 500 });
  await page.goto('/crm');
  await found(page, COUNT);
  const scrollY = () => page.evaluate(() => window.scrollY);
  const scrollTo = async (y: number) => {
    await page.evaluate((to) => window.scrollTo(0, to), y);
    await expect.poll(scrollY).toBe(y);
  };

  await scrollTo(600);
  await page.evaluate(() => window.history.pushState(null, '', '/crm?sort=oldest&q=no-such-name'));
  await found(page, 0);
  expect(await scrollY()).toBe(0);
  await page.goBack();
  await found(page, COUNT);
  await expect(page.getByLabel('Sort by date')).toHaveValue('newest');
  await expect.poll(scrollY).toBe(600);

  const profile = page.getByRole('button', { name: 'View Profile' }).nth(6);
  await profile.scrollIntoViewIfNeeded();
  const left = await scrollY();
  expect(left).toBeGreaterThan(0);
  await profile.click();
  await expect(page.getByRole('tab', { name: 'Notes' })).toBeVisible();
  expect(await scrollY()).toBe(0);
  await scrollTo(100);
  await page.goBack();
  await found(page, COUNT);
  await expect.poll(scrollY).toBe(left);
  await page.goForward();
  await expect(page.getByRole('tab', { name: 'Notes' })).toBeVisible();
  await expect.poll(scrollY).toBe(100);
  await page.reload();
  await expect(page.getByRole('tab', { name: 'Notes' })).toBeVisible();
  await expect.poll(scrollY).toBe(100);
});

test('an administrator archives, restores, moves, hands over and deletes many leads at once', async ({
  page,
  people,
}) => {
  const holder = await people.person('user', 'Hilda Holder');
  const heir = await people.person('user', 'Henry Heir');
  await giveLeads(people, holder, COUNT);
  await people.signIn(page, people.admin);
  await page.goto('/');
  await expect(page.getByRole('tab', { name: 'Search Businesses' })).toHaveAttribute('aria-selected', 'true');
  await page.getByRole('tab', { name: 'CRM Dashboard' }).click();
  await expect(page.getByRole('link', { name: 'Import Businesses' })).toHaveAttribute('href', '/import');

  await page.getByLabel('Assigned User').selectOption('Hilda Holder');
  await found(page, COUNT);
  await page.getByRole('tab', { name: 'Table' }).click();
  await page.getByLabel('Select all on this page').check();
  await expect(page.getByText('10 selected')).toBeVisible();

  await bulk(page, 'Archive');
  await toast(page, '10 businesses archived successfully');
  await found(page, 2);
  await page.getByLabel('Show Archived').check();
  await found(page, COUNT);
  await page.getByLabel('Items per page').selectOption('20');
  await expect(page.getByText('ARCHIVED', { exact: true })).toHaveCount(10);
  await page.getByLabel('Select all on this page').check();
  await bulk(page, 'Restore');
  await toast(page, `${COUNT} businesses restored successfully`);
  await page.getByLabel('Show Archived').uncheck();
  await found(page, COUNT);

  await page
    .getByLabel(/^Select (?!all)/)
    .first()
    .check();
  await bulk(page, 'Update Status', 'Negotiation');
  await toast(page, 'Status updated for 1 businesses');
  await page.getByLabel('Lead Status').selectOption('Negotiation');
  await found(page, 1);
  await page.getByLabel('Lead Status').selectOption('All Statuses');
  await found(page, COUNT);

  await page
    .getByLabel(/^Select (?!all)/)
    .nth(0)
    .check();
  await page
    .getByLabel(/^Select (?!all)/)
    .nth(1)
    .check();
  await bulk(page, 'Reassign');
  const handing = page.getByRole('dialog', { name: 'Reassign Businesses' });
  await handing.getByRole('button', { name: 'Reassign' }).click();
  await expect(handing.getByText('Please select a user to reassign to')).toBeVisible();
  await expectAccessible(page);
  await handing.getByRole('combobox').selectOption(`Henry Heir (${heir.username})`);
  await handing.getByLabel('Notes').fill('New territory');
  await handing.getByRole('button', { name: 'Reassign' }).click();
  await toast(page, '2 businesses reassigned successfully');
  await found(page, COUNT - 2);

  await page.getByLabel('Select all on this page').check();
  await bulk(page, 'Delete');
  const deleting = page.getByRole('dialog', { name: 'Confirm Deletion' });
  await expect(deleting).toContainText(
    'Are you sure you want to delete 10 selected business(es)? This action is permanent and cannot be undone.',
  );
  await deleting.getByRole('button', { name: 'Delete' }).click();
  await toast(page, '10 businesses deleted successfully');
  await expect(page.getByText('Assign businesses to users from the search results page.')).toBeVisible();
});

test('the map shows where leads are, by pointer and by keyboard, even without tiles', async ({
  page,
  people,
  expectedComplaints,
}) => {
  await withoutTiles(page, expectedComplaints);
  const holder = await people.person('user', 'Mia Mapper');
  const [first] = await giveLeads(people, holder, 3);
  await people.signIn(page, holder);
  await page.goto('/crm');
  await page.getByRole('tab', { name: 'Map' }).click();
  await expect(page.getByText('3 businesses on the map')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Map' }).getByRole('button', { name: 'Business' })).toHaveCount(3);
  await expect(page.getByText(/The markers work without them/)).toBeVisible();

  await page.getByRole('button', { name: `Show on the map: ${first.business.name}` }).press('Enter');
  const popup = page.getByRole('region', { name: 'Business', exact: true });
  await expect(popup.getByRole('heading', { name: first.business.name })).toBeVisible();
  await expect(popup.getByText('Mia Mapper')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Reset View' }).click();
  await popup.getByRole('link', { name: 'Business Profile' }).click();
  await expect(page).toHaveURL(new RegExp(`${first.path}$`));
});

test('every view fits a phone and is accessible in both themes', async ({ page, people, expectedComplaints }) => {
  test.setTimeout(180_000);
  await withoutTiles(page, expectedComplaints);
  const holder = await people.person();
  await giveLeads(people, holder, 3);
  await people.signIn(page, holder);
  for (const view of ['list', 'table', 'map']) {
    await page.goto(`/crm?view=${view}&sort=oldest`);
    await found(page, 3);
    if (view === 'map') await expect(page.getByRole('region', { name: 'Map' })).toBeVisible();
    for (const width of [1280, 390, 360]) {
      await page.setViewportSize({ width, height: 800 });
      await expectNoOverflow(page);
      if (width !== 360) await expectAccessible(page);
    }
  }
  await page.getByRole('button', { name: 'Show Filters' }).click();
  await page.getByRole('button', { name: /^Custom Tags/ }).click();
  await expect(page.getByRole('button', { name: 'Clear all' })).toBeVisible();
  await expectNoOverflow(page);
  await expectAccessible(page);
});

const literally = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
