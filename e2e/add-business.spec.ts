import type { Page } from '@playwright/test';
import { DEFAULT_ADDING } from '#contract/leads/adding/adding-rules.ts';
import { changeTeamSettings } from '#contract/settings/settings.calls.ts';
import type { Accounts } from './accounts.ts';
import { expectAccessible } from './axe.ts';
import { assignLeads } from './leads.ts';
import { expect, test } from './product.ts';
import { expectNoOverflow, expectToast } from './screen.ts';

const PHONE = { width: 390, height: 844 };
const LEEDS = { latitude: 53.7997, longitude: -1.5492 };

const allow = (accounts: Accounts, allowed: boolean) =>
  accounts.sendAsAdmin(changeTeamSettings, { body: { addingLeads: allowed ? { ...DEFAULT_ADDING, allowed } : null } });
test.afterEach(({ accounts }) => allow(accounts, false));

/** Counts the touches: each is one element that is tapped. */
function fingerOn(page: Page) {
  const finger = {
    touches: 0,
    async tap(role: 'button' | 'textbox', name: string | RegExp) {
      finger.touches += 1;
      const within = page.getByRole('dialog');
      const scope = (await within.count()) > 0 ? within : page;
      await scope.getByRole(role, { name }).tap();
    },
  };
  return finger;
}

test.describe('on a phone', () => {
  test.use({ viewport: PHONE, hasTouch: true, geolocation: LEEDS, permissions: ['geolocation'] });

  test('a shop on the street is added in at most six touches and its fields', { tag: '@screen' }, async ({
    page,
    accounts,
  }) => {
    await allow(accounts, true);
    await accounts.signIn(page, await accounts.create());
    await page.goto('/today');
    const finger = fingerOn(page);
    await finger.tap('button', 'Add business');
    const sheet = page.getByRole('dialog', { name: 'Add business' });
    await expect(sheet.getByRole('textbox', { name: 'Name' })).toBeFocused();
    await page.keyboard.type('Rose & Thorn');
    // The page may not ask for the position: it is loaded once more, with what was typed.
    await finger.tap('button', 'Where I am');
    await expect(sheet.getByText('It is where you are now.')).toBeVisible();
    await expect(sheet.getByRole('textbox', { name: 'Name' })).toHaveValue('Rose & Thorn');
    await finger.tap('textbox', 'Phone');
    await page.keyboard.type('0113 496 0321');
    await finger.tap('button', 'In a week');
    await expectNoOverflow(page);
    await expectAccessible(page);
    await finger.tap('button', 'Add business');
    await expectToast(page, 'Business added');
    await expect(page.getByRole('heading', { level: 1, name: 'Rose & Thorn' })).toBeVisible();
    await expect(page.getByText('0113 496 0321').first()).toBeVisible();
    expect(finger.touches).toBeLessThanOrEqual(6);

    await page.getByRole('button', { name: 'Undo' }).tap();
    await expectToast(page, 'Undone');
    await expect(page).toHaveURL(/\/today$/);
  });
});

test('without the setting a user adds nothing; with it, they add and take, and are told who works what', async ({
  page,
  accounts,
}) => {
  const [user, other] = [await accounts.create(), await accounts.create('user', 'Otto Other')];
  const [theirs] = await assignLeads(accounts, other, { location: 'York' });
  await accounts.signIn(page, user);
  await page.goto('/today');
  await expect(page.getByRole('heading', { level: 1, name: 'Today' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add business' })).toBeHidden();
  const search = async () => {
    await page.goto('/search');
    await page.getByLabel('Business Type').fill('Bakery');
    await page.getByLabel('Location').fill('York');
    await page.getByLabel('Location').press('Enter');
    await expect(page.getByText(/^Showing \d+ of/)).toBeVisible();
  };
  await search();
  await expect(page.getByRole('button', { name: /^Make this my lead/ })).toHaveCount(0);

  await allow(accounts, true);
  const take = page.getByRole('button', { name: /^Make this my lead/ });
  await expect(take.first()).toBeVisible();
  await take.first().click();
  await expectToast(page, 'It is your lead now');
  await expect(page.getByRole('link', { name: 'Your lead' }).first()).toBeVisible();

  await page.goto('/today');
  await expect(page.getByRole('button', { name: 'Add business' })).toBeVisible();
  await page.keyboard.press('a');
  const sheet = page.getByRole('dialog', { name: 'Add business' });
  await sheet.getByRole('textbox', { name: 'Name' }).fill(theirs.business.name);
  await expect(sheet.getByText('Worked by Otto Other').first()).toBeVisible();
  await expect(sheet.getByRole('button', { name: `Open ${theirs.business.name}` })).toBeHidden();
  await sheet.getByRole('textbox', { name: 'Name' }).fill('Hand Made Shop');
  await sheet.getByRole('textbox', { name: 'Postcode' }).fill('yo1 7hu');
  await sheet.getByRole('button', { name: 'Add business' }).click();
  await expectToast(page, 'Business added');
  await expect(page.getByText('YO1 7HU').first()).toBeVisible();
});
