import { desc, eq, inArray, sql } from 'drizzle-orm';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { getUser, login } from '#contract/auth/auth.calls.ts';
import { bulkReassign, listLeads } from '#contract/leads/lead-lists.calls.ts';
import {
  addActivity,
  assignBusiness,
  getAssignmentHistory,
  getLead,
  reassignLead,
  usersForReassignment,
} from '#contract/leads/leads.calls.ts';
import { listNotifications } from '#contract/notifications/notifications.calls.ts';
import {
  changeUser,
  createUser,
  deleteUser,
  listUsers,
  setUserActive,
  setUserPassword,
  unlockUser,
} from '#contract/users/users.calls.ts';
import {
  assignmentHistory,
  auditEvents,
  businesses,
  contactActivities,
  leads,
  mailOutbox,
  sessions,
  users,
} from '#server/kit/db/schema.ts';
import { importFile } from '#server/testing/import.ts';
import { readSetCookie, type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';
import { testDatabase } from '#server/testing/test-database.ts';

let t: TestApp;
let admin: TestUser;
beforeAll(async () => {
  t = await testApp();
  admin = await t.user('admin');
});
afterAll(() => t.close());

let counter = 0;
const fresh = () => {
  const username = `new.user-${Date.now()}-${++counter}`;
  return {
    username,
    email: `${username}@example.test`,
    fullName: 'Nell Newman',
    role: 'manager' as const,
    monthlyGoal: 40,
  };
};
type Lead = Awaited<ReturnType<TestApp['lead']>>;
const on = ({ id }: { id: number }) => ({ params: { id } });
const row = async (id: number) => (await t.db.select().from(users).where(eq(users.id, id)))[0];
const asSent = (person: TestUser) => ({
  username: person.username,
  email: person.email,
  fullName: 'Test user',
  role: person.role,
});

test('an issued account can sign in, and is listed without its hash', async () => {
  const given = fresh();
  const created = await t.request(admin, createUser, { body: { ...given, password: 'pässwörd 🔑' } });
  expect(created).toMatchObject({
    status: 201,
    body: { ...given, active: true, failedLoginAttempts: 0, lockedUntil: null },
  });

  const signedIn = await t.request(null, login, { body: { username: given.username, password: 'pässwörd 🔑' } });
  expect(signedIn).toMatchObject({ status: 200, body: { fullName: 'Nell Newman', role: 'manager' } });
  const { body: listed } = await t.request(admin, listUsers);
  expect(listed.find(({ id }) => id === created.body.id)).toMatchObject(given);
});

test("role and goal have defaults; fields that are not the caller's to set are ignored", async () => {
  const { username, email, fullName } = fresh();
  const body = {
    username,
    email,
    fullName,
    password: 'eight characters',
    active: false,
    failedLoginAttempts: 7,
    id: 1,
  };
  const created = await t.request(admin, createUser, { body });
  expect(created).toMatchObject({
    status: 201,
    body: { role: 'user', monthlyGoal: 100, active: true, failedLoginAttempts: 0 },
  });
  expect(created.body.id).not.toBe(1);
});

test.each([
  [{ username: 'ab' }, 'Username must be at least 3 characters'],
  [{ username: 'x'.repeat(51) }, 'Username must be at most 50 characters'],
  [{ username: 'with@sign' }, 'Username may contain only letters, digits, dots, underscores and hyphens'],
  [{ password: 'seven77' }, 'Password must be at least 8 characters'],
  [{ password: '🔑'.repeat(101) }, 'Password must be at most 100 characters'],
  [{ email: 'not-an-address' }, 'Must be a valid email'],
  [{ fullName: 'X' }, 'Full name must be at least 2 characters'],
  [{ fullName: 'with\u0007bell' }, 'Full name must not contain control characters'],
  [{ monthlyGoal: 0 }, 'Monthly goal must be at least 1'],
  [{ monthlyGoal: '50' }, 'Monthly goal must be a number'],
  [{ monthlyGoal: null }, 'Monthly goal must be a number'],
  [{ role: 'superadmin' }, undefined],
])('%o is refused', async (wrong, message) => {
  const before = await t.db.$count(users);
  const response = await t.request(admin, createUser, {
    body: { ...fresh(), password: 'eight characters', ...wrong } as never,
  });
  expect(response).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
  if (message) expect(response.body.message).toBe(message);
  expect(await t.db.$count(users)).toBe(before);
});

test('a taken username or address is refused in any case, when creating and when changing', async () => {
  const [one, two] = [await t.user(), await t.user()];
  for (const [field, code] of [
    ['username', 'duplicate_username'],
    ['email', 'duplicate_email'],
  ] as const) {
    const taken = { [field]: one[field].toUpperCase() };
    const created = await t.request(admin, createUser, {
      body: { ...fresh(), password: 'eight characters', ...taken },
    });
    expect(created).toMatchObject({ status: 409, body: { code, errors: [{ path: field }] } });
    const changed = await t.request(admin, changeUser, { ...on(two), body: { ...asSent(two), ...taken } });
    expect(changed).toMatchObject({ status: 409, body: { code } });
  }
  expect(await row(two.id)).toMatchObject({ username: two.username, email: two.email });
});

test('of twenty accounts with one name created at once, one is', async () => {
  const given = fresh();
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      t.request(admin, createUser, { body: { ...given, email: `${i}-${given.email}`, password: 'eight characters' } }),
    ),
  );
  expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(responses.filter(({ body }) => body.code === 'duplicate_username')).toHaveLength(19);
});

test('name, address, role and goal can be changed; a goal left out stays', async () => {
  const person = await t.user('user', { monthlyGoal: 33 });
  const given = fresh();
  const { monthlyGoal: _, ...withoutGoal } = given;
  expect(await t.request(admin, changeUser, { ...on(person), body: withoutGoal })).toMatchObject({
    status: 200,
    body: { ...withoutGoal, monthlyGoal: 33 },
  });
  expect((await t.request(admin, changeUser, { ...on(person), body: given })).body.monthlyGoal).toBe(40);
});

test('a changed address or role leaves an audit row and tells the person, the old address too', async () => {
  const person = await t.user();
  const email = `moved-${person.email}`;
  await t.request(admin, changeUser, { ...on(person), body: { ...asSent(person), email, role: 'manager' } });
  const [event] = await t.db
    .select()
    .from(auditEvents)
    .where(eq(auditEvents.subjectId, person.id))
    .orderBy(desc(auditEvents.id));
  expect(event).toMatchObject({
    event: 'user_changed',
    actorId: admin.id,
    details: { roleBefore: 'user', roleAfter: 'manager', emailChanged: true },
  });
  expect(JSON.stringify(event)).not.toContain(email);
  await t.app.outbox.wake();
  expect(await t.db.$count(mailOutbox, eq(mailOutbox.userId, person.id))).toBe(0);
});

test('a changed role bites at the next request', async () => {
  const person = await t.user('admin');
  expect((await t.request(person, listUsers)).status).toBe(200);
  await t.request(admin, changeUser, { ...on(person), body: { ...asSent(person), role: 'user' } });
  expect((await t.request(person, listUsers)).status).toBe(403);
});

test('a password set by an admin ends the sessions, lifts the lock, and signs in', async () => {
  const person = await t.user('user', { failedLoginAttempts: 5, lockedUntil: '2099-01-01T00:00:00.000Z' });
  const response = await t.request(admin, setUserPassword, {
    ...on(person),
    body: { newPassword: 'no rule but length' },
  });
  expect(response).toMatchObject({ status: 200, body: { failedLoginAttempts: 0, lockedUntil: null } });
  expect((await t.request(person, getUser)).status).toBe(401);
  const body = { username: person.username, password: 'no rule but length' };
  expect((await t.request(null, login, { body })).status).toBe(200);
});

test('an admin who sets their own password keeps this session under a new cookie, and no other', async () => {
  const self = await t.user('admin');
  const response = await t.request(self, setUserPassword, { ...on(self), body: { newPassword: 'eight characters' } });
  expect(response.status).toBe(200);
  expect((await t.request(self, getUser)).status).toBe(401);
  expect((await t.request({ cookie: readSetCookie(response.headers) }, getUser)).status).toBe(200);
  expect(await t.db.$count(sessions, eq(sessions.userId, self.id))).toBe(1);
});

test.each(['seven77', ''])('%j is no new password', async (newPassword) => {
  const person = await t.user();
  const response = await t.request(admin, setUserPassword, { ...on(person), body: { newPassword } });
  expect(response).toMatchObject({ status: 400, body: { message: 'Password must be at least 8 characters' } });
});

test('unlocking clears the count', async () => {
  const person = await t.user('user', { failedLoginAttempts: 7, lockedUntil: '2099-01-01T00:00:00.000Z' });
  expect(await t.request(admin, unlockUser, on(person))).toMatchObject({
    status: 200,
    body: { failedLoginAttempts: 0, lockedUntil: null },
  });
});

test('deactivating and activating again', async () => {
  const person = await t.user();
  expect(await t.request(admin, setUserActive, { ...on(person), body: { active: false } })).toMatchObject({
    body: { active: false },
  });
  expect(await t.db.$count(sessions, eq(sessions.userId, person.id))).toBe(0);
  expect(await t.request(admin, setUserActive, { ...on(person), body: { active: true } })).toMatchObject({
    body: { active: true },
  });
  for (const active of ['false', 0, null]) {
    expect((await t.request(admin, setUserActive, { ...on(person), body: { active } as never })).status).toBe(400);
  }
});

test("deleting takes the leads along; rows on other people's leads stay, without the name", async () => {
  const [gone, stays] = [await t.user(), await t.user()];
  const [business] = await t.db
    .insert(businesses)
    .values({ placeId: `p-${gone.id}`, name: 'Blue Door Bakery' })
    .returning();
  const lead = (userId: number) =>
    t.db
      .insert(leads)
      .values({ userId, businessId: business?.id ?? 0 })
      .returning();
  const [[own], [other]] = [await lead(gone.id), await lead(stays.id)];
  const about = { userBusinessId: other?.id ?? 0 };
  const [activity] = await t.db
    .insert(contactActivities)
    .values({ ...about, type: 'call', description: 'Rang', createdBy: gone.id })
    .returning();
  const [history] = await t.db
    .insert(assignmentHistory)
    .values({ ...about, previousUserId: gone.id, newUserId: stays.id, changedBy: gone.id })
    .returning();

  const response = await t.request(admin, deleteUser, on(gone));

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
    newUserId: stays.id,
    changedBy: null,
  });
  expect(await t.request(admin, deleteUser, on(gone))).toMatchObject({ status: 404, body: { code: 'not_found' } });
});

test('deleting a user with twenty leads takes as many statements as with two', async () => {
  const count = async (size: number) => {
    const gone = await t.user();
    for (const { id } of await Promise.all(Array.from({ length: size }, () => t.lead(gone)))) {
      const body = { type: 'note' as const, notes: 'x' };
      await t.request(gone, addActivity.byId, { ...on({ id }), body });
    }
    const query = vi.spyOn(pg.Client.prototype, 'query');
    expect((await t.request(admin, deleteUser, on(gone))).status).toBe(204);
    const texts = query.mock.calls.map(([config]) => JSON.stringify(config)).filter((text) => text !== '"select 1"');
    query.mockRestore();
    return texts.length;
  };
  const [two, twenty] = [await count(2), await count(20)];
  expect(twenty).toBe(two);
  expect(two).toBeLessThanOrEqual(11);
});

test('leads that are reassigned while their holder is deleted are either moved or deleted, without a deadlock', async () => {
  const [database, manager, target] = [await testDatabase(), await t.user('manager'), await t.user()];
  const before = database.retries();
  for (let round = 0; round < 5; round += 1) {
    const gone = await t.user();
    const some = await Promise.all(Array.from({ length: 10 }, () => t.lead(gone)));
    const ids = some.map(({ id }) => id);
    const [deleted, ...reassigned] = await Promise.all([
      t.request(admin, deleteUser, on(gone)),
      t.request(manager, bulkReassign, { body: { ids: ids.slice(5).toReversed(), newUserId: target.id } }),
      ...ids
        .slice(0, 5)
        .map((id) => t.request(manager, reassignLead.byId, { ...on({ id }), body: { newUserId: target.id } })),
    ]);
    expect(deleted.status).toBe(204);
    for (const { status } of reassigned) expect([200, 404]).toContain(status);
    const [bulk, ...single] = reassigned.map(({ status }) => status === 200);
    const moved = (bulk ? 5 : 0) + single.filter(Boolean).length;
    expect(await t.db.$count(leads, inArray(leads.id, ids))).toBe(moved);
  }
  expect(database.retries()).toBe(before);
});

test('after a deletion no answer to another user holds the name', async () => {
  const gone = await t.user('admin', { fullName: 'Zacharias Quill' });
  const [one, two] = [await t.user('manager'), await t.user('manager')];
  const given = await Promise.all(Array.from({ length: 3 }, () => t.lead(one)));
  const [single, ...others] = given;
  const { businessId } = await t.lead(gone);
  await t.request(gone, assignBusiness, { body: { userId: two.id, businessId } });
  await t.request(gone, reassignLead.byId, { ...on(single as Lead), body: { newUserId: two.id } });
  const ids = others.map(({ id }) => id);
  await t.request(gone, bulkReassign, { body: { ids, newUserId: two.id } });
  await t.request(gone, addActivity.byId, { ...on(single as Lead), body: { type: 'call', notes: 'Rang' } });
  await importFile(t, gone, `Business Name,User\nShop ${gone.id},${two.username}`);
  const notices = async (person: TestUser) => (await t.request(person, listNotifications)).body.items;
  expect((await notices(two)).map(({ message }) => message)).toEqual([
    'Zacharias Quill imported 1 business for you.',
    'Zacharias Quill assigned 2 businesses to you.',
    'Zacharias Quill assigned Blue Door Bakery to you.',
    'Zacharias Quill assigned Blue Door Bakery to you.',
  ]);

  expect((await t.request(admin, deleteUser, on(gone))).status).toBe(204);

  expect(await notices(two)).toMatchObject([
    { message: 'A deleted user imported 1 business for you.', sourceUserId: null },
    { message: 'A deleted user assigned 2 businesses to you.', sourceUserId: null },
    { message: 'A deleted user assigned Blue Door Bakery to you.', sourceUserId: null },
    { message: 'A deleted user assigned Blue Door Bakery to you.', sourceUserId: null },
  ]);
  const responses = await Promise.all([
    ...[one, two, admin].flatMap((person) => [
      t.request(person, listNotifications),
      t.request(person, listLeads),
      t.request(person, usersForReassignment),
    ]),
    ...given.flatMap((lead) => [
      t.request(admin, getAssignmentHistory.byId, on(lead)),
      t.request(two, getLead.byId, on(lead)),
    ]),
    t.request(admin, listUsers),
  ]);
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
  const text = JSON.stringify(responses.map(({ body }) => body));
  for (const name of ['Zacharias', 'Quill', gone.username, gone.email]) expect(text).not.toContain(name);
});

test('a notice shows the name that its source has now', async () => {
  const [source, holder] = [await t.user('admin', { fullName: 'Ann Before' }), await t.user()];
  const { businessId } = await t.lead(source);
  await t.request(source, assignBusiness, { body: { userId: holder.id, businessId } });
  await t.request(admin, changeUser, { ...on(source), body: { ...asSent(source), fullName: 'Ann After' } });
  const { items } = (await t.request(holder, listNotifications)).body;
  expect(items[0]?.message).toBe('Ann After assigned Blue Door Bakery to you.');
});

test('nobody deletes, deactivates or demotes themselves', async () => {
  const self = await t.user('admin');
  const tries = [
    t.request(self, deleteUser, on(self)),
    t.request(self, setUserActive, { ...on(self), body: { active: false } }),
    t.request(self, changeUser, { ...on(self), body: { ...asSent(self), role: 'manager' } }),
  ];
  for (const response of await Promise.all(tries)) {
    expect(response).toMatchObject({ status: 409, body: { code: 'cannot_change_self' } });
  }
  expect(await row(self.id)).toMatchObject({ role: 'admin', active: true });
  expect(
    (await t.request(self, changeUser, { ...on(self), body: { ...asSent(self), fullName: 'New Name' } })).body.fullName,
  ).toBe('New Name');
});

test('twenty admins who demote, deactivate and delete each other leave at least one', async () => {
  const alone = await testApp({ ownDatabase: true });
  const admins = await Promise.all(Array.from({ length: 20 }, () => alone.user('admin')));
  await Promise.all(
    admins.map((actor, i) => {
      const target = admins[(i + 1) % admins.length] as TestUser;
      if (i % 3 === 0) return alone.request(actor, deleteUser, on(target));
      if (i % 3 === 1) return alone.request(actor, setUserActive, { ...on(target), body: { active: false } });
      return alone.request(actor, changeUser, { ...on(target), body: { ...asSent(target), role: 'user' } });
    }),
  );
  expect(await alone.db.$count(users, sql`role = 'admin' and active`)).toBeGreaterThanOrEqual(1);
  await alone.close();
});

test.each(['0', '-1', '1.5', 'abc', '2147483648', '1e3', '%31x'])('the id %j is refused', async (id) => {
  const response = await t.inject({
    method: 'POST',
    url: `/api/users/${id}/unlock`,
    headers: { cookie: admin.cookie },
  });
  expect({ status: response.statusCode, code: response.json().code }).toEqual({ status: 400, code: 'invalid_id' });
});

test('an unknown user is 404 before the body is looked at', async () => {
  const missing = { params: { id: 2_147_483_647 } };
  expect((await t.request(admin, changeUser, { ...missing, body: {} as never })).status).toBe(404);
  expect((await t.request(admin, setUserPassword, { ...missing, body: {} as never })).status).toBe(404);
  expect((await t.request(admin, setUserActive, { ...missing, body: {} as never })).status).toBe(404);
  expect((await t.request(admin, unlockUser, missing)).status).toBe(404);
});
