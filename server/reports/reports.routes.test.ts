import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listLeads } from '#contract/leads/lead-lists.calls.ts';
import { changeLeadStatus } from '#contract/leads/leads.calls.ts';
import { logContact } from '#contract/leads/log/log.calls.ts';
import { DEFAULT_OUTCOMES } from '#contract/leads/log/outcomes.ts';
import { getFunnel, getGroups } from '#contract/reports/reports.calls.ts';
import { changeTeamSettings } from '#contract/settings/settings.calls.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

let now = new Date('2026-11-19T12:00:00Z');
let t: TestApp;
let admin: TestUser;
beforeAll(async () => {
  t = await testApp({ ownDatabase: true, clock: () => now, env: { TIME_ZONE: 'Europe/London' } });
  admin = await t.user('admin');
});
afterAll(() => t.close());

const request = (viewer: TestUser, query: Record<string, string | number> = {}) =>
  t.request(viewer, getFunnel, { query });
const funnel = async (viewer: TestUser, query?: Record<string, string | number>) => (await request(viewer, query)).body;
const at = (moment: string) => {
  now = new Date(moment);
};
const log = (holder: TestUser, id: number, outcome: 'spoke' | 'no_answer' | 'not_interested') =>
  t.request(holder, logContact.byId, { params: { id }, body: { outcome } });
const setStatus = (holder: TestUser, id: number, status: 'qualified' | 'closed_won') =>
  t.request(holder, changeLeadStatus.byId, { params: { id }, body: { status } });

const NOTHING = {
  ...{ assigned: 0, contacted: 0, reached: 0, qualified: 0, won: 0, lost: 0, lostBy: [] },
  daysTo: { contacted: null, reached: null, qualified: null, won: null },
};

test('each step has the leads that came so far, with the median days from the step before', async () => {
  const holder = await t.user();
  const assigned = { assignedAt: '2026-11-02T09:00:00.000Z' };
  const [won, spoken, tried, untouched] = [
    await t.lead(holder, assigned),
    await t.lead(holder, assigned),
    await t.lead(holder, assigned),
    await t.lead(holder, assigned),
  ];
  at('2026-11-03T09:00:00Z');
  await log(holder, tried.id, 'no_answer');
  await log(holder, won.id, 'no_answer');
  at('2026-11-05T09:00:00Z');
  await log(holder, won.id, 'spoke');
  await log(holder, spoken.id, 'not_interested');
  at('2026-11-06T09:00:00Z');
  await setStatus(holder, won.id, 'qualified');
  at('2026-11-10T21:00:00Z');
  await setStatus(holder, won.id, 'closed_won');
  at('2026-11-19T12:00:00Z');

  const { current, before } = await funnel(holder, { user: holder.id });

  expect(untouched.status).toBe('new');
  expect(current).toEqual({
    days: { from: '2026-11-01', to: '2026-11-19' },
    figures: {
      ...{ assigned: 4, contacted: 3, reached: 2, qualified: 1, won: 1, lost: 1 },
      lostBy: [{ outcome: 'not_interested', leads: 1 }],
      // Contacted after 1, 1 and 3 days; reached after 2 more and at once.
      daysTo: { contacted: 1, reached: 1, qualified: 1, won: 4.5 },
    },
  });
  expect(before).toEqual({ days: { from: '2026-10-01', to: '2026-10-19' }, figures: NOTHING });
});

test('a day begins at midnight of the team', async () => {
  const holder = await t.user();
  // 00:30 on October 2, in summer time.
  await t.lead(holder, { assignedAt: '2026-10-01T23:30:00.000Z' });
  const assignedOn = async (day: string) =>
    (await funnel(holder, { user: holder.id, period: 'days', from: day, to: day })).current.figures.assigned;
  expect([await assignedOn('2026-10-01'), await assignedOn('2026-10-02')]).toEqual([0, 1]);
});

test('what the team counts as reached decides, as it is now', async () => {
  const holder = await t.user();
  const lead = await t.lead(holder, { assignedAt: '2026-11-18T09:00:00.000Z' });
  await log(holder, lead.id, 'no_answer');
  const reached = async () => (await funnel(holder, { user: holder.id })).current.figures.reached;
  expect(await reached()).toBe(0);

  const outcomes = { ...DEFAULT_OUTCOMES, no_answer: { ...DEFAULT_OUTCOMES.no_answer, reached: true } };
  await t.request(admin, changeTeamSettings, { body: { outcomes } });
  expect(await reached()).toBe(1);
  await t.request(admin, changeTeamSettings, { body: { outcomes: null } });
  expect(await reached()).toBe(0);
});

describe('who sees what', () => {
  test('a user sees their own figures only', async () => {
    const [user, other] = [await t.user(), await t.user()];
    await t.lead(other, { assignedAt: '2026-11-18T09:00:00.000Z' });
    const others: Record<string, number>[] = [{}, { user: other.id }, { user: 2_147_483_647 }];
    for (const query of others) {
      const response = await request(user, query);
      expect(response).toMatchObject({ status: 403, body: { code: 'forbidden' } });
      const groups = await t.request(user, getGroups, { query: { ...query, by: 'person' } });
      expect(groups).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    }
    expect((await t.request(user, getGroups, { query: { user: user.id, by: 'person' } })).body.groups).toEqual([]);
    expect((await funnel(user, { user: user.id })).current.figures).toEqual(NOTHING);
    // Nor by the list that a figure opens.
    const list = await t.request(user, listLeads, { query: { user: other.id, step: 'contacted', archived: true } });
    expect(list.body.total).toBe(0);
    const team = await t.request(user, listLeads, { query: { team: true, user: other.id } });
    expect(team.status).toBe(403);
  });

  test('a manager and an admin see the team and each person', async () => {
    const [holder, manager] = [await t.user(), await t.user('manager')];
    await t.lead(holder, { assignedAt: '2026-11-18T09:00:00.000Z' });
    for (const viewer of [manager, admin]) {
      expect((await funnel(viewer, { user: holder.id })).current.figures.assigned).toBe(1);
      expect((await funnel(viewer, { user: viewer.id })).current.figures.assigned).toBe(0);
      expect((await funnel(viewer)).current.figures.assigned).toBeGreaterThan(0);
    }
    expect(await request(manager, { user: 2_147_483_647 })).toMatchObject({ status: 404 });
  });
});

test.each<Record<string, string>>([
  { period: 'days' },
  { period: 'days', from: '2026-11-02' },
  { period: 'days', from: '2026-11-02', to: '2026-11-01' },
  { period: 'decade' },
  { district: 'nowhere' },
  { source: 'rumour' },
])('%o is no report', async (query) => {
  expect(await request(admin, query)).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
});
