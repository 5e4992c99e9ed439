import { planFollowUp } from '#contract/leads/follow-ups/follow-ups.calls.ts';
import { expectAccessible } from './axe.ts';
import { assignLeads } from './leads.ts';
import { expect, test } from './product.ts';
import { expectNoOverflow, expectToast } from './screen.ts';

test('a manager reassigns an overdue lead of a member', { tag: '@screen' }, async ({ page, accounts }) => {
  const manager = await accounts.create('manager');
  const member = await accounts.create('user', 'Nia Forgetful');
  const colleague = await accounts.create('user', 'Cal Careful');
  const leads = await assignLeads(accounts, member, { count: 4, location: 'York' });
  const at = new Date(Date.now() - 3_600_000).toISOString();
  for (const { id } of leads.slice(0, 3)) {
    await accounts.sendAsAdmin(planFollowUp.byId, { params: { id: String(id) }, body: { at } });
  }
  await accounts.signIn(page, manager);
  await page.goto('/progress');

  const overdue = page.getByRole('link', { name: '3 overdue of Nia Forgetful' });
  await expect(page.getByRole('link', { name: 'Open leads of Nia Forgetful' })).toBeVisible();
  await expectAccessible(page);
  await overdue.first().click();
  await expect(page.getByText('3 results found')).toBeVisible();
  await expect(page.getByText(/you can read and reassign them/)).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoOverflow(page);
  await page.setViewportSize({ width: 1280, height: 800 });

  const name = leads[0].business.name;
  await page.getByRole('link', { name, exact: true }).click();
  await expect(page.getByText(/^Nia Forgetful holds this business\. You can read it and reassign it/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'In Progress' })).toBeDisabled();
  await page.goBack();
  await expect(page.getByText('3 results found')).toBeVisible();

  await page.getByRole('checkbox', { name: `Select ${name}` }).check();
  await page.getByRole('button', { name: 'Bulk Actions' }).click();
  await expect(page.getByRole('menuitem')).toHaveText(['Reassign', 'Assign evenly']);
  await page.getByRole('menuitem', { name: 'Reassign' }).click();
  const dialog = page.getByRole('dialog', { name: 'Reassign Businesses' });
  await dialog.getByLabel('Reassign to').selectOption({ label: `Cal Careful (${colleague.username})` });
  await dialog.getByRole('button', { name: 'Reassign' }).click();
  await expectToast(page, '1 businesses reassigned successfully');
  await expect(page.getByText('2 results found')).toBeVisible();
  await page.getByRole('button', { name: 'Show my own leads' }).click();
  await expect(page.getByText('0 results found')).toBeVisible();
});
