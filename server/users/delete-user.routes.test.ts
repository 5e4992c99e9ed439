import { setTimeout as wait } from 'node:timers/promises';
import { eq, inArray } from 'drizzle-orm';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { find } from '#contract/find/find.calls.ts';
import { bulkReassign, listLeads } from '#contract/leads/lead-lists.calls.ts';
import {
  addActivity,
  assignBusiness,
  getAssignmentHistory,
  getLead,
  listUsersForReassignment,
  reassignLead,
} from '#contract/leads/leads.calls.ts';
import { listNotifications } from '#contract/notifications/notifications.calls.ts';
import { listTeamTokens } from '#contract/tokens/tokens.calls.ts';
import { changeUser, createUser, deleteUser, listUsers, unlockUser } from '#contract/users/users.calls.ts';
import { assignmentHistory, businesses, contactActivities, leads } from '#server/schema/leads.ts';
import { users } from '#server/schema/users.ts';
import { testDatabase } from '#server/testing/databases.ts';
import { importFile } from '#server/testing/import.ts';
import { insertManyLeads } from '#server/testing/many-leads.ts';
import { type TestApp, type TestUser, testApp, unchangedUser } from '#server/testing/test-app.ts';
import { deleteAccount } from './delete-account.ts';

let t: TestApp;
let admin: TestUser;
beforeAll(async () => {
  t = await testApp();
  admin = await t.user('admin');
});
afterAll(() => t.close());

type Lead = Awaited<ReturnType<TestApp['lead']>>;
const withId = ({ id }: { id: number }) => ({ params: { id } });

test("deleting a user deletes their leads; rows on other users' leads stay, without the name", async () => {
  const [deleted, remaining] = [await t.user(), await t.user()];
  const [business] = await t.db
    .insert(businesses)
    .values({ placeId: `p-${deleted.id}`, name: 'Blue Door Bakery' })
    .returning();
  const lead = (userId: number) =>
    t.db
      .insert(leads)
      .values({ userId, businessId: business?.id ?? 0 })
      .returning();
  const [[own], [other]] = [await lead(deleted.id), await lead(remaining.id)];
  const about = { userBusinessId: other?.id ?? 0 };
  const [activity] = await t.db
    .insert(contactActivities)
    .values({ ...about, type: 'call', description: 'Rang', createdBy: deleted.id })
    .returning();
  const [history] = await t.db
    .insert(assignmentHistory)
    .values({ ...about, previousUserId: deleted.id, newUserId: remaining.id, changedBy: deleted.id })
    .returning();

  const response = await t.request(admin, deleteUser, withId(deleted));

  expect(response).toMatchObject({ status: 204, body: undefined });
  expect(await t.db.$count(leads, eq(leads.id, own?.id ?? 0))).toBe(0);
  expect(await t.db.$count(leads, eq(leads.id, other?.id ?? 0))).toBe(1);
  expect(
    (
      await t.db
        .select()
        .from(contactActivities)
        .where(eq(contactActivities.id, activity?.id ?? 0))
    )[0],
  ).toMatchObject({ createdBy: null });
  expect(
    (
      await t.db
        .select()
        .from(assignmentHistory)
        .where(eq(assignmentHistory.id, history?.id ?? 0))
    )[0],
  ).toMatchObject({
    previousUserId: null,
    newUserId: remaining.id,
    changedBy: null,
  });
  expect(await t.request(admin, deleteUser, withId(deleted))).toMatchObject({
    status: 404,
    body: { code: 'not_found' },
  });
});

test('a user with thousands of leads is gone at once, and the leads soon after', async () => {
  const deleted = await t.user('user', { fullName: 'Wilhelmina Oak' });
  const ids = await insertManyLeads(t.db, deleted.id, 2_500);
  const kept = await t.lead(await t.user());
  const { tokenId } = await t.program(deleted);
  expect((await t.request(admin, deleteUser, withId(deleted))).status).toBe(204);
  expect((await t.request(admin, listTeamTokens)).body.map(({ id }) => id)).not.toContain(tokenId);
  expect((await t.request(admin, listUsers)).body.map(({ id }) => id)).not.toContain(deleted.id);
  expect((await t.request(admin, find, { query: { q: 'Wilhelmina' } })).body.users).toEqual([]);
  expect((await t.request(deleted, listLeads)).status).toBe(401);
  for (const call of [deleteUser, unlockUser]) {
    expect(await t.request(admin, call, withId(deleted)), call.path).toMatchObject({ status: 404 });
  }
  const { username, email } = deleted;
  const again = { username, email, fullName: 'Another', role: 'user', password: 'Correct-horse-9', monthlyGoal: 10 };
  expect((await t.request(admin, createUser, { body: again as never })).status).toBe(201);

  await t.app.jobs.run('delete-accounts');
  expect(await t.db.$count(leads, inArray(leads.id, [...ids, kept.id]))).toBe(1);
  expect(await t.db.$count(users, eq(users.id, deleted.id))).toBe(0);
});

test('the leads of a deleted user are deleted although a request locks the account meanwhile', async () => {
  const deleted = await t.user();
  const ids = await insertManyLeads(t.db, deleted.id, 1_500);
  await t.db.transaction((tx) => deleteAccount(tx, deleted.id));
  let running = Promise.resolve();
  await t.db.transaction(async (tx) => {
    await tx.select({ id: users.id }).from(users).where(eq(users.id, deleted.id)).for('update');
    running = t.app.jobs.run('delete-accounts');
    await Promise.race([running, wait(300)]);
  });
  await running;

  expect(await t.db.$count(leads, inArray(leads.id, ids))).toBe(0);
  expect(await t.db.$count(users, eq(users.id, deleted.id))).toBe(0);
});

test('deleting a user with twenty leads needs as many statements as with two', async () => {
  const count = async (size: number) => {
    const deleted = await t.user();
    for (const { id } of await Promise.all(Array.from({ length: size }, () => t.lead(deleted)))) {
      const body = { type: 'note' as const, notes: 'x' };
      await t.request(deleted, addActivity.byId, { ...withId({ id }), body });
    }
    const query = vi.spyOn(pg.Client.prototype, 'query');
    expect((await t.request(admin, deleteUser, withId(deleted))).status).toBe(204);
    const texts = query.mock.calls.map(([config]) => JSON.stringify(config)).filter((text) => text !== '"select 1"');
    query.mockRestore();
    return texts.length;
  };
  const [two, twenty] = [await count(2), await count(20)];
  expect(twenty).toBe(two);
  // Two of them publish the change, of the account and of its leads, one reads whether the team asks for a proof, one
  // ends its tokens, three end what its devices keep and show, and three tell webhooks of the account and of its leads,
  // which are read for that.
  expect(two).toBeLessThanOrEqual(21);
});

test('leads reassigned while their holder is deleted are either moved or deleted, without a deadlock', async () => {
  const [database, manager, target] = [await testDatabase(), await t.user('manager'), await t.user()];
  const before = database.retries();
  for (let round = 0; round < 5; round += 1) {
    const previous = await t.user();
    const held = await Promise.all(Array.from({ length: 10 }, () => t.lead(previous)));
    const ids = held.map(({ id }) => id);
    const [deletion, ...reassigned] = await Promise.all([
      t.request(admin, deleteUser, withId(previous)),
      t.request(manager, bulkReassign, { body: { ids: ids.slice(5).toReversed(), newUserId: target.id } }),
      ...ids
        .slice(0, 5)
        .map((id) => t.request(manager, reassignLead.byId, { ...withId({ id }), body: { newUserId: target.id } })),
    ]);
    expect(deletion.status).toBe(204);
    for (const { status } of reassigned) expect([200, 404]).toContain(status);
    const [bulk, ...single] = reassigned.map(({ status }) => status === 200);
    const moved = (bulk ? 5 : 0) + single.filter(Boolean).length;
    expect(await t.db.$count(leads, inArray(leads.id, ids))).toBe(moved);
  }
  expect(database.retries()).toBe(before);
});

test('after a deletion no response to another user contains the name', async () => {
  const deleted = await t.user('admin', { fullName: 'Zacharias Quill' });
  const [one, two] = [await t.user('manager'), await t.user('manager')];
  const body = await Promise.all(Array.from({ length: 3 }, () => t.lead(one)));
  const [single, ...others] = body;
  const { businessId } = await t.lead(deleted);
  await t.request(deleted, assignBusiness, { body: { userId: two.id, businessId } });
  await t.request(deleted, reassignLead.byId, { ...withId(single as Lead), body: { newUserId: two.id } });
  const ids = others.map(({ id }) => id);
  await t.request(deleted, bulkReassign, { body: { ids, newUserId: two.id } });
  await t.request(deleted, addActivity.byId, { ...withId(single as Lead), body: { type: 'call', notes: 'Rang' } });
  await importFile(t, deleted, `Business Name,User\nShop ${deleted.id},${two.username}`);
  const notices = async (user: TestUser) => (await t.request(user, listNotifications)).body.items;
  expect((await notices(two)).map(({ message }) => message)).toEqual([
    'Zacharias Quill imported 1 business for you.',
    'Zacharias Quill assigned 2 businesses to you.',
    'Zacharias Quill assigned Blue Door Bakery to you.',
    'Zacharias Quill assigned Blue Door Bakery to you.',
  ]);

  expect((await t.request(admin, deleteUser, withId(deleted))).status).toBe(204);

  expect(await notices(two)).toMatchObject([
    { message: 'A deleted user imported 1 business for you.', sourceUserId: null },
    { message: 'A deleted user assigned 2 businesses to you.', sourceUserId: null },
    { message: 'A deleted user assigned Blue Door Bakery to you.', sourceUserId: null },
    { message: 'A deleted user assigned Blue Door Bakery to you.', sourceUserId: null },
  ]);
  const responses = await Promise.all([
    ...[one, two, admin].flatMap((user) => [
      t.request(user, listNotifications),
      t.request(user, listLeads),
      t.request(user, listUsersForReassignment),
    ]),
    ...body.flatMap((lead) => [
      t.request(admin, getAssignmentHistory.byId, withId(lead)),
      t.request(two, getLead.byId, withId(lead)),
    ]),
    t.request(admin, listUsers),
  ]);
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
  const text = JSON.stringify(responses.map(({ body }) => body));
  for (const name of ['Zacharias', 'Quill', deleted.username, deleted.email]) expect(text).not.toContain(name);
});

test('a notification shows the current name of its source', async () => {
  const [source, holder] = [await t.user('admin', { fullName: 'Ann Before' }), await t.user()];
  const { businessId } = await t.lead(source);
  await t.request(source, assignBusiness, { body: { userId: holder.id, businessId } });
  await t.request(admin, changeUser, { ...withId(source), body: { ...unchangedUser(source), fullName: 'Ann After' } });
  const { items } = (await t.request(holder, listNotifications)).body;
  expect(items[0]?.message).toBe('Ann After assigned Blue Door Bakery to you.');
});
