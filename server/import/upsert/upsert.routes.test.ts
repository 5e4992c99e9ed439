import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { listAuditEvents } from '#contract/audit/audit.calls.ts';
import { BATCH_HEADER, listChanges, undoChanges } from '#contract/changes/changes.calls.ts';
import { mergeBusinesses } from '#contract/duplicates/duplicates.calls.ts';
import { upsertLeads } from '#contract/import/upsert.calls.ts';
import { type AddingRules, DEFAULT_ADDING } from '#contract/leads/adding/adding-rules.ts';
import { addTag, deleteLead, getLead } from '#contract/leads/leads.calls.ts';
import { createOwnField } from '#contract/leads/own-fields/own-fields.calls.ts';
import { changeTeamSettings } from '#contract/settings/settings.calls.ts';
import { externalIds } from '#server/schema/external-ids.ts';
import { businesses, leads } from '#server/schema/leads.ts';
import { notifications } from '#server/schema/notifications.ts';
import { type TestApp, type TestProgram, type TestUser, testApp } from '#server/testing/test-app.ts';

let t: TestApp;
let admin: TestUser;
let program: TestProgram;
beforeAll(async () => {
  t = await testApp({ ownDatabase: true });
  admin = await t.user('admin', { fullName: 'Priya Shah' });
  program = await t.program(admin, { rights: 'write', name: 'HubSpot sync' });
});
afterEach(() => setRules(null));
afterAll(() => t.close());

type Sender = TestUser | TestProgram;
const setRules = (addingLeads: AddingRules | null) => t.request(admin, changeTeamSettings, { body: { addingLeads } });
const upsert = (sender: Sender, items: object[], options: object = {}, headers = {}) =>
  t.request(sender, upsertLeads, { body: { source: 'hubspot', items, ...options } }, { headers });
async function upsertOne(sender: Sender, item: object, options: object = {}) {
  const { status, body } = await upsert(sender, [item], options);
  expect(status).toBe(200);
  const [result] = body.results;
  if (!result) throw new Error('No result');
  return result;
}
const read = async (id: number | undefined) => (await t.request(admin, getLead.byId, { params: { id: id ?? 0 } })).body;
const linksOf = (leadId: number) => t.db.select().from(externalIds).where(eq(externalIds.userBusinessId, leadId));

let names = 0;
/** A business that looks like no other of these tests. */
function newBusiness() {
  names += 1;
  const letters = [...String(names)].map((digit) => 'bcdfghjklm'[Number(digit)]).join('');
  const number = String(names).padStart(3, '0');
  return { externalId: `id-${names}`, name: `Z${letters}a ${letters}oo`, phone: `0113 496 0${number}` };
}

describe('by external id', () => {
  test('makes a lead with everything that is sent, then changes only what is sent', async () => {
    const field = (await t.request(admin, createOwnField, { body: { name: 'Seats', type: 'number' } })).body.id;
    const holder = await t.user();
    const item = {
      ...newBusiness(),
      ...{
        address: '1 Briggate, Leeds LS1 6HD',
        website: 'rose.example',
        businessType: 'Florist',
        holderId: holder.id,
      },
      ...{ status: 'qualified', tags: ['web', 'Web'], notes: 'Asked for a quote', ownFields: { [field]: 12 } },
      customFields: { email: 'rose@rose.example', contactPerson: 'Rose' },
    };
    const created = await upsertOne(program, item);
    expect(created).toMatchObject({ index: 0, outcome: 'created', ignored: [], lead: { userId: holder.id } });
    const { userBusiness, business } = await read(created.lead?.id);
    expect(userBusiness).toMatchObject({
      ...{
        userId: holder.id,
        status: 'qualified',
        tags: ['web'],
        notes: 'Asked for a quote',
        source: { kind: 'program' },
      },
      ...{ customFields: item.customFields, ownFields: { [field]: 12 }, viewed: false },
    });
    expect(business).toMatchObject({
      name: item.name,
      phone: item.phone,
      website: 'https://rose.example',
      type: 'Florist',
    });
    const [stored] = await t.db.select().from(businesses).where(eq(businesses.id, business.id));
    expect(stored).toMatchObject({ town: 'Leeds', district: 'LS1' });
    expect(await t.db.$count(notifications, eq(notifications.userId, holder.id))).toBe(1);

    const { externalId } = item;
    expect(await upsertOne(program, item)).toMatchObject({ outcome: 'unchanged', lead: created.lead });
    const changes = {
      status: 'recontact',
      tags: ['hot'],
      customFields: { contactPerson: '' },
      ownFields: { [field]: null },
    };
    const changed = await upsertOne(program, { externalId, name: 'Renamed', phone: '0113 496 7777', ...changes });
    expect(changed).toMatchObject({ outcome: 'changed', ignored: ['name'], lead: { id: created.lead?.id } });
    const after = await read(created.lead?.id);
    expect(after.userBusiness).toMatchObject({
      ...{ status: 'recontact', tags: ['web', 'hot'], notes: 'Asked for a quote', ownFields: {} },
      ...{ customFields: { email: 'rose@rose.example' }, userId: holder.id, updatedAt: changed.lead?.updatedAt },
    });
    expect(after.business).toMatchObject({ name: item.name, phone: '0113 496 7777', website: 'https://rose.example' });
  });

  test('each source has ids of its own, and without one they mean nothing', async () => {
    const item = newBusiness();
    await upsertOne(program, item);
    expect(
      await upsertOne(program, { ...newBusiness(), externalId: item.externalId }, { source: 'pipedrive' }),
    ).toMatchObject({ outcome: 'created' });
    expect(await upsertOne(program, item, { source: undefined })).toMatchObject({
      outcome: 'refused',
      error: { code: 'validation_failed', errors: [{ path: 'source' }] },
    });
  });

  test('a lead that was deleted is made again, on the same business', async () => {
    const item = newBusiness();
    const first = await upsertOne(program, item);
    const { businessId } = (await read(first.lead?.id)).userBusiness;
    await t.request(admin, deleteLead.byId, { params: { id: first.lead?.id ?? 0 } });
    expect(await linksOf(first.lead?.id ?? 0)).toEqual([]);
    const second = await upsertOne(program, item);
    expect(second.outcome).toBe('created');
    expect((await read(second.lead?.id)).userBusiness.businessId).toBe(businessId);
  });

  test('follows its lead through a merge, and back', async () => {
    const [one, two] = [newBusiness(), newBusiness()];
    const [kept, joined] = [await upsertOne(program, one), await upsertOne(program, two)];
    const ids = [kept, joined].map(({ lead }) => lead?.id ?? 0);
    const businessIds = await Promise.all(ids.map(async (id) => (await read(id)).userBusiness.businessId));
    const body = { keptId: businessIds[0] ?? 0, businessIds, fields: {} };
    const merged = await t.request(admin, mergeBusinesses, { body });
    expect(merged.status).toBe(200);
    for (const item of [one, two])
      expect(await upsertOne(program, { externalId: item.externalId, tags: ['x'] })).toMatchObject({
        lead: { id: kept.lead?.id },
      });
    expect(await upsertOne(program, { uuid: joined.lead?.uuid })).toMatchObject({ lead: { id: kept.lead?.id } });
    const { items } = (await t.request(admin, listChanges, { query: { kind: 'merge' } })).body;
    const undone = await t.request(admin, undoChanges, { params: { batchId: items[0]?.id ?? '' } });
    expect(undone.status).toBe(200);
    expect(await linksOf(joined.lead?.id ?? 0)).toMatchObject([{ externalId: two.externalId }]);
  });
});

test('by uuid, and by the place of a business, of which the only lead or that of the named holder is meant', async () => {
  const [first, second] = [await t.user(), await t.user()];
  const lead = await t.lead(first);
  const { placeId } = lead.business;
  expect(await upsertOne(program, { uuid: lead.uuid.toUpperCase(), notes: 'By uuid' })).toMatchObject({
    lead: { id: lead.id },
  });
  const link = { externalId: `place-${lead.id}`, placeId, notes: 'By place' };
  expect(await upsertOne(program, link)).toMatchObject({ outcome: 'changed', lead: { id: lead.id } });
  expect(await linksOf(lead.id)).toMatchObject([{ source: 'hubspot', externalId: link.externalId }]);

  expect(await upsertOne(program, { placeId, holderId: second.id })).toMatchObject({
    outcome: 'skipped',
    looksLike: { businessId: lead.businessId, reasons: [], leadUuid: lead.uuid },
  });
  const besides = await upsertOne(program, { placeId, holderId: second.id }, { onDuplicate: 'create' });
  expect(besides).toMatchObject({ outcome: 'created', lead: { userId: second.id } });
  expect(await upsertOne(program, { placeId, notes: 'Which?' })).toMatchObject({ error: { code: 'already_assigned' } });
  expect(await upsertOne(program, { placeId, holderId: first.id, notes: 'This' })).toMatchObject({
    lead: { id: lead.id },
  });
  const uuid = crypto.randomUUID();
  const { externalId: _, ...named } = newBusiness();
  expect(await upsertOne(program, { uuid, ...named })).toMatchObject({ outcome: 'created', lead: { uuid } });
  expect(await upsertOne(program, { placeId: 'nowhere', name: 'A' })).toMatchObject({ error: { code: 'not_found' } });
});

describe('what looks like a business that is there', () => {
  const address = '2 Briggate, Leeds LS1 6HE';

  test('is left out, or is that lead, or a lead besides', async () => {
    const item = { ...newBusiness(), address };
    const first = await upsertOne(program, item);
    const again = { ...item, name: `The ${item.name} Ltd` };
    expect(await upsertOne(program, { ...again, externalId: 'skip-it' })).toMatchObject({
      outcome: 'skipped',
      lead: null,
      looksLike: { name: item.name, reasons: expect.arrayContaining(['phone']), leadUuid: first.lead?.uuid },
    });
    const used = await upsertOne(program, { ...again, externalId: 'use-it', notes: 'Same' }, { onDuplicate: 'use' });
    expect(used).toMatchObject({ outcome: 'changed', lead: { id: first.lead?.id } });
    expect(await linksOf(first.lead?.id ?? 0)).toHaveLength(2);
    const besides = await upsertOne(program, { ...again, externalId: 'make-it' }, { onDuplicate: 'create' });
    expect(besides.outcome).toBe('created');
    expect(besides.lead?.id).not.toBe(first.lead?.id);
  });

  test('also where it comes before in the same request', async () => {
    const item = { ...newBusiness(), address };
    const { body } = await upsert(program, [item, { ...item, externalId: 'again' }]);
    expect(body.results).toMatchObject([{ outcome: 'created' }, { outcome: 'skipped' }]);
    expect(body.counts).toEqual({ created: 1, changed: 0, unchanged: 0, skipped: 1, refused: 0 });
  });
});

test('what is wrong with one item is reported, changes nothing of it, and refuses no other', async () => {
  const lead = await t.lead(admin);
  const good = newBusiness();
  const { body } = await upsert(program, [
    { externalId: 'x', phone: 'ring me', status: 'won' },
    { name: 'Nobody' },
    { uuid: lead.uuid, notes: 'Not kept', tags: ['Imported'] },
    { externalId: 'nameless' },
    { ...newBusiness(), holderId: 999_999 },
    { externalId: 'y', surprise: 1 },
    good,
  ]);
  expect(body.results.map(({ error }) => error?.code)).toEqual([
    ...[
      'validation_failed',
      'validation_failed',
      'reserved_tag',
      'validation_failed',
      'invalid_target',
      'validation_failed',
    ],
    undefined,
  ]);
  expect(body.results[0]?.error?.errors?.map(({ path }) => path)).toEqual(['phone', 'status']);
  expect(body.counts).toMatchObject({ created: 1, refused: 6 });
  expect((await read(lead.id)).userBusiness).toMatchObject({ notes: '', updatedAt: lead.updatedAt });
});

test('all is one batch by its user, through the program, that can be undone', async () => {
  const lead = await t.lead(admin);
  const done = await upsert(program, [newBusiness(), newBusiness(), { uuid: lead.uuid, status: 'qualified' }]);
  const batchId = String(done.headers[BATCH_HEADER]);
  const { items } = (await t.request(admin, listChanges, { query: { kind: 'import' } })).body;
  expect(items.find(({ id }) => id === batchId)).toMatchObject({
    ...{ kind: 'import', source: 'api', count: 3, program: 'HubSpot sync', user: { fullName: 'Priya Shah' } },
  });
  const audit = (await t.request(admin, listAuditEvents, { query: { event: 'lead_assigned' } })).body.items;
  expect(audit.slice(0, 2)).toMatchObject([{ program: 'HubSpot sync' }, { program: 'HubSpot sync' }]);
  const undone = await t.request(admin, undoChanges, { params: { batchId } });
  expect(undone.body).toMatchObject({ takenBack: 3, deleted: 2 });
  expect((await read(lead.id)).userBusiness.status).toBe('new');
  for (const { lead: made } of done.body.results.slice(0, 2)) expect(await linksOf(made?.id ?? 0)).toEqual([]);
});

test('the same Idempotency-Key gets the same answer, and two requests at once make one lead', async () => {
  const [item, other] = [newBusiness(), newBusiness()];
  const headers = { 'idempotency-key': 'upsert-0001' };
  const first = await upsert(program, [item], {}, headers);
  expect((await upsert(program, [item], {}, headers)).body).toEqual(first.body);
  expect((await upsert(program, [other], {}, headers)).status).toBe(409);
  const both = await Promise.all([upsert(program, [other]), upsert(program, [other])]);
  const outcomes = both.map(({ body }) => body.results[0]?.outcome).sort();
  expect(outcomes).toEqual(['created', 'unchanged']);
});

describe('users', () => {
  test('change their own leads, and make some only where the team lets them, for themselves, as many as it allows', async () => {
    const user = await t.user();
    const own = await t.program(user, { rights: 'write' });
    const [held, others] = [await t.lead(user), await t.lead(await t.user())];
    expect(await upsertOne(own, { uuid: held.uuid, notes: 'Mine' })).toMatchObject({ outcome: 'changed' });
    expect(await upsertOne(own, { uuid: others.uuid, notes: 'Not mine' })).toMatchObject({
      error: { code: 'not_your_lead' },
    });
    expect(await upsertOne(own, newBusiness())).toMatchObject({ error: { code: 'adding_not_allowed' } });
    await setRules({ ...DEFAULT_ADDING, allowed: true, perDay: 1 });
    expect(await upsertOne(own, { ...newBusiness(), holderId: admin.id })).toMatchObject({
      error: { code: 'forbidden' },
    });
    expect(await upsertOne(own, { placeId: others.business.placeId }, { onDuplicate: 'create' })).toMatchObject({
      error: { code: 'already_assigned' },
    });
    const two = (await upsert(own, [newBusiness(), newBusiness()])).body.results;
    expect(two).toMatchObject([{ outcome: 'created' }, { error: { code: 'too_many_added' } }]);
    expect(await t.db.$count(leads, eq(leads.userId, user.id))).toBe(2);
  });

  test('are not told of the leads of others by what theirs looks like', async () => {
    const user = await t.user();
    const own = await t.program(user, { rights: 'write' });
    const item = newBusiness();
    await upsertOne(program, item);
    const { externalId: _, ...same } = item;
    await setRules({ ...DEFAULT_ADDING, allowed: true });
    expect(await upsertOne(own, { ...same, externalId: 'mine' })).toMatchObject({
      outcome: 'skipped',
      looksLike: { leadUuid: null },
    });
  });
});

test('a program for own leads of an administrator changes those alone', async () => {
  const limited = await t.program(admin, { rights: 'write', ownLeads: true });
  const [own, others] = [await t.lead(admin), await t.lead(await t.user())];
  const { body } = await upsert(limited, [
    { uuid: own.uuid, notes: 'a' },
    { uuid: others.uuid, notes: 'b' },
    newBusiness(),
  ]);
  expect(body.results.map(({ outcome, error }) => error?.code ?? outcome)).toEqual([
    ...['changed', 'not_your_lead', 'adding_not_allowed'],
  ]);
});

test.each([
  [{ items: [] }, 'items'],
  [{ items: Array.from({ length: 501 }, () => ({})) }, 'items'],
  [{ source: 'Hub Spot' }, 'source'],
  [{ onDuplicate: 'merge' }, 'onDuplicate'],
])('a request with %o is refused as a whole', async (options, path) => {
  const response = await upsert(program, [newBusiness()], options);
  expect(response).toMatchObject({ status: 400, body: { errors: [{ path }] } });
});

test('a tag that was added by hand since stays', async () => {
  const made = await upsertOne(program, { ...newBusiness(), tags: ['web'] });
  const id = made.lead?.id ?? 0;
  await t.request(admin, addTag.byId, { params: { id }, body: { tag: 'by-hand' } });
  expect(await upsertOne(program, { uuid: made.lead?.uuid, tags: ['WEB'] })).toMatchObject({ outcome: 'unchanged' });
  expect((await read(id)).userBusiness.tags).toEqual(['web', 'by-hand']);
});
