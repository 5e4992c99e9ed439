import { randomUUID } from 'node:crypto';
import { eq, inArray, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BATCH_HEADER, listChanges, undoChanges } from '#contract/changes/changes.calls.ts';
import { bulkAddTag, bulkRemoveTag, getShares, listLeadIds } from '#contract/leads/bulk.calls.ts';
import { bulkReassign, bulkUpdateStatus } from '#contract/leads/lead-lists.calls.ts';
import { listNotifications } from '#contract/notifications/notifications.calls.ts';
import { businesses, leads } from '#server/kit/db/schema.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

const NOW = '2026-03-10T09:00:00.000Z';
let t: TestApp;
let holder: TestUser;
let manager: TestUser;
let admin: TestUser;
beforeAll(async () => {
  t = await testApp({ now: NOW });
  [holder, manager, admin] = [await t.user(), await t.user('manager'), await t.user('admin')];
});
afterAll(() => t.close());

const tagsOf = async (ids: number[]) =>
  (await t.db.select().from(leads).where(inArray(leads.id, ids)).orderBy(leads.id)).map(({ tags }) => tags);

async function manyLeads(user: TestUser, count: number) {
  const rows = Array.from({ length: count }, (_, nth) => ({
    placeId: `${user.id}-${nth}-${randomUUID()}`,
    name: `Shop ${nth}`,
  }));
  const stored = await t.db.insert(businesses).values(rows).returning({ id: businesses.id });
  const values = stored.map(({ id }) => ({ userId: user.id, businessId: id }));
  return (await t.db.insert(leads).values(values).returning({ id: leads.id })).map(({ id }) => id);
}

test('a tag is added to many leads and removed again; those that have it, or have 30, stay', async () => {
  const full = Array.from({ length: 30 }, (_, nth) => `tag ${nth}`);
  const [plain, tagged, crowded] = [
    await t.lead(holder),
    await t.lead(holder, { tags: ['HOT', 'Imported'] }),
    await t.lead(holder, { tags: full }),
  ];
  const ids = [plain.id, tagged.id, crowded.id];
  const added = await t.request(holder, bulkAddTag, { body: { ids, tag: ' hot ' } });
  expect(added.body.results).toEqual({
    success: 2,
    failed: 1,
    errors: [{ id: crowded.id, message: 'A business can have at most 30 tags' }],
  });
  expect(await tagsOf(ids)).toEqual([['hot'], ['HOT', 'Imported'], full]);

  const removed = await t.request(holder, bulkRemoveTag, { body: { ids, tag: 'HOT' } });
  expect(removed.body.results).toMatchObject({ success: 3, failed: 0 });
  expect(await tagsOf(ids)).toEqual([['hot'], ['Imported'], full]);
  await t.request(holder, undoChanges, { params: { batchId: String(removed.headers[BATCH_HEADER]) } });
  expect((await tagsOf([tagged.id])).flat().sort()).toEqual(['HOT', 'Imported']);
});

test("tags of others' leads and the reserved tag are refused, and nothing is changed", async () => {
  const lead = await t.lead(holder, { tags: ['Imported'] });
  const ids = [lead.id];
  for (const viewer of [await t.user(), manager]) {
    for (const call of [bulkAddTag, bulkRemoveTag])
      expect(await t.request(viewer, call, { body: { ids, tag: 'hot' } })).toMatchObject({ status: 403 });
  }
  for (const call of [bulkAddTag, bulkRemoveTag]) {
    const response = await t.request(holder, call, { body: { ids, tag: 'imported' } });
    expect(response.body.code).toBe('reserved_tag');
    expect((await t.request(holder, call, { body: { ids, tag: '' } })).status).toBe(400);
  }
  expect((await t.request(holder, bulkAddTag, { body: { ids, tag: 'a,b' } })).status).toBe(400);
  expect(await tagsOf(ids)).toEqual([['Imported']]);
});

test('the ids of a list are those of the viewer, in its order', async () => {
  const [user, other] = [await t.user(), await t.user()];
  const ids = await manyLeads(user, 3);
  await manyLeads(other, 2);
  await t.db
    .update(leads)
    .set({ status: 'recontact' })
    .where(eq(leads.id, ids[1] ?? 0));
  const request = async (viewer: TestUser, query: object) => (await t.request(viewer, listLeadIds, { query })).body;
  expect(await request(user, { sort: 'name' })).toEqual({ ids, capped: false });
  expect(await request(user, { sort: 'name-desc', status: 'new' })).toEqual({ ids: [ids[2], ids[0]], capped: false });
  expect((await request(admin, { user: user.id })).ids).toHaveLength(3);
  expect((await request(manager, { user: user.id, team: true })).ids).toHaveLength(3);
  expect((await request(manager, { user: user.id })).ids).toEqual([]);
  expect((await t.request(user, listLeadIds, { query: { team: true } })).status).toBe(403);
});

test('the steps of one action are one batch of changes, with one notification, and are undone together', async () => {
  const [user, target] = [await t.user(), await t.user()];
  const ids = await manyLeads(user, 1_200);
  const batch = randomUUID();
  const batches = new Set<string>();
  for (let from = 0; from < ids.length; from += 500) {
    const body = { ids: ids.slice(from, from + 500), batch, newUserId: target.id };
    const response = await t.request(admin, bulkReassign, { body });
    expect(response.body.results.failed).toBe(0);
    batches.add(String(response.headers[BATCH_HEADER]));
  }
  expect(batches.size).toBe(1);
  const [batchId = ''] = batches;
  const listed = (await t.request(admin, listChanges, { query: { kind: 'reassign' } })).body.items;
  expect(listed.find(({ id }) => id === batchId)).toMatchObject({ count: 1_200 });
  expect((await t.request(target, listNotifications)).body.items).toHaveLength(1);

  expect((await t.request(admin, undoChanges, { params: { batchId } })).status).toBe(200);
  expect(await t.db.$count(leads, eq(leads.userId, user.id))).toBe(1_200);
  expect(await t.db.$count(leads, eq(leads.userId, target.id))).toBe(0);
});

test("another user's batch of the same name is another batch", async () => {
  const batch = randomUUID();
  const sent = await Promise.all(
    [await t.user(), await t.user()].map(async (user) => {
      const body = { ids: [(await t.lead(user)).id], batch, status: 'recontact' as const };
      return (await t.request(user, bulkUpdateStatus, { body })).headers[BATCH_HEADER];
    }),
  );
  expect(new Set(sent).size).toBe(2);
  expect((await t.request(holder, bulkUpdateStatus, { body: { ids: [1], batch: 'x', status: 'new' } })).status).toBe(
    400,
  );
});

test('shares make open leads or missing contacts even, for managers and admins', async () => {
  const [busy, idle] = [await t.user('user', { monthlyGoal: 10 }), await t.user('user', { monthlyGoal: 40 })];
  await manyLeads(busy, 6);
  await manyLeads(idle, 2);
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
