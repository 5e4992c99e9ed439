import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LeadStatus } from '#contract/leads/lead.ts';
import * as calls from '#contract/leads/leads.calls.ts';
import { contactCredits } from '#server/schema/leads.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

const NOW = '2026-03-10T09:00:00.000Z';
let t: TestApp;
let holder: TestUser;
let admin: TestUser;
beforeAll(async () => {
  t = await testApp({ now: NOW });
  [holder, admin] = [await t.user('user'), await t.user('admin')];
});
afterAll(() => t.close());

const withId = ({ id }: { id: number }) => ({ params: { id } });
const findCredit = async (leadId: number) =>
  (await t.db.select().from(contactCredits).where(eq(contactCredits.leadId, leadId)))[0];
const changeStatus = (lead: { id: number }, status: LeadStatus, viewer = holder) =>
  t.request(viewer, calls.changeLeadStatus.byId, { ...withId(lead), body: { status } });

test('the first contacted status earns the credit and sets the last contact; later changes keep both', async () => {
  const lead = await t.lead(holder);
  expect((await changeStatus(lead, 'qualified')).body).toMatchObject({ status: 'qualified', lastContactedAt: null });
  expect(await findCredit(lead.id)).toBeUndefined();
  expect((await changeStatus(lead, 'in_progress')).body).toMatchObject({
    status: 'in_progress',
    lastContactedAt: NOW,
  });
  expect(await findCredit(lead.id)).toEqual({ leadId: lead.id, userId: holder.id, creditedAt: NOW, counted: true });
  await changeStatus(lead, 'new');
  await changeStatus(lead, 'closed_won');
  expect(await t.db.$count(contactCredits, eq(contactCredits.leadId, lead.id))).toBe(1);
});

test('a status change by an admin credits the holder', async () => {
  const lead = await t.lead(holder);
  await changeStatus(lead, 'recontact', admin);
  expect(await findCredit(lead.id)).toMatchObject({ userId: holder.id });
});

test('a lead created in a contacted status earns its credit with the first change', async () => {
  const lead = await t.lead(holder, { status: 'in_progress' });
  await changeStatus(lead, 'in_progress');
  expect(await findCredit(lead.id)).toBeUndefined();
  await changeStatus(lead, 'recontact');
  expect(await findCredit(lead.id)).toBeDefined();
});

test('the credit remains after reassigning, archiving and deleting', async () => {
  const lead = await t.lead(holder);
  await changeStatus(lead, 'closed_lost');
  const before = await findCredit(lead.id);
  await t.request(holder, calls.archiveLead.byId, withId(lead));
  await t.request(admin, calls.reassignLead.byId, { ...withId(lead), body: { newUserId: admin.id } });
  await changeStatus(lead, 'closed_won', admin);
  await t.request(admin, calls.deleteLead.byId, withId(lead));
  expect(await findCredit(lead.id)).toEqual(before);
});

test('the credit of an existing customer is not counted', async () => {
  const lead = await t.lead(holder);
  await changeStatus(lead, 'in_progress');
  await t.request(holder, calls.markExistingCustomer.byId, withId(lead));
  expect((await findCredit(lead.id))?.counted).toBe(false);
  await t.request(holder, calls.unmarkExistingCustomer.byId, withId(lead));
  expect((await findCredit(lead.id))?.counted).toBe(true);

  const marked = await t.lead(holder, { existingCustomer: true });
  await changeStatus(marked, 'in_progress');
  expect((await findCredit(marked.id))?.counted).toBe(false);
});

test('twenty concurrent status changes earn one credit', async () => {
  const lead = await t.lead(holder);
  const statuses: LeadStatus[] = ['in_progress', 'recontact', 'closed_won', 'closed_lost'];
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, i) => changeStatus(lead, statuses[i % 4] ?? 'new')),
  );
  expect(responses.every(({ status }) => status === 200)).toBe(true);
  expect(await t.db.$count(contactCredits, eq(contactCredits.leadId, lead.id))).toBe(1);
});

test('an unknown status is refused', async () => {
  const lead = await t.lead(holder);
  expect(await changeStatus(lead, 'contacted' as never)).toMatchObject({
    status: 400,
    body: { code: 'validation_failed' },
  });
});
