import { and, desc, eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { login } from '#contract/auth/auth.calls.ts';
import {
  changeUser,
  createUser,
  listUsers,
  setUserActive,
  setUserPassword,
  unlockUser,
} from '#contract/users/users.calls.ts';
import { mailOutbox } from '#server/kit/db/kit-tables.ts';
import { auditEvents } from '#server/schema/audit.ts';
import { users } from '#server/schema/users.ts';
import { type TestApp, type TestUser, testApp, unchangedUser } from '#server/testing/test-app.ts';

let t: TestApp;
let admin: TestUser;
beforeAll(async () => {
  t = await testApp();
  admin = await t.user('admin');
});
afterAll(() => t.close());

let counter = 0;
const newUserBody = () => {
  const username = `new.user-${Date.now()}-${++counter}`;
  return {
    username,
    email: `${username}@example.test`,
    fullName: 'Nell Newman',
    role: 'manager' as const,
    monthlyGoal: 40,
  };
};
const withId = ({ id }: { id: number }) => ({ params: { id } });
const findRow = async (id: number) => (await t.db.select().from(users).where(eq(users.id, id)))[0];

test('a created account can sign in, and is listed without its hash', async () => {
  const body = newUserBody();
  const created = await t.request(admin, createUser, { body: { ...body, password: 'pässwörd 🔑' } });
  expect(created).toMatchObject({
    status: 201,
    body: { ...body, active: true, failedLoginAttempts: 0, lockedUntil: null },
  });

  const signedIn = await t.request(null, login, { body: { username: body.username, password: 'pässwörd 🔑' } });
  expect(signedIn).toMatchObject({ status: 200, body: { fullName: 'Nell Newman', role: 'manager' } });
  const { body: listed } = await t.request(admin, listUsers);
  expect(listed.find(({ id }) => id === created.body.id)).toMatchObject(body);
});

test('role and goal have defaults; other fields are ignored', async () => {
  const { username, email, fullName } = newUserBody();
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
    body: { ...newUserBody(), password: 'eight characters', ...wrong } as never,
  });
  expect(response).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
  if (message) expect(response.body.message).toBe(message);
  expect(await t.db.$count(users)).toBe(before);
});

test('a used username or e-mail is refused case-insensitively, on create and on change', async () => {
  const [one, two] = [await t.user(), await t.user()];
  for (const [field, code] of [
    ['username', 'duplicate_username'],
    ['email', 'duplicate_email'],
  ] as const) {
    const taken = { [field]: one[field].toUpperCase() };
    const created = await t.request(admin, createUser, {
      body: { ...newUserBody(), password: 'eight characters', ...taken },
    });
    expect(created).toMatchObject({ status: 409, body: { code, errors: [{ path: field }] } });
    const changed = await t.request(admin, changeUser, { ...withId(two), body: { ...unchangedUser(two), ...taken } });
    expect(changed).toMatchObject({ status: 409, body: { code } });
  }
  expect(await findRow(two.id)).toMatchObject({ username: two.username, email: two.email });
});

test('of twenty concurrent creations with one name, one succeeds', async () => {
  const body = newUserBody();
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      t.request(admin, createUser, { body: { ...body, email: `${i}-${body.email}`, password: 'eight characters' } }),
    ),
  );
  expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(responses.filter(({ body }) => body.code === 'duplicate_username')).toHaveLength(19);
});

test('name, e-mail, role and goal can be changed; an omitted goal stays', async () => {
  const user = await t.user('user', { monthlyGoal: 33 });
  const body = newUserBody();
  const { monthlyGoal: _, ...withoutGoal } = body;
  expect(await t.request(admin, changeUser, { ...withId(user), body: withoutGoal })).toMatchObject({
    status: 200,
    body: { ...withoutGoal, monthlyGoal: 33 },
  });
  expect((await t.request(admin, changeUser, { ...withId(user), body: body })).body.monthlyGoal).toBe(40);
});

test('a changed e-mail or role is audited and mailed to the user, also to the old e-mail', async () => {
  const user = await t.user();
  const email = `moved-${user.email}`;
  await t.request(admin, changeUser, { ...withId(user), body: { ...unchangedUser(user), email, role: 'manager' } });
  const [event] = await t.db
    .select()
    .from(auditEvents)
    .where(and(eq(auditEvents.subjectType, 'user'), eq(auditEvents.subjectId, user.id)))
    .orderBy(desc(auditEvents.id));
  expect(event).toMatchObject({
    event: 'user_changed',
    actorId: admin.id,
    details: { roleBefore: 'user', roleAfter: 'manager', emailChanged: true },
  });
  expect(JSON.stringify(event)).not.toContain(email);
  await t.app.outbox.wake();
  expect(await t.db.$count(mailOutbox, eq(mailOutbox.userId, user.id))).toBe(0);
});

test.each(['0', '-1', '1.5', 'abc', '2147483648', '1e3', '%31x'])('the id %j is refused', async (id) => {
  const response = await t.inject({
    method: 'POST',
    url: `/api/users/${id}/unlock`,
    headers: { cookie: admin.cookie },
  });
  expect({ status: response.statusCode, code: response.json().code }).toEqual({ status: 400, code: 'invalid_id' });
});

test('an unknown user is 404 before the body is parsed', async () => {
  const missing = { params: { id: 2_147_483_647 } };
  expect((await t.request(admin, changeUser, { ...missing, body: {} as never })).status).toBe(404);
  expect((await t.request(admin, setUserPassword, { ...missing, body: {} as never })).status).toBe(404);
  expect((await t.request(admin, setUserActive, { ...missing, body: {} as never })).status).toBe(404);
  expect((await t.request(admin, unlockUser, missing)).status).toBe(404);
});
