import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { contactMode } from '#contract/contact-rules/contact-rules.ts';
import { addObjection } from '#contract/contact-rules/objections.calls.ts';
import { find } from '#contract/find/find.calls.ts';
import { recordLeadObjection } from '#contract/leads/objections/lead-objections.calls.ts';
import { searchBusinesses } from '#contract/search/search.calls.ts';
import { changeTeamSettings } from '#contract/settings/settings.calls.ts';
import { objections } from '#server/schema/objections.ts';
import { readMarked, sendMcp } from '#server/testing/access/mcp.ts';
import { type TestApp, type TestProgram, type TestUser, testApp } from '#server/testing/test-app.ts';

let t: TestApp;
let admin: TestUser;
let holder: TestUser;
let program: TestProgram;
let lead: Awaited<ReturnType<TestApp['lead']>>;
const NAME = 'Quince and Quill';
const PHONE = '020 7946 0123';
const EMAIL = 'quill@quince.example';

beforeAll(async () => {
  t = await testApp({ ownDatabase: true });
  admin = await t.user('admin');
  holder = await t.user();
  program = await t.program(holder, { rights: 'write' });
});
afterAll(() => t.close());
beforeEach(async () => {
  await t.db.delete(objections);
  lead = await t.lead(holder, { customFields: { email: EMAIL } }, { name: `${NAME} ${randomUUID()}`, phone: PHONE });
});

async function call(name: string, args: object) {
  const params = { name, arguments: args };
  const { result } = await sendMcp(t, { authorization: program.authorization }, 'tools/call', params);
  expect(result?.isError ?? false).toBe(false);
  return readMarked(result?.content?.[0]?.text ?? '');
}
const record = (channel: 'call' | 'email' | 'all') =>
  t.request(holder, recordLeadObjection.byId, { params: { id: lead.id }, body: { channel } });

/** The lead in the answers of all tools that show leads. */
async function readEverywhere() {
  const rowOf = async (name: string, args: object) =>
    (await call(name, args)).rows?.find((row) => row.lead === lead.uuid);
  return {
    find_leads: await rowOf('find_leads', { text: lead.business.name }),
    list_leads: await rowOf('list_leads', { text: lead.business.name }),
    get_today: await rowOf('get_today', { section: 'new' }),
    get_lead: (await call('get_lead', { lead: lead.uuid })) as Record<string, unknown>,
  };
}

test('while nobody objects, nothing is listed, and no answer says that a contact is allowed', async () => {
  for (const [tool, row] of Object.entries(await readEverywhere())) {
    expect(row, tool).toMatchObject({ lead: lead.uuid, doNotContact: [] });
    expect(row, tool).not.toHaveProperty('objections');
    expect(JSON.stringify(row), tool).not.toMatch(/allowed/i);
  }
});

test.each(contactMode.options)('with the mode "%s", every tool says by which ways not, and why', async (mode) => {
  await t.request(admin, changeTeamSettings, { body: { contactRules: { mode } } });
  await record('call');
  for (const [tool, row] of Object.entries(await readEverywhere())) {
    expect(row, tool).toMatchObject({ doNotContact: ['call'] });
    const facts = row?.objections as object[];
    expect(facts, tool).toContainEqual({ channel: 'call', on: 'number', since: expect.any(String) });
  }
  await record('all');
  for (const [tool, row] of Object.entries(await readEverywhere()))
    expect(row, tool).toMatchObject({ doNotContact: ['call', 'email', 'text', 'post', 'visit'] });
});

test('an objection to e-mails says nothing of calls', async () => {
  await record('email');
  for (const [tool, row] of Object.entries(await readEverywhere()))
    expect(row, tool).toMatchObject({ doNotContact: ['email'] });
});

test('a lead that is found by its number or its address has what stands against them, for programs and pages', async () => {
  await t.request(admin, addObjection, { body: { on: 'number', value: PHONE, channel: 'call' } });
  await t.request(admin, addObjection, { body: { on: 'email', value: EMAIL, channel: 'email' } });
  for (const q of ['7946 0123', EMAIL]) {
    const row = (await call('find_leads', { text: q })).rows?.find((each) => each.lead === lead.uuid);
    expect(row, q).toMatchObject({ doNotContact: ['call', 'email'] });
    const { leads } = (await t.request(holder, find, { query: { q } })).body;
    expect(
      leads
        .find(({ uuid }) => uuid === lead.uuid)
        ?.objections.map(({ on }) => on)
        .sort(),
    ).toEqual(['email', 'number']);
  }
});

test('a business that is found has what stands against its number', async () => {
  const body = { businessType: 'Restaurant', location: 'Leeds', pageSize: 5 };
  const [first] = (await t.request(holder, searchBusinesses, { body })).body.businesses;
  await t.request(admin, addObjection, { body: { on: 'number', value: first?.phone ?? '', channel: 'call' } });
  const found = await call('search_places', { businessType: 'Restaurant', location: 'Leeds', maxResults: 5 });
  expect(found.rows?.find(({ business }) => business === first?.id)).toMatchObject({ doNotContact: ['call'] });
  expect(found.rows?.every(({ doNotContact }) => Array.isArray(doNotContact))).toBe(true);
});
