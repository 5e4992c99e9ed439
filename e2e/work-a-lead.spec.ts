import type { Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { holdRequests } from './hold-requests.ts';
import { assignLeads } from './leads.ts';
import { expect, test } from './product.ts';
import { expectNoOverflow, expectToast } from './screen.ts';

const expectTitle = (page: Page, name: string) => expect(page.getByRole('heading', { level: 1, name })).toBeVisible();

test('a new lead is worked on its profile', { tag: '@screen' }, async ({ page, accounts }) => {
  const grace = await accounts.create('user', 'Grace Okafor');
  const [lead] = await assignLeads(accounts, grace);
  await accounts.signIn(page, grace);
  await page.goto(`/business/${lead.id}`);
  await expectTitle(page, lead.business.name);
  await expect(page.getByText('Viewed', { exact: true })).toBeVisible();

  // The meter goes up by one, without a reload.
  const month = page.getByRole('progressbar', { name: 'Goal for the month' });
  await expect(month).toHaveAttribute('aria-valuetext', /^0 of 100 contacts/);
  await page.getByRole('group', { name: 'Lead status' }).getByRole('button', { name: 'In Progress' }).click();
  await expectToast(page, 'Status updated');
  await expect(month).toHaveAttribute('aria-valuetext', /^1 of 100 contacts/);
  await expect(page.getByText('Last Contact:')).toBeVisible();

  await page.getByRole('button', { name: 'Add email' }).click();
  await page.getByRole('textbox', { name: 'Email' }).fill('chef@example.org');
  // Leaving the field saves it.
  await page.getByRole('heading', { level: 1 }).click();
  await expectToast(page, 'Email updated');
  await page.getByRole('button', { name: /(Add|Edit) website/ }).click();
  await page.getByRole('textbox', { name: 'Website' }).fill('javascript:alert(1)');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expectToast(page, 'Website update failed');
  await page.getByRole('textbox', { name: 'Website' }).fill('chef.example.org');
  await page.keyboard.press('Enter');
  await expectToast(page, 'Website updated');
  await expect(page.getByRole('link', { name: 'https://chef.example.org' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Visit Website' })).toHaveAttribute('href', 'https://chef.example.org');

  await page.getByRole('combobox', { name: 'Activity type' }).selectOption('Meeting');
  await page.getByRole('textbox', { name: 'Activity notes' }).fill('Met the chef');
  await page.getByRole('button', { name: 'Add Activity' }).click();
  await expectToast(page, 'Activity added');
  await expect(page.getByRole('tab', { name: 'Contact Activities (1)' })).toBeVisible();
  page.once('dialog', (dialog) => void dialog.accept());
  await page.getByRole('button', { name: 'Delete activity' }).click();
  await expectToast(page, 'Activity deleted');
  await expect(page.getByRole('tab', { name: 'Contact Activities (0)' })).toBeVisible();

  await page.getByRole('textbox', { name: 'New tag' }).fill('Regulars / lunch');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expectToast(page, 'Tag added');
  page.once('dialog', (dialog) => void dialog.accept());
  await page.getByRole('button', { name: 'Remove tag Regulars / lunch' }).click();
  await expectToast(page, 'Tag removed');

  await page.getByRole('tab', { name: 'Assignment History (1)' }).click();
  await expect(page.getByText(`Initially assigned to ${grace.username}`)).toBeVisible();

  await page.getByRole('tab', { name: 'Timeline' }).click();
  const entries = page.getByRole('list', { name: 'Today' }).getByRole('listitem');
  await expect(entries.first()).toContainText('Tag removed Regulars / lunch');
  await expect(entries.filter({ hasText: 'Status from New → to In Progress' })).toHaveCount(1);
  await expect(entries.filter({ hasText: `Initially assigned to ${grace.fullName}` })).toHaveCount(1);
  await page.getByRole('group', { name: 'Show' }).getByRole('button', { name: 'Contacts' }).click();
  await expect(entries).toHaveText([new RegExp(`^Counts toward ${grace.fullName}'s goal .* by ${grace.fullName}$`)]);

  await page.getByRole('button', { name: 'Archive Business' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Archive', exact: true }).click();
  await expectToast(page, 'Business archived');
  await expect(page).toHaveURL(/\/crm$/);
  await page.goto(lead.path);
  await page.getByRole('button', { name: 'Restore from Archive' }).click();
  await expectToast(page, 'Business restored');
});

test('a status button keeps the focus while its status is saved', async ({ page, accounts }) => {
  const grace = await accounts.create('user', 'Grace Okafor');
  const [lead] = await assignLeads(accounts, grace);
  await accounts.signIn(page, grace);
  await page.goto(lead.path);
  await expectTitle(page, lead.business.name);
  const release = await holdRequests(page, /\/api\/business-status/);

  const status = page.getByRole('group', { name: 'Lead status' });
  const recontact = status.getByRole('button', { name: 'Recontact' });
  await recontact.focus();
  await page.keyboard.press('Enter');
  await expect(recontact).toHaveAttribute('aria-pressed', 'true');
  for (const button of await status.getByRole('button').all()) await expect(button).toBeDisabled();
  await expect(recontact).toBeFocused();
  release();
  await expectToast(page, 'Status updated');
  await expect(recontact).toBeEnabled();
  await expect(recontact).toBeFocused();
});

test('activity notes are kept until they are added', async ({ page, accounts }) => {
  const grace = await accounts.create('user', 'Grace Okafor');
  const [lead] = await assignLeads(accounts, grace);
  await accounts.signIn(page, grace);
  await page.goto('/crm');
  await page.getByRole('link', { name: 'View Profile' }).click();
  const notes = page.getByRole('textbox', { name: 'Activity notes' });
  const type = page.getByRole('combobox', { name: 'Activity type' });
  await type.selectOption('Meeting');
  await notes.fill('Met the chef');

  await page.getByRole('tab', { name: 'Notes' }).click();
  await page.getByRole('tab', { name: 'Contact Activities (0)' }).click();
  await expect(notes).toHaveValue('Met the chef');
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1, name: 'CRM Dashboard' })).toBeVisible();
  await page.getByRole('link', { name: 'View Profile' }).click();
  await expect(notes).toHaveValue('Met the chef');
  await page.reload();
  await expect(notes).toHaveValue('Met the chef');
  await expect(type).toHaveValue('meeting');

  await page.getByRole('button', { name: 'Add Activity' }).click();
  await expectToast(page, 'Activity added');
  await expect(notes).toHaveValue('');
  await page.goto(lead.path);
  await expect(page.getByRole('tab', { name: 'Contact Activities (1)' })).toBeVisible();
  await expect(notes).toHaveValue('');
});

test('two users who write notes at once lose nothing', async ({ page, accounts, browser, baseURL }) => {
  const grace = await accounts.create('user', 'Grace Okafor');
  const [lead] = await assignLeads(accounts, grace);
  const other = await browser.newPage({ baseURL });
  await accounts.signIn(page, grace);
  await accounts.signIn(other, accounts.admin);
  for (const tab of [page, other]) {
    await tab.goto(lead.path);
    await tab.getByRole('tab', { name: 'Notes' }).click();
  }

  await page.getByRole('textbox', { name: 'Notes' }).fill('Grace: opens at 8.');
  await page.reload();
  await page.getByRole('tab', { name: 'Notes' }).click();
  await expect(page.getByRole('textbox', { name: 'Notes' })).toHaveValue('Grace: opens at 8.');

  await other.getByRole('textbox', { name: 'Notes' }).fill('Ada: closed on Mondays.');
  await other.getByRole('button', { name: 'Save Notes' }).click();
  await expectToast(other, 'Notes updated');

  await page.getByRole('button', { name: 'Save Notes' }).click();
  await expectToast(page, 'Notes update failed');
  const conflict = page.getByRole('region', { name: 'Notes conflict' });
  await expect(conflict.getByText('Ada: closed on Mondays.')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Your notes' })).toHaveValue('Grace: opens at 8.');
  await expectAccessible(page);
  await conflict.getByRole('button', { name: 'Keep both' }).click();
  await page.getByRole('button', { name: 'Save Notes' }).click();
  await expectToast(page, 'Notes updated');

  await other.reload();
  await other.getByRole('tab', { name: 'Notes (1)' }).click();
  await expect(other.getByRole('textbox', { name: 'Notes' })).toHaveValue(
    'Ada: closed on Mondays.\n\nGrace: opens at 8.',
  );
  await other.close();
});

test('the profile passes axe in both themes and fits its window', async ({ page, accounts, expectedErrors }) => {
  const grace = await accounts.create('user', 'Grace Okafor');
  const manager = await accounts.create('manager');
  const otherUser = await accounts.create('user');
  const [lead] = await assignLeads(accounts, grace);
  expectedErrors.push(/status of 403/);
  const expectAccessibleAndFitting = async (state: string, widths = [1440, 360]) => {
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 });
      await test.step(`${state} at ${width}`, () => expectAccessible(page));
      await expectNoOverflow(page, state);
    }
  };

  await accounts.signIn(page, grace);
  await page.goto(lead.path);
  await expectTitle(page, lead.business.name);
  for (const tab of [/Activities/, /^Notes/, /History/, /Timeline/]) {
    await page.getByRole('tab', { name: tab }).click();
    await expectAccessibleAndFitting(String(tab), [1440, 1024, 360]);
  }
  await page.getByRole('button', { name: 'Add contact person' }).click();
  await expectAccessibleAndFitting('an open editor');
  await page.keyboard.press('Escape');
  for (const action of ['Reassign Business', 'Archive Business', 'Mark as Existing Customer', 'Permanently Delete']) {
    await page.getByRole('button', { name: action }).click();
    await expect(page.getByRole(action === 'Permanently Delete' ? 'alertdialog' : 'dialog')).toBeVisible();
    await expectAccessibleAndFitting(action);
    await page.keyboard.press('Escape');
  }
  await accounts.signIn(page, manager);
  await page.goto(lead.path);
  await expect(page.getByText(/^Grace Okafor holds this business/)).toBeVisible();
  await expectAccessibleAndFitting('read-only');
  await accounts.signIn(page, otherUser);
  await page.goto(lead.path);
  await expectTitle(page, 'Customer Assigned to Another User');
  await expectAccessibleAndFitting('refused');
});

test('the whole profile can be used by keyboard', async ({ page, accounts }) => {
  const grace = await accounts.create('user', 'Grace Okafor');
  const [lead] = await assignLeads(accounts, grace);
  await accounts.signIn(page, grace);
  await page.goto(lead.path);
  await expectTitle(page, lead.business.name);

  await page.getByRole('button', { name: 'Add contact person' }).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.type('Ada Byrne');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Add contact person' })).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.type('Ada Byrne');
  await page.keyboard.press('Enter');
  await expectToast(page, 'Contact person updated');
  await expect(page.getByRole('button', { name: 'Edit contact person' })).toBeFocused();

  await page.getByRole('tab', { name: 'Contact Activities (0)' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('tab', { name: 'Notes' })).toBeFocused();
  await page.keyboard.press('Tab');
  // The panel itself is a stop, so that it can be scrolled.
  await page.keyboard.press('Tab');
  await expect(page.getByRole('textbox', { name: 'Notes' })).toBeFocused();
  await page.keyboard.type('Typed without a mouse.');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expectToast(page, 'Notes updated');

  await page.getByRole('button', { name: 'Mark as Existing Customer' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expectToast(page, 'Marked as existing customer');
  await expect(dialog).toBeHidden();
});
