import { changeTeamSettings } from '#contract/settings/settings.calls.ts';
import { expectAccessible } from './axe.ts';
import { assignLeads } from './leads.ts';
import { expect, test } from './product.ts';
import { expectNoOverflow, expectToast } from './screen.ts';

test('an outcome that an administrator changes is another one on open pages at once', { tag: '@screen' }, async ({
  page,
  accounts,
  browser,
  baseURL,
}) => {
  const holder = await accounts.create();
  const [lead] = await assignLeads(accounts, holder);
  const holdersPage = await browser.newPage({ baseURL });
  await accounts.signIn(holdersPage, holder);
  await holdersPage.goto(lead.path);
  await holdersPage.getByRole('button', { name: 'Log', exact: true }).click();
  const sheet = holdersPage.getByRole('dialog', { name: 'Log contact' });
  await expect(sheet.getByRole('button', { name: 'Shut' })).toHaveAccessibleDescription(/10:00$/);

  await accounts.signIn(page, accounts.admin);
  await page.goto('/today');
  await page.getByRole('button', { name: 'Manage' }).click();
  await page.getByRole('link', { name: 'Settings' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('textbox', { name: 'Label of “Shut”' }).fill('Closed today');
  await page.getByRole('combobox', { name: 'Next step after “Shut”' }).selectOption('Nothing');
  await page.getByRole('button', { name: 'Save outcomes' }).click();
  await expectToast(page, 'Settings saved');
  await expect(page.getByText(/^Changed by /)).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoOverflow(page);

  await expect(sheet.getByRole('button', { name: 'Closed today' })).toHaveAccessibleDescription('Nothing planned');
  await holdersPage.close();
  await accounts.sendAsAdmin(changeTeamSettings, { body: { outcomes: null } });
});
