import type { Page } from '@playwright/test';
import { planFollowUp } from '#contract/leads/follow-ups/follow-ups.calls.ts';
import { addActivity, getLead } from '#contract/leads/leads.calls.ts';
import { expectAccessible } from './axe.ts';
import { assignLeads } from './leads.ts';
import { expect, test } from './product.ts';
import { expectNoOverflow, expectToast } from './screen.ts';
import { expectLargeTargets } from './target-sizes.ts';

const OUTCOMES = [
  ['1', 'No answer', 'no_answer'],
  ['2', 'Left message', 'left_message'],
  ['3', 'Spoke, not now', 'spoke'],
  ['5', 'Not interested', 'not_interested'],
  ['7', 'Interested', 'interested'],
] as const;

const panel = (page: Page) => page.getByRole('region', { name: 'Work through leads' });
const outcome = (page: Page, name: string) =>
  panel(page).getByRole('group', { name: 'Outcome' }).getByRole('button', { name, exact: true });

test('ten leads are worked by keyboard alone with one key each, without leaving work mode', async ({
  page,
  accounts,
}) => {
  const holder = await accounts.create();
  const leads = await assignLeads(accounts, holder, { count: 10 });
  for (const [nth, { id }] of leads.entries()) {
    const at = new Date(Date.now() - (20 - nth) * 3_600_000).toISOString();
    await accounts.sendAsAdmin(planFollowUp.byId, { params: { id }, body: { at, note: `Reason ${nth}` } });
  }
  await accounts.signIn(page, holder);
  await page.goto('/today');
  await expect(page.getByRole('region', { name: /^Overdue 10$/ })).toBeVisible();
  await page.keyboard.press('w');

  let keystrokes = 0;
  for (const [nth, { id, business }] of leads.entries()) {
    const [key, label, logged] = OUTCOMES[nth % OUTCOMES.length] as (typeof OUTCOMES)[number];
    await expect(page.getByRole('heading', { level: 1, name: business.name })).toBeVisible();
    await expect(panel(page).getByText(`${nth + 1} of 10`)).toBeVisible();
    await expect(panel(page).getByText(`Reason ${nth}`)).toBeVisible();
    await expect(page).toHaveURL(/\/business\/uuid\//);
    keystrokes += 1;
    await page.keyboard.press(key);
    // The end of the queue says so instead.
    await expectToast(page, nth < 9 ? `Logged: ${label}` : 'Worked through 10 leads');
    await expect(async () => {
      const { userBusiness } = await accounts.sendAsAdmin(getLead.byId, { params: { id } });
      expect(userBusiness.contactActivities).toMatchObject([{ outcome: logged }]);
      // Each plans the next step, but for a business that is not interested.
      if (logged === 'not_interested') expect(userBusiness.nextStepAt).toBeNull();
      else expect(Date.parse(userBusiness.nextStepAt ?? '')).toBeGreaterThan(Date.now());
    }).toPass();
  }
  expect(keystrokes).toBeLessThanOrEqual(3 * leads.length);
  await expect(page.getByRole('heading', { level: 1, name: 'Today' })).toBeVisible();
  await expect(page.getByRole('region', { name: /^Overdue/ })).toBeHidden();
});

test('leads that are skipped come round once more, and an undone contact leads back', async ({ page, accounts }) => {
  const holder = await accounts.create();
  const [first, second] = await assignLeads(accounts, holder, { count: 2 });
  const name = (lead: typeof first | undefined) => page.getByRole('heading', { level: 1, name: lead?.business.name });
  await accounts.signIn(page, holder);
  await page.goto('/today');
  await page.getByRole('button', { name: 'Work through 2' }).click();
  const order = (await name(first).isVisible()) ? [first, second] : [second, first];
  await expect(name(order[0])).toBeVisible();
  await page.keyboard.press('j');
  await expect(name(order[1])).toBeVisible();
  await panel(page).getByRole('textbox', { name: 'Note' }).fill('Closed on Mondays');
  await outcome(page, 'Shut').click();
  // The one that was skipped.
  await expectToast(page, 'Once more: 1 lead that you skipped');
  await expect(name(order[0])).toBeVisible();
  await expect(panel(page).getByText('1 of 1')).toBeVisible();
  await page.keyboard.press('z');
  await expect(name(order[1])).toBeVisible();
  await expect(panel(page).getByText('2 of 2')).toBeVisible();
  await page.keyboard.press('k');
  await expect(name(order[0])).toBeVisible();
  await page.keyboard.press('1');
  await expect(name(order[1])).toBeVisible();
  await page.keyboard.press('1');
  await expectToast(page, '2 logged, 0 skipped.');
});

test.describe('on a phone', () => {
  test.use({ hasTouch: true, viewport: { width: 390, height: 844 } });

  test('all that a contact needs is on one screen, and ten leads take one touch each', async ({ page, accounts }) => {
    const holder = await accounts.create();
    const leads = await assignLeads(accounts, holder, { count: 10 });
    for (const { id } of leads) {
      for (const nth of [1, 2, 3]) {
        const body = { type: 'call', notes: `Rang ${nth} times and asked for the owner, who was out again` } as const;
        await accounts.sendAsAdmin(addActivity.byId, { params: { id }, body });
      }
      const at = new Date(Date.now() - 3_600_000).toISOString();
      await accounts.sendAsAdmin(planFollowUp.byId, {
        params: { id },
        body: { at, note: 'Ask for Sam about the autumn order' },
      });
    }
    await accounts.signIn(page, holder);
    await page.goto('/today');
    await page.getByRole('button', { name: 'Work through 10' }).tap();
    await expect(panel(page).getByText('1 of 10')).toBeVisible();
    await expect(panel(page).getByRole('list', { name: 'Last activities' }).getByRole('listitem')).toHaveCount(3);
    const box = await panel(page).boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(760);
    await expectNoOverflow(page);
    await expectLargeTargets(page, 'work mode', '[aria-label="Work through leads"]');
    await expectAccessible(page);
    let touches = 0;
    for (const [index, { id }] of leads.entries()) {
      const [, label, logged] = OUTCOMES[index % OUTCOMES.length] as (typeof OUTCOMES)[number];
      await expect(panel(page).getByText(`${index + 1} of 10`)).toBeVisible();
      await expect(page).toHaveURL(/\/business\/uuid\//);
      touches += 1;
      await outcome(page, label).tap();
      await expectToast(page, index < 9 ? `Logged: ${label}` : 'Worked through 10 leads');
      const { userBusiness } = await accounts.sendAsAdmin(getLead.byId, { params: { id } });
      expect(userBusiness.contactActivities[0]).toMatchObject({ outcome: logged, description: '' });
    }
    expect(touches).toBeLessThanOrEqual(3 * leads.length);
    await expect(page.getByRole('heading', { level: 1, name: 'Today' })).toBeVisible();
  });
});

test('three contacts in a row without an answer: the next one is proposed for a week later', async ({
  page,
  accounts,
}) => {
  const holder = await accounts.create();
  const [{ id, path }] = await assignLeads(accounts, holder);
  await accounts.signIn(page, holder);
  await page.goto(path);
  const readDays = async () => {
    const { nextStepAt, contactActivities } = (await accounts.sendAsAdmin(getLead.byId, { params: { id } }))
      .userBusiness;
    return { contacts: contactActivities.length, days: (Date.parse(nextStepAt ?? '') - Date.now()) / 86_400_000 };
  };
  for (const nth of [1, 2, 3]) {
    await page.getByRole('button', { name: 'Log', exact: true }).click();
    await page.keyboard.press('1');
    await expect(page.getByRole('tab', { name: `Activities (${nth})` })).toBeVisible();
    const { contacts, days } = await readDays();
    expect(contacts).toBe(nth);
    // A working day later, which is at most four over Easter; then a week, or the working day after it.
    expect(days).toBeGreaterThan(nth < 3 ? 0 : 6);
    expect(days).toBeLessThan(nth < 3 ? 6 : 12);
  }
});
