import { desc, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as calls from '#contract/leads/leads.calls.ts';
import { auditEvents } from '#server/schema/audit.ts';
import { businesses, contactActivities, leadNoteRevisions, leads } from '#server/schema/leads.ts';
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

test('a profile contains business, holder and the lead with its activities, newest first, by id and by uuid', async () => {
  const lead = await t.lead(holder, { customFields: { email: 'owner@example.test' } }, { website: 'Not provided' });
  for (const [type, createdAt] of [
    ['call', '2026-03-01T00:00:00Z'],
    ['note', '2026-03-02T00:00:00Z'],
  ] as const) {
    await t.db.insert(contactActivities).values({ userBusinessId: lead.id, type, description: type, createdAt });
  }
  const byId = await t.request(holder, calls.getLead.byId, withId(lead));
  const byUuid = await t.request(holder, calls.getLead.byUuid, { params: { uuid: lead.uuid } });
  expect(byId.status).toBe(200);
  expect(byUuid.body).toEqual(byId.body);
  expect(byId.body).toMatchObject({
    business: { id: lead.businessId, name: 'Blue Door Bakery', website: null },
    userBusiness: { id: lead.id, uuid: lead.uuid, status: 'new', customFields: { email: 'owner@example.test' } },
    user: { id: holder.id, username: holder.username },
  });
  expect(byId.body.userBusiness.contactActivities.map(({ type }) => type)).toEqual(['note', 'call']);
});

describe('notes', () => {
  const write = (lead: { id: number }, notes: string, notesVersion?: number) =>
    t.request(holder, calls.changeLeadNotes.byId, { ...withId(lead), body: { notes, notesVersion } });

  test('a stale version is refused with the current notes', async () => {
    const lead = await t.lead(holder);
    expect((await write(lead, 'first', 0)).body).toMatchObject({ notes: 'first', notesVersion: 1 });
    expect((await write(lead, 'first', 1)).body.notesVersion).toBe(1);
    expect(await write(lead, 'second', 0)).toMatchObject({
      status: 409,
      body: { code: 'stale_notes', current: { notes: 'first', notesVersion: 1 } },
    });
    expect((await write(lead, 'third')).body).toMatchObject({ notes: 'third', notesVersion: 2 });
  });

  test('the last twenty revisions are stored', async () => {
    const lead = await t.lead(holder);
    for (let i = 1; i <= 23; i++) await write(lead, `text ${i}`);
    const revisions = await t.db
      .select({ notes: leadNoteRevisions.notes })
      .from(leadNoteRevisions)
      .where(eq(leadNoteRevisions.userBusinessId, lead.id))
      .orderBy(desc(leadNoteRevisions.id));
    expect(revisions).toHaveLength(20);
    expect(revisions[0]?.notes).toBe('text 22');
    expect(revisions.at(-1)?.notes).toBe('text 3');
  });

  test('20,000 characters of several lines are accepted, one more or NUL is refused', async () => {
    const lead = await t.lead(holder);
    expect((await write(lead, `${'x'.repeat(19_994)}\r\n\ttab`)).status).toBe(200);
    expect((await write(lead, 'x'.repeat(20_001))).status).toBe(400);
    expect((await write(lead, 'a\u0000b')).status).toBe(400);
  });
});

describe('custom fields', () => {
  const write = (lead: { id: number }, customFields: object) =>
    t.request(holder, calls.changeCustomFields.byId, { ...withId(lead), body: { customFields } });

  test('are merged by key; an empty string clears one', async () => {
    const lead = await t.lead(holder);
    expect((await write(lead, { email: 'a@example.test' })).body.customFields).toEqual({ email: 'a@example.test' });
    expect((await write(lead, { contactPerson: 'Nell' })).body.customFields).toEqual({
      email: 'a@example.test',
      contactPerson: 'Nell',
    });
    expect((await write(lead, { email: '' })).body.customFields).toEqual({ contactPerson: 'Nell' });
  });

  test.each([{ role: 'admin' }, { email: 'no-at-sign' }, { email: 5 }, { contactPerson: 'x'.repeat(201) }])(
    '%o is refused',
    async (fields) => {
      expect((await write(await t.lead(holder), fields)).status).toBe(400);
    },
  );
});

describe('tags', () => {
  const add = (lead: { id: number }, tag: string) =>
    t.request(holder, calls.addTag.byId, { ...withId(lead), body: { tag } });
  const remove = (lead: { id: number }, tag: string) =>
    t.request(holder, calls.removeTag.byId, { params: { id: lead.id, tag } });

  test('are added once and removed by name, also with slashes', async () => {
    const lead = await t.lead(holder);
    await add(lead, ' hot ');
    await add(lead, 'HOT');
    expect((await add(lead, '50% / a?b')).body.tags).toEqual(['hot', '50% / a?b']);
    expect((await remove(lead, '50% / a?b')).body.tags).toEqual(['hot']);
    expect(await remove(lead, 'cold')).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });

  test.each(['Imported', ' imported', 'IM PORTED'])('%j is reserved', async (tag) => {
    const lead = await t.lead(holder, { tags: ['Imported'] });
    expect(await add(lead, tag)).toMatchObject({ status: 400, body: { code: 'reserved_tag' } });
    expect(await remove(lead, tag)).toMatchObject({ status: 400, body: { code: 'reserved_tag' } });
  });

  test('a lead has at most thirty tags', async () => {
    const lead = await t.lead(holder, { tags: Array.from({ length: 29 }, (_, i) => `t${i}`) });
    expect((await add(lead, 'thirtieth')).status).toBe(200);
    expect((await add(lead, 'one more')).status).toBe(400);
  });

  test('twenty concurrent additions are all stored', async () => {
    const lead = await t.lead(holder);
    await Promise.all(Array.from({ length: 20 }, (_, i) => add(lead, `tag ${i}`)));
    const [row] = await t.db.select({ tags: leads.tags }).from(leads).where(eq(leads.id, lead.id));
    expect(row?.tags.toSorted()).toEqual(Array.from({ length: 20 }, (_, i) => `tag ${i}`).sort());
  });
});

describe('activities', () => {
  const add = (lead: { id: number }, body: object, headers = {}) =>
    t.request(holder, calls.addActivity.byId, { ...withId(lead), body: body as never }, { headers });

  test.each([
    ['call', NOW],
    ['email', NOW],
    ['meeting', NOW],
    ['note', null],
  ] as const)('a %s sets the last contact to %s', async (type, lastContactedAt) => {
    const lead = await t.lead(holder);
    const added = await add(lead, { type, notes: '  Spoke to Nell.\n' });
    expect(added).toMatchObject({
      status: 201,
      body: { type, description: 'Spoke to Nell.', createdBy: holder.id, createdAt: NOW },
    });
    const [row] = await t.db.select({ at: leads.lastContactedAt }).from(leads).where(eq(leads.id, lead.id));
    expect(row?.at).toBe(lastContactedAt);
  });

  test.each([
    { type: 'call', notes: '   ' },
    { type: 'fax', notes: 'x' },
    { type: 'call' },
    { type: 'call', notes: 'x'.repeat(5001) },
  ])('%o is refused', async (body) => expect((await add(await t.lead(holder), body)).status).toBe(400));

  test('twenty requests with one idempotency key add one activity and get the same response; another body is a conflict', async () => {
    const lead = await t.lead(holder);
    const headers = { 'idempotency-key': `click-${lead.uuid}` };
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => add(lead, { type: 'call', notes: 'once' }, headers)),
    );
    expect(new Set(responses.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
    expect(responses[0]?.status).toBe(201);
    expect(await t.db.$count(contactActivities, eq(contactActivities.userBusinessId, lead.id))).toBe(1);
    expect(await add(lead, { type: 'call', notes: 'other' }, headers)).toMatchObject({
      status: 409,
      body: { code: 'idempotency_conflict' },
    });
    expect((await add(lead, { type: 'call', notes: 'x' }, { 'idempotency-key': 'short' })).status).toBe(400);
  });

  test('the current holder of the lead may delete an activity, its author may not', async () => {
    const lead = await t.lead(holder);
    const { body: activity } = await add(lead, { type: 'note', notes: 'mine' });
    const next = await t.user();
    await t.request(admin, calls.reassignLead.byId, { ...withId(lead), body: { newUserId: next.id } });
    const params = { activityId: activity.id };
    expect((await t.request(holder, calls.deleteActivity, { params })).status).toBe(403);
    expect((await t.request(next, calls.deleteActivity, { params })).status).toBe(200);
    expect((await t.request(next, calls.deleteActivity, { params })).status).toBe(404);
  });
});

describe('archive, mark, delete', () => {
  test('archiving and restoring can be repeated', async () => {
    const lead = await t.lead(holder);
    const first = await t.request(holder, calls.archiveLead.byId, withId(lead));
    expect(first.body.archivedAt).not.toBeNull();
    expect(
      (await t.request(holder, calls.archiveLead.byUuid, { params: { uuid: lead.uuid.toUpperCase() } })).body,
    ).toEqual(first.body);
    expect((await t.request(holder, calls.restoreLead.byId, withId(lead))).body).toMatchObject({
      archived: false,
      archivedAt: null,
    });
  });

  test('deleting a lead deletes its activities and writes an audit event', async () => {
    const lead = await t.lead(holder);
    await t.db.insert(contactActivities).values({ userBusinessId: lead.id, type: 'call', description: 'x' });
    expect((await t.request(holder, calls.deleteLead.byId, withId(lead))).status).toBe(200);
    expect((await t.request(holder, calls.deleteLead.byId, withId(lead))).status).toBe(404);
    expect(await t.db.$count(contactActivities, eq(contactActivities.userBusinessId, lead.id))).toBe(0);
    expect(await t.db.$count(businesses, eq(businesses.id, lead.businessId))).toBe(1);
    const [event] = await t.db.select().from(auditEvents).where(sql`subject_type = 'lead' and subject_id = ${lead.id}`);
    expect(event).toMatchObject({
      event: 'lead_deleted',
      actorId: holder.id,
      ip: '127.0.0.1',
      details: { uuid: lead.uuid, name: 'Blue Door Bakery' },
    });
  });
});
