import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { listAuditEvents } from '#contract/audit/audit.calls.ts';
import type { Input } from '#contract/call.ts';
import { BATCH_HEADER, undoChanges } from '#contract/changes/changes.calls.ts';
import {
  addLead,
  listLookAlikes,
  listUnassigned,
  MAX_UNASSIGNED,
  takeLead,
} from '#contract/leads/adding/adding.calls.ts';
import { type AddingRules, DEFAULT_ADDING } from '#contract/leads/adding/adding-rules.ts';
import { getFollowUp, planFollowUp } from '#contract/leads/follow-ups/follow-ups.calls.ts';
import { changeLeadStatus, getAssignmentHistory, getLead } from '#contract/leads/leads.calls.ts';
import { archiveOwnField, createOwnField } from '#contract/leads/own-fields/own-fields.calls.ts';
import { changeTeamSettings } from '#contract/settings/settings.calls.ts';
import { businesses, leads } from '#server/schema/leads.ts';
import { notifications } from '#server/schema/notifications.ts';
import { territoryDistricts } from '#server/schema/territories.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

let t: TestApp;
let admin: TestUser;
beforeAll(async () => {
  t = await testApp({ ownDatabase: true });
  admin = await t.user('admin');
});
afterEach(() => setRules(null));
afterAll(() => t.close());

const setRules = (addingLeads: AddingRules | null) => t.request(admin, changeTeamSettings, { body: { addingLeads } });
const allow = (rules: Partial<AddingRules> = {}) => setRules({ ...DEFAULT_ADDING, allowed: true, ...rules });

const fromScreen = (user: TestUser) => ({ 'x-viewer-id': String(user.id), origin: 'http://localhost:3000' });
const add = (viewer: TestUser, body: NonNullable<Input<typeof addLead>['body']>, headers = {}) =>
  t.request(viewer, addLead, { body }, { headers });
const take = (viewer: TestUser, businessId: number) => t.request(viewer, takeLead, { body: { businessId } });
const undo = (viewer: TestUser, response: { headers: Record<string, unknown> }) =>
  t.request(viewer, undoChanges, { params: { batchId: String(response.headers[BATCH_HEADER]) } });
const countLeads = (user: TestUser) => t.db.$count(leads, eq(leads.userId, user.id));
const giveTerritory = (user: TestUser, ...districts: string[]) =>
  t.db.insert(territoryDistricts).values(districts.map((district) => ({ userId: user.id, district })));
async function aBusiness(columns: Partial<typeof businesses.$inferInsert> = {}) {
  const placeId = `place-${crypto.randomUUID()}`;
  const [business] = await t.db
    .insert(businesses)
    .values({ placeId, name: 'Corner Cafe', ...columns })
    .returning();
  if (!business) throw new Error('The business was not written');
  return business;
}

let names = 0;
/** A name that no other test uses. */
const newName = () => {
  names += 1;
  return `Hand Made ${String.fromCharCode(64 + names)}${names}`;
};

test('an administrator adds a business with everything that is known, for anyone', async () => {
  const holder = await t.user();
  const followUp = { type: 'call' as const, at: new Date(Date.now() + 86_400_000).toISOString(), note: 'Ring Rose' };
  const added = await add(
    admin,
    {
      ...{ name: 'Rose & Thorn', businessType: 'Florist', phone: '0113 496 0001', postcode: 'ls14dy' },
      ...{ website: 'rose.example', contactPerson: 'Rose', notes: 'Met at the door.', followUp, holderId: holder.id },
    },
    fromScreen(admin),
  );
  expect(added.status).toBe(201);
  expect(added.body).toMatchObject({
    ...{ userId: holder.id, status: 'new', viewed: false, source: { kind: 'hand' }, notes: 'Met at the door.' },
    ...{ customFields: { contactPerson: 'Rose' }, nextStepAt: followUp.at, nextStepType: 'call' },
  });
  const params = { id: added.body.id };
  const { business } = (await t.request(holder, getLead.byId, { params })).body;
  expect(business).toMatchObject({
    ...{ name: 'Rose & Thorn', formattedAddress: 'Leeds LS1 4DY', phone: '0113 496 0001' },
    ...{ website: 'https://rose.example', positionApproximate: true },
  });
  const [stored] = await t.db.select().from(businesses).where(eq(businesses.id, business.id));
  expect(stored).toMatchObject({ town: 'Leeds', district: 'LS1', types: ['florist'], phoneTyped: true });
  expect((await t.request(holder, getFollowUp.byId, { params })).body.followUp).toMatchObject({ note: 'Ring Rose' });
  expect((await t.request(holder, getAssignmentHistory.byId, { params })).body).toMatchObject([
    { newUser: { username: holder.username }, changedBy: { username: admin.username } },
  ]);
  const { items } = (await t.request(admin, listAuditEvents, { query: { event: 'lead_assigned' } })).body;
  expect(items[0]).toMatchObject({ actor: { id: admin.id }, details: { newUserId: holder.id } });
  expect(await t.db.$count(notifications, eq(notifications.userId, holder.id))).toBe(1);
});

test('values of own fields are stored with the lead, and undone with it', async () => {
  const create = async (body: NonNullable<Input<typeof createOwnField>['body']>) =>
    (await t.request(admin, createOwnField, { body })).body.id;
  const [seats, supplier, other] = [
    await create({ name: 'Seats', type: 'number', inForm: true }),
    await create({ name: 'Supplier', type: 'choice', choices: [{ label: 'Acme' }], inForm: true }),
    await create({ name: 'Old', type: 'text' }),
  ];
  const name = newName();
  const added = await add(admin, { name, ownFields: { [seats]: 12, [supplier]: '1', [other]: null } });
  expect(added).toMatchObject({ status: 201, body: { ownFields: { [seats]: 12, [supplier]: '1' } } });
  expect(Object.keys(added.body.ownFields)).toHaveLength(2);
  expect((await undo(admin, added)).body).toMatchObject({ deleted: 1 });

  const before = await countLeads(admin);
  expect(await add(admin, { name, ownFields: { [seats]: 'many', [supplier]: '9' } })).toMatchObject({
    status: 400,
    body: { code: 'validation_failed', errors: [{ path: `ownFields.${seats}` }, { path: `ownFields.${supplier}` }] },
  });
  await t.request(admin, archiveOwnField, { params: { fieldId: other } });
  expect(await add(admin, { name, ownFields: { [other]: 'late' } })).toMatchObject({
    status: 409,
    body: { code: 'field_archived' },
  });
  expect(await add(await t.user(), { name, ownFields: { [seats]: 'many' } }), 'not told what is wrong').toMatchObject({
    body: { code: 'adding_not_allowed' },
  });
  expect(await countLeads(admin), 'nothing was added').toBe(before);
});

test('as long as the setting is off, users and managers add and take nothing', async () => {
  for (const viewer of [await t.user(), await t.user('manager')]) {
    const { id } = await aBusiness();
    const refusal = { status: 403, body: { code: 'adding_not_allowed' } };
    expect(await add(viewer, { name: 'Rose & Thorn' })).toMatchObject(refusal);
    expect(await take(viewer, id)).toMatchObject(refusal);
    expect(await t.request(viewer, listLookAlikes, { query: { name: 'Rose' } })).toMatchObject(refusal);
    expect(await t.request(viewer, listUnassigned, { query: { district: 'LS1' } })).toMatchObject(refusal);
    expect(await countLeads(viewer)).toBe(0);
  }
});

test('when it is on, they add for themselves only, and are not notified of what they did', async () => {
  await allow();
  for (const viewer of [await t.user(), await t.user('manager')]) {
    const other = await t.user();
    const refused = await add(viewer, { name: newName(), holderId: other.id });
    expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    expect((await add(viewer, { name: newName() })).body).toMatchObject({ userId: viewer.id, viewed: true });
    expect(await t.db.$count(notifications, eq(notifications.userId, viewer.id))).toBe(0);
    expect([await countLeads(viewer), await countLeads(other)]).toEqual([1, 0]);
  }
});

test('where the person stands says the district, and about which town', async () => {
  const position = { latitude: 53.7967, longitude: -1.5478 };
  const { businessId } = (await add(admin, { name: newName(), position })).body;
  const [stored] = await t.db.select().from(businesses).where(eq(businesses.id, businessId));
  expect(stored).toMatchObject({ ...position, positionApproximate: false, district: 'LS1', town: 'Leeds' });
  const atSea = await add(admin, { name: newName(), position: { latitude: 30, longitude: -40 } });
  const [far] = await t.db.select().from(businesses).where(eq(businesses.id, atSea.body.businessId));
  expect(far).toMatchObject({ latitude: 30, district: null, town: null, formattedAddress: null });
});

test('nobody adds more a day than the team allows, also not at once; what is taken back does not count', async () => {
  await allow({ perDay: 2 });
  const viewer = await t.user();
  const attempts = await Promise.all([1, 2, 3].map(() => add(viewer, { name: newName() })));
  expect(attempts.map(({ status }) => status).sort()).toEqual([201, 201, 409]);
  expect(attempts.find(({ status }) => status === 409)?.body).toMatchObject({ code: 'too_many_added' });
  expect(await take(viewer, (await aBusiness()).id)).toMatchObject({ status: 409, body: { code: 'too_many_added' } });
  const made = attempts.find(({ status }) => status === 201);
  if (made) await undo(viewer, made);
  expect((await add(viewer, { name: newName() })).status).toBe(201);
  expect(await countLeads(viewer)).toBe(2);
});

test('a user with a territory stays in it, if the team says so', async () => {
  await allow();
  const viewer = await t.user();
  await giveTerritory(viewer, 'LS1', 'LS2');
  expect((await add(viewer, { name: newName(), postcode: 'LS2 7EE' })).status).toBe(201);
  const outside = { status: 403, body: { code: 'outside_territory' } };
  expect(await add(viewer, { name: newName(), postcode: 'M1 1AA' })).toMatchObject(outside);
  expect(await add(viewer, { name: newName() })).toMatchObject(outside);
  const { id } = await aBusiness({ formattedAddress: '1 Market St, Manchester M1 1AA, UK' });
  expect(await take(viewer, id)).toMatchObject(outside);
  expect((await add(await t.user(), { name: newName(), postcode: 'M1 1AA' })).status).toBe(201);
  await allow({ inTerritory: false });
  expect((await take(viewer, id)).status).toBe(201);
});

test('one request that is repeated adds one business', async () => {
  const holder = await t.user();
  const body = { name: newName(), holderId: holder.id };
  const key = { 'idempotency-key': crypto.randomUUID() };
  const [first, second] = [await add(admin, body, key), await add(admin, body, key)];
  expect(second.body).toEqual(first.body);
  expect(await countLeads(holder)).toBe(1);
});

test('adding is taken back with its follow-up, and what was typed again is stored once', async () => {
  await allow();
  const viewer = await t.user();
  const followUp = { at: new Date(Date.now() + 86_400_000).toISOString() };
  const typed = { name: newName(), postcode: 'LS1 4DY', followUp };
  const first = await add(viewer, typed);
  const undone = await undo(viewer, first);
  expect(undone).toMatchObject({ status: 200, body: { takenBack: 1, deleted: 1, left: [] } });
  expect(await countLeads(viewer)).toBe(0);
  const second = await add(viewer, { ...typed, phone: '0113 496 0002' });
  expect(second.body.businessId).toBe(first.body.businessId);
  const { business } = (await t.request(viewer, getLead.byId, { params: { id: second.body.id } })).body;
  expect(business.phone).toBe('0113 496 0002');
});

test('a lead that was worked on since stays', async () => {
  const followUp = { at: new Date(Date.now() + 86_400_000).toISOString() };
  const planned = await add(admin, { name: newName(), followUp });
  const later = { at: new Date(Date.now() + 2 * 86_400_000).toISOString() };
  await t.request(admin, planFollowUp.byId, { params: { id: planned.body.id }, body: later });
  const changed = await add(admin, { name: newName() });
  await t.request(admin, changeLeadStatus.byId, { params: { id: changed.body.id }, body: { status: 'recontact' } });
  for (const added of [planned, changed]) {
    await undo(admin, added);
    expect((await t.request(admin, getLead.byId, { params: { id: added.body.id } })).status).toBe(200);
  }
});

test('what searches have found in a district is listed by name until it is assigned', async () => {
  await allow();
  const found = { formattedAddress: '4 New Lane, Hull HU7 4DY', type: 'Bakery' };
  const viewer = await t.user();
  const [bread, anvil, held] = [
    await aBusiness({ name: 'Bread', ...found }),
    await aBusiness({ name: 'Anvil', ...found, type: 'Pub' }),
    await aBusiness({ name: 'Held', ...found }),
  ];
  await aBusiness({ name: 'Of a file', ...found, imported: true });
  await aBusiness({ name: 'Merged', ...found, mergedInto: bread.id });
  await aBusiness({ name: 'Closed', ...found, businessStatus: 'CLOSED_PERMANENTLY' });
  await aBusiness({ name: 'Elsewhere', formattedAddress: 'Hull HU8 4DY' });
  expect((await take(await t.user(), held.id)).status).toBe(201);
  const listNames = async (query: { district: string; type?: string }) => {
    const { body } = await t.request(viewer, listUnassigned, { query });
    return [...body.businesses.map(({ name }) => name), ...(body.hasMore ? ['…'] : [])];
  };
  expect(await listNames({ district: 'HU7' })).toEqual(['Anvil', 'Bread']);
  expect(await listNames({ district: 'HU7', type: 'Bakery' })).toEqual(['Bread']);
  expect((await take(viewer, anvil.id)).status).toBe(201);
  expect(await listNames({ district: 'HU7' })).toEqual(['Bread']);
  for (let i = 0; i < MAX_UNASSIGNED; i += 1) await aBusiness({ name: `A${i}`, ...found });
  expect((await listNames({ district: 'HU7' })).slice(-1)).toEqual(['…']);
  const invalid = { status: 400, body: { code: 'validation_failed' } };
  expect(await t.request(viewer, listUnassigned, { query: { district: 'HU' } })).toMatchObject(invalid);
});

test("a business that is nobody's lead is taken once", async () => {
  await allow();
  const { id } = await aBusiness();
  const [one, other] = [await t.user('user', { fullName: 'Una Quick' }), await t.user('user')];
  const answers = await Promise.all([take(one, id), take(other, id)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
  const taken = answers.find(({ status }) => status === 201);
  expect(taken?.body).toMatchObject({ businessId: id, source: { kind: 'program' } });
  await t.db.delete(leads).where(eq(leads.businessId, id));
  const mine = await take(one, id);
  expect(await take(other, id)).toMatchObject({
    status: 409,
    body: { code: 'already_assigned', message: 'Una Quick already works this business' },
  });
  expect((await undo(one, mine)).body).toMatchObject({ deleted: 1 });
  expect((await take(other, id)).status).toBe(201);
});

test('the same name at the same place is not added twice', async () => {
  await allow();
  const [one, other] = [await t.user('user', { fullName: 'Una Quick' }), await t.user()];
  const typed = { name: newName(), postcode: 'LS1 4DY' };
  await add(one, typed);
  expect(await add(other, typed)).toMatchObject({ status: 409, body: { code: 'already_assigned' } });
  expect(await add(one, typed)).toMatchObject({ status: 409, body: { code: 'already_assigned' } });
  expect(await add(admin, { ...typed, holderId: one.id })).toMatchObject({ status: 409 });
});

test.each([
  ['an unknown holder', { name: 'A', holderId: 2_147_483_647 }, 'invalid_target'],
  ['a follow-up long ago', { name: 'A', followUp: { at: '2001-01-01T00:00:00.000Z' } }, 'validation_failed'],
  ['no name', { name: ' ' }, 'validation_failed'],
  ['an unknown field', { name: 'A', status: 'closed_won' }, 'validation_failed'],
])('%s is refused', async (_, body, code) => {
  expect(await add(admin, body as never)).toMatchObject({ status: 400, body: { code } });
});

test('a business that is gone cannot be taken', async () => {
  expect(await take(admin, 2_147_483_647)).toMatchObject({ status: 404, body: { code: 'not_found' } });
});

test('look-alikes say who works them, and no more of the leads of others', async () => {
  await allow();
  const [viewer, other] = [await t.user(), await t.user('user', { fullName: 'Otto Other' })];
  const address = { formattedAddress: '3 Boar Lane, Leeds LS1 6EN, UK', town: 'Leeds' };
  const theirs = await t.lead(
    other,
    { notes: 'secret' },
    { name: 'Zephyr Bicycles', phone: '0113 496 7001', ...address },
  );
  const mine = await t.lead(viewer, {}, { name: 'Zephyr Bicycle Hire', ...address });
  const nobodys = await aBusiness({ name: 'Zephyr Bikes', ...address });
  const look = async (query: object, as = viewer) => (await t.request(as, listLookAlikes, { query })).body;

  const named = { businessId: theirs.businessId, name: 'Zephyr Bicycles', town: 'Leeds', holders: ['Otto Other'] };
  const own = { businessId: mine.businessId, holders: [viewer.fullName], leadUuid: mine.uuid };
  expect(await look({ name: 'zephyr bic' })).toEqual([{ ...named, leadUuid: null }, expect.objectContaining(own)]);
  expect(await look({ phone: '+44 113 496 7001', name: 'Other name' })).toEqual([]);
  expect(await look({ phone: '+44 113 496 7001', name: 'Zephyr' })).toContainEqual({ ...named, leadUuid: null });
  expect(await look({ name: 'Zephyr Bikes', postcode: 'LS1 6EN' })).toContainEqual(
    expect.objectContaining({ businessId: nobodys.id, holders: [], leadUuid: null }),
  );
  expect(await look({ name: 'zephyr bicycles' }, await t.user('manager'))).toEqual([
    { ...named, leadUuid: theirs.uuid },
  ]);
  expect(await look({ name: 'ze' })).toEqual([]);
  expect(await look({})).toEqual([]);
});

test('at most five look-alikes, those nearby first', async () => {
  const holder = await t.user();
  const columns = { name: 'Quokka Coffee', town: 'Leeds', formattedAddress: 'Leeds LS1 1AA' };
  for (let nth = 0; nth < 6; nth += 1) await t.lead(holder, {}, columns);
  const near = await t.lead(holder, {}, { ...columns, town: 'York', formattedAddress: 'York YO1 7HU' });
  const found = await t.request(admin, listLookAlikes, { query: { name: 'quokka', postcode: 'yo17hu' } });
  expect(found.body).toHaveLength(5);
  expect(found.body[0]?.businessId).toBe(near.businessId);
});
