import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { changeLeadStatus, getLead } from '#contract/leads/leads.calls.ts';
import { logContact } from '#contract/leads/log/log.calls.ts';
import { expectAccessible } from './axe.ts';
import { findChromium } from './chromium.ts';
import { deviceIsReady } from './device.ts';
import { assignLeads } from './leads.ts';
import { expect, test } from './product.ts';
import { expectNoOverflow, expectToast } from './screen.ts';

const PHONE = { width: 390, height: 844 };
const KEPT = 'Kept on this device';

const outbox = (page: Page, count?: number) =>
  page.getByRole('banner').getByRole('button', { name: count === undefined ? /^Outbox/ : `Outbox (${count})` });
const sheet = (page: Page) => page.getByRole('dialog', { name: 'Outbox' });
const row = (page: Page, name: string) => page.locator('[data-lead]').filter({ hasText: name });

/** Logs "No answer" on a lead of Today, with a note. */
async function logOnToday(page: Page, name: string, note: string) {
  await row(page, name).getByRole('button', { name: 'Log', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Log contact' });
  await dialog.getByRole('textbox', { name: 'Note' }).fill(note);
  await dialog.getByRole('button', { name: /^No answer/ }).click();
  await expect(dialog).toBeHidden();
}

test('a morning of 12 leads without a connection arrives once, in order, with its times @screen', async ({
  accounts,
  product,
}) => {
  test.setTimeout(240_000);
  const holder = await accounts.create();
  const leads = await assignLeads(accounts, holder, { count: 12 });
  const profile = await mkdtemp(join(tmpdir(), 'highstreet-browser-'));
  const open = () =>
    chromium.launchPersistentContext(profile, {
      ...{ executablePath: findChromium(), args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'] },
      ...{ baseURL: product.url, viewport: PHONE, locale: 'en-GB', timezoneId: 'Europe/London' },
    });
  let context = await open();
  let page = context.pages()[0] ?? (await context.newPage());
  await accounts.signIn(page, holder);
  await page.goto('/today');
  await expect(row(page, leads[0].business.name)).toBeVisible();
  await deviceIsReady(page);

  await context.setOffline(true);
  const [first, ...rest] = leads;
  await logOnToday(page, first.business.name, 'Morning 0');
  await expectToast(page, KEPT);
  await expect(outbox(page, 1)).toBeVisible();
  await expect(row(page, first.business.name).getByText('Waiting to be sent')).toBeVisible();
  for (const [nth, lead] of rest.slice(0, 6).entries())
    await logOnToday(page, lead.business.name, `Morning ${nth + 1}`);
  await expect(outbox(page, 7)).toBeVisible();
  await expectNoOverflow(page);

  // The browser is closed, and opened again where there is no connection for sending.
  await context.close();
  context = await open();
  await context.route('**/api/business-log*/**', (route) => route.abort());
  page = context.pages()[0] ?? (await context.newPage());
  await page.goto('/today');
  await expect(outbox(page, 7)).toBeVisible();
  for (const [nth, lead] of rest.slice(6).entries()) await logOnToday(page, lead.business.name, `Morning ${nth + 7}`);
  await expect(outbox(page, 12)).toBeVisible();
  await outbox(page).click();
  await expect(sheet(page).getByRole('listitem')).toHaveCount(12);
  await expect(sheet(page).getByText('Morning 0')).toBeVisible();
  await expectAccessible(page);
  // One is edited before it is sent.
  const entry = sheet(page).getByRole('listitem').first();
  await entry.getByRole('button', { name: 'Edit' }).click();
  await entry.getByRole('textbox', { name: 'Note' }).fill('Morning 0, corrected');
  await entry.getByRole('button', { name: 'Save' }).click();
  await expect(sheet(page).getByText('Morning 0, corrected')).toBeVisible();

  const before = Date.now();
  await context.unroute('**/api/business-log*/**');
  await sheet(page).getByRole('button', { name: 'Send now' }).click();
  await expect(sheet(page).getByText('Nothing waits to be sent.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(outbox(page)).toBeHidden();

  const made: string[] = [];
  for (const [nth, { id }] of leads.entries()) {
    const { userBusiness } = await accounts.sendAsAdmin(getLead.byId, { params: { id } });
    expect(userBusiness.contactActivities).toMatchObject([{ outcome: 'no_answer', createdBy: holder.id }]);
    const [activity] = userBusiness.contactActivities;
    expect(activity?.description).toBe(nth === 0 ? 'Morning 0, corrected' : `Morning ${nth}`);
    expect(userBusiness.lastContactedAt).toBe(activity?.completedAt);
    made.push(activity?.completedAt ?? '');
  }
  expect(made).toEqual([...made].sort());
  expect(made.every((at) => Date.parse(at) < before)).toBe(true);
  await context.close();
  await rm(profile, { recursive: true, force: true });
});

test('two people change one lead: the one who was offline sees both values and decides', async ({
  page,
  context,
  accounts,
  expectedErrors,
}) => {
  expectedErrors.push(/ERR_INTERNET_DISCONNECTED|409/);
  const holder = await accounts.create();
  const [lead] = await assignLeads(accounts, holder);
  await accounts.signIn(page, holder);
  await page.goto(lead.path);
  await deviceIsReady(page);
  await context.setOffline(true);
  await page.getByRole('button', { name: 'In Progress' }).click();
  await expectToast(page, KEPT);
  await page.getByRole('button', { name: 'Log', exact: true }).click();
  await page
    .getByRole('dialog', { name: 'Log contact' })
    .getByRole('button', { name: /^Left message/ })
    .click();
  await expect(outbox(page, 2)).toBeVisible();
  await expect(page.getByRole('tab', { name: 'Activities (1)' })).toBeVisible();
  await page.getByRole('tab', { name: 'Timeline' }).click();
  await expect(page.getByRole('list', { name: 'Waiting to be sent' }).getByRole('listitem')).toHaveCount(2);

  await accounts.sendAsAdmin(changeLeadStatus.byId, { params: { id: lead.id }, body: { status: 'qualified' } });
  await accounts.sendAsAdmin(logContact.byId, { params: { id: lead.id }, body: { outcome: 'no_answer' } });
  await context.setOffline(false);
  // The contact has arrived; the status is for its user to decide.
  await expect(outbox(page, 1)).toBeVisible();
  await outbox(page).click();
  await expect(sheet(page).getByText('Changed meanwhile')).toBeVisible();
  await expect(sheet(page).getByText('Qualified')).toBeVisible();
  await sheet(page).getByRole('button', { name: 'Keep mine' }).click();
  await sheet(page).getByRole('button', { name: 'Send now' }).click();
  await expect(sheet(page).getByText('Nothing waits to be sent.')).toBeVisible();
  const { userBusiness } = await accounts.sendAsAdmin(getLead.byId, { params: { id: lead.id } });
  expect(userBusiness.status).toBe('in_progress');
  expect(userBusiness.contactActivities.map(({ outcome }) => outcome)).toEqual(['no_answer', 'left_message']);
});

test('the next user of a device sees nothing of what waits, and the first one gets it back', async ({
  page,
  context,
  accounts,
  expectedErrors,
}) => {
  expectedErrors.push(/ERR_INTERNET_DISCONNECTED|401|ERR_FAILED/);
  const [holder, other] = [await accounts.create(), await accounts.create()];
  const [lead] = await assignLeads(accounts, holder);
  await accounts.signIn(page, holder);
  await page.goto(lead.path);
  await deviceIsReady(page);
  await context.setOffline(true);
  await page.getByRole('textbox', { name: 'New tag' }).fill('Warm');
  await page.getByRole('textbox', { name: 'New tag' }).press('Enter');
  await expect(outbox(page, 1)).toBeVisible();

  // Logging out would lose it, and asks first.
  await page.getByRole('button', { name: 'Logout' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Not everything is sent' });
  await expect(dialog.getByText('One change was made without a connection')).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  // The session ends without a log-out, and another user signs in on this device.
  await context.clearCookies();
  await context.setOffline(false);
  await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible();
  const signIn = async ({ username, password }: typeof holder) => {
    await page.getByLabel('Username or email').fill(username);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
  };
  await signIn(other);
  await expect(page.getByRole('banner')).toBeVisible();
  await deviceIsReady(page);
  await expect(outbox(page)).toBeHidden();
  const read = async () => (await accounts.sendAsAdmin(getLead.byId, { params: { id: lead.id } })).userBusiness.tags;
  expect(await read()).toEqual([]);

  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible();
  await signIn(holder);
  await expect.poll(read).toEqual(['Warm']);
  await expect(outbox(page)).toBeHidden();
});

test('where the device has no room, the text stays in the form', async ({
  page,
  context,
  accounts,
  expectedErrors,
}) => {
  expectedErrors.push(/ERR_INTERNET_DISCONNECTED/);
  const holder = await accounts.create();
  const [lead] = await assignLeads(accounts, holder);
  await accounts.signIn(page, holder);
  await page.goto(`${lead.path}?tab=notes`);
  await deviceIsReady(page);
  await page.evaluate(() => {
    const { put } = IDBObjectStore.prototype;
    IDBObjectStore.prototype.put = function (this: IDBObjectStore, value: unknown, key?: IDBValidKey) {
      if (Array.isArray(key) && key[1] === 'outbox') throw new DOMException('full', 'QuotaExceededError');
      return put.call(this, value, key);
    };
  });
  await context.setOffline(true);
  const notes = page.getByRole('textbox', { name: 'Notes', exact: true });
  await notes.fill('The blue door');
  await page.getByRole('button', { name: 'Save Notes' }).click();
  await expectToast(page, 'Notes update failed');
  await expect(notes).toHaveValue('The blue door');
  await expect(outbox(page)).toBeHidden();
  await context.setOffline(false);
  await page.getByRole('button', { name: 'Save Notes' }).click();
  await expectToast(page, 'Notes updated');
});
