import { planFollowUp } from '#contract/leads/follow-ups/follow-ups.calls.ts';
import { expectAccessible } from './axe.ts';
import { assignLeads } from './leads.ts';
import { expectResultCount } from './list-screen.ts';
import { expect, test } from './product.ts';
import { expectNoOverflow } from './screen.ts';

test('Back undoes each sort and filter of the list', async ({ page, accounts }) => {
  const holder = await accounts.create();
  const leads = await assignLeads(accounts, holder, { count: 5 });
  const planned = leads[2];
  const at = new Date(Date.now() + 60 * 60_000).toISOString();
  await accounts.sendAsAdmin(planFollowUp.byId, { params: { id: String(planned?.id) }, body: { at, type: 'call' } });
  await accounts.signIn(page, holder);
  await page.goto('/crm');
  await expectResultCount(page, 5);

  await page.getByLabel('Sort by date').selectOption('Name A to Z');
  const names = leads.map(({ business }) => business.name).sort((a, b) => a.localeCompare(b, 'en'));
  await expect(page.getByRole('article').getByRole('heading')).toHaveText(names);

  await page.getByRole('button', { name: 'More Filters' }).focus();
  await page.keyboard.press('Enter');
  await page.getByLabel('Next follow-up').selectOption('Planned');
  // What is shown until the response is dimmed.
  await expect(page.locator('article')).toHaveCount(1);
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expectResultCount(page, 1);
  await expect(page.getByRole('article', { name: planned?.business.name ?? '' })).toBeVisible();
  await page.reload();
  await expectResultCount(page, 1);
  await page.goBack();
  await expectResultCount(page, 5);
  await expect(page.getByLabel('Sort by date')).toHaveValue('name');

  await page.setViewportSize({ width: 390, height: 800 });
  await page.getByRole('button', { name: 'More Filters' }).click();
  await page.getByLabel('Assigned', { exact: true }).selectOption('Between two days');
  await expectNoOverflow(page);
  await expectAccessible(page);
});
