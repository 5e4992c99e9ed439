import { randomUUID } from 'node:crypto';
import { asc, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { BATCH_HEADER, undoChanges } from '#contract/changes/changes.calls.ts';
import { mergeBusinesses, undoMerge } from '#contract/duplicates/duplicates.calls.ts';
import { planFollowUp } from '#contract/leads/follow-ups/follow-ups.calls.ts';
import * as leads from '#contract/leads/leads.calls.ts';
import { logContact } from '#contract/leads/log/log.calls.ts';
import * as users from '#contract/users/users.calls.ts';
import { webhookEvent } from '#contract/webhooks/webhook-event.ts';
import { businesses } from '#server/schema/leads.ts';
import { sweeps } from '#server/schema/sweeps.ts';
import { webhookDeliveries, webhookEvents, webhooks } from '#server/schema/webhooks.ts';
import { endRun } from '#server/sweeps/sweeps.sql.ts';
import { importFile, unique } from '#server/testing/import.ts';
import { runOwnJob } from '#server/testing/jobs.ts';
import { type TestApp, type TestUser, testApp, unchangedUser } from '#server/testing/test-app.ts';
import { runWebhooks } from '#server/testing/webhooks/receiver.ts';
import { toBody } from './to-body.ts';

let t: TestApp;
let admin: TestUser;
let webhookId = '';
beforeAll(async () => {
  t = await testApp({ ownDatabase: true, now: '2026-11-17T09:00:00.000Z' });
  admin = await t.user('admin');
  const values = { url: 'https://hooks.example.test/', signature: 'hmac', secret: 'i.x' } as const;
  const [webhook] = await t.db
    .insert(webhooks)
    .values({ ...values, events: [...webhookEvent.options] })
    .returning();
  webhookId = webhook?.id ?? '';
});
afterAll(() => t.close());
beforeEach(async () => {
  await t.db.delete(webhookEvents);
});

const events = async () =>
  (await t.db.select().from(webhookEvents).orderBy(asc(webhookEvents.id))).map(({ type, leadId, data }) => {
    const { lead: _, ...rest } = data;
    return leadId === null ? { type, ...rest } : { type, leadId, ...rest };
  });
const by = () => ({ by: { userId: admin.id } });
const ok = async (response: Promise<{ status: number }>) => expect((await response).status).toBeLessThan(300);

test('a lead is created, assigned, changed and deleted', async () => {
  const [business] = await t.db
    .insert(businesses)
    .values({ placeId: randomUUID(), name: 'Blue Door Bakery' })
    .returning();
  const ben = await t.user();
  const body = { businessId: business?.id, userId: admin.id } as never;
  const created = await t.request(admin, leads.assignBusiness, { body });
  expect(created.status).toBe(201);
  const [{ leadId = 0 } = {}] = (await events()) as { leadId?: number }[];
  const params = { id: leadId };
  await ok(t.request(admin, leads.addTag.byId, { params, body: { tag: 'hot' } }));
  await ok(t.request(admin, leads.reassignLead.byId, { params, body: { newUserId: ben.id } }));
  await ok(t.request(admin, leads.deleteLead.byId, { params }));
  expect(await events()).toEqual([
    { type: 'lead.created', leadId, ...by() },
    { type: 'lead.changed', leadId, fields: ['tag'], ...by() },
    { type: 'lead.assigned', leadId, previousHolderId: admin.id, ...by() },
    { type: 'lead.deleted', leadId, ...by() },
  ]);
  const [, , , deleted] = await t.db.select().from(webhookEvents).orderBy(asc(webhookEvents.id));
  expect(deleted?.data.lead).toMatchObject({ id: leadId, businessId: business?.id, holderId: ben.id });
});

test('a change through a program says so, by which the program knows its own', async () => {
  const lead = await t.lead(admin);
  const program = await t.program(admin, { rights: 'write' });
  await ok(t.request(program, leads.addTag.byId, { params: { id: lead.id }, body: { tag: 'hot' } }));
  expect(await events()).toMatchObject([{ by: { userId: admin.id, program: program.name } }]);
});

test('a change of a business is one of each of its leads', async () => {
  const lead = await t.lead(admin);
  const ben = await t.user();
  const { rows } = await t.db.execute<{ id: number }>(sql`
    insert into user_businesses (user_id, business_id) values (${ben.id}, ${lead.businessId}) returning id`);
  await t.db.delete(webhookEvents);
  const params = { businessId: lead.businessId };
  await ok(t.request(admin, leads.changePhone, { params, body: { phone: '0113 496 0000' } }));
  expect(await events()).toEqual(
    [lead.id, rows[0]?.id].map((leadId) => ({ type: 'lead.changed', leadId, fields: ['phone'], ...by() })),
  );
});

test('what is sent has no number, address, name or words of a lead, whoever objects to being contacted', async () => {
  const [phone, email, name, words] = ['0113 496 0777', 'quill@quince.example', 'Quince and Quill', 'Never ring again'];
  const lead = await t.lead(admin, { customFields: { email } }, { name, phone });
  const params = { id: lead.id };
  const outcome = { type: 'call', outcome: 'not_interested', objection: 'call', note: words };
  await ok(t.request(admin, logContact.byId, { params, body: outcome as never }));
  const business = { businessId: lead.businessId };
  await ok(t.request(admin, leads.changePhone, { params: business, body: { phone: '0113 496 0778' } }));
  const customFields = { email: 'other@quince.example', contactPerson: 'Quentin' };
  await ok(t.request(admin, leads.changeCustomFields.byId, { params, body: { customFields } as never }));
  await ok(t.request(admin, leads.changeLeadNotes.byId, { params, body: { notes: words } as never }));
  await ok(t.request(admin, leads.deleteLead.byId, { params }));
  const stored = await t.db.select().from(webhookEvents);
  expect(stored.length).toBeGreaterThanOrEqual(5);
  for (const { type, at, data } of stored) {
    const body = toBody({ type, at, data });
    expect(body).not.toMatch(/0113|quince|quill|quentin|ring|objection|allowed/i);
    expect(Object.keys(data).filter((key) => !['lead', 'by', 'fields', 'status'].includes(key))).toEqual([]);
  }
});

test('leads are merged, and the merge is undone', async () => {
  const [kept, other] = [await t.lead(admin), await t.lead(admin)];
  const body = { keptId: kept.businessId, businessIds: [kept.businessId, other.businessId], fields: {} };
  const merged = await t.request(admin, mergeBusinesses, { body });
  expect(merged.status).toBe(200);
  const mergedLeads = [{ id: other.id, uuid: other.uuid }];
  expect(await events()).toEqual([
    { type: 'lead.merged', leadId: kept.id, mergedLeads, mergedBusinesses: [other.businessId], ...by() },
  ]);
  await t.db.delete(webhookEvents);
  await ok(t.request(admin, undoMerge, { params: { id: String(merged.headers[BATCH_HEADER]) } as never }));
  expect((await events()).toSorted((a, b) => a.type.localeCompare(b.type))).toEqual([
    { type: 'lead.changed', leadId: kept.id, fields: ['merge'] },
    { type: 'lead.created', leadId: other.id, restored: true },
  ]);
});

test('an undo is told as the change that it is', async () => {
  const lead = await t.lead(admin);
  const params = { id: lead.id };
  const changed = await t.request(admin, leads.changeLeadStatus.byId, { params, body: { status: 'closed_lost' } });
  await ok(t.request(admin, undoChanges, { params: { batchId: String(changed.headers[BATCH_HEADER]) } as never }));
  expect((await events()).map(({ type }) => type)).toEqual(['lead.changed', 'lead.closed', 'lead.changed']);
});

test('a follow-up is due', async () => {
  const lead = await t.lead(admin);
  const at = '2026-11-17T10:00:00.000Z';
  await ok(t.request(admin, planFollowUp.byId, { params: { id: lead.id }, body: { at, type: 'call' } as never }));
  await t.db.delete(webhookEvents);
  await t.db.execute(
    sql`update contact_activities set scheduled_at = '2026-11-17T08:59:00Z' where user_business_id = ${lead.id}`,
  );
  await runOwnJob(t, 'reminders');
  expect(await events()).toEqual([
    { type: 'follow_up.due', leadId: lead.id, followUp: { type: 'call', dueAt: '2026-11-17T08:59:00.000Z' } },
  ]);
});

test('an import and a sweep finish; a sweep that is paused has not', async () => {
  const rows = `Business Name,Address\n${unique('Shop')},"1 High Street, Leeds LS1 4AP"\n`;
  expect((await importFile(t, admin, rows)).status).toBe(200);
  const [created, finished] = await events();
  expect(created).toMatchObject({ type: 'lead.created' });
  expect(finished).toMatchObject({ type: 'import.finished', import: { state: 'done', created: 1, failed: 0 } });
  await t.db.delete(webhookEvents);
  const sweep = { businessType: 'Bakery', places: ['LS1'], provider: 'osm', state: 'running' } as const;
  const [paused, done] = [randomUUID(), randomUUID()];
  await t.db.insert(sweeps).values({ ...sweep, id: paused, places: [...sweep.places], stopRequested: 'pause' });
  await endRun(t.db, paused, { state: 'stopped', message: null });
  await t.db.insert(sweeps).values({ ...sweep, id: done, places: [...sweep.places] });
  await endRun(t.db, done, { state: 'done', message: null });
  expect(await events()).toEqual([{ type: 'sweep.finished', sweep: { id: done, state: 'done' } }]);
});

test('a user is created, deactivated and deleted, with the leads', async () => {
  const password = 'a long enough password';
  const name = unique('user').toLowerCase().replace(/\W/g, '');
  const account = { username: name, email: `${name}@example.test`, fullName: 'New', role: 'user', monthlyGoal: 10 };
  const { body: user } = await t.request(admin, users.createUser, { body: { ...account, password } as never });
  const params = { id: user.id };
  const lead = await t.lead(user);
  await ok(
    t.request(admin, users.changeUser, {
      params,
      body: { ...unchangedUser({ ...admin, ...user } as never), monthlyGoal: 5 } as never,
    }),
  );
  await ok(t.request(admin, users.setUserActive, { params, body: { active: false } }));
  await ok(t.request(admin, users.setUserActive, { params, body: { active: true } }));
  await ok(t.request(admin, users.deleteUser, { params }));
  expect(await events()).toEqual([
    { type: 'user.created', user: { id: user.id, role: 'user' } },
    { type: 'user.deactivated', user: { id: user.id } },
    { type: 'user.deactivated', user: { id: user.id }, deleted: true },
    { type: 'lead.deleted', leadId: lead.id },
  ]);
});

test('a lead that is gone is told to those webhooks with a view that were told of it', async () => {
  const [known, unknown] = [await t.lead(admin), await t.lead(admin)];
  await t.db.execute(sql`update webhooks set view_id = gen_random_uuid()`);
  const { rows } = await t.db.execute<{ id: string }>(sql`
    insert into saved_views (owner_id, name, shared, settings) values (${admin.id}, 'All', true, '{}') returning id`);
  await t.db.update(webhooks).set({ viewId: rows[0]?.id ?? null });
  await t.db.insert(webhookEvents).values({ type: 'lead.changed', data: {}, leadId: known.id });
  await runWebhooks(t);
  for (const { id } of [known, unknown]) await ok(t.request(admin, leads.deleteLead.byId, { params: { id } }));
  await runWebhooks(t);
  const sent = await t.db
    .select({ type: webhookEvents.type, leadId: webhookEvents.leadId })
    .from(webhookDeliveries)
    .innerJoin(webhookEvents, eq(webhookEvents.id, webhookDeliveries.eventId))
    .where(eq(webhookDeliveries.webhookId, webhookId))
    .orderBy(asc(webhookEvents.id));
  expect(sent).toEqual([
    { type: 'lead.changed', leadId: known.id },
    { type: 'lead.deleted', leadId: known.id },
  ]);
});
