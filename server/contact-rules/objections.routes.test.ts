import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listAuditEvents } from '#contract/audit/audit.calls.ts';
import { buildPath } from '#contract/call.ts';
import { BATCH_HEADER, undoChanges } from '#contract/changes/changes.calls.ts';
import * as calls from '#contract/contact-rules/objections.calls.ts';
import { mergeBusinesses, undoMerge } from '#contract/duplicates/duplicates.calls.ts';
import { listAllLeads, listLeads } from '#contract/leads/lead-lists.calls.ts';
import * as leadCalls from '#contract/leads/leads.calls.ts';
import { logContact } from '#contract/leads/log/log.calls.ts';
import * as leadObjections from '#contract/leads/objections/lead-objections.calls.ts';
import { getToday } from '#contract/leads/today/today.calls.ts';
import { planTrip } from '#contract/leads/trip/trip.calls.ts';
import { searchBusinesses } from '#contract/search/search.calls.ts';
import { deleteUser } from '#contract/users/users.calls.ts';
import { businesses } from '#server/schema/leads.ts';
import { objectionSubjects, objections } from '#server/schema/objections.ts';
import { buildForm, FORM, importFile } from '#server/testing/import.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

const NOW = '2026-11-16T09:00:00.000Z';

let t: TestApp;
let admin: TestUser;
let holder: TestUser;
beforeAll(async () => {
  t = await testApp({ now: NOW });
  admin = await t.user('admin', { fullName: 'Ada Admin' });
  holder = await t.user('user', { fullName: 'Hal Holder' });
});
afterAll(() => t.close());

const numbers = Array.from({ length: 100 }, (_, nth) => `020 7946 0${nth + 100}`);
/** A number that no other test has. */
const nextPhone = () => numbers.pop() ?? '';
const withId = ({ id }: { id: number }) => ({ params: { id } });
const leadWith = (phone: string | null, email?: string, user = holder) =>
  t.lead(user, email ? { customFields: { email } } : {}, { phone });
const factsOf = async (lead: { id: number }, viewer: TestUser = admin) =>
  (await t.request(viewer, leadCalls.getLead.byId, withId(lead))).body.business.objections;
const askNotToBeCalled = (lead: { id: number }, viewer = holder) =>
  t.request(viewer, logContact.byId, {
    ...withId(lead),
    body: { outcome: 'not_interested', objection: 'call', note: 'Never ring us again' },
  });
const onCall = (...kinds: ('number' | 'business')[]) => kinds.map((on) => ({ channel: 'call', on, since: NOW }));
const add = (body: object, viewer = admin) => t.request(viewer, calls.addObjection, { body: body as never });
const list = async (query: object = {}) => (await t.request(admin, calls.listObjections, { query })).body;
const countAll = () => t.db.$count(objections);

describe('a business that asked not to be called', () => {
  test('is that for every lead with its number or on itself, in every list, with who recorded it', async () => {
    const phone = nextPhone();
    const lead = await leadWith(phone);
    const other = await leadWith(`+44 (0)${phone.slice(1)}`, undefined, await t.user());
    expect(await factsOf(lead)).toEqual([]);
    expect((await askNotToBeCalled(lead)).status).toBe(201);

    expect(await factsOf(lead)).toEqual(onCall('number', 'business'));
    expect(await factsOf(other)).toEqual(onCall('number'));
    const { items } = (await t.request(holder, listLeads, { query: { hideClosed: false, pageSize: 100 } })).body;
    expect(items.find(({ userBusiness }) => userBusiness.id === lead.id)?.business.objections).toHaveLength(2);
    const all = (await t.request(admin, listAllLeads)).body;
    expect(all.find(({ userBusiness }) => userBusiness.id === other.id)?.business.objections).toHaveLength(1);
    const today = (await t.request({ ...holder }, getToday)).body;
    expect(today.new.leads.map(({ userBusiness }) => userBusiness.id)).not.toContain(lead.id);

    const { body } = await t.request(holder, leadObjections.listLeadObjections.byId, withId(lead));
    expect(body.objections).toMatchObject([
      {
        channel: 'call',
        words: 'Never ring us again',
        source: 'log',
        since: NOW,
        recordedBy: 'Hal Holder',
        subjects: [
          { kind: 'number', value: phone },
          { kind: 'business', value: lead.business.name },
        ],
        lifted: null,
      },
    ]);
    expect((await askNotToBeCalled(lead)).status).toBe(201);
    expect(await factsOf(lead)).toHaveLength(2);
  });

  test('stays so when the contact is undone, the number changes, and the lead is given away or deleted', async () => {
    const phone = nextPhone();
    const lead = await leadWith(phone);
    const logged = await askNotToBeCalled(lead);
    const batchId = String(logged.headers[BATCH_HEADER]);
    expect((await t.request(holder, undoChanges, { params: { batchId } })).status).toBe(200);
    expect(await factsOf(lead)).toEqual(onCall('number', 'business'));

    const target = { params: { businessId: lead.businessId }, body: { phone: nextPhone() } };
    expect((await t.request(holder, leadCalls.changePhone, target)).body.objections).toEqual(onCall('business'));
    const back = { ...target, body: { phone } };
    expect((await t.request(holder, leadCalls.changePhone, back)).body.objections).toEqual(
      onCall('number', 'business'),
    );

    const next = await t.user();
    await t.request(admin, leadCalls.reassignLead.byId, { ...withId(lead), body: { newUserId: next.id } });
    expect(await factsOf(lead)).toHaveLength(2);
    await t.request(next, leadCalls.deleteLead.byId, withId(lead));
    expect(await factsOf(await leadWith(phone))).toEqual(onCall('number'));
    await t.request(admin, deleteUser, withId(next));
    expect(await factsOf(await leadWith(phone))).toEqual(onCall('number'));
  });

  test('stays so when its import is undone and its file imported again', async () => {
    const phone = nextPhone();
    const file = `Business Name,Address,Phone,User\nCrumb & Co,7 Mill Lane,${phone},${holder.username}\n`;
    const find = async () =>
      (await t.request(admin, listAllLeads)).body.find(({ business }) => business.name === 'Crumb & Co');
    const imported = await importFile(t, admin, file);
    const params = { id: (await find())?.userBusiness.id ?? 0 };
    await t.request(holder, leadObjections.recordLeadObjection.byId, { params, body: { channel: 'call' } });
    const batchId = String(imported.headers[BATCH_HEADER]);
    expect((await t.request(admin, undoChanges, { params: { batchId } })).status).toBe(200);
    expect(await find()).toBeUndefined();
    await importFile(t, admin, file);
    expect((await find())?.business.objections).toEqual(onCall('number', 'business'));
  });

  test('stays so for the business that it is merged into, and for both when that is undone', async () => {
    const [kept, merged] = [await leadWith(nextPhone()), await leadWith(nextPhone())];
    await askNotToBeCalled(merged);
    const ids = [kept.businessId, merged.businessId];
    const done = await t.request(admin, mergeBusinesses, {
      body: { keptId: kept.businessId, businessIds: ids, fields: {} },
    });
    expect(done.status).toBe(200);
    expect(await factsOf(kept)).toContainEqual(onCall('business')[0]);
    const id = String(done.headers[BATCH_HEADER]);
    expect((await t.request(admin, undoMerge, { params: { id } })).status).toBe(200);
    expect(await factsOf(merged)).toEqual(onCall('number', 'business'));
    expect(await factsOf(kept)).toEqual(onCall('business'));
  });

  test('stays so for its number where the business itself is gone, and what can be read with it', async () => {
    const phone = nextPhone();
    const lead = await leadWith(phone);
    await askNotToBeCalled(lead);
    await t.db.delete(businesses).where(eq(businesses.id, lead.businessId));
    await t.db.update(objectionSubjects).set({ value: null }).where(eq(objectionSubjects.value, phone));
    expect(await factsOf(await leadWith(phone))).toEqual(onCall('number'));
    expect((await list({ q: phone })).items[0]?.subjects).toContainEqual({ kind: 'number', value: null });
  });
});

describe('on the profile of a lead', () => {
  const record = (lead: { id: number }, body: object, viewer = holder) =>
    t.request(viewer, leadObjections.recordLeadObjection.byId, { ...withId(lead), body: body as never });

  test.each([
    ['email', ['email', 'business']],
    ['visit', ['business']],
    ['text', ['number', 'business']],
    ['all', ['number', 'email', 'business']],
  ] as const)('an objection to %s is about %j', async (channel, kinds) => {
    const lead = await leadWith(nextPhone(), `${channel}@example.org`);
    const { status, body } = await record(lead, { channel, words: ' By letter ' });
    expect(status).toBe(201);
    expect(body.objections).toMatchObject([{ channel, words: 'By letter', source: 'profile' }]);
    expect((await factsOf(lead)).map(({ on }) => on)).toEqual(kinds);
    const { items } = (await t.request(admin, listAuditEvents, { query: { event: 'objection_recorded' } })).body;
    expect(items[0]).toMatchObject({ actor: { id: holder.id }, subject: { id: lead.id }, details: { kind: channel } });
  });

  test('an address in another spelling is the same one, also for another lead', async () => {
    const lead = await leadWith(null, 'zoe@shop.example');
    await record(lead, { channel: 'email' });
    const other = await leadWith(null, ' Zoe@Shop.example', await t.user());
    expect(await factsOf(other)).toEqual([{ channel: 'email', on: 'email', since: NOW }]);
  });

  test('only those who may change the lead record one, and only those who may see it read them', async () => {
    const lead = await leadWith(nextPhone());
    const [other, manager] = [await t.user(), await t.user('manager')];
    for (const viewer of [other, manager]) {
      expect((await record(lead, { channel: 'call' }, viewer)).status).toBe(403);
    }
    expect((await t.request(other, leadObjections.listLeadObjections.byId, withId(lead))).status).toBe(403);
    expect((await t.request(manager, leadObjections.listLeadObjections.byId, withId(lead))).status).toBe(200);
    expect(await factsOf(lead)).toEqual([]);
  });

  test.each([
    ['no way of contact', {}],
    ['an unknown one', { channel: 'fax' }],
    ['words that are too long', { channel: 'call', words: 'x'.repeat(501) }],
  ])('%s is refused, and nothing is written', async (_, body) => {
    const [lead, before] = [await leadWith(nextPhone()), await countAll()];
    expect(await record(lead, body)).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    expect(await countAll()).toBe(before);
  });
});

describe('the list of administrators', () => {
  test('an objection on a number that no lead has counts once a lead has it', async () => {
    const phone = nextPhone();
    const { status, body } = await add({ on: 'number', value: phone, channel: 'all', since: '2026-03-04' });
    expect(status).toBe(201);
    expect(body).toMatchObject({ since: '2026-03-04T00:00:00.000Z', source: 'list', recordedBy: 'Ada Admin' });
    expect(await factsOf(await leadWith(phone))).toEqual([
      { channel: 'all', on: 'number', since: '2026-03-04T00:00:00.000Z' },
    ]);
    expect(await add({ on: 'number', value: phone, channel: 'all' })).toMatchObject({ status: 409 });
  });

  test.each([
    ['no number', { on: 'number', value: 'ring me', channel: 'call' }],
    ['no address', { on: 'email', value: '020 7946 0018', channel: 'email' }],
    ['an objection to e-mails on a number', { on: 'number', value: '020 7946 0018', channel: 'email' }],
    ['a day that is to come', { on: 'number', value: '020 7946 0018', channel: 'call', since: '2026-12-01' }],
    ['a business', { on: 'business', value: 'Crumb', channel: 'call' }],
  ])('%s is refused', async (_, body) => {
    const before = await countAll();
    expect(await add(body)).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    expect(await countAll()).toBe(before);
  });

  test('is searched by a whole number, a part of a text, and the way of contact', async () => {
    const phone = nextPhone();
    await add({ on: 'number', value: phone, channel: 'text', words: '' });
    await add({ on: 'email', value: '100%_sure@shop.example', channel: 'email' });
    expect((await list({ q: `+44${phone.slice(1).replaceAll(' ', '')}` })).total).toBe(1);
    expect((await list({ q: phone, channel: 'text' })).total).toBe(1);
    expect((await list({ q: phone, channel: 'call' })).total).toBe(0);
    expect((await list({ q: '100%_S' })).items).toMatchObject([{ subjects: [{ value: '100%_sure@shop.example' }] }]);
    expect((await list({ q: '%' })).total).toBe(1);
  });

  test('an objection is lifted by an administrator, for a reason, and stays in the list', async () => {
    const phone = nextPhone();
    const lead = await leadWith(phone);
    await askNotToBeCalled(lead);
    const objectionId = (await list({ q: phone })).items[0]?.id ?? '';
    const lift = (viewer: TestUser, reason: string) =>
      t.request(viewer, calls.liftObjection, { params: { objectionId }, body: { reason } });
    expect((await lift(holder, 'They rang us')).status).toBe(403);
    expect((await lift(admin, '  ')).status).toBe(400);
    expect(await factsOf(lead)).toHaveLength(2);

    const lifted = await lift(admin, 'They rang us');
    expect(lifted.body.lifted).toEqual({ at: NOW, by: 'Ada Admin', reason: 'They rang us' });
    expect(await factsOf(lead)).toEqual([]);
    expect((await lift(admin, 'Another reason')).body.lifted?.reason).toBe('They rang us');
    const { items } = (await t.request(admin, listAuditEvents, { query: { event: 'objection_lifted' } })).body;
    expect(items.filter(({ details }) => details.objectionId === objectionId)).toHaveLength(1);
    expect((await list({ q: phone })).total).toBe(0);
    expect((await list({ q: phone, lifted: 'true' })).total).toBe(1);
    // Asked again, it stands again.
    await askNotToBeCalled(lead);
    expect(await factsOf(lead)).toHaveLength(2);
  });

  test('an unknown objection is not found', async () => {
    const params = { objectionId: '00000000-0000-4000-8000-000000000000' };
    expect((await t.request(admin, calls.liftObjection, { params, body: { reason: 'None' } })).status).toBe(404);
  });
});

describe('files', () => {
  const send = async (file: string, viewer = admin) => {
    const response = await t.inject({
      method: 'POST',
      url: calls.importObjections.path,
      payload: buildForm(file, { fileName: 'list.csv' }),
      headers: { 'content-type': FORM, cookie: viewer.cookie },
    });
    return { status: response.statusCode, body: response.json() };
  };
  const download = async () =>
    (await t.inject({ url: buildPath(calls.exportObjections), headers: { cookie: admin.cookie } })).body;

  test('a list of numbers and addresses is recorded once, however often it is imported', async () => {
    const [one, two] = [nextPhone(), nextPhone()];
    const file = `Number;Channel;Since;Words\r\n${one};Calls;2026-01-02;"Rang ""us"""\r\n${two};;;\r\nzoe@list.example;E-mails;;\r\n`;
    expect(await send(file)).toEqual({ status: 200, body: { recorded: 3, repeated: 0 } });
    expect(await send(file)).toEqual({ status: 200, body: { recorded: 0, repeated: 3 } });
    expect(await factsOf(await leadWith(one, 'Zoe@list.example'))).toEqual([
      { channel: 'call', on: 'number', since: '2026-01-02T00:00:00.000Z' },
      { channel: 'email', on: 'email', since: NOW },
    ]);
    expect(await factsOf(await leadWith(two))).toMatchObject([{ channel: 'all', on: 'number' }]);
    const { items } = (await t.request(admin, listAuditEvents, { query: { event: 'objections_imported' } })).body;
    expect(items[0]?.details).toEqual({ count: 3, created: 0 });
  });

  test('a file with a wrong row is refused as a whole, with the numbers of its rows', async () => {
    const before = await countAll();
    const file = `Value,Channel,Since\n${nextPhone()},,\nring me,,\n${nextPhone()},E-mails,\n${nextPhone()},,2027-01-01\na@b.example,Fax,\n`;
    const { status, body } = await send(file);
    expect({ status, code: body.code }).toEqual({ status: 422, code: 'csv_unusable' });
    expect(body.message).toBe(
      'Nothing was recorded. Row 3: "ring me" is no phone number. Row 4: "E-mails" is no way to contact somebody. ' +
        'Row 5: "2027-01-01" is no past day, such as 2026-03-04. Row 6: "Fax" is no way to contact somebody.',
    );
    expect(await countAll()).toBe(before);
  });

  test.each([
    ['an empty file', ''],
    ['a file without a column of numbers', 'Name,Town\nCrumb,Leeds\n'],
    ['a business without its hash', 'On,Value\nBusiness,Crumb\n'],
    ['a broken hash', 'On,Value,Hash\nNumber,,abc\n'],
  ])('%s is refused', async (_, file) => {
    expect((await send(file)).status).toBe(422);
  });

  test('an export can be imported again where the list was lost, by hashes alone, without what was lifted', async () => {
    const phone = nextPhone();
    const lead = await leadWith(phone);
    await askNotToBeCalled(lead);
    const gone = nextPhone();
    const { body: lifted } = await add({ on: 'number', value: gone, channel: 'call' });
    await t.request(admin, calls.liftObjection, { params: { objectionId: lifted.id }, body: { reason: 'By mistake' } });
    await t.db.execute(sql`update objection_subjects set value = null where value = ${phone}`);
    const file = await download();
    expect(file).toContain('"On","Value","Channel","Since","Words","Hash"');
    expect(file).not.toContain(phone);
    await t.db.delete(objections);
    expect(await factsOf(lead)).toEqual([]);

    expect((await send(file)).status).toBe(200);
    expect((await factsOf(lead)).map(({ channel, on }) => [channel, on])).toEqual([
      ['call', 'number'],
      ['call', 'business'],
    ]);
    expect(await factsOf(await leadWith(gone))).toEqual([]);
  });

  test('users and managers neither import nor export', async () => {
    for (const viewer of [holder, await t.user('manager')]) {
      expect((await send('Number\n020 7946 0018\n', viewer)).status).toBe(403);
      expect((await t.request(viewer, calls.exportObjections)).status).toBe(403);
    }
  });
});

test('of two who record the same at once, each is answered, and it stands', async () => {
  const lead = await leadWith(nextPhone());
  const statuses = (await Promise.all([1, 2, 3, 4].map(() => askNotToBeCalled(lead)))).map(({ status }) => status);
  expect(statuses).toEqual([201, 201, 201, 201]);
  expect(await factsOf(lead)).toHaveLength(2);
});

test('a page of leads looks objections up by an index', async () => {
  const plan = await t.db.transaction(async (tx) => {
    await tx.execute(sql`set local enable_seqscan = off`);
    const { rows } = await tx.execute<{ 'QUERY PLAN': string }>(sql`
      explain select * from objection_subjects where hash = any (array['a', 'b'])`);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });
  expect(plan).toContain('objection_subjects_hash_idx');
});

test('search results, and the stops of a trip, have the objections of their numbers', async () => {
  const [first] = (
    await t.request(holder, searchBusinesses, { body: { businessType: 'Restaurant', location: 'Leeds' } })
  ).body.businesses;
  expect(first?.objections).toEqual([]);
  await add({ on: 'number', value: first?.phone ?? '', channel: 'call' });
  const [again] = (
    await t.request(holder, searchBusinesses, { body: { businessType: 'Restaurant', location: 'Leeds' } })
  ).body.businesses;
  expect(again?.objections).toEqual(onCall('number'));

  const user = await t.user();
  const place = { phone: first?.phone ?? '', latitude: 53.8, longitude: -1.55 };
  await t.lead(user, {}, place);
  const { body } = await t.request(user, planTrip, { query: { latitude: 53.8, longitude: -1.55 } });
  expect(body.stops.map(({ objections: found }) => found)).toEqual([onCall('number')]);
});
