import { and, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BATCH_HEADER, getChangeBatch, listChanges, undoChanges } from '#contract/changes/changes.calls.ts';
import { mergeBusinesses, undoMerge } from '#contract/duplicates/duplicates.calls.ts';
import {
  assignBusiness,
  changeCustomFields,
  changeLeadNotes,
  changeLeadStatus,
  deleteLead,
  getLead,
  markExistingCustomer,
} from '#contract/leads/leads.calls.ts';
import { getTimeline } from '#contract/leads/timeline/timeline.calls.ts';
import { getMonthlyContacts, getTeamProgressWeekly, getWeeklyContacts } from '#contract/progress/progress.calls.ts';
import { exportBusinesses, searchBusinesses } from '#contract/search/search.calls.ts';
import { createHousekeeping } from '#server/housekeeping.ts';
import type { Place } from '#server/places/places.ts';
import { businesses, contactActivities, contactCredits, leads } from '#server/schema/leads.ts';
import { findExportable, storePlaces } from '#server/search/search.sql.ts';
import { quiet } from '#server/testing/databases.ts';
import { importFile } from '#server/testing/import.ts';
import { runToEnd } from '#server/testing/jobs.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

const NOW = '2026-11-17T09:00:00.000Z';

let t: TestApp;
let admin: TestUser;
let ada: TestUser;
let ben: TestUser;
beforeAll(async () => {
  t = await testApp({ now: NOW });
  admin = await t.user('admin');
  ada = await t.user();
  ben = await t.user();
});
afterAll(() => t.close());

type Lead = Awaited<ReturnType<TestApp['lead']>>;
const merge = (kept: Lead, others: Lead[], fields = {}, viewer: TestUser | null = admin) =>
  t.request(viewer, mergeBusinesses, {
    body: {
      keptId: kept.business.id,
      businessIds: [kept, ...others].map(({ business }) => business.id),
      fields,
    },
  });
const undo = (id: string, viewer: TestUser | null = admin, app = t) =>
  app.request(viewer, undoMerge, { params: { id } });
const readLead = async (id: number) => (await t.db.select().from(leads).where(eq(leads.id, id)))[0];
const readBusiness = async (id: number) => (await t.db.select().from(businesses).where(eq(businesses.id, id)))[0];

test('two leads of one holder become one, and undoing makes them two again', async () => {
  const kept = await t.lead(
    ada,
    { status: 'in_progress', notes: 'Likes rye.', tags: ['Bakery'], customFields: { email: 'a@bluedoor.example' } },
    { name: 'Blue Door Bakery', phone: '01632 960001', website: 'https://old.example', websiteTyped: true },
  );
  const other = await t.lead(
    ada,
    {
      status: 'proposal',
      notes: 'Ask for Jo.',
      tags: ['bakery', 'Hot'],
      existingCustomer: true,
      existingCustomerAt: NOW,
      customFields: { email: 'b@bluedoor.example', contactPerson: 'Jo' },
    },
    {
      name: 'Blue Door Bakery Ltd',
      phone: '01632 960002',
      phoneTyped: true,
      website: 'https://new.example',
      town: 'York',
    },
  );
  await t.db.insert(contactActivities).values([
    { userBusinessId: kept.id, type: 'call', description: 'Second', scheduledAt: '2026-11-25T09:00:00.000Z' },
    { userBusinessId: other.id, type: 'email', description: 'First', scheduledAt: '2026-11-20T09:00:00.000Z' },
    { userBusinessId: other.id, type: 'call', description: 'Done', completedAt: NOW },
  ]);
  await t.db
    .update(leads)
    .set({ nextStepAt: '2026-11-25T09:00:00.000Z', nextStepType: 'call' })
    .where(eq(leads.id, kept.id));
  await t.db
    .update(leads)
    .set({ nextStepAt: '2026-11-20T09:00:00.000Z', nextStepType: 'email' })
    .where(eq(leads.id, other.id));
  const before = await readEverything([kept, other]);

  const merged = await merge(kept, [other]);

  expect(merged).toMatchObject({
    status: 200,
    body: { keptId: kept.business.id, joinedLeads: 1, message: '2 records merged' },
  });
  expect(await readLead(other.id)).toBeUndefined();
  expect(await readLead(kept.id)).toMatchObject({
    status: 'proposal',
    tags: ['Bakery', 'Hot'],
    existingCustomer: true,
    nextStepAt: '2026-11-20T09:00:00.000Z',
    customFields: { email: 'a@bluedoor.example', contactPerson: 'Jo' },
    notes:
      'Likes rye.\n\n--- Merged from Blue Door Bakery Ltd on Nov 17, 2026 ---\nE-mail: b@bluedoor.example\nNext step: Call, Nov 25, 2026, 09:00: Second\nAsk for Jo.',
  });
  expect(await t.db.$count(contactActivities, eq(contactActivities.userBusinessId, kept.id))).toBe(2);
  expect(await readBusiness(kept.business.id)).toMatchObject({
    name: 'Blue Door Bakery Ltd',
    phone: '01632 960002',
    website: 'https://old.example',
    town: 'York',
    mergedInto: null,
  });
  expect(await readBusiness(other.business.id)).toMatchObject({ mergedInto: kept.business.id });

  expect(await undo(merged.body.id)).toMatchObject({ status: 200, body: { message: '1 taken back', left: [] } });
  expect(await readEverything([kept, other])).toEqual(before);
});

test('the type that a person said is kept over a guess, and undoing restores both', async () => {
  const kept = await t.lead(ada, {}, { name: 'Aire Cafe', type: 'Cafe', typeGuessed: true });
  const other = await t.lead(ben, {}, { name: 'Aire Cafe', type: 'Tea room', typeGuessed: false });
  const merged = await merge(kept, [other]);
  expect(await readBusiness(kept.business.id)).toMatchObject({ type: 'Tea room', typeGuessed: false });
  expect(await readLead(kept.id)).toMatchObject({ businessType: 'Tea room' });
  expect(await readLead(other.id)).toMatchObject({ businessType: 'Tea room', businessId: kept.business.id });
  expect((await undo(merged.body.id)).status).toBe(200);
  expect(await readBusiness(kept.business.id)).toMatchObject({ type: 'Cafe', typeGuessed: true });
  expect(await readLead(kept.id)).toMatchObject({ businessType: 'Cafe' });
  expect(await readLead(other.id)).toMatchObject({ businessType: 'Tea room', businessId: other.business.id });
});

test('what a merge through a program writes has the name of the program', async () => {
  const [kept, other] = [
    await t.lead(ada, { notes: 'a'.repeat(20_000) }),
    await t.lead(ada, { notes: 'b'.repeat(20_000) }),
  ];
  const program = await t.program(admin, { rights: 'admin' });
  const body = { keptId: kept.business.id, businessIds: [kept.business.id, other.business.id], fields: {} };
  expect((await t.request(program, mergeBusinesses, { body })).status).toBe(200);
  const { userBusinessId } = contactActivities;
  const written = await t.db.select().from(contactActivities).where(eq(userBusinessId, kept.id));
  expect(new Set(written.map((activity) => activity.program))).toEqual(new Set([program.name]));
});

test('joined notes can be saved again: the oldest become activities, until the merge is undone', async () => {
  const [kept, other] = [
    await t.lead(ada, { notes: 'a'.repeat(20_000) }),
    await t.lead(ada, { notes: 'b'.repeat(20_000) }),
  ];
  const merged = await merge(kept, [other]);
  const params = { id: kept.id };
  const {
    notes,
    notesVersion,
    contactActivities: activities,
  } = (await t.request(ada, getLead.byId, { params })).body.userBusiness;
  expect(notes).toMatch(/^b+$/);
  const older = activities.toSorted((a, b) => a.id - b.id);
  expect(older.every(({ type, description }) => type === 'note' && description.length <= 5_000)).toBe(true);
  expect(older.map(({ description }) => description).join('')).toMatch(/^a{20000}\n\n--- Merged from .* ---$/);
  const saved = await t.request(ada, changeLeadNotes.byId, { params, body: { notes, notesVersion } });
  expect(saved.status).toBe(200);
  await undo(merged.body.id);
  expect(await t.db.$count(contactActivities, eq(contactActivities.userBusinessId, kept.id))).toBe(0);
});

test('leads of different holders stay theirs, on the merged business', async () => {
  const [kept, other] = [await t.lead(ada), await t.lead(ben, { notes: 'Mine' })];
  expect((await merge(kept, [other])).body.joinedLeads).toBe(0);
  expect(await readLead(other.id)).toMatchObject({ userId: ben.id, businessId: kept.business.id, notes: 'Mine' });
  expect(await readLead(kept.id)).toMatchObject({ userId: ada.id, businessId: kept.business.id, notes: '' });
});

test('a joined lead is archived only if both are', async () => {
  const archived = { archived: true, archivedAt: NOW };
  const [first, second] = [await t.lead(ada, archived), await t.lead(ada)];
  await merge(first, [second]);
  expect(await readLead(first.id)).toMatchObject({ archived: false, archivedAt: null });
  const [third, fourth] = [await t.lead(ada, archived), await t.lead(ada, archived)];
  await merge(third, [fourth]);
  expect(await readLead(third.id)).toMatchObject({ archived: true, archivedAt: NOW });
});

describe('credits', () => {
  const credit = (lead: Lead, user: TestUser, creditedAt: string) =>
    t.db.insert(contactCredits).values({ leadId: lead.id, userId: user.id, creditedAt });
  const countCredits = (user: TestUser) => t.db.$count(contactCredits, eq(contactCredits.userId, user.id));

  const readCredits = (user: TestUser) =>
    t.db.select().from(contactCredits).where(eq(contactCredits.userId, user.id)).orderBy(contactCredits.leadId);
  const contact = (lead: Lead, viewer: TestUser) =>
    t.request(viewer, changeLeadStatus.byId, { params: { id: lead.id }, body: { status: 'in_progress' } });
  const counts = async (user: TestUser) => [
    (await t.request(user, getWeeklyContacts)).body.count,
    (await t.request(user, getMonthlyContacts)).body.count,
    (await t.request(admin, getTeamProgressWeekly)).body.find(({ user: { id } }) => id === user.id)?.count,
  ];

  test('two of one user both count after a merge, and undoing it leaves them as they were', async () => {
    const holder = await t.user();
    const [kept, other, third] = [await t.lead(holder), await t.lead(holder), await t.lead(holder)];
    await contact(kept, holder);
    await contact(other, holder);
    await contact(third, holder);
    const before = await readCredits(holder);
    const { body } = await merge(kept, [other, third]);
    expect(await counts(holder)).toEqual([3, 3, 3]);
    // The lead has its credit: contacting it again earns no other one.
    await t.request(holder, changeLeadStatus.byId, { params: { id: kept.id }, body: { status: 'recontact' } });
    expect(await counts(holder)).toEqual([3, 3, 3]);
    await undo(body.id);
    expect(await counts(holder)).toEqual([3, 3, 3]);
    expect(await readCredits(holder)).toEqual(before);
  });

  test('one of the merged lead is that of the kept one, and undoing returns it', async () => {
    const holder = await t.user();
    const [kept, other] = [await t.lead(holder), await t.lead(holder)];
    await contact(other, holder);
    const before = await readCredits(holder);
    const { body } = await merge(kept, [other]);
    expect(await readCredits(holder)).toMatchObject([{ leadId: kept.id }]);
    expect(await readLead(kept.id)).toMatchObject({ creditedAt: NOW });
    await t.request(holder, markExistingCustomer.byId, { params: { id: kept.id } });
    expect(await counts(holder)).toEqual([0, 0, 0]);
    await undo(body.id);
    expect(await readCredits(holder)).toEqual(before);
    expect(await counts(holder)).toEqual([1, 1, 1]);
  });

  test('a merge with an existing customer takes none away', async () => {
    const holder = await t.user();
    const [kept, other] = [await t.lead(holder), await t.lead(holder)];
    await contact(kept, holder);
    await t.request(holder, markExistingCustomer.byId, { params: { id: other.id } });
    await merge(kept, [other]);
    expect(await readLead(kept.id)).toMatchObject({ existingCustomer: true });
    expect(await counts(holder)).toEqual([1, 1, 1]);
  });

  test('those of two users both stay', async () => {
    const [holder, earlier] = [await t.user(), await t.user()];
    const [kept, other] = [await t.lead(holder), await t.lead(holder)];
    await credit(kept, holder, '2026-11-10T09:00:00.000Z');
    await credit(other, earlier, '2026-11-09T09:00:00.000Z');
    await merge(kept, [other]);
    expect([await countCredits(holder), await countCredits(earlier)]).toEqual([1, 1]);
  });
});

test('the chosen values win over the defaults', async () => {
  const kept = await t.lead(ada, {}, { name: 'One', phone: '01632 960003', phoneTyped: true });
  const other = await t.lead(ada, {}, { name: 'Two', phone: '01632 960004', latitude: 53.9, longitude: -1.08 });
  await merge(kept, [other], { name: kept.business.id, phone: other.business.id });
  expect(await readBusiness(kept.business.id)).toMatchObject({
    name: 'One',
    phone: '01632 960004',
    phoneTyped: false,
    latitude: 53.9,
    longitude: -1.08,
  });
});

test('a merged business leads to the kept one: assigning it makes a lead there', async () => {
  const [kept, other] = [await t.lead(ada), await t.lead(ada)];
  await merge(kept, [other]);
  const assigned = await t.request(admin, assignBusiness, {
    body: { userId: ben.id, businessId: other.business.id },
  });
  expect(assigned).toMatchObject({ status: 201, body: { businessId: kept.business.id } });
});

describe('undo', () => {
  test('what was changed since stays, and the message names it', async () => {
    const [kept, other] = [await t.lead(ada, {}, { name: 'Rye & Co' }), await t.lead(ada, { status: 'qualified' })];
    const { body } = await merge(kept, [other], { name: kept.business.id });
    await t.request(ada, changeLeadStatus.byId, { params: { id: kept.id }, body: { status: 'closed_won' } });

    const undone = await undo(body.id);

    expect(undone.body.message).toBe('1 taken back, 1 was changed since: Rye & Co (Status)');
    expect(await readLead(kept.id)).toMatchObject({ status: 'closed_won' });
    expect(await readLead(other.id)).toMatchObject({ status: 'qualified', businessId: other.business.id });
  });

  test('fields are named as people see them', async () => {
    const [kept, other] = [
      await t.lead(ada, {}, { name: 'Rye & Co' }),
      await t.lead(
        ada,
        { tags: ['Hot'], existingCustomer: true, existingCustomerAt: NOW, customFields: { email: 'a@b.example' } },
        { phone: '01632 960009', formattedAddress: '1 High Street, Selby' },
      ),
    ];
    const { body } = await merge(kept, [other], { name: kept.business.id });
    const id = { params: { id: kept.id } };
    await t.request(ada, changeLeadStatus.byId, { ...id, body: { status: 'closed_won' } });
    await t.request(ada, changeCustomFields.byId, { ...id, body: { customFields: { email: 'c@d.example' } } });
    await t.db
      .update(leads)
      .set({ tags: [], existingCustomer: false, existingCustomerAt: null, viewed: true })
      .where(eq(leads.id, kept.id));
    await t.db
      .update(businesses)
      .set({ phone: '01632 960008', phoneTyped: true, formattedAddress: '2 High Street, Selby' })
      .where(eq(businesses.id, kept.business.id));

    expect((await undo(body.id)).body.left).toMatchObject([
      { names: ['Rye & Co (Address, Phone)', 'Rye & Co (Existing customer, Tags, Email)'] },
    ]);
  });

  test('the change log lists the merge, previews its undo and undoes it once', async () => {
    const [kept, other] = [await t.lead(ada), await t.lead(ada, {}, { name: 'Other Bakery' })];
    const merged = await merge(kept, [other]);
    const batchId = String(merged.headers[BATCH_HEADER]);
    const { items } = (await t.request(admin, listChanges, { query: { kind: 'merge' } })).body;
    expect(items.find(({ id }) => id === batchId)).toMatchObject({
      id: batchId,
      kind: 'merge',
      canUndo: true,
      first: { change: { after: 'Other Bakery' } },
    });
    expect((await t.request(admin, getChangeBatch, { params: { batchId } })).body.undo).toMatchObject({
      takenBack: 1,
      left: [],
    });
    const timeline = await t.request(ada, getTimeline.byId, { params: { id: kept.id } });
    expect(timeline.body.items).toContainEqual(
      expect.objectContaining({ change: { field: 'merge', before: null, after: 'Other Bakery' } }),
    );

    expect((await t.request(admin, undoChanges, { params: { batchId } })).status).toBe(200);
    expect(await undo(batchId)).toMatchObject({ status: 409, body: { code: 'not_undoable' } });
    const undos = (await t.request(admin, listChanges, { query: { kind: 'undo' } })).body.items;
    const undoing = undos.find(({ first }) => first?.change.before === 'Other Bakery');
    expect(undoing).toMatchObject({ undid: 'merge', canUndo: false });
  });

  test('it is refused after 30 days, to others, for a merge that was merged again, and for other changes', async () => {
    const [first, second, third] = [await t.lead(ada), await t.lead(ada), await t.lead(ada)];
    const { body } = await merge(first, [second]);
    const later = await testApp({ now: '2026-12-18T09:00:00.000Z' });
    expect(await undo(body.id, admin, later)).toMatchObject({ status: 403 });
    await later.close();
    expect(await undo(body.id, ada)).toMatchObject({ status: 403 });
    const again = await merge(third, [first]);
    expect(await undo(body.id)).toMatchObject({ status: 409, body: { code: 'not_undoable' } });
    expect((await undo(again.body.id)).status).toBe(200);
    expect((await undo(body.id)).status).toBe(200);
    for (const { id } of [first, second, third]) expect(await readLead(id)).toMatchObject({ id });
    const status = await t.request(ada, changeLeadStatus.byId, {
      params: { id: first.id },
      body: { status: 'recontact' },
    });
    expect(await undo(String(status.headers[BATCH_HEADER]))).toMatchObject({ status: 404 });
    expect(await undo(crypto.randomUUID())).toMatchObject({ status: 404 });
  });

  test('a lead that was deleted since does not come back', async () => {
    const [kept, other] = [await t.lead(ada), await t.lead(ada)];
    const { body } = await merge(kept, [other]);
    await t.request(admin, deleteLead.byId, { params: { id: kept.id } });
    expect((await undo(body.id)).status).toBe(200);
    expect(await readLead(other.id)).toBeUndefined();
    expect(await readBusiness(other.business.id)).toMatchObject({ mergedInto: null });
  });

  test('of an older change of a joined lead is refused', async () => {
    const [kept, other] = [await t.lead(ada, { status: 'recontact' }), await t.lead(ada)];
    const changed = await t.request(ada, changeLeadStatus.byId, {
      params: { id: other.id },
      body: { status: 'recontact' },
    });
    await merge(kept, [other]);
    const batchId = String(changed.headers[BATCH_HEADER]);
    expect(await t.request(ada, undoChanges, { params: { batchId } })).toMatchObject({ status: 409 });
    expect(await readLead(kept.id)).toMatchObject({ status: 'recontact' });
  });
});

describe('the profile of a joined lead', () => {
  const open = (lead: Lead, viewer = ada) => t.request(viewer, getLead.byUuid, { params: { uuid: lead.uuid } });
  const movedTo = ({ body }: Awaited<ReturnType<typeof open>>) => (body as { movedTo?: string }).movedTo;

  test('is 404 and names the other lead, by uuid and by id', async () => {
    const [kept, other] = [await t.lead(ada), await t.lead(ada)];
    await merge(kept, [other]);
    expect(await open(other)).toMatchObject({ status: 404, body: { code: 'not_found', movedTo: kept.uuid } });
    const byId = await t.request(ada, getLead.byId, { params: { id: other.id } });
    expect(byId).toMatchObject({ status: 404, body: { movedTo: kept.uuid } });
  });

  test('names the last lead of several merges, and after 30 days too', async () => {
    const [first, second, third] = [await t.lead(ada), await t.lead(ada), await t.lead(ada)];
    const { body } = await merge(second, [first]);
    await merge(third, [second]);
    expect(movedTo(await open(first))).toBe(third.uuid);
    await t.db.execute(sql`update change_batches set at = now() - interval '31 days' where id = ${body.id}`);
    await runToEnd(t.db, createHousekeeping({ log: quiet as never }).job);
    expect(movedTo(await open(first))).toBe(third.uuid);
    const { rows } = await t.db.execute(sql`select before from merged_rows where batch_id = ${body.id}`);
    expect(rows).toEqual([{ before: { uuid: first.uuid } }]);
  });

  test('is plainly 404 to those who may not see the other lead, for a lead that never existed, and after both are gone', async () => {
    const [kept, other] = [await t.lead(ada), await t.lead(ada)];
    const { body } = await merge(kept, [other]);
    expect(movedTo(await open(other, ben))).toBeUndefined();
    const unknown = await t.request(ada, getLead.byUuid, { params: { uuid: crypto.randomUUID() } });
    expect(unknown).toMatchObject({ status: 404, body: { message: 'This business is no longer in the list' } });
    await undo(body.id);
    expect((await open(other)).status).toBe(200);
    await t.request(admin, deleteLead.byId, { params: { id: other.id } });
    expect(movedTo(await open(other))).toBeUndefined();
  });
});

describe('refusals', () => {
  test.each([
    ['one record', ([a]: number[]) => ({ keptId: a, businessIds: [a] })],
    ['the same record twice', ([a]: number[]) => ({ keptId: a, businessIds: [a, a] })],
    ['a record to keep that is not among them', ([a, b]: number[]) => ({ keptId: 1, businessIds: [a, b] })],
    ['a value from another record', ([a, b]: number[]) => ({ keptId: a, businessIds: [a, b], fields: { name: 1 } })],
    ['an unknown field', ([a, b]: number[]) => ({ keptId: a, businessIds: [a, b], fields: { rating: a } })],
  ])('%s', async (_, body) => {
    const ids = [(await t.lead(ada)).business.id, (await t.lead(ada)).business.id];
    expect(await t.request(admin, mergeBusinesses, { body: body(ids) as never })).toMatchObject({ status: 400 });
  });

  test.each(['user', 'manager'] as const)('a %s, and nothing changes', async (role) => {
    const [kept, other] = [await t.lead(ada), await t.lead(ada)];
    expect(await merge(kept, [other], {}, await t.user(role))).toMatchObject({ status: 403 });
    expect(await readLead(other.id)).toBeDefined();
  });

  test('an unknown business', async () => {
    const kept = await t.lead(ada);
    const body = { keptId: kept.business.id, businessIds: [kept.business.id, 2_000_000_000] };
    expect(await t.request(admin, mergeBusinesses, { body })).toMatchObject({ status: 404 });
  });
});

test('of 20 merges of the same business at once, one wins', async () => {
  const shared = await t.lead(ada);
  const others = await Promise.all(Array.from({ length: 20 }, () => t.lead(ada)));
  const results = await Promise.all(others.map((other) => merge(other, [shared])));
  expect(results.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(results.filter(({ status, body }) => status === 409 && body.code === 'already_merged')).toHaveLength(19);
});

test('the profile of a joined lead can be opened', async () => {
  const [kept, other] = [await t.lead(ada), await t.lead(ada)];
  await merge(kept, [other]);
  expect((await t.request(ada, getLead.byId, { params: { id: kept.id } })).status).toBe(200);
});

/** Every row of these leads and their businesses. */
async function readEverything(of: Lead[]) {
  const leadIds = sql.param(of.map(({ id }) => id));
  const businessIds = sql.param(of.map(({ business }) => business.id));
  const read = async (query: ReturnType<typeof sql>) => (await t.db.execute(query)).rows;
  return {
    businesses: await read(sql`select * from businesses where id = any (${businessIds}::int[]) order by id`),
    leads: await read(sql`select * from user_businesses where id = any (${leadIds}::int[]) order by id`),
    activities: await read(
      sql`select * from contact_activities where user_business_id = any (${leadIds}::int[]) order by id`,
    ),
    credits: await read(sql`select * from contact_credits where lead_id = any (${leadIds}::int[]) order by lead_id`),
  };
}

test('a search and an export that find the merged place have the kept business', async () => {
  const [kept, other] = [await t.lead(ada, {}, { name: 'Kept' }), await t.lead(ada, {}, { name: 'Merged' })];
  await merge(kept, [other], { name: kept.business.id });
  const { placeId } = other.business;

  const stored = await storePlaces(t.db, [
    { placeId, name: 'Found again', phone: '01632 960005', types: [] as string[] } as Place,
  ]);

  expect(stored.get(placeId)).toMatchObject({ id: kept.business.id, placeId: kept.business.placeId });
  expect(await readBusiness(other.business.id)).toMatchObject({ name: 'Merged', phone: null });
  await storePlaces(t.db, [{ placeId: kept.business.placeId, name: 'Found again', types: [] as string[] } as Place]);
  expect(await readBusiness(kept.business.id)).toMatchObject({ name: 'Kept' });
  expect(await findExportable(t.db, [placeId], admin)).toMatchObject([{ name: 'Kept' }]);
  const placeIds = [placeId, kept.business.placeId];
  const exported = await t.request(admin, exportBusinesses, { body: { format: 'csv', placeIds } });
  expect(String(exported.body).match(/Kept/g)).toHaveLength(1);
  expect(exported.body).toContain(kept.business.placeId);
});

test('an import of the merged business makes a lead on the kept one', async () => {
  const row = `Whisky & Rye,"2 Quay Street, Whitby"`;
  const importRow = () => importFile(t, admin, `Business Name,Address,User\r\n${row},${ben.username}`);
  await importRow();
  const [imported] = await t.db.select().from(businesses).where(eq(businesses.name, 'Whisky & Rye'));
  const kept = await t.lead(ada, {}, { name: 'Kept' });
  const body = { keptId: kept.business.id, businessIds: [kept.business.id, imported?.id as number] };
  await t.request(admin, mergeBusinesses, { body });
  await t.db.delete(leads).where(and(eq(leads.userId, ben.id), eq(leads.businessId, kept.business.id)));

  await importRow();

  expect(await t.db.$count(leads, and(eq(leads.userId, ben.id), eq(leads.businessId, kept.business.id)))).toBe(1);
  expect(await t.db.$count(leads, eq(leads.businessId, imported?.id as number))).toBe(0);
});

describe('a business with an imported part', () => {
  const search = async (viewer: TestUser) =>
    (await t.request(viewer, searchBusinesses, { body: { businessType: 'Restaurant', location: 'Exeter' } })).body
      .businesses;
  const download = (viewer: TestUser, placeId: string) =>
    t.request(viewer, exportBusinesses, { body: { format: 'csv', placeIds: [placeId] } });
  const IMPORTED = { phone: '01632 960777', website: 'https://imported.example' };
  let merges = 0;

  async function mergeImported(keep: 'found' | 'imported') {
    merges += 1;
    const [holder, other] = [await t.user(), await t.user()];
    const found = (await search(other))[merges];
    if (!found) throw new Error('The sample has no such restaurant');
    const name = `Imported Restaurant ${merges}`;
    const row = `${name},"1 Quay Street, Whitby",${holder.username},${IMPORTED.phone},${IMPORTED.website}`;
    await importFile(t, admin, `Business Name,Address,User,Phone,Website\r\n${row}`);
    const [imported] = await t.db.select().from(businesses).where(eq(businesses.name, name));
    const importedId = imported?.id as number;
    const keptId = keep === 'found' ? found.id : importedId;
    const fields = { phone: importedId, website: importedId };
    const body = { keptId, businessIds: [found.id, importedId], fields };
    const merged = await t.request(admin, mergeBusinesses, { body });
    return { holder, other, found, keptId, merged: merged.body.id };
  }

  test.each(['found', 'imported'] as const)(
    'stays imported when the %s one is kept, until that is undone',
    async (keep) => {
      const { keptId, merged } = await mergeImported(keep);
      expect(await readBusiness(keptId)).toMatchObject({ imported: true, ...IMPORTED });
      expect((await undo(merged)).body).toMatchObject({ left: [] });
      expect(await readBusiness(keptId)).toMatchObject({ imported: keep === 'imported' });
    },
  );

  test.each(['found', 'imported'] as const)(
    'shows the imported phone and website to admins and holders only, when the %s one is kept',
    async (keep) => {
      const { holder, other, found, keptId } = await mergeImported(keep);
      for (const viewer of [holder, admin]) {
        expect((await search(viewer)).find(({ id }) => id === keptId)).toMatchObject(IMPORTED);
        const exported = await download(viewer, found.placeId);
        expect(exported.body).toContain(IMPORTED.website);
      }
      for (const viewer of [other, await t.user('manager')]) {
        const { placeId, phone, website, internationalPhone } = found;
        const results = await search(viewer);
        expect(results.find(({ id }) => id === keptId)).toMatchObject({ placeId, phone, website, internationalPhone });
        expect(JSON.stringify(results)).not.toMatch(/960777|imported/);
        expect((await download(viewer, found.placeId)).status).toBe(404);
      }
    },
  );
});
