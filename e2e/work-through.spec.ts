import { planFollowUp } from '#contract/leads/follow-ups/follow-ups.calls.ts';
import { archiveLead, getLead } from '#contract/leads/leads.calls.ts';
import { expectAccessible } from './axe.ts';
import { holdRequests } from './hold-requests.ts';
import { assignLeads } from './leads.ts';
import { expect, test } from './product.ts';
import { expectNoOverflow, expectToast } from './screen.ts';

test('leads are worked through from Today, one after the other', { tag: '@screen' }, async ({ page, accounts }) => {
  const holder = await accounts.create();
  const leads = await assignLeads(accounts, holder, { count: 4, location: 'York' });
  for (const [nth, { id }] of leads.entries()) {
    const at = new Date(Date.now() - (10 - nth) * 3_600_000).toISOString();
    await accounts.sendAsAdmin(planFollowUp.byId, { params: { id }, body: { at } });
  }
  const nameOf = (nth: number) => leads[nth]?.business.name ?? '';
  const heading = (nth: number) => page.getByRole('heading', { level: 1, name: nameOf(nth) });
  await accounts.signIn(page, holder);
  await page.goto('/today');
  await page
    .getByRole('region', { name: /^Overdue/ })
    .getByRole('button', { name: 'Work through 4' })
    .click();

  await expect(heading(0)).toBeVisible();
  const bar = page.getByRole('region', { name: 'Work through leads' });
  await expect(bar.getByText('1 of 4')).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoOverflow(page);
  await page.setViewportSize({ width: 1280, height: 800 });

  await page.getByRole('textbox', { name: 'Activity notes' }).fill('Rings back on Friday');
  await bar.getByRole('button', { name: 'Save & next' }).click();
  await expect(heading(1)).toBeVisible();
  await expect(bar.getByText('2 of 4')).toBeVisible();
  const first = await accounts.sendAsAdmin(getLead.byId, { params: { id: leads[0].id } });
  expect(first.userBusiness.contactActivities).toMatchObject([{ description: 'Rings back on Friday' }]);

  const third = new RegExp(`/api/business[^?]*/${leads[2]?.uuid}$`);
  const loadedAhead = page.waitForResponse(third);
  await page.reload();
  await expect(bar.getByText('2 of 4')).toBeVisible();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Today' }).click();
  await expect(page.getByText('you are at 2 of 4')).toBeVisible();
  await page.getByRole('link', { name: 'Continue' }).click();
  await expect(heading(1)).toBeVisible();

  // The next profile was loaded ahead: it opens although the server does not respond now.
  await (await loadedAhead).finished();
  const release = await holdRequests(page, third);
  await page.keyboard.press('j');
  await expect(heading(2)).toBeVisible();
  release();
  await page.keyboard.press('k');
  await expect(heading(1)).toBeVisible();
  await page.goBack();
  await expect(bar.getByText('3 of 4')).toBeVisible();

  const fourth = new RegExp(`/api/business[^?]*/${leads[3]?.uuid}$`);
  // Not the response that was loaded ahead, which may come as late as this.
  const changeArrived = page.waitForResponse(
    async (response) => fourth.test(response.url()) && (await response.json()).userBusiness.archived,
  );
  await accounts.sendAsAdmin(archiveLead.byId, { params: { id: leads[3]?.id ?? 0 } });
  await (await changeArrived).finished();
  await bar.getByRole('button', { name: 'Next lead' }).click();
  await expectToast(page, 'Once more: 2 leads that you skipped');
  await expectToast(page, `${nameOf(3)} was archived`);
  await expect(heading(1)).toBeVisible();
  await bar.getByRole('button', { name: 'Next lead' }).click();
  await expect(heading(2)).toBeVisible();
  await bar.getByRole('button', { name: 'Next lead' }).click();
  await expectToast(page, 'Worked through 3 leads');
  await expectToast(page, '1 logged, 2 skipped.');
  await expect(page.getByRole('heading', { level: 1, name: 'Today' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Continue' })).toBeHidden();
});
