import { randomUUID } from 'node:crypto';
import { eq, inArray } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BATCH_HEADER, listChanges, undoChanges } from '#contract/changes/changes.calls.ts';
import { addLead } from '#contract/leads/adding/adding.calls.ts';
import { startBulkJob } from '#contract/leads/bulk/bulk-jobs.calls.ts';
import { listLeads, listLeadTypes } from '#contract/leads/lead-lists.calls.ts';
import { changeBusinessType, getLead } from '#contract/leads/leads.calls.ts';
import { searchBusinesses } from '#contract/search/search.calls.ts';
import { createView } from '#contract/views/views.calls.ts';
import { businesses, leads } from '#server/schema/leads.ts';
import { checkFile, findLeadsNamed, importFile, startAndWait, unique } from '#server/testing/import.ts';
import { runToEnd } from '#server/testing/jobs.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';
import { classifyJob } from './classify-job.ts';

let t: TestApp;
let admin: TestUser;
beforeAll(async () => {
  t = await testApp({ ownDatabase: true });
  admin = await t.user('admin');
});
afterAll(() => t.close());

const correct = (viewer: TestUser, businessId: number, type: string | null) =>
  t.request(viewer, changeBusinessType, { params: { businessId }, body: { type } });
const undo = (viewer: TestUser, { headers }: { headers: Record<string, unknown> }) =>
  t.request(viewer, undoChanges, { params: { batchId: String(headers[BATCH_HEADER]) } });
async function readType(businessId: number) {
  const [row] = await t.db
    .select({ type: businesses.type, guessed: businesses.typeGuessed, copy: leads.businessType })
    .from(businesses)
    .leftJoin(leads, eq(leads.businessId, businesses.id))
    .where(eq(businesses.id, businessId));
  return row;
}
const search = (businessType: string) =>
  t.request(admin, searchBusinesses, { body: { businessType, location: 'Leeds', pageSize: 50, maxResults: 50 } });

test('a search stores the types of its source, and a later one does not replace a correction', async () => {
  const { body } = await search('Bakery');
  const ids = body.businesses.map(({ id }) => id);
  const stored = await t.db.select().from(businesses).where(inArray(businesses.id, ids));
  expect(stored.length).toBeGreaterThan(3);
  for (const { type, typeGuessed } of stored)
    expect({ type, typeGuessed }).toEqual({ type: 'Bakery', typeGuessed: false });

  const [first = 0] = ids;
  expect((await correct(admin, first, 'Cake shop')).body).toMatchObject({ type: 'Cake shop', typeGuessed: false });
  await t.db.update(businesses).set({ name: 'Before the search' }).where(eq(businesses.id, first));
  await search('Bakery');
  expect(await readType(first)).toMatchObject({ type: 'Cake shop', guessed: false });
  const [row] = await t.db.select().from(businesses).where(eq(businesses.id, first));
  expect(row?.name).not.toBe('Before the search');
});

test('a search replaces a guess', async () => {
  const { body } = await search('Florist');
  const [found] = body.businesses;
  const businessId = found?.id ?? 0;
  await t.db.update(businesses).set({ type: 'Cafe', typeGuessed: true }).where(eq(businesses.id, businessId));
  await search('Florist');
  expect(await readType(businessId)).toMatchObject({ type: 'Florist', guessed: false });
});

test('a file says the type in a column, by its label or the name of a source; otherwise the name of the business does', async () => {
  const name = unique('Leek');
  const rows = [
    `${name} 1,bakeries`,
    `${name} 2,hair_salon`,
    `${name} 3 Dental,`,
    `${name} 4 Garage,Unheard of`,
    `${name} 5,`,
  ];
  for (const heading of ['Business Type', 'Type']) {
    const imported = await importFile(t, admin, `Business Name,${heading}\n${rows.join('\n')}\n`);
    expect(imported.body.importResults).toMatchObject({ successful: 5, failed: 0 });
    const found = await findLeadsNamed(t, name);
    expect(found.map(({ business, lead }) => [business.type, business.typeGuessed, lead.businessType])).toEqual([
      ['Bakery', false, 'Bakery'],
      ['Hairdresser', false, 'Hairdresser'],
      ['Dentist', true, 'Dentist'],
      ['Car repair garage', true, 'Car repair garage'],
      [null, true, null],
    ]);
  }
});

test('a file with chosen columns says what was guessed before, and undoing the import takes it back', async () => {
  const names = [`${unique('Parsnip')} Garage`, `${unique('Salsify')} Cafe`] as const;
  await importFile(t, admin, `Business Name\n${names.join('\n')}\n`);
  const [garage, cafe] = await Promise.all(names.map(async (name) => (await findLeadsNamed(t, name))[0]));
  if (!garage || !cafe) throw new Error('nothing was imported');
  await correct(admin, cafe.business.id, 'Deli');
  const file = `Company,Sector\n${names[0]},Tyre shop\n${names[1]},Pub\n`;
  const checked = await checkFile(t, admin, file, { targets: ['Business Name', 'Business Type'] });
  const done = await startAndWait(t, admin, checked.id);
  expect(done.state).toBe('done');
  expect(await readType(garage.business.id)).toEqual({ type: 'Tyre shop', guessed: false, copy: 'Tyre shop' });
  expect(await readType(cafe.business.id)).toMatchObject({ type: 'Deli', guessed: false });

  const { items } = (await t.request(admin, listChanges, { query: { kind: 'import' } })).body;
  await t.request(admin, undoChanges, { params: { batchId: items[0]?.id ?? '' } });
  expect(await readType(garage.business.id)).toEqual({
    type: 'Car repair garage',
    guessed: true,
    copy: 'Car repair garage',
  });
});

test('a business that is added by hand has the type that was typed, or a guess', async () => {
  const add = async (name: string, businessType = '') => {
    const { status, body } = await t.request(admin, addLead, { body: { name, businessType } });
    expect(status).toBe(201);
    return (await t.request(admin, getLead.byId, { params: { id: body.id } })).body.business;
  };
  expect(await add(unique('Chard'), 'software company')).toMatchObject({
    type: 'Software company',
    typeGuessed: false,
  });
  expect(await add(`${unique('Chard')} Plumbing`)).toMatchObject({ type: 'Plumber', typeGuessed: true });
  expect(await add(unique('Chard'))).toMatchObject({ type: null, typeGuessed: false });
});

test('a correction is logged and undone, and another type since is left', async () => {
  const holder = await t.user();
  const { businessId } = await t.lead(holder, {}, { type: 'Cafe', typeGuessed: true });
  const corrected = await correct(holder, businessId, 'Tea room');
  expect(corrected).toMatchObject({ status: 200, body: { type: 'Tea room', typeGuessed: false } });
  expect(await readType(businessId)).toEqual({ type: 'Tea room', guessed: false, copy: 'Tea room' });
  const { items } = (await t.request(holder, listChanges)).body;
  expect(items[0]?.first?.change).toEqual({ field: 'type', before: 'Cafe (guessed)', after: 'Tea room' });

  expect((await undo(holder, corrected)).body).toMatchObject({ takenBack: 1, left: [] });
  expect(await readType(businessId)).toEqual({ type: 'Cafe', guessed: true, copy: 'Cafe' });

  const first = await correct(holder, businessId, 'Deli');
  await correct(admin, businessId, 'Pub');
  expect(await undo(holder, first)).toMatchObject({ status: 409, body: { code: 'not_undoable' } });
  expect(await readType(businessId)).toMatchObject({ type: 'Pub', guessed: false });
});

test('a guess can be confirmed, and "none of these" stays', async () => {
  const { businessId, ...lead } = await t.lead(admin, {}, { name: 'Aire Cafe', type: 'Cafe', typeGuessed: true });
  expect((await correct(admin, businessId, 'Cafe')).body).toMatchObject({ type: 'Cafe', typeGuessed: false });
  expect((await correct(admin, businessId, null)).body).toMatchObject({ type: null, typeGuessed: false });
  await runToEnd(t.db, classifyJob);
  expect(await readType(businessId)).toEqual({ type: null, guessed: false, copy: null });
  const { body } = await t.request(admin, getLead.byId, { params: { id: lead.id } });
  expect(body.business).toMatchObject({ type: null, typeGuessed: false });
});

test('only its holders and administrators correct a business, to a type of the list', async () => {
  const holder = await t.user();
  const { businessId } = await t.lead(holder);
  for (const viewer of [await t.user(), await t.user('manager')]) {
    expect(await correct(viewer, businessId, 'Cafe')).toMatchObject({ status: 403, body: { code: 'not_your_lead' } });
  }
  expect(await correct(holder, businessId, 'Dragon shop')).toMatchObject({
    status: 400,
    body: { message: 'Please choose one of the types of business' },
  });
  expect(await readType(businessId)).toMatchObject({ type: null });
  expect((await correct(holder, 2_000_000_000, 'Cafe')).status).toBe(404);
});

test('businesses from before types were stored get one in the background', async () => {
  const [holder, other] = [await t.user(), await t.user()];
  const old = await t.lead(holder, {}, { name: 'Nisbets', types: ['bakery', 'cafe'] });
  const named = await t.lead(holder, {}, { name: 'Hull Roofing' });
  const nameless = await t.lead(holder, {}, { name: 'Nisbets' });
  await t.db.insert(leads).values({ userId: other.id, businessId: old.businessId });
  const before = await t.db.select().from(businesses).where(eq(businesses.id, old.businessId));
  await runToEnd(t.db, classifyJob);
  expect(await readType(old.businessId)).toEqual({ type: 'Bakery', guessed: false, copy: 'Bakery' });
  expect(await readType(named.businessId)).toEqual({ type: 'Roofer', guessed: true, copy: 'Roofer' });
  expect(await readType(nameless.businessId)).toEqual({ type: null, guessed: true, copy: null });
  expect((await t.request(holder, listLeadTypes)).body).toEqual(['Bakery', 'Roofer']);
  expect((await t.request(other, listLeadTypes)).body).toEqual(['Bakery']);
  const after = await t.db.select().from(businesses).where(eq(businesses.id, old.businessId));
  expect(after[0]?.updatedAt).toBe(before[0]?.updatedAt);
});

test('more than one step classifies all', async () => {
  const rows = Array.from({ length: 1_200 }, (_, nth) => ({ placeId: randomUUID(), name: `Swede ${nth} Florist` }));
  await t.db.insert(businesses).values(rows);
  let steps = 0;
  await runToEnd(t.db, classifyJob, () => {
    steps += 1;
  });
  expect(steps).toBeGreaterThan(3);
  const ids = rows.map(({ placeId }) => placeId);
  expect(await t.db.$count(businesses, inArray(businesses.placeId, ids))).toBe(1_200);
  const typed = await t.db.select({ type: businesses.type }).from(businesses).where(inArray(businesses.placeId, ids));
  expect(new Set(typed.map(({ type }) => type))).toEqual(new Set(['Florist']));
});

test('the list is filtered by several types and several statuses, for administrators too', async () => {
  const holder = await t.user();
  const add = (name: string, type: string | null, lead: object = {}) => t.lead(holder, lead, { name, type });
  await add('Carrot', 'Bakery');
  await add('Turnip', 'Bakery', { status: 'recontact' });
  await add('Beetroot', 'Cafe', { status: 'closed_won' });
  await add('Radish', 'Cafe', { existingCustomer: true });
  await add('Fennel', null, { status: 'qualified' });
  const list = async (viewer: TestUser, query: object) => {
    const { status, body } = await t.request(viewer, listLeads, { query: { user: holder.id, sort: 'name', ...query } });
    expect(status).toBe(200);
    return body.items.map(({ business }) => business.name);
  };
  for (const viewer of [holder, admin]) {
    expect(await list(viewer, { types: 'Bakery' })).toEqual(['Carrot', 'Turnip']);
    expect(await list(viewer, { types: 'Bakery,Cafe', hideClosed: false })).toEqual(['Beetroot', 'Carrot', 'Turnip']);
    expect(await list(viewer, { types: ['Cafe', 'Pub'], existing: true })).toEqual(['Radish']);
    expect(await list(viewer, { types: 'Dragon shop' })).toEqual([]);
    expect(await list(viewer, { status: 'new,qualified' })).toEqual(['Carrot', 'Fennel']);
    expect(await list(viewer, { status: ['recontact', 'qualified'], types: 'Bakery' })).toEqual(['Turnip']);
    expect(await list(viewer, { status: 'all' })).toEqual(['Carrot', 'Fennel', 'Turnip']);
  }

  const filter = { types: 'Bakery,Pub', status: 'recontact,qualified', user: String(holder.id) };
  const started = await t.request(holder, startBulkJob, { body: { filter, count: 1, action: { verb: 'archive' } } });
  expect(started.status).toBe(200);
  await t.app.jobs.run();
  expect(await list(holder, {})).toEqual(['Carrot', 'Fennel']);

  const settings = { types: 'Bakery,Pub', status: 'recontact,qualified', pins: 'type' };
  const saved = await t.request(holder, createView, { body: { name: 'Bakeries', settings } });
  expect(saved).toMatchObject({ status: 201, body: { settings } });
});
