import type { Page } from '@playwright/test';
import { assignLeads } from './leads.ts';
import { expectResultCount } from './list-screen.ts';
import { expect, test } from './product.ts';
import { expectToast } from './screen.ts';

const openNotes = (page: Page) => page.getByRole('tab', { name: 'Notes' }).click();

test('what is typed on a profile survives tabs, Back, a reload and a session that ran out', async ({
  page,
  accounts,
  expectedErrors,
}) => {
  expectedErrors.push(/401/);
  const holder = await accounts.create();
  const [lead] = await assignLeads(accounts, holder);
  await accounts.signIn(page, holder);
  await page.goto('/crm');
  await page.getByRole('link', { name: 'View Profile' }).click();

  const tag = page.getByRole('textbox', { name: 'New tag' });
  const activity = page.getByRole('textbox', { name: 'Activity notes' });
  const notes = page.getByRole('textbox', { name: 'Notes', exact: true });
  const dialog = page.getByRole('dialog', { name: 'Reassign Business' });
  const reason = dialog.getByRole('textbox', { name: 'Notes (optional)' });
  const expectAllKept = async () => {
    await page.getByRole('tab', { name: /Activities/ }).click();
    await expect(activity).toHaveValue('Half an activity');
    await expect(tag).toHaveValue('half a tag');
    await openNotes(page);
    await expect(activity).toBeHidden();
    await expect(notes).toHaveValue('Half a note');
    await page.getByRole('button', { name: 'Reassign Business' }).click();
    await expect(reason).toHaveValue('Half a reason');
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  };

  await tag.fill('half a tag');
  await activity.fill('Half an activity');
  await openNotes(page);
  await expect(page).toHaveURL(/\?tab=notes$/);
  await notes.fill('Half a note');
  await page.getByRole('button', { name: 'Reassign Business' }).click();
  await expect(dialog.getByRole('combobox', { name: 'Reassign to' })).toBeFocused();
  await reason.fill('Half a reason');
  await page.goBack();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('heading', { level: 1, name: lead.business.name })).toBeVisible();
  await expectAllKept();

  await page.goBack();
  await expect(page.getByRole('heading', { level: 1, name: 'CRM Dashboard' })).toBeVisible();
  await expectToast(page, 'Draft kept');
  await page.getByRole('link', { name: 'View Profile' }).click();
  await expectAllKept();

  await page.reload();
  await expect(notes).toHaveValue('Half a note');
  await expectAllKept();

  await page.context().clearCookies();
  await page.getByRole('button', { name: 'Save Notes' }).click();
  await expect(page).toHaveURL(/\/auth$/);
  await page.getByLabel('Username or email').fill(holder.username);
  await page.getByLabel('Password', { exact: true }).fill(holder.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { level: 1, name: lead.business.name })).toBeVisible();
  await expectAllKept();

  await notes.press('Control+Enter');
  await expectToast(page, 'Notes updated');
  await page.getByRole('tab', { name: /Activities/ }).click();
  await activity.press('Control+Enter');
  await expectToast(page, 'Activity added');
  await page.getByRole('button', { name: 'Reassign Business' }).click();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Reassign Business' }).click();
  await expect(reason).toHaveValue('');
});

test('Back undoes one step at a time', async ({ page, accounts }) => {
  const holder = await accounts.create();
  const leads = await assignLeads(accounts, holder, { count: 12 });
  await accounts.signIn(page, holder);
  await page.goto('/crm');
  await expectResultCount(page, 12);

  await page.getByLabel('Lead Status').selectOption('New');
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('tab', { name: 'Table' }).click();
  await expect(page).toHaveURL(/view=table&status=new&page=2/);

  const last = leads[0].business.name;
  await page.getByRole('row', { name: last }).getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Bulk Actions' }).click();
  await page.getByRole('menuitem', { name: 'Reassign' }).click();
  const dialog = page.getByRole('dialog', { name: 'Reassign Businesses' });
  await dialog.getByRole('textbox', { name: 'Notes' }).fill('Holiday');
  await page.goBack();
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL(/view=table&status=new&page=2/);

  await page.getByRole('row', { name: last }).getByRole('link', { name: 'View Profile' }).click();
  await expect(page.getByRole('heading', { level: 1, name: last })).toBeFocused();
  await page.goBack();
  await expect(page.getByRole('link', { name: last, exact: true })).toBeFocused();
  await expect(page.getByText('1 selected')).toBeVisible();

  await page.goBack();
  await expect(page.getByRole('tab', { name: 'List', selected: true })).toBeVisible();
  await page.goBack();
  await expect(page.getByText('Page 1 of 2')).toBeVisible();
  await page.goBack();
  await expect(page.getByLabel('Lead Status')).toHaveValue('all');
  await expect(page).toHaveURL(/\/crm$/);

  await page.getByLabel('Search by name').pressSequentially('zz', { delay: 400 });
  await expect(page).toHaveURL(/q=zz$/);
  await page.goBack();
  await expect(page).toHaveURL(/\/crm$/);
  await expect(page.getByLabel('Search by name')).toHaveValue('');

  // The link to the list keeps its filters, and what is changed then is one step.
  await page.getByLabel('Lead Status').selectOption('New');
  await expect(page).toHaveURL(/status=new$/);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Leads' }).click();
  await expect(page).toHaveURL(/status=new$/);
  await page.getByLabel('Show Archived').check();
  await expect(page).toHaveURL(/archived=true/);
  await page.goBack();
  await expect(page).toHaveURL(/status=new$/);
  await expect(page.getByLabel('Lead Status')).toHaveValue('new');
  await expect(page.getByLabel('Show Archived')).not.toBeChecked();
});

test('a search survives a reload and Back', async ({ page, accounts }) => {
  await accounts.signIn(page, accounts.admin);
  await page.goto('/search');
  const requests: string[] = [];
  page.on('request', (request) => request.url().includes('/api/search') && requests.push(request.url()));

  await page.getByLabel('Business Type').fill('Restaurant');
  await page.getByLabel('Location').fill('Leeds');
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await expect(page.getByRole('heading', { name: /^Results/ })).toBeVisible();
  await page.getByRole('button', { name: 'Raise Max Results to 40' }).click();
  await expect(page.getByText('Page 1 of 2')).toBeVisible();
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page.getByText('Page 2 of 2')).toBeVisible();
  await page.getByRole('button', { name: 'Table' }).click();
  await expect(page).toHaveURL(/\/search\?type=Restaurant&location=Leeds&max=40&page=2&view=table$/);
  const sent = requests.length;
  expect(sent).toBe(3);

  await page.reload();
  await expect(page.getByRole('table')).toBeVisible();
  await expect(page.getByText('Page 2 of 2')).toBeVisible();
  await expect(page.getByLabel('Location')).toHaveValue('Leeds');
  expect(requests).toHaveLength(sent + 1);

  await page.getByRole('checkbox', { name: 'Select All' }).check();
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await expect(page.getByRole('region', { name: 'Selection' })).toBeInViewport();
  await page.getByRole('button', { name: 'Assign to User' }).click();
  await expect(page.getByRole('dialog', { name: 'Assign Businesses' })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('dialog')).toHaveCount(0);

  await page.getByRole('link', { name: 'Leads' }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'CRM Dashboard' })).toBeVisible();
  await page.goBack();
  await expect(page.getByText('Page 2 of 2')).toBeVisible();
  expect(requests).toHaveLength(sent + 1);
  await page.goBack();
  await expect(page.getByRole('table')).toHaveCount(0);
  await expect(page.getByText('Page 2 of 2')).toBeVisible();
});

test('a half-filled account is kept through Back and a reload, without its password', async ({ page, accounts }) => {
  await accounts.signIn(page, accounts.admin);
  await page.goto('/users');
  await page.getByLabel('Filter by role').selectOption('Admin');
  await expect(page).toHaveURL(/\/users\?role=admin$/);
  const dialog = page.getByRole('dialog', { name: 'Create New User' });
  await page.getByRole('button', { name: 'Add User' }).click();
  await expect(dialog.getByLabel('Username')).toBeFocused();
  await dialog.getByLabel('Username').fill('half');
  await dialog.getByLabel('Password', { exact: true }).fill('not to be kept');
  await page.goBack();
  await expect(dialog).toBeHidden();
  await page.reload();
  await expect(page.getByLabel('Filter by role')).toHaveValue('admin');
  await page.getByRole('button', { name: 'Add User' }).click();
  await expect(dialog.getByLabel('Username')).toHaveValue('half');
  await expect(dialog.getByLabel('Password', { exact: true })).toHaveValue('');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.goBack();
  await expect(page.getByLabel('Filter by role')).toHaveValue('all');
});

test('a half-typed field survives Back and a reload', async ({ page, accounts }) => {
  const holder = await accounts.create();
  const [lead] = await assignLeads(accounts, holder);
  await accounts.signIn(page, holder);
  await page.goto('/crm');
  await page.getByRole('link', { name: 'View Profile' }).click();
  const person = page.getByRole('textbox', { name: 'Contact person' });
  await page.getByRole('button', { name: 'Add contact person' }).click();
  await person.pressSequentially('Half a na');
  await page.goBack();
  await expectToast(page, 'Draft kept');
  await page.getByRole('link', { name: 'View Profile' }).click();
  await expect(person).toHaveValue('Half a na');
  await page.reload();
  await expect(person).toHaveValue('Half a na');

  await page.getByRole('button', { name: 'Save', exact: true }).focus();
  await page.keyboard.press('Escape');
  await expect(person).toBeHidden();
  await expect(page.getByRole('heading', { level: 1, name: lead.business.name })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add contact person' })).toBeFocused();
});
