import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { changeReminderSettings } from '#contract/reminders/reminders.calls.ts';
import { createAccounts } from './accounts.ts';
import { expectAccessible } from './axe.ts';
import { assignLeads } from './leads.ts';
import { expect, test } from './product.ts';
import { startProduct } from './started-product.ts';

const DAY_MS = 24 * 60 * 60_000;

/** Noon of the next Monday: leads of today are those of its last week. */
function nextMonday(): string {
  const today = new Date();
  const days = (8 - (today.getUTCDay() || 7)) % 7 || 7;
  return `${new Date(today.getTime() + days * DAY_MS).toISOString().slice(0, 10)}T12:00:00.000Z`;
}

test('the Monday e-mail comes with a link that stops it, without signing in', async ({ page, startOwnProduct }) => {
  const kept = await mkdtemp(join(tmpdir(), 'highstreet-e2e-monday-'));
  const { PREPARED_DATA } = process.env;
  try {
    // The week before: someone has leads and wants the e-mail.
    const before = await startProduct();
    const accounts = await createAccounts(before.url);
    const user = await accounts.create('user', 'Nora Newcomer');
    await assignLeads(accounts, user, { count: 2 });
    await page.goto(`${before.url}/auth`);
    await page.getByLabel(/username/i).fill(user.username);
    await page.getByLabel('Password', { exact: true }).fill(user.password);
    await page.getByRole('button', { name: /sign in/i }).click();
    await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
    const settings = `${before.url}${changeReminderSettings.path}`;
    expect((await page.request.patch(settings, { data: { weeklyEmail: true } })).ok()).toBe(true);
    await page.goto('about:blank');
    await before.stop((dataDir) => cp(dataDir, kept, { recursive: true }));

    process.env.PREPARED_DATA = kept;
    const { url, mailbox } = await startOwnProduct('main', { NODE_ENV: 'test', TEST_NOW: nextMonday() });
    await expect
      .poll(() => mailbox.findFor(user.email, 'Your week: 2 leads assigned, 0 contacted'), { timeout: 60_000 })
      .toBeTruthy();
    const mail = mailbox.findFor(user.email, 'Your week: 2 leads assigned, 0 contacted');
    const [link = ''] = /http\S+\/stop-weekly-email\?token=\S+/.exec(mail?.text ?? '') ?? [];
    expect(mail?.headers.find(({ key }) => key === 'list-unsubscribe')?.value).toContain(
      `${url}/api/weekly-email/stop?`,
    );

    await page.context().clearCookies();
    await page.goto(link);
    await expect(page).toHaveURL(`${url}/stop-weekly-email`);
    await expect(page.getByRole('heading', { level: 1, name: 'Stop the Monday e-mail' })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Stop these e-mails' }).click();
    await expect(page.getByText('You get no more Monday e-mails.')).toBeVisible();
    await expectAccessible(page);
  } finally {
    process.env.PREPARED_DATA = PREPARED_DATA ?? '';
    await rm(kept, { recursive: true, force: true });
  }
});
