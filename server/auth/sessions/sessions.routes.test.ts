import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { getUser, login, logout } from '#contract/auth/auth.calls.ts';
import { setUserActive } from '#contract/users/users.calls.ts';
import { createPasswords, loadArgon2 } from '#server/auth/passwords.ts';
import { sessions, users } from '#server/schema/users.ts';
import { type TestApp, testApp } from '#server/testing/test-app.ts';

const PASSWORD = 'correct horse 9';
let t: TestApp;
let hash: string;
beforeAll(async () => {
  t = await testApp();
  hash = await (await createPasswords(await loadArgon2())).hash(PASSWORD);
});
afterAll(() => t.close());

const createAccount = () => t.user('user', { password: hash });
const attempt = (username: string, password: string, headers = {}) =>
  t.request(null, login, { body: { username, password } }, { headers });
const account = async (id: number) => (await t.db.select().from(users).where(eq(users.id, id)))[0];
const sessionCount = (userId: number) => t.db.$count(sessions, eq(sessions.userId, userId));

test('signing in ends the session of the request', async () => {
  const user = await createAccount();
  const response = await attempt(user.username, PASSWORD, { cookie: user.cookie });
  expect(response.status).toBe(200);
  expect((await t.request(user, getUser)).status).toBe(401);
  expect(await sessionCount(user.id)).toBe(1);
});

test('an eleventh session ends the oldest', async () => {
  const user = await createAccount();
  await t.db.update(sessions).set({ createdAt: sql`now() - interval '1 hour'` }).where(eq(sessions.userId, user.id));
  for (let i = 0; i < 10; i++) expect((await attempt(user.username, PASSWORD)).status).toBe(200);
  expect(await sessionCount(user.id)).toBe(10);
  expect((await t.request(user, getUser)).status).toBe(401);
});

test('twenty concurrent sign-ins leave at most ten sessions and do not lock the account', async () => {
  const user = await createAccount();
  const responses = await Promise.all(Array.from({ length: 20 }, () => attempt(user.username, PASSWORD)));
  expect(responses.some(({ status }) => status === 200)).toBe(true);
  expect(responses.every(({ status }) => status === 200 || status === 429)).toBe(true);
  expect(await sessionCount(user.id)).toBeLessThanOrEqual(10);
  expect(await account(user.id)).toMatchObject({ failedLoginAttempts: 0, lockedUntil: null });
});

test('logging out ends the session on the server, and always returns 200', async () => {
  const user = await createAccount();
  const response = await t.request(user, logout);
  expect(response.status).toBe(200);
  expect(String(response.headers['set-cookie'])).toMatch(/^hs_session=; Max-Age=0; Path=\/; /);
  expect((await t.request(user, getUser)).status).toBe(401);
  expect((await t.request(user, logout)).status).toBe(200);
  expect((await t.request(null, logout)).status).toBe(200);
});

test.each([
  { what: 'after 12 idle hours', change: { lastUsedAt: sql`now() - interval '12 hours 1 second'` } },
  { what: 'after 7 days', change: { expiresAt: sql`now()` } },
])('a session ends $what; its cookie gets 401 and is cleared', async ({ change }) => {
  const user = await createAccount();
  await t.db.update(sessions).set(change).where(eq(sessions.userId, user.id));
  const response = await t.request(user, getUser);
  expect(response).toMatchObject({ status: 401, body: { code: 'not_authenticated' } });
  expect(String(response.headers['set-cookie'])).toContain('hs_session=;');
});

test('a malformed cookie gets 401 and is cleared; without a cookie none is set', async () => {
  expect(String((await t.request({ cookie: 'hs_session=nonsense' }, getUser)).headers['set-cookie'])).toContain(
    'hs_session=;',
  );
  const anonymous = await t.request(null, getUser);
  expect(anonymous.status).toBe(401);
  expect(anonymous.headers['set-cookie']).toBeUndefined();
});

test('deactivating an account ends its sessions at once', async () => {
  const user = await createAccount();
  await t.request(await t.user('admin'), setUserActive, { params: { id: String(user.id) }, body: { active: false } });
  expect((await t.request(user, getUser)).status).toBe(401);
  expect(await sessionCount(user.id)).toBe(0);
});

test('the time of last use is updated once a minute', async () => {
  const user = await createAccount();
  const lastUsed = async () => (await t.db.select().from(sessions).where(eq(sessions.userId, user.id)))[0]?.lastUsedAt;
  const fresh = await lastUsed();
  await t.request(user, getUser);
  expect(await lastUsed()).toBe(fresh);
  await t.db
    .update(sessions)
    .set({ lastUsedAt: sql`now() - interval '2 minutes'` })
    .where(eq(sessions.userId, user.id));
  const before = await lastUsed();
  await t.request(user, getUser);
  expect(await lastUsed()).not.toBe(before);
});
