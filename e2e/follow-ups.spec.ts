import { expectAccessible } from './axe.ts';
import { assignLeads } from './leads.ts';
import { expect, test } from './product.ts';
import { expectNoOverflow, expectToast } from './screen.ts';

test('a lead set to Recontact gets a date in one touch', async ({ page, accounts }) => {
  const holder = await accounts.create();
  const [lead] = await assignLeads(accounts, holder, { count: 2 });
  const name = lead?.business.name ?? '';
  await accounts.signIn(page, holder);
  await page.goto('/');

  await page.getByRole('link', { name: '2 new' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Today' })).toBeVisible();
  await expect(page.getByRole('region', { name: /^New for you 2/ }).getByRole('listitem')).toHaveCount(2);
  await page.getByRole('link', { name }).click();

  await page.getByRole('button', { name: 'Recontact' }).click();
  await expectToast(page, 'Status updated');
  const times = page.getByRole('group', { name: 'When to follow up' });
  await times.getByRole('button', { name: 'In a week' }).click();
  await expectToast(page, 'Follow-up planned');
  await expect(page.getByText('When will you contact them again?')).toBeHidden();

  // A time that is over: the follow-up is overdue at once.
  await page.getByRole('button', { name: 'Move' }).click();
  await page.getByRole('button', { name: 'Pick…' }).click();
  const anHourAgo = new Date(Date.now() - 3_600_000);
  const local = anHourAgo.toLocaleString('sv-SE', { timeZone: 'Europe/London' }).slice(0, 16).replace(' ', 'T');
  await page.getByLabel('Date and time').fill(local);
  await page.getByRole('button', { name: 'Plan', exact: true }).click();
  await expect(page.getByText('Overdue:')).toBeAttached();

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Today' }).click();
  const overdue = page.getByRole('region', { name: /^Overdue 1/ });
  await expect(overdue.getByRole('link', { name })).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoOverflow(page);
  await expectAccessible(page);

  await overdue.getByRole('button', { name: 'Done' }).click();
  await expectToast(page, 'Follow-up done');
  await expect(overdue).toBeHidden();
  await page.goto(`/business/uuid/${lead?.uuid}`);
  await expect(page.getByRole('tab', { name: 'Contact Activities (1)' })).toBeVisible();
  await expect(page.getByText('Nothing is planned.')).toBeVisible();
});

test('a follow-up goes with a reassigned lead', async ({ page, accounts }) => {
  const first = await accounts.create();
  const second = await accounts.create();
  const [lead] = await assignLeads(accounts, first, { count: 1 });
  await accounts.signIn(page, first);
  await page.goto('/crm');
  await page
    .getByRole('checkbox', { name: /^Select / })
    .first()
    .check();
  await page.getByRole('button', { name: 'Bulk Actions' }).click();
  await page.getByRole('menuitem', { name: 'Plan follow-up' }).click();
  await page.getByRole('dialog', { name: 'Plan follow-up' }).getByRole('button', { name: 'In a week' }).click();
  await expectToast(page, 'Follow-up planned for 1 business');
  await page.goto(`/business/uuid/${lead?.uuid}`);
  await page.getByRole('button', { name: 'Reassign Business' }).click();
  const dialog = page.getByRole('dialog', { name: /Reassign/ });
  await dialog
    .getByRole('combobox')
    .or(dialog.getByLabel(/User/))
    .first()
    .selectOption({ label: `${second.username} (user)` });
  await dialog.getByRole('button', { name: 'Reassign' }).click();
  await expectToast(page, 'Business reassigned');

  await accounts.signIn(page, second);
  await page.goto(`/business/uuid/${lead?.uuid}`);
  await expect(page.getByRole('button', { name: 'Done' })).toBeVisible();
});
