import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBulkJob } from '#contract/leads/bulk/bulk-jobs.calls.ts';
import type { MatchedField } from '#contract/leads/find/lead-match.ts';
import { countLeads, exportLeads } from '#contract/leads/lead-export.calls.ts';
import { listLeadPoints, listLeads } from '#contract/leads/lead-lists.calls.ts';
import { archiveOwnField, createOwnField } from '#contract/leads/own-fields/own-fields.calls.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

let t: TestApp;
let holder: TestUser;
let other: TestUser;

beforeAll(async () => {
  t = await testApp();
  [holder, other] = await Promise.all([t.user(), t.user()]);
  await t.lead(
    holder,
    {
      notes: 'Asked for a quote.\nThe roof terrace opens in spring.',
      customFields: { email: 'orla@corner.example', contactPerson: 'Orla Björk' },
    },
    {
      name: "Saddler's Crème Café",
      town: 'Sheffield',
      formattedAddress: '12 Arundel Gate, Sheffield S1 2PP, UK',
      phone: '0114 496 0716',
      latitude: 53.38,
      longitude: -1.47,
    },
  );
  await t.lead(holder, {}, { name: '100% Pure_Juice', town: 'York', formattedAddress: null, phone: '01904 960000' });
});
afterAll(() => t.close());

const search = async (person: TestUser, q: string, filter = {}) =>
  (await t.request(person, listLeads, { query: { q, ...filter } })).body;
const names = async (person: TestUser, q: string, filter = {}) =>
  (await search(person, q, filter)).items.map(({ business }) => business.name);

test.each<{ q: string; match: { field: MatchedField; text: string } | null }>([
  { q: 'saddlers', match: null },
  { q: 'reme caf', match: null },
  { q: 'cafe creme', match: null },
  { q: '0716', match: { field: 'phone', text: '0114 496 0716' } },
  { q: '+44 (0)114 4960716', match: { field: 'phone', text: '0114 496 0716' } },
  { q: 's12pp', match: { field: 'postcode', text: 'S1 2PP' } },
  { q: 'sheffield cafe', match: { field: 'town', text: 'Sheffield' } },
  { q: 'bjork', match: { field: 'contactPerson', text: 'Orla Björk' } },
  { q: 'orla@corner', match: { field: 'email', text: 'orla@corner.example' } },
  {
    q: 'cafe terr',
    match: { field: 'notes', text: 'Asked for a quote. The roof terrace opens in spring.' },
  },
])('the list finds a lead by "$q" and says why', async ({ q, match }) => {
  const { items, total, similar } = await search(holder, q);
  expect({ names: items.map(({ business }) => business.name), total, similar }).toEqual({
    names: ["Saddler's Crème Café"],
    total: 1,
    similar: false,
  });
  expect(items[0]?.match).toEqual(match);
});

test('the list finds a lead by a text of a field of the team, and says which', async () => {
  const admin = await t.user('admin');
  const body = { name: 'Current supplier', type: 'text' as const };
  const { id } = (await t.request(admin, createOwnField, { body })).body;
  const owner = await t.user();
  await t.lead(owner, { ownFields: { [id]: 'Zwölf & Partner' } }, { name: 'Supplied Inn' });
  await t.lead(owner, {}, { name: 'Other Inn' });
  const { items } = await search(owner, 'inn zwolf');
  expect(items.map(({ business, match }) => [business.name, match])).toEqual([
    ['Supplied Inn', { field: 'ownField', name: 'Current supplier', text: 'Zwölf & Partner' }],
  ]);
  await t.request(admin, archiveOwnField, { params: { fieldId: id } });
  expect(await names(owner, 'inn zwolf')).toEqual([]);
});

test.each(['a', "r's c", '%', '0% p', 'e_j', '_', "saddler's c", 'É', 'pure_juice', '100% PURE'])(
  'a part of a name, "%s", always finds it, and its signs have no other meaning',
  async (q) => {
    const contains = ["Saddler's Crème Café", '100% Pure_Juice'].filter((name) =>
      name.toLowerCase().includes(q.toLowerCase()),
    );
    expect((await names(holder, q)).toSorted()).toEqual(contains.toSorted());
  },
);

test.each(['%%', '\\', 'zz', 'S12', '9999'])('"%s" finds nothing', async (q) => {
  expect(await names(holder, q)).toEqual([]);
});

test('a user finds only leads of their own; a manager, of the team too', async () => {
  for (const q of ['saddlers', '0716', 'bjork', 'terrace', 'saddlrs']) {
    expect(await names(other, q)).toEqual([]);
    expect(await names(await t.user('manager'), q, { team: true })).toContain("Saddler's Crème Café");
  }
});

test('without a text, no reason is given', async () => {
  const { items } = (await t.request(holder, listLeads)).body;
  expect(items.map(({ match }) => match)).toEqual([null, null]);
});

test('where nothing matches, a typing error is forgiven by the list, the map, the count and the export alike', async () => {
  const { items, similar, total } = await search(holder, 'sadlers sheffeild');
  expect({ similar, total, match: items[0]?.match }).toEqual({
    similar: true,
    total: 1,
    match: { field: 'town', text: 'Sheffield' },
  });
  const query = { q: 'sadlers' };
  expect((await t.request(holder, listLeadPoints, { query })).body.points).toHaveLength(1);
  expect((await t.request(holder, countLeads, { query })).body.total).toBe(1);
  const exported = await t.request(holder, exportLeads, { query });
  expect(String(exported.body)).toContain("Saddler's");
});

test('a lead that other filters hide is no reason to show similar ones', async () => {
  const person = await t.user();
  await t.lead(person, { archived: true }, { name: 'Copper Kettle' });
  await t.lead(person, {}, { name: 'Coper Kettle' });
  expect(await names(person, 'copper')).toEqual([]);
  expect(await names(person, 'copper', { archived: true })).toEqual(['Copper Kettle']);
});

test('a bulk action on everything that matches forgives errors only where the list did', async () => {
  const person = await t.user();
  await t.lead(person, {}, { name: 'Marmalade House' });
  const start = (filter: object) =>
    t.request(person, startBulkJob, { body: { filter, action: { verb: 'add-tag', tag: 'fair' } } as never });
  expect(await start({ q: 'marmelade' })).toMatchObject({ status: 404 });
  expect(await start({ q: 'marmelade', similar: 'true' })).toMatchObject({ status: 200, body: { total: 1 } });
});
