import { afterAll, beforeAll, expect, test } from 'vitest';
import { VIEWER_HEADER } from '#contract/call.ts';
import { listChanges } from '#contract/changes/changes.calls.ts';
import { mergeBusinesses } from '#contract/duplicates/duplicates.calls.ts';
import type { LeadOrigin } from '#contract/leads/fields/lead-origin.ts';
import { addTag, assignBusiness, changeCustomFields, getLead } from '#contract/leads/leads.calls.ts';
import { businesses } from '#server/schema/leads.ts';
import { findLeadsNamed, importFile } from '#server/testing/import.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

let t: TestApp;
let admin: TestUser;
let holder: TestUser;
beforeAll(async () => {
  t = await testApp();
  admin = await t.user('admin');
  holder = await t.user();
});
afterAll(() => t.close());

const read = async (id: number) => (await t.request(admin, getLead.byId, { params: { id } })).body.userBusiness;

test.each([
  { client: 'the web app', headers: () => ({ [VIEWER_HEADER]: String(admin.id) }), kind: 'search' },
  { client: 'another program', headers: () => ({}), kind: 'program' },
])('a business that $client assigns came by $kind', async ({ headers, kind }) => {
  const [business] = await t.db
    .insert(businesses)
    .values({ placeId: `by-${kind}`, name: 'Corner Shop' })
    .returning();
  const body = { userId: holder.id, businessId: Number(business?.id) };
  const response = await t.request(admin, assignBusiness, { body }, { headers: headers() });
  expect(response).toMatchObject({ status: 201, body: { source: { kind } } });
});

test('what a program with a token assigns came by it, also where it sends the header of the web app', async () => {
  const [business] = await t.db.insert(businesses).values({ placeId: 'by-token', name: 'Corner Shop' }).returning();
  const body = { userId: holder.id, businessId: Number(business?.id) };
  const program = await t.program(admin, { rights: 'admin' });
  const headers = { [VIEWER_HEADER]: String(admin.id), referer: 'http://localhost/business/1' };
  const { body: lead } = await t.request(program, assignBusiness, { body }, { headers });
  expect(lead.source).toEqual({ kind: 'program' });
  await t.request(program, addTag.byId, { params: { id: lead.id }, body: { tag: 'hot' } }, { headers });
  const { body: changes } = await t.request(admin, listChanges, { query: { userId: admin.id, kind: 'tag' } });
  expect(changes.items[0]).toMatchObject({ source: 'api', program: program.name });
});

test('an imported lead names its file', async () => {
  await importFile(t, admin, 'Business Name\nSource Bakery\n', { fileName: 'spring.csv' });
  const [found] = await findLeadsNamed(t, 'Source Bakery');
  expect(found?.lead.source).toEqual({ kind: 'file', name: 'spring.csv' });
});

test('it cannot be changed', async () => {
  const { id } = await t.lead(holder, { source: { kind: 'sweep' } });
  const body = { customFields: { source: 'hand' } as object };
  expect((await t.request(holder, changeCustomFields.byId, { params: { id }, body })).status).toBe(400);
  expect((await read(id)).source).toEqual({ kind: 'sweep' });
});

const SEARCH: LeadOrigin = { kind: 'search' };
const FILE: LeadOrigin = { kind: 'file', name: 'spring.csv' };

test.each([
  { kept: SEARCH, other: FILE, joined: SEARCH },
  { kept: null, other: FILE, joined: FILE },
  { kept: null, other: null, joined: null },
])('a merge keeps the known source: $joined', async ({ kept, other, joined }) => {
  const lead = await t.lead(holder, { source: kept });
  const { business } = await t.lead(holder, { source: other });
  const businessIds = [lead.business.id, business.id];
  const body = { keptId: lead.business.id, businessIds, fields: {} };
  expect((await t.request(admin, mergeBusinesses, { body })).status).toBe(200);
  expect((await read(lead.id)).source).toEqual(joined);
});
