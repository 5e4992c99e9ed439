import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { buildPath } from '#contract/call.ts';
import { startBulkJob } from '#contract/leads/bulk/bulk-jobs.calls.ts';
import { countLeads, exportLeads } from '#contract/leads/lead-export.calls.ts';
import { listLeadPoints, listLeads } from '#contract/leads/lead-lists.calls.ts';
import type { NewOwnField } from '#contract/leads/own-fields/own-field.ts';
import * as fieldCalls from '#contract/leads/own-fields/own-fields.calls.ts';
import { planTrip } from '#contract/leads/trip/trip.calls.ts';
import { countPinnedViews, createView, setViewPreferences } from '#contract/views/views.calls.ts';
import { leads } from '#server/schema/leads.ts';
import { ownFields } from '#server/schema/own-fields.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

let t: TestApp;
let admin: TestUser;
let holder: TestUser;
let supplier: number;
let tables: number;
let acme: number;
let other: number;
let empty: number;
beforeAll(async () => {
  t = await testApp();
  admin = await t.user('admin');
});
afterAll(() => t.close());
beforeEach(async () => {
  await t.db.delete(ownFields);
  holder = await t.user();
  supplier = await create({ name: 'Supplier', type: 'choice', choices: [{ label: 'Acme' }, { label: 'Böhm' }] });
  tables = await create({ name: 'Tables', type: 'number' });
  const place = { latitude: 53.8, longitude: -1.5 };
  acme = (await t.lead(holder, { ownFields: { [supplier]: '1', [tables]: 5 } }, { ...place, name: 'Acme lead' })).id;
  other = (await t.lead(holder, { ownFields: { [supplier]: '2' } }, { ...place, name: 'Other lead' })).id;
  empty = (await t.lead(holder, {}, { ...place, name: 'Empty lead' })).id;
});

const create = async (field: Partial<NewOwnField>) =>
  (await t.request(admin, fieldCalls.createOwnField, { body: field as never })).body.id;
const isAcme = () => `[[${supplier},"is","1"]]`;
const archive = (fieldId: number) => t.request(admin, fieldCalls.archiveOwnField, { params: { fieldId } });
const remove = async (fieldId: number, leads: number) => {
  await archive(fieldId);
  await t.request(admin, fieldCalls.deleteOwnField, { params: { fieldId }, body: { leads } });
};
const listIds = async (query: object) =>
  (await t.request(holder, listLeads, { query })).body.items.map(({ userBusiness }) => userBusiness.id);

test.each([
  ['a choice', () => isAcme()],
  ['a number', () => `[[${tables},"is",5]]`],
  ['any other number', () => `[[${tables},"is_not",[7,8]],[${tables},"not_empty"]]`],
])('the page, the map, the count, the export, a trip and a bulk action have the same leads: %s', async (_, toOwn) => {
  const own = toOwn();
  expect(await listIds({ own })).toEqual([acme]);
  expect((await t.request(holder, listLeadPoints, { query: { own } })).body.points.map(({ id }) => id)).toEqual([acme]);
  expect((await t.request(holder, countLeads, { query: { own } })).body).toEqual({ total: 1 });
  const file = await t.inject({
    url: buildPath(exportLeads, { query: { own, sort: `field${tables}` } }),
    headers: { cookie: holder.cookie },
  });
  expect(file.headers['x-row-count']).toBe('1');
  expect(file.body).toContain('Acme lead');
  expect(file.body).not.toContain('Other lead');
  const near = { latitude: '53.8', longitude: '-1.5', count: '10' };
  const trip = await t.request(holder, planTrip, { query: { own, ...near } as never });
  expect(trip.body.stops.map(({ name }) => name)).toEqual(['Acme lead']);
  const body = { filter: { own }, count: 1, action: { verb: 'archive' as const } };
  expect((await t.request(holder, startBulkJob, { body: body as never })).body).toMatchObject({ total: 1 });
  await t.app.jobs.run();
  const rows = await t.db
    .select({ id: leads.id, archived: leads.archived })
    .from(leads)
    .where(eq(leads.userId, holder.id));
  expect(rows.filter(({ archived }) => archived)).toEqual([{ id: acme, archived: true }]);
});

test('what is not a value includes leads without one', async () => {
  expect(await listIds({ own: `[[${tables},"is_not",5]]`, sort: 'name' })).toEqual([empty, other]);
  expect(await listIds({ own: `[[${supplier},"is_not","1"]]`, sort: 'name' })).toEqual([empty, other]);
  expect(await listIds({ own: `[[${tables},"is_not",5],[${tables},"not_empty"]]` })).toEqual([]);
});

test('users still list only their own leads', async () => {
  const stranger = await t.user();
  const theirs = await t.lead(stranger, { ownFields: { [supplier]: '1' } });
  expect(await listIds({ own: isAcme() })).toEqual([acme]);
  const all = await t.request(admin, listLeads, { query: { own: isAcme() } });
  expect(all.body.items.map(({ userBusiness }) => userBusiness.id)).toEqual([theirs.id, acme]);
});

test.each([
  ['a field that is gone', () => '[[999999,"empty"]]', 'The list is filtered by a field that no longer exists'],
  ['a choice that is none', () => `[[${supplier},"is","9"]]`, 'Supplier must be one of: Acme, Böhm'],
  ['another way to filter', () => `[[${tables},"contains","5"]]`, 'A list cannot be filtered by Tables in this way'],
])('every list refuses %s', async (_, toOwn, message) => {
  const own = toOwn();
  const refusal = { status: 400, body: { code: 'validation_failed', message, errors: [{ path: 'own', message }] } };
  const query = { own };
  expect(await t.request(holder, listLeads, { query })).toMatchObject(refusal);
  expect(await t.request(holder, listLeadPoints, { query })).toMatchObject(refusal);
  expect(await t.request(holder, countLeads, { query })).toMatchObject(refusal);
  expect(await t.request(holder, exportLeads, { query })).toMatchObject(refusal);
  expect(await t.request(holder, planTrip, { query: { ...query, near: 'Leeds' } })).toMatchObject(refusal);
  const body = { filter: query, action: { verb: 'delete' as const } };
  expect(await t.request(holder, startBulkJob, { body: body as never })).toMatchObject(refusal);
  expect(
    await t.request(holder, listLeads, { query: { ...query, team: true } }),
    'access is decided first',
  ).toMatchObject({
    status: 403,
  });
});

test('a list is sorted by a field that is there, and by no other', async () => {
  expect(await listIds({ sort: `field${tables}` })).toEqual([acme, expect.anything(), expect.anything()]);
  expect((await listIds({ sort: `field${supplier}-desc` })).slice(0, 2)).toEqual([other, acme]);
  const message = 'The list is sorted by a field that no longer exists';
  for (const call of [listLeads, exportLeads]) {
    expect(await t.request(holder, call, { query: { sort: 'field999999' } })).toMatchObject({
      status: 400,
      body: { message, errors: [{ path: 'sort', message }] },
    });
  }
});

test('an archived field filters and sorts as before; one that is being deleted is gone at once', async () => {
  await archive(supplier);
  expect(await listIds({ own: isAcme(), sort: `field${supplier}` })).toEqual([acme]);
  await remove(supplier, 2);
  expect((await t.request(holder, listLeads, { query: { own: isAcme() } })).status).toBe(400);
  expect((await t.request(holder, listLeads, { query: { sort: `field${supplier}` } })).status).toBe(400);
});

test('a pinned view with a field that is gone counts the leads of its other filters', async () => {
  const settings = { own: `[[${supplier},"is","2"],[${tables},"empty"]]`, sort: `field${tables}` };
  const { body: view } = await t.request(holder, createView, { body: { name: 'Of Böhm', settings } });
  await t.request(holder, setViewPreferences, { body: { pinned: [view.id], defaultView: null } });
  const counts = async () => (await t.request(holder, countPinnedViews)).body.map(({ total }) => total);
  expect(await counts()).toEqual([1]);
  await archive(supplier);
  expect(await counts(), 'archived').toEqual([1]);
  await remove(supplier, 2);
  expect(await counts(), 'deleted: those without tables').toEqual([2]);
  const invalid = { own: '[[1,"like","a"]]' };
  expect((await t.request(holder, createView, { body: { name: 'Invalid', settings: invalid } })).status).toBe(400);
});
