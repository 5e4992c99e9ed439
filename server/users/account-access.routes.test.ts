import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { getUser, login } from '#contract/auth/auth.calls.ts';
import {
  changeUser,
  deleteUser,
  listUsers,
  setUserActive,
  setUserPassword,
  unlockUser,
} from '#contract/users/users.calls.ts';
import { sessions, users } from '#server/schema/users.ts';
import { readSetCookie, type TestApp, type TestUser, testApp, unchangedUser } from '#server/testing/test-app.ts';

let t: TestApp;
let admin: TestUser;
beforeAll(async () => {
  t = await testApp();
  admin = await t.user('admin');
});
afterAll(() => t.close());

const withId = ({ id }: { id: number }) => ({ params: { id } });
const findRow = async (id: number) => (await t.db.select().from(users).where(eq(users.id, id)))[0];

test('a changed role applies to the next request', async () => {
  const user = await t.user('admin');
  expect((await t.request(user, listUsers)).status).toBe(200);
  await t.request(admin, changeUser, { ...withId(user), body: { ...unchangedUser(user), role: 'user' } });
  expect((await t.request(user, listUsers)).status).toBe(403);
});

test('a password set by an admin ends the sessions, unlocks the account, and signs in', async () => {
  const user = await t.user('user', { failedLoginAttempts: 5, lockedUntil: '2099-01-01T00:00:00.000Z' });
  const response = await t.request(admin, setUserPassword, {
    ...withId(user),
    body: { newPassword: 'no rule but length' },
  });
  expect(response).toMatchObject({ status: 200, body: { failedLoginAttempts: 0, lockedUntil: null } });
  expect((await t.request(user, getUser)).status).toBe(401);
  const body = { username: user.username, password: 'no rule but length' };
  expect((await t.request(null, login, { body })).status).toBe(200);
});

test('an admin who sets their own password keeps only this session, with a new cookie', async () => {
  const self = await t.user('admin');
  const response = await t.request(self, setUserPassword, {
    ...withId(self),
    body: { newPassword: 'eight characters' },
  });
  expect(response.status).toBe(200);
  expect((await t.request(self, getUser)).status).toBe(401);
  expect((await t.request({ cookie: readSetCookie(response.headers) }, getUser)).status).toBe(200);
  expect(await t.db.$count(sessions, eq(sessions.userId, self.id))).toBe(1);
});

test.each(['seven77', ''])('%j is not a valid password', async (newPassword) => {
  const user = await t.user();
  const response = await t.request(admin, setUserPassword, { ...withId(user), body: { newPassword } });
  expect(response).toMatchObject({ status: 400, body: { message: 'Password must be at least 8 characters' } });
});

test('unlocking clears the failed sign-ins', async () => {
  const user = await t.user('user', { failedLoginAttempts: 7, lockedUntil: '2099-01-01T00:00:00.000Z' });
  expect(await t.request(admin, unlockUser, withId(user))).toMatchObject({
    status: 200,
    body: { failedLoginAttempts: 0, lockedUntil: null },
  });
});

test('an account can be deactivated and activated again', async () => {
  const user = await t.user();
  expect(await t.request(admin, setUserActive, { ...withId(user), body: { active: false } })).toMatchObject({
    body: { active: false },
  });
  expect(await t.db.$count(sessions, eq(sessions.userId, user.id))).toBe(0);
  expect(await t.request(admin, setUserActive, { ...withId(user), body: { active: true } })).toMatchObject({
    body: { active: true },
  });
  for (const active of ['false', 0, null]) {
    expect((await t.request(admin, setUserActive, { ...withId(user), body: { active } as never })).status).toBe(400);
  }
});

test('admins cannot delete, deactivate or demote themselves', async () => {
  const self = await t.user('admin');
  const tries = [
    t.request(self, deleteUser, withId(self)),
    t.request(self, setUserActive, { ...withId(self), body: { active: false } }),
    t.request(self, changeUser, { ...withId(self), body: { ...unchangedUser(self), role: 'manager' } }),
  ];
  for (const response of await Promise.all(tries)) {
    expect(response).toMatchObject({ status: 409, body: { code: 'cannot_change_self' } });
  }
  expect(await findRow(self.id)).toMatchObject({ role: 'admin', active: true });
  expect(
    (await t.request(self, changeUser, { ...withId(self), body: { ...unchangedUser(self), fullName: 'New Name' } }))
      .body.fullName,
  ).toBe('New Name');
});

test('when twenty admins demote, deactivate and delete each other, at least one remains', async () => {
  const ownApp = await testApp({ ownDatabase: true });
  const admins = await Promise.all(Array.from({ length: 20 }, () => ownApp.user('admin')));
  await Promise.all(
    admins.map((actor, i) => {
      const target = admins[(i + 1) % admins.length] as TestUser;
      if (i % 3 === 0) return ownApp.request(actor, deleteUser, withId(target));
      if (i % 3 === 1) return ownApp.request(actor, setUserActive, { ...withId(target), body: { active: false } });
      return ownApp.request(actor, changeUser, { ...withId(target), body: { ...unchangedUser(target), role: 'user' } });
    }),
  );
  expect(await ownApp.db.$count(users, sql`role = 'admin' and active`)).toBeGreaterThanOrEqual(1);
  await ownApp.close();
});
