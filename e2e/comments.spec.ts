import { planFollowUp } from '#contract/leads/follow-ups/follow-ups.calls.ts';
import { expectAccessible } from './axe.ts';
import { assignLeads } from './leads.ts';
import { expect, test } from './product.ts';
import { chooseTheme, expectNoOverflow, expectToast } from './screen.ts';
import { expectLargeTargets } from './target-sizes.ts';

/** Pages without a stream poll every 30 seconds: what appears sooner was sent. */
const BEFORE_A_POLL = { timeout: 20_000 };

test('a manager asks for an update of an overdue lead, and is notified of the answer', async ({
  page,
  accounts,
  browser,
  baseURL,
}) => {
  const manager = await accounts.create('manager', 'Mia Lead');
  const holder = await accounts.create('user', 'Ike Longdue');
  const leads = await assignLeads(accounts, holder, { count: 3, location: 'York' });
  const at = new Date(Date.now() - 3_600_000).toISOString();
  for (const { id } of leads.slice(0, 2)) {
    await accounts.sendAsAdmin(planFollowUp.byId, { params: { id: String(id) }, body: { at } });
  }
  const holdersPage = await browser.newPage({ baseURL });
  await accounts.signIn(holdersPage, holder);
  await holdersPage.goto('/crm');
  await expect(holdersPage.getByRole('button', { name: 'Notifications, 3 unread' })).toBeVisible();

  await accounts.signIn(page, manager);
  await page.goto('/progress');
  await page.getByRole('link', { name: '2 overdue of Ike Longdue' }).first().click();
  await expect(page.getByText('2 results found')).toBeVisible();
  const [{ business }] = leads;
  await page.getByRole('link', { name: business.name, exact: true }).click();
  await page.getByRole('button', { name: 'Ask for an Update' }).click();
  await expectToast(page, 'Ike Longdue is notified. The answer will be in your notifications.');
  await page.getByRole('tab', { name: 'Timeline' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: 'by Mia Lead' })).toContainText(
    'Please tell me how this is going.',
  );

  await expect(holdersPage.getByRole('button', { name: 'Notifications, 4 unread' })).toBeVisible(BEFORE_A_POLL);
  await holdersPage.getByRole('button', { name: 'Notifications, 4 unread' }).click();
  await holdersPage.getByRole('link', { name: /Mia Lead: Please tell me how this is going\./ }).click();
  await expect(holdersPage.getByRole('heading', { level: 1, name: business.name })).toBeVisible();
  await expect(holdersPage.getByText('Please tell me how this is going.')).toBeVisible();
  await expectAccessible(holdersPage);
  await chooseTheme(holdersPage, 'Ike Longdue', 'Dark');
  await expectAccessible(holdersPage);
  await holdersPage.setViewportSize({ width: 390, height: 844 });
  await expectNoOverflow(holdersPage);
  await expectLargeTargets(holdersPage, 'the timeline', 'main');
  await holdersPage.getByLabel('Comment', { exact: true }).fill('They decide on Friday.');
  await holdersPage.keyboard.press('Control+Enter');
  await expectToast(holdersPage, 'Comment added');

  // The open timeline and the bell have the answer by themselves.
  await expect(page.getByRole('listitem').filter({ hasText: 'They decide on Friday.' })).toBeVisible(BEFORE_A_POLL);
  await page.getByRole('button', { name: 'Notifications, 1 unread' }).click();
  await page.getByRole('link', { name: /Ike Longdue: They decide on Friday\./ }).click();
  await expect(page.getByRole('button', { name: 'Notifications', exact: true })).toBeVisible();

  page.on('dialog', (dialog) => void dialog.accept());
  await page
    .getByRole('listitem')
    .filter({ hasText: 'by Mia Lead' })
    .getByRole('button', { name: 'Delete comment' })
    .click();
  await expectToast(page, 'Comment deleted');
  await expect(holdersPage.getByText('Please tell me how this is going.')).toBeHidden(BEFORE_A_POLL);
  await holdersPage.close();
});
