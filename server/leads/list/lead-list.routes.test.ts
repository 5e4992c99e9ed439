import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Input } from '#contract/call.ts';
import type { ActivityType, LeadStatus } from '#contract/leads/lead.ts';
import * as calls from '#contract/leads/lead-lists.calls.ts';
import { addActivity } from '#contract/leads/leads.calls.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

let t: TestApp;
let admin: TestUser;
beforeAll(async () => {
  t = await testApp();
  admin = await t.user('admin');
});
afterAll(() => t.close());

type Filter = NonNullable<Input<typeof calls.listLeads>['query']>;

/** The names on the page, as the viewer gets them. */
async function listNames(viewer: TestUser, query: Filter = {}) {
  const { status, body } = await t.request(viewer, calls.listLeads, { query: { pageSize: 100, ...query } });
  expect(status).toBe(200);
  expect(body.total).toBe(body.items.length);
  return body.items.map(({ business }) => business.name);
}

/** A holder with one lead for each case of the filters, oldest first. */
async function holderWithLeads() {
  const holder = await t.user();
  let minute = 0;
  const add = (name: string, more: object = {}, about: object = {}) => {
    const assignedAt = new Date(Date.UTC(2026, 0, 1, 0, minute++)).toISOString();
    return t.lead(holder, { assignedAt, ...more }, { name, ...about });
  };
  await add('Plain');
  await add('Leeds bakery', { tags: ['hot'], status: 'in_progress' }, { town: 'Leeds' });
  await add('York bakery', { tags: ['cold', 'hot'], status: 'recontact' }, { town: 'York' });
  await add('Won', { status: 'closed_won' });
  await add('Lost', { status: 'closed_lost' });
  await add('Archived bakery', { archived: true, tags: ['hot'] });
  await add('Customer bakery', { existingCustomer: true, status: 'closed_won' }, { town: 'Hull' });
  await add('Archived customer', { existingCustomer: true, archived: true });
  await add('100% Off_Licence', { status: 'qualified' });
  return holder;
}

describe('filters', () => {
  let holder: TestUser;
  beforeAll(async () => {
    holder = await holderWithLeads();
  });

  test.each<[string, Filter, string[]]>([
    [
      'by default: open, unarchived, no customers, newest first',
      {},
      ['100% Off_Licence', 'York bakery', 'Leeds bakery', 'Plain'],
    ],
    ['oldest first', { sort: 'oldest' }, ['Plain', 'Leeds bakery', 'York bakery', '100% Off_Licence']],
    [
      'closed ones too',
      { hideClosed: false },
      ['100% Off_Licence', 'Lost', 'Won', 'York bakery', 'Leeds bakery', 'Plain'],
    ],
    ['one status', { status: 'recontact' }, ['York bakery']],
    ['a closed status', { status: 'closed_won', hideClosed: false }, ['Won']],
    ['any of several tags', { tags: 'cold,nothing' }, ['York bakery']],
    ['a tag that several have', { tags: 'hot' }, ['York bakery', 'Leeds bakery']],
    ['a town, in any case', { town: 'leeds' }, ['Leeds bakery']],
    ['a name, in any case', { q: 'BAKERY' }, ['York bakery', 'Leeds bakery']],
    ['a percent sign literally', { q: '100%' }, ['100% Off_Licence']],
    ['an underscore literally', { q: '_' }, ['100% Off_Licence']],
    ['a backslash literally', { q: '\\' }, []],
    [
      'archived ones added, under the same filters',
      { archived: true, tags: 'hot' },
      ['Archived bakery', 'York bakery', 'Leeds bakery'],
    ],
    [
      'customers added, by user and name only',
      { existing: true, status: 'recontact', town: 'York' },
      ['Customer bakery', 'York bakery'],
    ],
    ['customers by name', { existing: true, q: 'bakery' }, ['Customer bakery', 'York bakery', 'Leeds bakery']],
    [
      'customers and archived',
      { existing: true, archived: true, q: 'archived' },
      ['Archived customer', 'Archived bakery'],
    ],
    ['all at once', { status: 'in_progress', tags: 'hot', town: 'Leeds', q: 'bake' }, ['Leeds bakery']],
  ])('%s', async (_what, filter, expected) => {
    expect(await listNames(holder, filter)).toEqual(expected);
    expect(await listNames(admin, { ...filter, user: holder.id })).toEqual(expected);
  });

  test('the user filter narrows what one may see and never widens it', async () => {
    const other = await t.user('manager');
    expect(await listNames(other)).toEqual([]);
    expect(await listNames(other, { user: holder.id })).toEqual([]);
    expect(await listNames(holder, { user: holder.id })).toHaveLength(4);
  });

  test.each([
    '/api/leads?status=nonsense',
    '/api/leads?page=0',
    '/api/leads?hideClosed=yes',
    '/api/leads?pageSize=1000',
    '/api/leads?q=%00',
  ])('%s is refused', async (url) => {
    const response = await t.inject({ url, headers: { cookie: holder.cookie } });
    expect({ status: response.statusCode, code: response.json().code }).toEqual({
      status: 400,
      code: 'validation_failed',
    });
  });

  test('towns, tags and statuses are those of the leads in view', async () => {
    expect((await t.request(holder, calls.listLeadTowns)).body).toEqual(['Hull', 'Leeds', 'York']);
    expect((await t.request(holder, calls.listLeadTags)).body).toEqual(['cold', 'hot']);
    expect((await t.request(holder, calls.listAllTags)).body).toEqual(['cold', 'hot']);
    const statuses: LeadStatus[] = ['closed_lost', 'closed_won', 'in_progress', 'new', 'qualified', 'recontact'];
    expect((await t.request(holder, calls.listLeadStatuses)).body.sort()).toEqual(statuses);
    expect((await t.request(await t.user(), calls.listAllTags)).body).toEqual([]);
  });

  test('the reserved tag is not listed', async () => {
    const user = await t.user();
    await t.lead(user, { tags: ['Imported', 'warm'] });
    expect((await t.request(user, calls.listAllTags)).body).toEqual(['warm']);
  });
});

test('a town with non-ASCII letters is found', async () => {
  const holder = await t.user();
  await t.lead(holder, { tags: ['hot'] }, { name: 'Øl', town: 'ÆRØSKØBING' });
  for (const more of [{}, { tags: 'hot' }, { q: 'Øl' }]) {
    expect(await listNames(holder, { town: 'ÆRØSKØBING', ...more })).toEqual(['Øl']);
  }
});

test('pages have no gaps or duplicates, also among leads assigned at the same time', async () => {
  const holder = await t.user();
  const assignedAt = '2026-01-01T00:00:00.000Z';
  for (let i = 0; i < 25; i++) await t.lead(holder, { assignedAt });
  const seen: number[] = [];
  for (const page of [1, 2, 3, 4]) {
    const { body } = await t.request(holder, calls.listLeads, { query: { page } });
    expect(body).toMatchObject({ total: 25, totalCapped: false, page, pageSize: 10 });
    seen.push(...body.items.map(({ userBusiness }) => userBusiness.id));
  }
  expect(seen).toHaveLength(25);
  expect(new Set(seen).size).toBe(25);
});

test('points are the leads with coordinates within the requested area', async () => {
  const holder = await t.user();
  const leeds = await t.lead(holder, {}, { latitude: 53.8, longitude: -1.55 });
  await t.lead(holder, {}, { latitude: 51.5, longitude: -0.12 });
  await t.lead(holder);
  const all = await t.request(holder, calls.listLeadPoints);
  expect(all.body.points).toHaveLength(2);
  const north = { north: 55, south: 53, west: -3, east: 0 };
  expect((await t.request(holder, calls.listLeadPoints, { query: north })).body).toEqual({
    points: [{ id: leeds.id, latitude: 53.8, longitude: -1.55, status: 'new', type: null }],
    capped: false,
  });
});

test('the whole lists contain own leads, for admins all, archived ones separately, customers included', async () => {
  const holder = await holderWithLeads();
  const list = async (viewer: TestUser, call: typeof calls.listAllLeads) =>
    (await t.request(viewer, call)).body
      .filter(({ user }) => user.id === holder.id)
      .map(({ business }) => business.name);
  const active = ['100% Off_Licence', 'Customer bakery', 'Lost', 'Won', 'York bakery', 'Leeds bakery', 'Plain'];
  const archived = ['Archived customer', 'Archived bakery'];
  for (const viewer of [holder, admin]) {
    expect(await list(viewer, calls.listAllLeads)).toEqual(active);
    expect(await list(viewer, calls.listAllArchivedLeads)).toEqual(archived);
  }
  expect(await list(holder, calls.listOwnLeads)).toEqual(active);
  expect(await list(holder, calls.listOwnArchivedLeads)).toEqual(archived);
  expect(await list(admin, calls.listOwnLeads)).toEqual([]);
  expect((await t.request(await t.user('manager'), calls.listAllLeads)).body).toEqual([]);
});

test('a list longer than one batch is complete', async () => {
  const holder = await t.user();
  await t.lead(holder);
  const { rows } = await t.db.execute(`with made as (
      insert into businesses (place_id, name) select 'long-${holder.id}-' || n, 'Shop ' || n from generate_series(1, 1200) n returning id)
    insert into user_businesses (user_id, business_id) select ${holder.id}, id from made returning id`);
  expect(rows).toHaveLength(1200);
  const { body } = await t.request(holder, calls.listOwnLeads);
  expect(new Set(body.map(({ userBusiness }) => userBusiness.id)).size).toBe(1201);
});

test('a lead is listed with the first line of its newest activity', async () => {
  const holder = await t.user();
  const lead = await t.lead(holder);
  const add = (type: ActivityType, notes: string) =>
    t.request(holder, addActivity.byId, { params: { id: lead.id }, body: { type, notes } });
  const latest = async () => (await t.request(holder, calls.listLeads)).body.items[0]?.latestActivity;

  expect(await latest()).toBeNull();
  await add('call', 'No reply');
  await add('meeting', `\n  Spoke to the owner${'!'.repeat(300)}\nRing on Monday`);
  expect(await latest()).toEqual({ type: 'meeting', text: `Spoke to the owner${'!'.repeat(182)}`, outcome: null });
});
