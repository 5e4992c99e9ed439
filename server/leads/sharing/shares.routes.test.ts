import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { getShares } from '#contract/leads/bulk/bulk.calls.ts';
import { insertManyLeads } from '#server/testing/many-leads.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

const NOW = '2026-03-10T09:00:00.000Z';
let t: TestApp;
let manager: TestUser;
let admin: TestUser;
beforeAll(async () => {
  t = await testApp({ now: NOW });
  [manager, admin] = [await t.user('manager'), await t.user('admin')];
});
afterAll(() => t.close());

test('shares make open leads or missing contacts even, for managers and admins', async () => {
  const [busy, idle] = [await t.user('user', { monthlyGoal: 10 }), await t.user('user', { monthlyGoal: 40 })];
  await insertManyLeads(t.db, busy.id, 6);
  await insertManyLeads(t.db, idle.id, 2);
  await t.db.execute(sql`insert into contact_credits (lead_id, user_id, credited_at)
    select id, user_id, ${NOW}::timestamptz from user_businesses where user_id = ${idle.id}`);
  const users = `${busy.id},${idle.id}`;
  const shares = async (viewer: TestUser, by: 'load' | 'goal', count = 10) =>
    (await t.request(viewer, getShares, { query: { users, count, by } })).body;
  const pick = (rows: { userId: number; current: number; share: number }[], user: TestUser) => {
    const row = rows.find(({ userId }) => userId === user.id);
    return [row?.current, row?.share];
  };
  const byLoad = await shares(manager, 'load');
  expect([pick(byLoad, busy), pick(byLoad, idle)]).toEqual([
    [6, 3],
    [2, 7],
  ]);
  const byGoal = await shares(admin, 'goal', 24);
  expect([pick(byGoal, busy), pick(byGoal, idle)]).toEqual([
    [10, 5],
    [38, 19],
  ]);
  const inactive = await t.user('user', { active: false });
  const refused = await t.request(manager, getShares, { query: { users: `${inactive.id}`, count: 1, by: 'load' } });
  expect(refused.body.code).toBe('invalid_target');
  for (const query of [
    { users: '', count: 1 },
    { users, count: 0 },
    { users, count: 10_001 },
    { users: 'x', count: 1 },
  ])
    expect((await t.request(manager, getShares, { query: { ...query, by: 'load' } })).status).toBe(400);
});
