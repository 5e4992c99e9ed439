import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BATCH_HEADER, undoChanges } from '#contract/changes/changes.calls.ts';
import { listLeads } from '#contract/leads/lead-lists.calls.ts';
import { archiveLead, changeCustomFields, changeLeadStatus, reassignLead } from '#contract/leads/leads.calls.ts';
import { logContact } from '#contract/leads/log/log.calls.ts';
import { DEFAULT_OUTCOMES } from '#contract/leads/log/outcomes.ts';
import { getActivity, getCallTimes } from '#contract/reports/activity.calls.ts';
import { getPipeline } from '#contract/reports/pipeline.calls.ts';
import { getFunnel, getGroups } from '#contract/reports/reports.calls.ts';
import { getSlipped } from '#contract/reports/slipped.calls.ts';
import { changeTeamSettings } from '#contract/settings/settings.calls.ts';
import { contactActivities, leads } from '#server/schema/leads.ts';
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
const setStatus = (holder: TestUser, id: number, status: 'in_progress' | 'qualified' | 'closed_won') =>
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

test('a change of status that was taken back has no time', async () => {
  const holder = await t.user();
  const { id } = await t.lead(holder, {
    ...{ createdAt: '2026-11-02T09:00:00.000Z', assignedAt: '2026-11-02T09:00:00.000Z' },
  });
  at('2026-11-03T09:00:00Z');
  await log(holder, id, 'spoke');
  const change = async (moment: string, status: 'qualified' | 'in_progress') => {
    at(moment);
    return String((await setStatus(holder, id, status)).headers[BATCH_HEADER]);
  };
  const undo = async (batchId: string) => {
    const undone = await t.request(holder, undoChanges, { params: { batchId } });
    expect(undone.status).toBe(200);
    return String(undone.headers[BATCH_HEADER]);
  };
  const read = async () => {
    const { figures } = (await funnel(holder, { user: holder.id })).current;
    const { body } = await t.request(holder, getPipeline, { query: { user: holder.id } });
    return [figures.daysTo.qualified, body.find(({ leads }) => leads)?.averageDays];
  };
  await change('2026-11-05T09:00:00Z', 'qualified');
  const back = await change('2026-11-06T09:00:00Z', 'in_progress');
  const again = await change('2026-11-08T09:00:00Z', 'qualified');
  at('2026-11-10T09:00:00Z');
  expect(await read()).toEqual([5, 2]);
  const undone = await undo(again);
  const undoneBack = await undo(back);
  // It is qualified since November 5.
  expect(await read()).toEqual([2, 5]);
  // What is done again counts again.
  await undo(undoneBack);
  const redone = await undo(undone);
  expect(await read()).toEqual([5, 2]);
  await undo(redone);
  expect(await read()).toEqual([null, 4]);
  at('2026-11-19T12:00:00Z');
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

test('what slipped is counted by holder, now', async () => {
  const holder = await t.user('user', { fullName: 'Wendy Slip' });
  const open = { assignedAt: '2026-10-01T09:00:00.000Z' };
  const contacted = (lastContactedAt: string) => ({ ...open, lastContactedAt });
  await t.lead(holder, { assignedAt: '2026-11-17T09:00:00.000Z' });
  await t.lead(holder, open);
  await t.lead(holder, contacted('2026-11-18T09:00:00.000Z'));
  await t.lead(holder, contacted('2026-10-18T09:00:00.000Z'));
  const planned = { ...contacted('2026-11-10T09:00:00.000Z'), nextStepType: 'call' } as const;
  const overdue = { ...planned, nextStepAt: '2026-11-18T09:00:00.000Z' };
  await t.lead(holder, overdue);
  await t.lead(holder, { ...overdue, status: 'closed_lost' });
  await t.lead(holder, { ...overdue, archived: true });
  await t.lead(holder, { ...overdue, existingCustomer: true });
  await t.lead(holder, { ...planned, nextStepAt: '2026-11-20T09:00:00.000Z' });

  const counts = { id: holder.id, name: 'Wendy Slip', overdue: 2, quiet: 1, uncontacted: 1, loose: 1 };
  expect((await t.request(holder, getSlipped, { query: { user: holder.id } })).body).toEqual([counts]);
  expect((await t.request(admin, getSlipped)).body).toContainEqual(counts);
});

test('the pipeline of now and of a past day, from the change log', async () => {
  const [holder, next] = [await t.user(), await t.user()];
  at('2026-11-02T09:00:00Z');
  const created = { createdAt: '2026-11-01T09:00:00.000Z', assignedAt: '2026-11-01T09:00:00.000Z' };
  const valued = (value: string) => ({ ...created, customFields: { value } });
  const [moved, fixed, given] = [
    await t.lead(holder, valued('100')),
    await t.lead(holder, valued('50')),
    await t.lead(holder, created),
  ];
  await t.lead(holder, { ...created, existingCustomer: true });
  await t.lead(holder, { ...created, createdAt: '2026-11-05T09:00:00.000Z' });
  at('2026-11-03T09:00:00Z');
  await setStatus(holder, moved.id, 'qualified');
  at('2026-11-06T09:00:00Z');
  await setStatus(holder, moved.id, 'closed_won');
  await t.request(holder, changeCustomFields.byId, {
    params: { id: fixed.id },
    body: { customFields: { value: '70' } },
  });
  await t.request(holder, archiveLead.byId, { params: { id: fixed.id }, body: { dropFollowUp: true } });
  await t.request(admin, reassignLead.byId, { params: { id: given.id }, body: { newUserId: next.id } });
  at('2026-11-19T12:00:00Z');

  const pipeline = async (query: Record<string, string> = {}, viewer = holder) => {
    const { body } = await t.request(viewer, getPipeline, { query: { user: holder.id, ...query } });
    return body.filter(({ leads }) => leads > 0);
  };
  const day = '2026-11-04';
  const qualified = { status: 'qualified', leads: 1, value: 100, valued: 1, oldestContact: null, averageDays: 1.6 };
  const ofNew = { status: 'new', leads: 2, value: 50, valued: 1, oldestContact: null, averageDays: 3.6 };
  expect(await pipeline({ asOf: day }, admin)).toEqual([ofNew, qualified]);
  // Without the lead that is another user's now, which the holder may not list.
  expect(await pipeline({ asOf: day })).toEqual([{ ...ofNew, leads: 1 }, qualified]);
  const list = async (viewer: TestUser, query: Record<string, string | number | boolean>) => {
    const everything = { hideClosed: false, archived: true, existing: true };
    const { body } = await t.request(viewer, listLeads, { query: { ...everything, ...query } });
    return body.items.map(({ userBusiness }) => userBusiness.id).sort((a, b) => a - b);
  };
  expect(await list(admin, { statusOn: `${day}:open:${holder.id}` })).toEqual([moved.id, fixed.id, given.id]);
  expect(await list(admin, { statusOn: `${day}:new:${holder.id}` })).toEqual([fixed.id, given.id]);
  expect(await list(admin, { statusOn: `${day}:open:${next.id}` })).toEqual([]);
  // What became of them: one was won since.
  expect(await list(admin, { statusOn: `${day}:open:${holder.id}`, status: 'closed_won' })).toEqual([moved.id]);
  expect(await list(holder, { statusOn: `${day}:open` })).toEqual([moved.id, fixed.id]);
  // In one's own list, those that were one's own then, whoever is named.
  expect(await list(next, { statusOn: `${day}:open:${holder.id}` })).toEqual([]);
  for (const untold of ['2026-11-19', '2024-11-19', '2026-12-01'])
    expect(await list(admin, { statusOn: `${untold}:open` })).toEqual([]);
  expect(await pipeline()).toEqual([
    { status: 'new', leads: 1, value: 0, valued: 0, oldestContact: null, averageDays: 18.1 },
  ]);
  for (const asOf of ['2026-11-19', '2024-11-19']) {
    const refused = await t.request(holder, getPipeline, { query: { user: holder.id, asOf } });
    expect(refused).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
  }
});

test('contacts are counted by who logged them, on the days and hours of the team', async () => {
  const [caller, other] = [await t.user('user', { fullName: 'Cal Ler' }), await t.user('user', { fullName: 'Otto R' })];
  const lead = await t.lead(caller);
  const contact = (createdBy: number, completedAt: string, columns: Partial<typeof contactActivities.$inferInsert>) =>
    t.db.insert(contactActivities).values({
      ...{ userBusinessId: lead.id, type: 'call', description: '', createdBy, completedAt, ...columns },
    });
  // Thursday, October 1, 00:30 in summer time, and Monday, October 26, 09:10 in winter time.
  await contact(caller.id, '2026-09-30T23:30:00.000Z', { outcome: 'spoke' });
  await contact(caller.id, '2026-10-26T09:10:00.000Z', { outcome: 'no_answer' });
  await contact(caller.id, '2026-10-26T09:50:00.000Z', {});
  await contact(caller.id, '2026-10-26T10:00:00.000Z', { type: 'email' });
  await contact(other.id, '2026-10-26T11:00:00.000Z', { type: 'meeting', outcome: 'met_owner' });
  await contact(caller.id, '2026-10-26T11:00:00.000Z', { type: 'note' });
  await contact(caller.id, '2026-11-01T00:00:00.000Z', { outcome: 'spoke' });
  // Given away, and still the calls of the caller.
  await t.db.update(leads).set({ userId: other.id }).where(eq(leads.id, lead.id));

  const query = { period: 'days', from: '2026-10-01', to: '2026-10-31' } as const;
  const { body } = await t.request(admin, getActivity, { query });
  const before = { calls: 0, emails: 0, visits: 0, reached: 0 };
  const on = (day: string) => ({ from: day, to: day });
  const autumn = { ...on('2026-10-26'), calls: 2, emails: 1, visits: 0, reached: 0 };
  expect(body).toEqual({
    ...{ days: { from: query.from, to: query.to }, before: { from: '2026-08-31', to: '2026-09-30' }, by: 'day' },
    people: [
      {
        ...{ id: caller.id, name: 'Cal Ler', calls: 3, emails: 1, visits: 0, reached: 1, before },
        spans: [{ ...on('2026-10-01'), calls: 1, emails: 0, visits: 0, reached: 1 }, autumn],
      },
      {
        ...{ id: other.id, name: 'Otto R', calls: 0, emails: 0, visits: 1, reached: 1, before },
        spans: [{ ...on('2026-10-26'), calls: 0, emails: 0, visits: 1, reached: 1 }],
      },
    ],
  });
  // From October 2 on, with as many days before them; by week, those at the edges with their days in the period.
  const weeks = { period: 'days', from: '2026-10-02', to: '2026-11-04' } as const;
  const later = (await t.request(caller, getActivity, { query: { ...weeks, user: caller.id } })).body;
  expect(later).toMatchObject({ by: 'week', before: { from: '2026-08-29', to: '2026-10-01' } });
  const first = { calls: 1, emails: 0, visits: 0, reached: 1 };
  expect(later.people).toEqual([
    {
      ...{ id: caller.id, name: 'Cal Ler', calls: 3, emails: 1, visits: 0, reached: 1, before: first },
      spans: [{ ...autumn, to: '2026-11-01', calls: 3, reached: 1 }],
    },
  ]);
  // Who logged nothing any more is there for the period before.
  const { people } = (
    await t.request(caller, getActivity, { query: { ...query, from: '2026-10-27', user: caller.id } })
  ).body;
  expect(people).toMatchObject([{ id: caller.id, calls: 0, before: { calls: 2, emails: 1 }, spans: [] }]);
  const own = await t.request(caller, getActivity, { query: { ...query, user: caller.id } });
  expect(own.body.people.map(({ id }) => id)).toEqual([caller.id]);
  const times = await t.request(caller, getCallTimes, { query: { ...query, user: caller.id } });
  // A call without an outcome is not counted.
  expect(times.body).toEqual([
    { weekday: 1, hour: 9, calls: 1, reached: 0 },
    { weekday: 4, hour: 0, calls: 1, reached: 1 },
  ]);
});

test('groups are compared with those of the period before, weeks with the week before', async () => {
  const holder = await t.user();
  const assign = async (assignedAt: string, district: string, columns: Partial<typeof leads.$inferInsert> = {}) =>
    t.lead(holder, { assignedAt, ...columns }, { formattedAddress: `1 High Street, ${district} 4DY, UK` });
  await assign('2026-11-02T09:00:00.000Z', 'LS1', { status: 'closed_won' });
  await assign('2026-11-18T09:00:00.000Z', 'LS1');
  await assign('2026-10-19T22:59:00.000Z', 'LS1', { status: 'closed_lost' });
  await assign('2026-10-05T09:00:00.000Z', 'LS2');
  // 00:30 on October 20: after the days that the first 19 of November are compared with.
  await assign('2026-10-19T23:30:00.000Z', 'LS2');
  const read = async (query: Record<string, string>) =>
    (await t.request(holder, getGroups, { query: { user: holder.id, ...query } })).body;

  const districts = await read({ by: 'district' });
  expect(districts).toMatchObject({ before: { from: '2026-10-01', to: '2026-10-19' }, total: 2 });
  expect(districts.groups).toMatchObject([
    { key: 'LS1', assigned: 2, won: 1, lost: 0, before: { assigned: 1, won: 0, lost: 1 } },
    { key: 'LS2', assigned: 0, before: { assigned: 1, won: 0, lost: 0 } },
  ]);
  const weeks = await read({ by: 'week', period: 'days', from: '2026-10-12', to: '2026-11-18' });
  expect(weeks.before).toEqual({ from: '2026-10-05', to: '2026-11-11' });
  expect(weeks.groups.map(({ key, assigned, before }) => [key, assigned, before.assigned]).sort()).toEqual([
    ['2026-10-12', 0, 1],
    ['2026-10-19', 2, 0],
    ['2026-10-26', 0, 2],
    ['2026-11-02', 1, 0],
    ['2026-11-09', 0, 1],
    ['2026-11-16', 1, 0],
  ]);
});

describe('who sees what', () => {
  test('a user sees their own figures only', async () => {
    const [user, other] = [await t.user(), await t.user()];
    await t.lead(other, { assignedAt: '2026-11-18T09:00:00.000Z' });
    // In the period before, too.
    const { id: userBusinessId } = await t.lead(other, { assignedAt: '2026-10-05T09:00:00.000Z' });
    const call = { userBusinessId, type: 'call', description: '', createdBy: other.id } as const;
    await t.db.insert(contactActivities).values([
      { ...call, completedAt: '2026-10-06T09:00:00.000Z' },
      { ...call, completedAt: '2026-11-18T10:00:00.000Z' },
    ]);
    const others: Record<string, number>[] = [{}, { user: other.id }, { user: 2_147_483_647 }];
    for (const query of others) {
      const response = await request(user, query);
      expect(response).toMatchObject({ status: 403, body: { code: 'forbidden' } });
      const groups = await t.request(user, getGroups, { query: { ...query, by: 'person' } });
      expect(groups).toMatchObject({ status: 403, body: { code: 'forbidden' } });
      for (const call of [getSlipped, getPipeline, getActivity, getCallTimes]) {
        expect(await t.request(user, call, { query })).toMatchObject({ status: 403, body: { code: 'forbidden' } });
      }
    }
    expect((await t.request(user, getGroups, { query: { user: user.id, by: 'person' } })).body.groups).toEqual([]);
    expect((await t.request(user, getActivity, { query: { user: user.id } })).body.people).toEqual([]);
    expect((await t.request(other, getActivity, { query: { user: other.id } })).body.people).toMatchObject([
      { id: other.id, calls: 1, before: { calls: 1 } },
    ]);
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
