import ICAL from 'ical.js';
import { buildPath } from '#contract/call.ts';
import { planFollowUp } from '#contract/leads/follow-ups/follow-ups.calls.ts';
import { assignLeads } from './leads.ts';
import { expect, test } from './product.ts';
import { expectToast } from './screen.ts';

test('a follow-up reminds on the screen, in a calendar and by e-mail', { tag: '@screen' }, async ({
  page,
  accounts,
}) => {
  const holder = await accounts.create();
  const [lead] = await assignLeads(accounts, holder);
  await accounts.signIn(page, holder);
  await page.goto('/crm');
  const bell = page.getByRole('button', { name: /^Notifications/ });
  await expect(bell).toHaveAccessibleName('Notifications, 1 unread');

  const at = new Date(Date.now() + 2_000).toISOString();
  const url = buildPath(planFollowUp.byUuid, { params: { uuid: lead.uuid } });
  expect((await page.request.put(url, { data: { at, note: 'Ask for Sam' } })).ok()).toBe(true);

  // While the reminder is on its way.
  await page.getByRole('button', { name: holder.fullName }).click();
  await page.getByRole('link', { name: 'Your account' }).click();
  await page.getByRole('button', { name: 'Create calendar address' }).click();
  const address = await page.getByLabel('Calendar address').inputValue();
  const calendar = new ICAL.Component(ICAL.parse(await (await fetch(address)).text()));
  const events = calendar.getAllSubcomponents('vevent').map((component) => new ICAL.Event(component));
  expect(events.map(({ summary }) => summary)).toEqual([`Call: ${lead.business.name}`]);
  expect(events[0]?.description).toContain(lead.path);
  await page.getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
  await expectToast(page, 'Calendar address revoked');
  expect((await fetch(address)).status).toBe(404);

  await page.getByRole('switch', { name: 'Morning e-mail' }).click();
  await expectToast(page, 'Morning e-mail switched off');
  await page.reload();
  await expect(page.getByRole('switch', { name: 'Morning e-mail' })).not.toBeChecked();

  await expect(bell).toHaveAccessibleName('Notifications, 2 unread', { timeout: 30_000 });
  await bell.click();
  await page.getByRole('link', { name: `Follow-up due: ${lead.business.name}` }).click();
  await expect(page.getByRole('heading', { level: 1, name: lead.business.name })).toBeVisible();
  await expect(bell).not.toHaveAccessibleName('Notifications, 2 unread');
});
