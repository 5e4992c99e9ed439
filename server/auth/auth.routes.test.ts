import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { getUser, login } from '#contract/auth/auth.calls.ts';
import { changeStart, getSettings } from '#contract/auth/settings.calls.ts';
import { users } from '#server/schema/users.ts';
import { readSetCookie, type TestApp, testApp } from '#server/testing/test-app.ts';
import { createPasswords, loadArgon2 } from './passwords.ts';

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

test.each(['username', 'email'] as const)(
  'signing in by %s, case-insensitively, returns the user and a session cookie',
  async (by) => {
    const user = await createAccount();

    const response = await attempt(` ${user[by].toUpperCase()} `, PASSWORD);

    expect(response.status).toBe(200);
    expect(Object.keys(response.body).sort()).toEqual([
      'active',
      'email',
      'fullName',
      'id',
      'monthlyGoal',
      'role',
      'username',
    ]);
    const [cookie] = [response.headers['set-cookie']].flat();
    expect(cookie).toMatch(/^hs_session=[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/);
    expect((await t.request({ cookie: readSetCookie(response.headers) }, getUser)).body.id).toBe(user.id);
  },
);

test('with an https APP_URL the cookie is Secure and has the __Host- prefix', async () => {
  const secure = await testApp({ env: { APP_URL: 'https://leads.example.test' } });
  const user = await secure.user('user', { password: hash });
  const response = await secure.request(null, login, { body: { username: user.username, password: PASSWORD } });
  expect(String(response.headers['set-cookie'])).toMatch(/^__Host-hs_session=[\w-]{43};.*; Secure/);
  expect(response.headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains');
  await secure.close();
});

test('a wrong password and an unknown name get the same response', async () => {
  const user = await createAccount();
  const wrong = await attempt(user.username, 'not the password');
  const unknown = await attempt('unknown-name', 'not the password');
  expect(wrong).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } });
  expect(unknown.body).toEqual(wrong.body);
  const varying = { 'content-length': '', date: '' };
  expect({ ...unknown.headers, ...varying }).toEqual({ ...wrong.headers, ...varying });
});

test('an e-mail does not match a username, nor the reverse', async () => {
  const user = await createAccount();
  await t.user('user', { username: `x${user.username}`.slice(0, 50), password: hash });
  expect((await attempt(user.email.split('@')[0] ?? '', PASSWORD)).status).toBe(200);
  expect((await attempt(`${user.username}@nowhere.test`, PASSWORD)).status).toBe(401);
});

test.each([
  { given: {}, why: 'nothing' },
  { given: { username: 'a', password: 5 }, why: 'a number as password' },
  { given: { username: ['a'], password: 'b' }, why: 'a list as username' },
])('$why is refused as invalid', async ({ given }) => {
  expect(await t.request(null, login, { body: given as never })).toMatchObject({
    status: 400,
    body: { code: 'validation_failed' },
  });
});

test('an inactive account is reported only with the right password', async () => {
  const user = await t.user('user', { password: hash, active: false });
  expect(await attempt(user.username, 'wrong one')).toMatchObject({
    status: 401,
    body: { code: 'invalid_credentials' },
  });
  const right = await attempt(user.username, PASSWORD);
  expect(right).toMatchObject({ status: 403, body: { code: 'account_inactive' } });
  expect(right.headers['set-cookie']).toBeUndefined();
  // The right password is no failure: it neither locks nor counts.
  for (let i = 0; i < 6; i++) expect((await attempt(user.username, PASSWORD)).status).toBe(403);
  expect(await account(user.id)).toMatchObject({ failedLoginAttempts: 0, lockedUntil: null });
});

test('a hash with older parameters is rehashed at sign-in', async () => {
  const argon2 = await loadArgon2();
  const weak = await argon2?.hash(PASSWORD, { memoryCost: 8192, timeCost: 1, parallelism: 1 });
  const user = await t.user('user', { password: weak ?? '' });
  expect((await attempt(user.username, PASSWORD)).status).toBe(200);
  expect((await account(user.id))?.password).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect((await attempt(user.username, PASSWORD)).status).toBe(200);
});

test('a user chooses the screen to start with, for themselves', async () => {
  const [user, other] = [await createAccount(), await createAccount()];
  const change = (startAt: unknown) => t.request(user, changeStart, { body: { startAt } as never });
  expect(await change('today')).toMatchObject({ status: 200, body: { startAt: 'today' } });
  expect((await t.request(user, getSettings)).body.startAt).toBe('today');
  expect((await t.request(other, getSettings)).body.startAt).toBeNull();
  expect(await change('elsewhere')).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
  await change(null);
  expect((await t.request(user, getSettings)).body.startAt).toBeNull();
});

test('signed-in users get the settings of the web app', async () => {
  expect((await t.request(await createAccount(), getSettings)).body).toEqual({
    supportEmail: 'support@localhost',
    timeZone: 'Europe/London',
    tileUrl: 'https://tile.openstreetmap.org/{z}/{x}/{y}.png',
    tileAttribution: '© OpenStreetMap contributors',
    bankHolidays: 'england-and-wales',
    currency: 'GBP',
    userSince: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T/),
    startAt: null,
    chooseOwnPassword: false,
    secondFactorDue: null,
    secondFactorOverdue: false,
    draftKey: expect.stringMatching(/^[\w+/]{43}=$/),
  });
});
