import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FIND_MAX_LEADS, find } from '#contract/find/find.calls.ts';
import type { MatchedField } from '#contract/leads/find/lead-match.ts';
import { changeOwnValues } from '#contract/leads/leads.calls.ts';
import type { OwnValue } from '#contract/leads/own-fields/field-type.ts';
import { FIELD_TYPES, type FieldTypeKey } from '#contract/leads/own-fields/field-types.ts';
import { archiveOwnField, createOwnField, restoreOwnField } from '#contract/leads/own-fields/own-fields.calls.ts';
import { contactActivities } from '#server/schema/leads.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

let t: TestApp;
let holder: TestUser;
let other: TestUser;
let manager: TestUser;
let admin: TestUser;
let lead: Awaited<ReturnType<TestApp['lead']>>;

beforeAll(async () => {
  t = await testApp({ ownDatabase: true });
  [holder, other, manager, admin] = await Promise.all([t.user(), t.user(), t.user('manager'), t.user('admin')]);
  lead = await t.lead(
    holder,
    {
      tags: ['Autumn Fair', 'Imported'],
      notes: 'Asked for a quote.\nThe roof terrace opens in spring; ring the decorator first.',
      customFields: { email: 'orla@corner.example', contactPerson: 'Orla Byrne' },
    },
    {
      name: 'Brücke Corner Café',
      town: 'Sheffield',
      formattedAddress: '12 Arundel Gate, Sheffield S1 2PP, UK',
      phone: '0114 496 0716',
    },
  );
  await t.db.insert(contactActivities).values({
    userBusinessId: lead.id,
    type: 'call',
    description: 'Left a voicemail about the espresso machine',
  });
  await t.lead(
    other,
    {},
    { name: 'Unrelated Garage', town: 'York', formattedAddress: 'York YO1 7HH', phone: '01904 960000' },
  );
});
afterAll(() => t.close());

const findAs = async (person: TestUser, q: string) => (await t.request(person, find, { query: { q } })).body;

test.each<{ q: string; field: MatchedField; text: string }>([
  { q: 'corner', field: 'name', text: 'Brücke Corner Café' },
  { q: 'CAFÉ', field: 'name', text: 'Brücke Corner Café' },
  { q: 'br', field: 'name', text: 'Brücke Corner Café' },
  { q: 'co', field: 'name', text: 'Brücke Corner Café' },
  { q: '0716', field: 'phone', text: '0114 496 0716' },
  { q: '01144960716', field: 'phone', text: '0114 496 0716' },
  { q: '+44 114 496 0716', field: 'phone', text: '0114 496 0716' },
  { q: '+44 (0)114 4960716', field: 'phone', text: '0114 496 0716' },
  { q: 's12pp', field: 'postcode', text: 'S1 2PP' },
  { q: 'S1 2PP', field: 'postcode', text: 'S1 2PP' },
  { q: 's1', field: 'postcode', text: 'S1 2PP' },
  { q: 's1 2p', field: 'postcode', text: 'S1 2PP' },
  { q: 'cafe brucke', field: 'name', text: 'Brücke Corner Café' },
  { q: 'sheffield corner', field: 'town', text: 'Sheffield' },
  { q: 'corner 0114', field: 'phone', text: '0114 496 0716' },
  { q: 'byrne sheff', field: 'contactPerson', text: 'Orla Byrne' },
  { q: 'sheff', field: 'town', text: 'Sheffield' },
  { q: 'byrne', field: 'contactPerson', text: 'Orla Byrne' },
  { q: 'orla@corner.example', field: 'email', text: 'orla@corner.example' },
  { q: 'autumn', field: 'tag', text: 'Autumn Fair' },
])('"$q" finds the lead by its $field', async ({ q, field, text }) => {
  const found = await findAs(holder, q);
  expect(found.leads).toEqual([expect.objectContaining({ id: lead.id, uuid: lead.uuid, match: { field, text } })]);
});

test.each<{ q: string; field: MatchedField; excerpt: string }>([
  { q: 'decorator', field: 'notes', excerpt: 'ring the decorator first' },
  { q: 'terrace spring', field: 'notes', excerpt: 'terrace opens in spring' },
  { q: 'espresso', field: 'activity', excerpt: 'about the espresso machine' },
])('"$q" finds the lead by its $field and shows the words around the match', async ({ q, field, excerpt }) => {
  const [found] = (await findAs(holder, q)).leads;
  expect(found).toMatchObject({ id: lead.id, match: { field } });
  expect(found?.match.text).toContain(excerpt);
});

test.each(['imported', 'S12', 'no such words', '%%', '__', '(((', "o'''", '0044', 'r.', 'garage', '01904 960000'])(
  '"%s" finds nothing among one user\'s leads',
  async (q) => {
    expect(await findAs(holder, q)).toEqual({ leads: [], moreLeads: false, similar: false, users: [] });
  },
);

test('a user finds only leads of their own; managers and administrators find every lead they may open', async () => {
  expect((await findAs(other, 'corner')).leads).toEqual([]);
  expect((await findAs(other, 'decorator')).leads).toEqual([]);
  expect((await findAs(other, 'espresso')).leads).toEqual([]);
  expect((await findAs(other, '0716')).leads).toEqual([]);
  for (const person of [manager, admin]) {
    const [found] = (await findAs(person, 'corner')).leads;
    expect(found).toMatchObject({ id: lead.id, holder: { id: holder.id, username: holder.username } });
  }
});

test.each([
  { q: 'saddlers', name: "Saddler's Arms" },
  { q: "Saddler's", name: 'Saddlers Yard' },
  { q: 'bjork', name: 'Björk & Daughters' },
  { q: 'BJÖRK', name: 'Björk & Daughters' },
  { q: 'creme', name: 'Crème Anglaise' },
  { q: 'bakery bristol', name: 'Harbour Bakery' },
  { q: 'copper kettle harrogate', name: 'The Copper Kettle' },
  { q: 'harrogate kettle cop', name: 'The Copper Kettle' },
  { q: 'kettle deposit', name: 'The Copper Kettle' },
])('"$q" finds $name: without accents and apostrophes, in any order, across fields', async ({ q, name }) => {
  const owner = await t.user();
  const town = name.includes('Kettle') ? 'Harrogate' : 'Bristol';
  await t.lead(owner, { notes: 'Paid the déposit' }, { name, town });
  await t.lead(owner, {}, { name: 'Another Tearoom', town });
  expect((await findAs(owner, q)).leads.map((found) => found.name)).toEqual([name]);
});

test('a typing error is forgiven in words of five letters and more, when nothing else matches', async () => {
  const owner = await t.user();
  await t.lead(owner, {}, { name: 'Copper Kettle', town: 'Harrogate' });
  await t.lead(owner, {}, { name: 'Cafe Nero', town: 'Bath' });
  for (const q of ['coper kettle', 'copper ketlte', 'kettel harogate']) {
    const { leads, similar } = await findAs(owner, q);
    expect({ q, similar, names: leads.map(({ name }) => name) }).toEqual({
      q,
      similar: true,
      names: ['Copper Kettle'],
    });
  }
  expect(await findAs(owner, 'cafr')).toMatchObject({ leads: [], similar: false });
  await t.lead(owner, {}, { name: 'Coper Kettle' });
  const { leads, similar } = await findAs(owner, 'coper kettle');
  expect([similar, leads.map(({ name }) => name)]).toEqual([false, ['Coper Kettle']]);
});

test('a user finds similar leads only among their own', async () => {
  await t.lead(other, {}, { name: 'Zanzibar Lounge' });
  expect((await findAs(holder, 'zanzibr')).leads).toEqual([]);
  expect((await findAs(other, 'zanzibr')).leads).toHaveLength(1);
});

test('archived and closed leads are found, and say so', async () => {
  const owner = await t.user();
  await t.lead(owner, { archived: true, status: 'closed_lost' }, { name: 'Shuttered Bookshop' });
  expect((await findAs(owner, 'bookshop')).leads).toEqual([
    expect.objectContaining({ name: 'Shuttered Bookshop', archived: true, status: 'closed_lost' }),
  ]);
});

test('a lead is listed once, for its most telling field, and names come before notes', async () => {
  const owner = await t.user();
  await t.lead(owner, { notes: 'near the lighthouse' }, { name: 'Harbour Chandlery' });
  await t.lead(owner, { notes: 'lighthouse keeper', tags: ['lighthouse'] }, { name: 'Old Lighthouse Inn' });
  await t.lead(owner, {}, { name: 'Lighthouse Tours' });
  const { leads } = await findAs(owner, 'lighthouse');
  expect(leads.map(({ name, match }) => [name, match.field])).toEqual([
    ['Lighthouse Tours', 'name'],
    ['Old Lighthouse Inn', 'name'],
    ['Harbour Chandlery', 'notes'],
  ]);
});

test(`at most ${FIND_MAX_LEADS} leads are listed, and the response says that there are more`, async () => {
  const owner = await t.user();
  for (let i = 0; i <= FIND_MAX_LEADS; i += 1) await t.lead(owner, {}, { name: `Windmill ${i}` });
  const found = await findAs(owner, 'windmill');
  expect(found.leads).toHaveLength(FIND_MAX_LEADS);
  expect(found.moreLeads).toBe(true);
});

/** A field of the team, and a lead with a value of it. */
async function addOwnField(owner: TestUser, type: FieldTypeKey, name: string, value: OwnValue) {
  const choices = FIELD_TYPES[type].setting === 'choices' ? ['Acme Brewery', 'Böhm & Co'] : [];
  const body = { name, type, choices: choices.map((label) => ({ label })) };
  const { id } = (await t.request(admin, createOwnField, { body })).body;
  await t.lead(owner, { notes: 'Plain note', ownFields: { [id]: value } }, { name: `Has ${name}` });
  return id;
}

test.each<{ type: FieldTypeKey; value: OwnValue; q: string; text: string }>([
  { type: 'text', value: 'Zwölf & Partner', q: 'zwolf', text: 'Zwölf & Partner' },
  { type: 'text', value: 'Zwölf & Partner', q: 'partner note', text: 'Zwölf & Partner' },
  { type: 'long_text', value: 'Opens late.\nAsk for Petra.', q: 'petra has', text: 'Opens late. Ask for Petra.' },
  { type: 'link', value: 'https://menu.example/lunch', q: 'menu.example', text: 'https://menu.example/lunch' },
  { type: 'choice', value: '1', q: 'brewery', text: 'Acme Brewery' },
  { type: 'choices', value: ['1', '2'], q: 'bohm co', text: 'Böhm & Co' },
])('"$q" finds a lead by its own field of the type $type, until that is archived', async ({ type, value, q, text }) => {
  const owner = await t.user();
  const name = `Extra ${randomUUID().slice(0, 8)}`;
  const fieldId = await addOwnField(owner, type, name, value);
  const found = [expect.objectContaining({ name: `Has ${name}`, match: { field: 'ownField', name, text } })];
  expect((await findAs(owner, q)).leads).toEqual(found);
  expect((await findAs(other, q)).leads, 'of another user').toEqual([]);
  await t.request(admin, archiveOwnField, { params: { fieldId } });
  expect((await findAs(owner, q)).leads, 'archived').toEqual([]);
  await t.request(admin, restoreOwnField, { params: { fieldId } });
  expect((await findAs(owner, q)).leads, 'restored').toEqual(found);
});

test('numbers, dates and yes or no are not found, nor the words of a value that was changed', async () => {
  const owner = await t.user();
  await addOwnField(owner, 'number', 'Seats', 4711);
  await addOwnField(owner, 'date', 'Ends', '2031-07-19');
  await addOwnField(owner, 'yes_no', 'Terrace', true);
  const id = await addOwnField(owner, 'text', 'Supplier', 'Quagmire');
  for (const q of ['4711', '2031', 'yes']) expect((await findAs(owner, q)).leads, q).toEqual([]);
  const [changed] = (await findAs(owner, 'quagmire')).leads;
  const params = { id: changed?.id ?? 0 };
  await t.request(owner, changeOwnValues.byId, { params, body: { values: { [id]: 'Pemberley' } } });
  expect((await findAs(owner, 'quagmire')).leads).toEqual([]);
  expect((await findAs(owner, 'pember')).leads).toHaveLength(1);
});

test('users are found by administrators alone', async () => {
  const person = await t.user('user', { fullName: 'Zebedee Quill', email: 'zq@example.test' });
  for (const q of ['zebed', 'quill', 'zq@example']) {
    expect((await findAs(admin, q)).users).toEqual([
      {
        id: person.id,
        username: person.username,
        fullName: 'Zebedee Quill',
        email: 'zq@example.test',
        role: 'user',
        active: true,
      },
    ]);
    expect((await findAs(manager, q)).users).toEqual([]);
    expect((await findAs(other, q)).users).toEqual([]);
  }
});

test.each([
  { q: 'x', message: 'The search text must have at least 2 characters' },
  { q: ' x ', message: 'The search text must have at least 2 characters' },
  { q: 'x'.repeat(101), message: 'The search text must be at most 100 characters' },
])('"$q" is refused', async ({ q, message }) => {
  expect(await t.request(holder, find, { query: { q } })).toMatchObject({
    status: 400,
    body: { code: 'validation_failed', message },
  });
});
