import type { Page } from '@playwright/test';
import { getLead } from '#contract/leads/leads.calls.ts';
import { changeTeamSettings } from '#contract/settings/settings.calls.ts';
import { expectAccessible } from './axe.ts';
import { assignLeads } from './leads.ts';
import { expect, test } from './product.ts';
import { expectNoOverflow, expectToast } from './screen.ts';

const PHONE = { width: 390, height: 844 };

const panel = (page: Page) => page.getByRole('region', { name: 'Work through leads' });
const calls = (page: Page) => page.locator('a[href^="tel:"]');

test('who asked not to be called in work mode is called no more, until an administrator lifts it', {
  tag: '@screen',
}, async ({ page, accounts }) => {
  const holder = await accounts.create('user', 'Priya Shah');
  const leads = await assignLeads(accounts, holder, { count: 2, location: 'York' });
  await accounts.signIn(page, holder);
  await page.goto('/today');
  await page.getByRole('button', { name: 'Work through 2' }).click();
  const name = (await page.getByRole('heading', { level: 1 }).textContent()) ?? '';
  const lead = leads.find(({ business }) => business.name === name);
  await panel(page).getByRole('textbox', { name: 'Note' }).fill('Never ring us again');
  await panel(page).getByRole('button', { name: 'Asked not to be called' }).click();
  await expectToast(page, 'Logged: Not interested');
  await expect(panel(page).getByText('2 of 2')).toBeVisible();
  // Undo takes back the contact, and not what was asked.
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  await expect(panel(page).getByText(/^Asked not to be called on /)).toBeVisible();

  await page.goto(lead?.path ?? '');
  const objections = page.getByRole('list', { name: 'Objections' });
  await expect(objections).toContainText('“Never ring us again”');
  await expect(objections).toContainText('recorded by Priya Shah');
  await expectAccessible(page);
  // It warns, and the answer is no.
  const questions: string[] = [];
  page.on('dialog', (dialog) => {
    questions.push(dialog.message());
    void dialog.dismiss();
  });
  await calls(page).first().click();
  expect(questions).toEqual([expect.stringMatching(/^Asked not to be called on .*Call all the same\?$/)]);

  await accounts.sendAsAdmin(changeTeamSettings, { body: { contactRules: { mode: 'enforce' } } });
  try {
    await expect(calls(page)).toHaveCount(0);
    await expect(page.getByText('Do not call').first()).toBeVisible();
    await page.setViewportSize(PHONE);
    await expectNoOverflow(page);
    await page.goto('/crm');
    await expect(page.getByRole('article', { name }).getByText('Do not call')).toBeVisible();

    await accounts.signIn(page, accounts.admin);
    await page.goto('/objections');
    await expectNoOverflow(page);
    await expectAccessible(page);
    const row = page.getByRole('list', { name: 'Objections' }).getByRole('listitem').filter({ hasText: name });
    await page.getByRole('button', { name: new RegExp(`^Lift the objection of .*${name}`) }).click();
    await page.getByRole('button', { name: 'Lift it' }).click();
    await expect(page.getByText('Please enter a reason')).toBeVisible();
    await page.getByLabel('Reason').fill('They asked for an offer');
    await page.getByRole('button', { name: 'Lift it' }).click();
    await expectToast(page, 'Objection lifted');
    await expect(row).toHaveCount(0);
    const { business } = await accounts.sendAsAdmin(getLead.byUuid, { params: { uuid: lead?.uuid ?? '' } });
    expect(business.objections).toEqual([]);
    await page.goto(lead?.path ?? '');
    await expect(calls(page).first()).toBeVisible();
  } finally {
    await accounts.sendAsAdmin(changeTeamSettings, { body: { contactRules: null } });
  }
});
