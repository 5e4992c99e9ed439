import type { Page } from '@playwright/test';
import {
  getMonthlyContacts,
  getTeamProgress,
  getTeamProgressLastWeek,
  getTeamProgressWeekly,
  getWeeklyContacts,
} from '#contract/progress/progress.calls.ts';
import { expectAccessible } from './axe.ts';
import { expect, test } from './product.ts';

const WHAT_COUNTS =
  'A lead counts once when it first moves to In Progress, Recontact, Closed (Won) or Closed (Lost); ' +
  'later status changes do not affect the meter.';

/** From now on these calls fail, until the returned function lets them through again. */
async function failing(page: Page, ...calls: { path: string }[]) {
  const paths = calls.map(({ path }) => path);
  const named = (url: URL) => paths.includes(url.pathname);
  await page.route(named, (route) =>
    route.fulfill({ status: 500, json: { code: 'internal', message: 'Something went wrong' } }),
  );
  return () => page.unroute(named);
}

test('each meter explains what counts: pointed at, and reached by keyboard', async ({ page, people }) => {
  await people.signIn(page, await people.person());
  await page.goto('/crm');
  const tip = page.getByRole('tooltip');
  for (const label of ['Weekly Goal', 'Goal for the month']) {
    await page.getByRole('group', { name: label }).hover();
    await expect(tip).toHaveText(WHAT_COUNTS);
    // In steps, as a hand does it: the tip may be walked into, and only what goes elsewhere closes it.
    await page.mouse.move(0, 700, { steps: 10 });
    await expect(tip).toHaveCount(0);
    await page.getByRole('button', { name: `What counts toward: ${label}` }).focus();
    await expect(tip).toHaveText(WHAT_COUNTS);
    await page.keyboard.press('Escape');
    await expect(tip).toHaveCount(0);
  }
  // The team's page is for managers and administrators.
  await page.goto('/progress');
  await expect(page).toHaveURL(/\/crm$/);
});

test('meters and the team page say what could not be loaded, and come back', async ({
  page,
  people,
  expectedComplaints,
}) => {
  expectedComplaints.push(/status of 500/);
  await people.signIn(page, await people.person('manager', 'Mona Manager'));
  const meters = await failing(page, getWeeklyContacts, getMonthlyContacts);
  const team = await failing(page, getTeamProgress, getTeamProgressWeekly, getTeamProgressLastWeek);
  await page.goto('/progress');
  // In the header, and on the card of one's own.
  await expect(page.getByText('Unable to load progress data', { exact: true })).toHaveCount(2);
  await expect(page.getByText('Unable to load monthly progress data', { exact: true })).toHaveCount(2);
  const error = page.getByRole('alert').filter({ hasText: 'Error Loading Team Progress' });
  await expect(error).toContainText('500: Something went wrong');
  await expectAccessible(page);

  await team();
  await error.getByRole('button', { name: 'Try Again' }).click();
  await expect(page.getByText('Active Team Members')).toBeVisible();
  await expect(error).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Just Started' }).getByText('Mona Manager')).toBeVisible();
  await meters();
  await expect(page.getByRole('progressbar', { name: 'Your Weekly Progress' })).toBeVisible();
  await expect(page.getByRole('progressbar', { name: 'Goal for the month' })).toBeVisible();
  await expect(page.getByText(/^Unable to load/)).toHaveCount(0);
});
