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

/** Makes these calls fail until the returned function is called. */
async function failCalls(page: Page, ...calls: { path: string }[]) {
  const paths = calls.map(({ path }) => path);
  const matches = (url: URL) => paths.includes(url.pathname);
  await page.route(matches, (route) =>
    route.fulfill({ status: 500, json: { code: 'internal', message: 'Something went wrong' } }),
  );
  return () => page.unroute(matches);
}

test('each meter explains what counts, on hover and on keyboard focus', async ({ page, accounts }) => {
  await accounts.signIn(page, await accounts.create());
  await page.goto('/crm');
  const tip = page.getByRole('tooltip');
  for (const label of ['Weekly Goal', 'Goal for the month']) {
    await page.getByRole('group', { name: label }).hover();
    await expect(tip).toHaveText(WHAT_COUNTS);
    // In steps, as by hand: the pointer may move into the tooltip without closing it.
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

test('meters and the team page recover from what could not be loaded', async ({ page, accounts, expectedErrors }) => {
  expectedErrors.push(/status of 500/);
  await accounts.signIn(page, await accounts.create('manager', 'Mona Manager'));
  const restoreMeters = await failCalls(page, getWeeklyContacts, getMonthlyContacts);
  const restoreTeam = await failCalls(page, getTeamProgress, getTeamProgressWeekly, getTeamProgressLastWeek);
  await page.goto('/progress');
  // In the header, and on the viewer's own card.
  await expect(page.getByText('Unable to load progress data', { exact: true })).toHaveCount(2);
  await expect(page.getByText('Unable to load monthly progress data', { exact: true })).toHaveCount(2);
  const error = page.getByRole('alert').filter({ hasText: 'Error Loading Team Progress' });
  await expect(error).toContainText('500: Something went wrong');
  await expectAccessible(page);

  await restoreTeam();
  await error.getByRole('button', { name: 'Try Again' }).click();
  await expect(page.getByText('Active Team Members')).toBeVisible();
  await expect(error).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Just Started' }).getByText('Mona Manager')).toBeVisible();
  await restoreMeters();
  await expect(page.getByRole('progressbar', { name: 'Your Weekly Progress' })).toBeVisible();
  await expect(page.getByRole('progressbar', { name: 'Goal for the month' })).toBeVisible();
  await expect(page.getByText(/^Unable to load/)).toHaveCount(0);
});
