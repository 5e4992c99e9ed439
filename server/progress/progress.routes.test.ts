import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeLeadStatus, markExistingCustomer, unmarkExistingCustomer } from '#contract/leads/leads.calls.ts';
import * as calls from '#contract/progress/progress.calls.ts';
import { setUserActive } from '#contract/users/users.calls.ts';
import { contactCredits } from '#server/schema/leads.ts';
import { sessions, users } from '#server/schema/users.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

// Tuesday 30 June 2026, 23:30 UTC: in London it is Wednesday the 1st of July, half past midnight.
const NOW = '2026-06-30T23:30:00.000Z';
let t: TestApp;
let manager: TestUser;
beforeAll(async () => {
  t = await testApp({ now: NOW });
  manager = await t.user('manager');
});
afterAll(() => t.close());

let nextLead = 1_500_000_000;
const credit = (user: TestUser, creditedAt: string, counted = true) =>
  t.db.insert(contactCredits).values({ leadId: nextLead++, userId: user.id, creditedAt, counted });
const monthly = async (user: TestUser) => (await t.request(user, calls.getMonthlyContacts)).body;
const weekly = async (user: TestUser) => (await t.request(user, calls.getWeeklyContacts)).body;

test('month and week start at midnight of the time zone', async () => {
  const user = await t.user('user', { monthlyGoal: 50 });
  await credit(user, '2026-06-21T22:59:59.999Z'); // Sunday before last week's Monday
  await credit(user, '2026-06-28T22:59:59.999Z'); // last Sunday, a moment before midnight
  await credit(user, '2026-06-28T23:00:00.000Z'); // Monday
  await credit(user, '2026-06-30T22:59:59.999Z'); // still June
  await credit(user, '2026-06-30T23:00:00.000Z'); // July
  expect(await monthly(user)).toEqual({ count: 1, target: 50, monthName: 'July', monthProgress: 3 });
  expect(await weekly(user)).toEqual({ count: 3, target: 13, weekProgress: 42 });
});

test('a status change counts at once, once, and not for an existing customer', async () => {
  const user = await t.user();
  const lead = await t.lead(user);
  const params = { id: lead.id };
  await t.request(user, changeLeadStatus.byId, { params, body: { status: 'recontact' } });
  await t.request(user, changeLeadStatus.byId, { params, body: { status: 'closed_won' } });
  expect([(await weekly(user)).count, (await monthly(user)).count]).toEqual([1, 1]);
  await t.request(user, markExistingCustomer.byId, { params });
  expect((await monthly(user)).count).toBe(0);
  await t.request(user, unmarkExistingCustomer.byId, { params });
  expect((await monthly(user)).count).toBe(1);
});

test('the contacts of another user cannot be requested', async () => {
  const [me, other] = [await t.user(), await t.user()];
  await credit(other, NOW);
  const response = await t.inject({
    url: `/api/today-contacts?userId=${other.id}&user=${other.id}`,
    headers: { cookie: me.cookie },
  });
  expect(response.json().count).toBe(0);
});

test('team progress lists every active user for this month, this week and last week', async () => {
  const [one, gone] = [await t.user('user', { monthlyGoal: 3 }), await t.user()];
  await credit(one, '2026-07-01T08:00:00.000Z');
  await credit(one, '2026-06-24T08:00:00.000Z');
  await credit(one, '2026-06-25T08:00:00.000Z');
  await credit(one, '2026-06-25T08:00:00.000Z', false);
  await t.request(await t.user('admin'), setUserActive, { params: { id: gone.id }, body: { active: false } });
  const findMember = async (call: typeof calls.getTeamProgress) => {
    const { body } = await t.request(manager, call);
    expect(body.some(({ user }) => user.id === gone.id)).toBe(false);
    return body.find(({ user }) => user.id === one.id);
  };
  const user = { id: one.id, fullName: 'Test user', username: one.username, email: one.email };
  expect(await findMember(calls.getTeamProgress)).toEqual({ user, count: 1, target: 3, percentage: 33.3 });
  expect(await findMember(calls.getTeamProgressWeekly)).toEqual({ user, count: 1, target: 1, percentage: 100 });
  expect(await findMember(calls.getTeamProgressLastWeek)).toEqual({ user, count: 2, target: 1, percentage: 200 });
});

test('the month series has every day up to today', async () => {
  const late = await testApp({ now: '2026-10-26T12:00:00.000Z' });
  const me = await late.user('manager', { monthlyGoal: 31 });
  await credit(me, '2026-09-30T23:30:00.000Z'); // the 1st of October in London
  await credit(me, '2026-10-25T00:30:00.000Z');
  await credit(me, '2026-10-25T23:30:00.000Z'); // the 25th has 25 hours
  const { body } = await late.request(me, calls.getMonthSeries);
  expect(body).toMatchObject({ monthName: 'October', daysInMonth: 31, ownTarget: 31 });
  expect(body.days).toHaveLength(26);
  expect(body.days.filter(({ own }) => own > 0).map(({ day, own }) => [day, own])).toEqual([
    [1, 1],
    [25, 2],
  ]);
  expect(body.teamTarget).toBeGreaterThanOrEqual(31);
  await late.close();
});

test('users who joined after the first day of the month are listed with their goals', async () => {
  // The built-in clock of the database sets createdAt, so it is moved into the month of the test.
  const app = await testApp({ now: '2026-10-26T12:00:00.000Z', ownDatabase: true });
  const join = async (createdAt: string, monthlyGoal: number, active = true) => {
    const { id } = await app.user('user', { monthlyGoal });
    await app.db.update(users).set({ createdAt, active }).where(eq(users.id, id));
  };
  await join('2026-09-30T22:59:59.999Z', 1); // September in London
  await join('2026-09-30T23:00:00.000Z', 2); // the 1st of October
  await join('2026-10-01T23:00:00.000Z', 4); // the 2nd
  await join('2026-10-02T22:59:59.999Z', 8); // still the 2nd
  await join('2026-10-25T12:00:00.000Z', 16); // a Sunday
  await join('2026-10-25T12:00:00.000Z', 32, false);
  await join('2026-10-31T23:59:59.999Z', 64);
  const { body } = await app.request(await app.user('manager', { monthlyGoal: 100 }), calls.getMonthSeries);
  expect(body.joined).toEqual([
    { day: 2, goal: 12 },
    { day: 25, goal: 16 },
    { day: 31, goal: 64 },
  ]);
  expect(body.teamTarget).toBe(195);
  await app.close();
});

test('polling does not extend an idle session', async () => {
  const user = await t.user();
  await t.db.update(sessions).set({ lastUsedAt: sql`now() - interval '1 hour'` }).where(eq(sessions.userId, user.id));
  const lastUsed = async () => (await t.db.select().from(sessions).where(eq(sessions.userId, user.id)))[0]?.lastUsedAt;
  const before = await lastUsed();
  await weekly(user);
  await monthly(user);
  expect(await lastUsed()).toBe(before);
});
