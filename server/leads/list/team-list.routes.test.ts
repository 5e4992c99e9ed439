import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildPath } from '#contract/call.ts';
import { planFollowUp } from '#contract/leads/follow-ups/follow-ups.calls.ts';
import { countLeads, exportLeads } from '#contract/leads/lead-export.calls.ts';
import * as calls from '#contract/leads/lead-lists.calls.ts';
import { changeLeadStatus, getLead, reassignLead } from '#contract/leads/leads.calls.ts';
import { getTodayCounts } from '#contract/leads/today/today.calls.ts';
import { getTeamAttention } from '#contract/progress/progress.calls.ts';
import { setUserActive } from '#contract/users/users.calls.ts';
import { contactCredits, type leads } from '#server/schema/leads.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

const NOW = '2026-06-17T09:00:00.000Z';
const DAY_MS = 24 * 60 * 60_000;
const daysAgo = (days: number) => new Date(Date.parse(NOW) - days * DAY_MS).toISOString();

let t: TestApp;
let [holder, manager, admin]: [TestUser, TestUser, TestUser] = [] as never;
beforeAll(async () => {
  t = await testApp({ now: NOW, ownDatabase: true });
  [holder, manager, admin] = [await t.user(), await t.user('manager'), await t.user('admin')];
  const place = { latitude: 53.8, longitude: -1.55 };
  await t.lead(holder, { tags: ['theirs'], status: 'proposal' }, { ...place, name: 'Theirs', town: 'York' });
  await t.lead(manager, { tags: ['mine'], status: 'recontact' }, { ...place, name: 'Mine', town: 'Leeds' });
});
afterAll(() => t.close());

/** What each call lists with a query, as one number or a list of names. */
const LISTS = {
  page: async (viewer: TestUser, query: object) => {
    const { status, body } = await t.request(viewer, calls.listLeads, { query });
    return status === 200 ? body.total : status;
  },
  points: async (viewer: TestUser, query: object) => {
    const { status, body } = await t.request(viewer, calls.listLeadPoints, { query });
    return status === 200 ? body.points.length : status;
  },
  count: async (viewer: TestUser, query: object) => {
    const { status, body } = await t.request(viewer, countLeads, { query });
    return status === 200 ? body.total : status;
  },
  export: async (viewer: TestUser, query: object) => {
    const url = buildPath(exportLeads, { query });
    const response = await t.inject({ url, headers: { cookie: viewer.cookie } });
    return response.statusCode === 200 ? Number(response.headers['x-row-count']) : response.statusCode;
  },
  towns: async (viewer: TestUser, query: object) => {
    const { status, body } = await t.request(viewer, calls.listLeadTowns, { query });
    return status === 200 ? body.length : status;
  },
  tags: async (viewer: TestUser, query: object) => {
    const { status, body } = await t.request(viewer, calls.listLeadTags, { query });
    return status === 200 ? body.length : status;
  },
  statuses: async (viewer: TestUser, query: object) => {
    const { status, body } = await t.request(viewer, calls.listLeadStatuses, { query });
    return status === 200 ? body.length : status;
  },
};

describe.each(Object.entries(LISTS))('%s', (_, list) => {
  test.each([
    { role: 'user', own: 1, team: 403 },
    { role: 'manager', own: 1, team: 2 },
    { role: 'admin', own: 2, team: 2 },
  ])('a $role gets $own, and with team=true $team', async ({ role, own, team }) => {
    const viewer = { user: holder, manager, admin }[role] as TestUser;
    expect(await list(viewer, {})).toBe(own);
    expect(await list(viewer, { team: false })).toBe(own);
    expect(await list(viewer, { team: true })).toBe(team);
  });
});

test("a refusal says that the team's leads are for managers", async () => {
  expect(await t.request(holder, calls.listLeads, { query: { team: true, user: holder.id } })).toMatchObject({
    status: 403,
    body: { code: 'forbidden' },
  });
});

test.each(['page', 'points', 'count', 'export'] as const)('%s of one user is a part of the team', async (kind) => {
  expect(await LISTS[kind](manager, { team: true, user: holder.id })).toBe(1);
  expect(await LISTS[kind](manager, { user: holder.id })).toBe(0);
  expect(await LISTS[kind](admin, { team: true, user: holder.id })).toBe(1);
});

test('the calls of the specification list the own leads of a manager, whatever the query says', async () => {
  for (const path of ['/api/admin/all-assignments', '/api/my-businesses']) {
    const response = await t.inject({ url: `${path}?team=true`, headers: { cookie: manager.cookie } });
    expect(response.json()).toHaveLength(1);
  }
  const tags = await t.inject({ url: '/api/all-tags?team=true', headers: { cookie: manager.cookie } });
  expect(tags.json()).toEqual(['mine']);
});

test('a manager reads and reassigns a lead of the team, and changes nothing else', async () => {
  const [from, to] = [await t.user(), await t.user()];
  const { id } = await t.lead(from);
  const params = { id };
  const { body: page } = await t.request(manager, calls.listLeads, { query: { team: true, user: from.id } });
  expect(page.items.map(({ userBusiness }) => userBusiness.id)).toEqual([id]);
  expect((await t.request(manager, getLead.byId, { params })).status).toBe(200);

  const change = await t.request(manager, changeLeadStatus.byId, { params, body: { status: 'recontact' } });
  expect(change).toMatchObject({ status: 403, body: { code: 'not_your_lead' } });
  const plan = await t.request(manager, planFollowUp.byId, { params, body: { at: '2026-06-18T09:00:00.000Z' } });
  expect(plan).toMatchObject({ status: 403, body: { code: 'not_your_lead' } });
  const bulk = await t.request(manager, calls.bulkUpdateStatus, { body: { ids: [id], status: 'recontact' } });
  expect(bulk.status).toBe(403);

  expect((await t.request(manager, reassignLead.byId, { params, body: { newUserId: to.id } })).status).toBe(200);
  const { body } = await t.request(manager, getLead.byId, { params });
  expect(body).toMatchObject({ user: { id: to.id }, userBusiness: { status: 'new', nextStepAt: null } });
});

type Columns = Partial<typeof leads.$inferInsert>;

describe('attention', () => {
  const overdue: Columns = { nextStepAt: daysAgo(1), nextStepType: 'call', viewed: true };
  const quiet: Columns = { lastContactedAt: daysAgo(20), status: 'in_progress', viewed: true };

  async function neglectfulUser() {
    const user = await t.user();
    const add = (name: string, columns: Columns) => t.lead(user, columns, { name });
    await add('overdue', overdue);
    await add('overdue, closed', { ...overdue, status: 'closed_won' });
    await add('overdue customer', { ...overdue, existingCustomer: true });
    await add('overdue, archived', { ...overdue, archived: true });
    await add('due later', { ...overdue, nextStepAt: daysAgo(-1) });
    await add('long overdue', { ...overdue, nextStepAt: daysAgo(8), lastContactedAt: daysAgo(9) });
    await add('long overdue customer', { ...overdue, nextStepAt: daysAgo(8), existingCustomer: true });
    await add('never contacted', { assignedAt: daysAgo(4) });
    await add('never contacted, but planned', { ...overdue, assignedAt: daysAgo(4), nextStepAt: daysAgo(-1) });
    await add('never contacted, closed', { assignedAt: daysAgo(4), status: 'closed_lost' });
    await add('never contacted customer', { assignedAt: daysAgo(4), existingCustomer: true });
    await add('never contacted, archived', { assignedAt: daysAgo(4), archived: true });
    await add('assigned two days ago', { assignedAt: daysAgo(2) });
    await add('quiet', quiet);
    await add('quiet, but planned', { ...quiet, nextStepAt: daysAgo(-1), nextStepType: 'call' });
    await add('quiet, closed', { ...quiet, status: 'closed_lost' });
    await add('quiet customer', { ...quiet, existingCustomer: true });
    await add('quiet, not viewed', { ...quiet, viewed: false });
    return user;
  }

  const list = async (viewer: TestUser, query: object) =>
    (await t.request(viewer, calls.listLeads, { query: { pageSize: 100, ...query } })).body.items
      .map(({ business }) => business.name)
      .sort();
  const everyState = { hideClosed: false, existing: true };

  test.each([
    ['overdue', {}, ['long overdue', 'overdue']],
    [
      'overdue',
      everyState,
      ['long overdue', 'long overdue customer', 'overdue', 'overdue customer', 'overdue, closed'],
    ],
    ['long_overdue', {}, ['long overdue']],
    ['long_overdue', everyState, ['long overdue', 'long overdue customer']],
    ['uncontacted', {}, ['never contacted', 'never contacted, but planned']],
    ['quiet', {}, ['quiet', 'quiet, not viewed']],
    ['quiet', { ...everyState, archived: true }, ['quiet', 'quiet, not viewed']],
  ])('%s with %o', async (attention, shown, names) => {
    const user = await neglectfulUser();
    expect(await list(user, { attention, ...shown })).toEqual(names);
    expect(await list(manager, { attention, ...shown, team: true, user: user.id })).toEqual(names);
  });

  test("the counts of the team are those of each user's list and day", async () => {
    const [user, inactive] = [await neglectfulUser(), await t.user()];
    await t.lead(inactive, overdue);
    await t.request(admin, setUserActive, { params: { id: inactive.id }, body: { active: false } });

    const { body } = await t.request(manager, getTeamAttention);
    const { body: day } = await t.request(user, getTodayCounts);

    expect(body.find((member) => member.user.id === user.id)).toEqual({
      user: { id: user.id, fullName: 'Test user', username: user.username },
      open: (await list(user, {})).length,
      overdue: day.overdue,
      longOverdue: (await list(user, { attention: 'long_overdue', ...everyState })).length,
      uncontacted: (await list(user, { attention: 'uncontacted' })).length,
      quiet: day.quiet,
      idle: false,
    });
    expect(day).toMatchObject({ overdue: 5, quiet: 2 });
    expect(body.some((member) => member.user.id === inactive.id)).toBe(false);
    expect(body.find((member) => member.user.id === admin.id)).toMatchObject({ open: 0, overdue: 0, quiet: 0 });
  });

  test('a user with open leads and no contact is idle, after the first full day of the account', async () => {
    const person = (createdAt: string) => t.user('user', { createdAt });
    const [working, idle, withoutLeads, joined] = [
      await person(daysAgo(90)),
      await person(daysAgo(90)),
      await person(daysAgo(90)),
      await person(daysAgo(1)),
    ];
    for (const user of [idle, joined]) await t.lead(user);
    const { id: leadId } = await t.lead(working);
    await t.db.insert(contactCredits).values({ leadId, userId: working.id, creditedAt: daysAgo(5), counted: true });

    const { body } = await t.request(manager, getTeamAttention);
    const isIdle = (user: TestUser) => body.find((member) => member.user.id === user.id)?.idle;
    expect([working, idle, withoutLeads, joined].map(isIdle)).toEqual([false, true, false, false]);
  });
});
