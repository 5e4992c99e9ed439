import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { getSettings, getUser, login, logout } from '#contract/auth/auth.calls.ts';
import { setUserActive, unlockUser } from '#contract/users/users.calls.ts';
import { sessions, throttles, users } from '#server/kit/db/schema.ts';
import { readSetCookie, type TestApp, testApp } from '#server/testing/test-app.ts';
import { createPasswords, loadArgon2 } from './passwords.ts';
import { signIn } from './sign-in.ts';

const PASSWORD = 'correct horse 9';
let t: TestApp;
let hash: string;
beforeAll(async () => {
  t = await testApp();
  hash = await (await createPasswords(await loadArgon2())).hash(PASSWORD);
});
afterAll(() => t.close());

const FROM_A_SCRIPT = { userAgent: undefined, oldSession: undefined };
const someone = () => t.user('user', { password: hash });
const attempt = (username: string, password: string, headers = {}) =>
  t.request(null, login, { body: { username, password } }, { headers });
const account = async (id: number) => (await t.db.select().from(users).where(eq(users.id, id)))[0];
const sessionCount = (userId: number) => t.db.$count(sessions, eq(sessions.userId, userId));

test.each(['username', 'email'] as const)(
  'signing in by %s, in any case, answers the user and a cookie',
  async (by) => {
    const person = await someone();

    const response = await attempt(` ${person[by].toUpperCase()} `, PASSWORD);

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
    expect((await t.request({ cookie: readSetCookie(response.headers) }, getUser)).body.id).toBe(person.id);
  },
);

test('with an https address the cookie is secure and bound to the host', async () => {
  const secure = await testApp({ env: { APP_URL: 'https://leads.example.test' } });
  const person = await secure.user('user', { password: hash });
  const response = await secure.request(null, login, { body: { username: person.username, password: PASSWORD } });
  expect(String(response.headers['set-cookie'])).toMatch(/^__Host-hs_session=[\w-]{43};.*; Secure/);
  expect(response.headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains');
  await secure.close();
});

test('a wrong password and an unknown name get the same answer', async () => {
  const person = await someone();
  const wrong = await attempt(person.username, 'not the password');
  const unknown = await attempt('nobody-of-that-name', 'not the password');
  expect(wrong).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } });
  expect(unknown.body).toEqual(wrong.body);
  const varying = { 'content-length': '', date: '' };
  expect({ ...unknown.headers, ...varying }).toEqual({ ...wrong.headers, ...varying });
});

test('an e-mail address is not taken for a username, nor the other way round', async () => {
  const person = await someone();
  await t.user('user', { username: `x${person.username}`.slice(0, 50), password: hash });
  expect((await attempt(person.email.split('@')[0] ?? '', PASSWORD)).status).toBe(200);
  expect((await attempt(`${person.username}@nowhere.test`, PASSWORD)).status).toBe(401);
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

test('five failures lock the account for 15 minutes, and the right password does not help meanwhile', async () => {
  const person = await someone();
  for (let i = 0; i < 5; i++) expect((await attempt(person.username, 'wrong one')).status).toBe(401);

  const locked = await attempt(person.email, PASSWORD);

  expect(locked).toMatchObject({ status: 429, body: { code: 'too_many_attempts' } });
  expect(Number(locked.headers['retry-after'])).toBeGreaterThan(14 * 60);
  expect(Number(locked.headers['retry-after'])).toBeLessThanOrEqual(15 * 60);
  expect((await account(person.id))?.failedLoginAttempts).toBe(5);
  expect((await t.request(person, getUser)).status).toBe(200); // open sessions live on

  await t.request(await t.user('admin'), unlockUser, { params: { id: String(person.id) } });
  expect((await attempt(person.username, PASSWORD)).status).toBe(200);
  expect(await account(person.id)).toMatchObject({ failedLoginAttempts: 0, lockedUntil: null });
});

test('the next locks are longer: 30 minutes, an hour, and a day from the fiftieth failure on', async () => {
  const person = await someone();
  const lockedMinutes = async (failuresBefore: number) => {
    const last = { failedLoginAttempts: failuresBefore, lockedUntil: sql`now() - interval '1 second'` };
    await t.db.update(users).set(last).where(eq(users.id, person.id));
    expect((await attempt(person.username, 'wrong one')).status).toBe(401);
    const [row] = await t.db
      .select({ minutes: sql<number | null>`round(extract(epoch from ${users.lockedUntil} - now()) / 60)::int` })
      .from(users)
      .where(eq(users.id, person.id));
    return row?.minutes ?? null;
  };
  expect(await lockedMinutes(5)).toBe(null);
  expect(await lockedMinutes(9)).toBe(30);
  expect(await lockedMinutes(14)).toBe(60);
  expect(await lockedMinutes(44)).toBe(60);
  expect(await lockedMinutes(49)).toBe(1440);
  expect(await lockedMinutes(54)).toBe(1440);
});

test('a name that nobody has locks just the same', async () => {
  const name = `ghost-${Date.now()}`;
  for (let i = 0; i < 5; i++) expect((await attempt(name, 'wrong one')).status).toBe(401);
  const locked = await attempt(name, 'wrong one');
  expect(locked).toMatchObject({ status: 429, body: { code: 'too_many_attempts' } });
  expect(Number(locked.headers['retry-after'])).toBeGreaterThan(14 * 60);
  const kept = await t.db.select({ key: throttles.key }).from(throttles);
  expect(JSON.stringify(kept)).not.toContain(name);
});

test('a name that nobody has and one that somebody has lock alike over hours and days', async () => {
  const person = await someone();
  const ghost = `ghost-${person.username}`;
  const unknownRow = sql`(select key from throttles where key like 'unknown name %' order by expires_at desc limit 1)`;
  const later = async (interval: string) => {
    const ago = (column: unknown) => sql`${column} - ${interval}::interval`;
    await t.db.update(throttles).set({ expiresAt: ago(throttles.expiresAt), lockedUntil: ago(throttles.lockedUntil) });
    await t.db
      .update(users)
      .set({ lockedUntil: ago(users.lockedUntil) })
      .where(eq(users.id, person.id));
  };
  const minutesLockedAfterFive = async (name: string) => {
    for (let i = 0; i < 5; i++) expect((await attempt(name, 'wrong one')).status).toBe(401);
    const locked = await attempt(name, 'wrong one');
    expect(locked.status).toBe(429);
    return Math.ceil(Number(locked.headers['retry-after']) / 60);
  };
  const expectBoth = async (minutes: number) =>
    expect([await minutesLockedAfterFive(person.username), await minutesLockedAfterFive(ghost)]).toEqual([
      minutes,
      minutes,
    ]);

  await expectBoth(15);
  await later('2 hours');
  await expectBoth(30);
  await later('23 hours 50 minutes');
  await expectBoth(60);
  await later('24 hours 1 minute');
  await expectBoth(15);
  await later('1 hour');
  await t.db.update(users).set({ failedLoginAttempts: 45 }).where(eq(users.id, person.id));
  await t.db.update(throttles).set({ count: 45 }).where(eq(throttles.key, unknownRow));
  await expectBoth(24 * 60);
  await later('24 hours 1 minute');
  await expectBoth(15);
}, 60_000);

test('a try that is refused because too many are hashed at once counts nowhere', async () => {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const argon2 = await loadArgon2();
  if (!argon2) throw new Error('This test needs Argon2');
  const verify: typeof argon2.verify = async (stored, password) => {
    await released;
    return password === PASSWORD && argon2.verify(stored, password);
  };
  const passwords = await createPasswords({ ...argon2, verify });
  const filled = Array.from({ length: 204 }, () => passwords.verify(undefined, 'x'));
  const person = await someone();
  const ghost = `ghost-${person.username}`;
  const ip = '198.51.100.7';
  const tryAs = (name: string) =>
    signIn({ db: t.db, passwords, nameKey: 'any key' }, { name, password: PASSWORD, ip, ...FROM_A_SCRIPT });
  const counters = () => t.db.select().from(throttles).orderBy(throttles.key);
  const before = await counters();

  for (const name of [person.username, ghost, person.email]) {
    await expect(tryAs(name)).rejects.toMatchObject({ code: 'busy' });
  }

  expect(await account(person.id)).toMatchObject({ failedLoginAttempts: 0, lockedUntil: null });
  expect(await counters()).toEqual(before);
  release();
  await Promise.all(filled);
  expect((await tryAs(person.username)).user.id).toBe(person.id);
});

test('no sign-in name is kept under the key that encrypts the drafts of a user', async () => {
  const person = await someone();
  const { draftKey } = (await t.request(person, getSettings)).body;
  const asKept = Buffer.from(draftKey, 'base64').toString('base64url');
  for (const name of [`drafts of ${person.id}`, `Drafts of ${person.id}`, `: drafts of ${person.id}`]) {
    expect((await attempt(name, 'wrong one')).status).toBe(401);
  }
  const kept = await t.db.select({ key: throttles.key }).from(throttles);
  expect(JSON.stringify(kept)).not.toContain(asKept);
  expect((await t.request(person, getSettings)).body.draftKey).toBe(draftKey);
});

test('fifty guesses at once get five looks', async () => {
  const person = await someone();
  const responses = await Promise.all(Array.from({ length: 50 }, () => attempt(person.username, 'a guess')));
  expect(responses.filter(({ status }) => status === 401)).toHaveLength(5);
  expect(responses.filter(({ status }) => status === 429)).toHaveLength(45);
});

test('a network address is stopped after 100 failed sign-ins, whatever names it tried', async () => {
  const proxied = await testApp({ env: { TRUST_PROXY: '1' } });
  const from = (ip: string) => ({ headers: { 'x-forwarded-for': ip } });
  const body = { username: 'whoever', password: 'wrong one' };
  await t.db.insert(throttles).values({
    key: 'sign-in failures of 2001:db8:1:2::/64',
    count: 99,
    expiresAt: sql`now() + interval '10 minutes'`,
  });
  expect((await proxied.request(null, login, { body }, from('2001:db8:1:2::5'))).status).toBe(401);
  const stopped = await proxied.request(
    null,
    login,
    { body: { ...body, username: 'other' } },
    from('2001:DB8:1:2:9::1'),
  );
  expect(stopped).toMatchObject({ status: 429, body: { code: 'too_many_attempts' } });
  expect(Number(stopped.headers['retry-after'])).toBeGreaterThan(500);
  expect(
    (await proxied.request(null, login, { body: { ...body, username: 'third' } }, from('2001:db8:1:3::5'))).status,
  ).toBe(401);
  await proxied.close();
});

test('an inactive account is told so with the right password only', async () => {
  const person = await t.user('user', { password: hash, active: false });
  expect(await attempt(person.username, 'wrong one')).toMatchObject({
    status: 401,
    body: { code: 'invalid_credentials' },
  });
  const right = await attempt(person.username, PASSWORD);
  expect(right).toMatchObject({ status: 403, body: { code: 'account_inactive' } });
  expect(right.headers['set-cookie']).toBeUndefined();
  // The right password is no failure: it neither locks nor leaves a count behind.
  for (let i = 0; i < 6; i++) expect((await attempt(person.username, PASSWORD)).status).toBe(403);
  expect(await account(person.id)).toMatchObject({ failedLoginAttempts: 0, lockedUntil: null });
});

test('signing in ends the session that came with the request', async () => {
  const person = await someone();
  const response = await attempt(person.username, PASSWORD, { cookie: person.cookie });
  expect(response.status).toBe(200);
  expect((await t.request(person, getUser)).status).toBe(401);
  expect(await sessionCount(person.id)).toBe(1);
});

test('at most ten sessions: the oldest goes', async () => {
  const person = await someone();
  await t.db.update(sessions).set({ createdAt: sql`now() - interval '1 hour'` }).where(eq(sessions.userId, person.id));
  for (let i = 0; i < 10; i++) expect((await attempt(person.username, PASSWORD)).status).toBe(200);
  expect(await sessionCount(person.id)).toBe(10);
  expect((await t.request(person, getUser)).status).toBe(401);
});

test('twenty sign-ins of one person at once leave at most ten sessions, and nobody locked out', async () => {
  const person = await someone();
  const responses = await Promise.all(Array.from({ length: 20 }, () => attempt(person.username, PASSWORD)));
  expect(responses.some(({ status }) => status === 200)).toBe(true);
  expect(responses.every(({ status }) => status === 200 || status === 429)).toBe(true);
  expect(await sessionCount(person.id)).toBeLessThanOrEqual(10);
  expect(await account(person.id)).toMatchObject({ failedLoginAttempts: 0, lockedUntil: null });
});

test('logging out ends the session on the server, and always answers 200', async () => {
  const person = await someone();
  const response = await t.request(person, logout);
  expect(response.status).toBe(200);
  expect(String(response.headers['set-cookie'])).toMatch(/^hs_session=; Max-Age=0; Path=\/; /);
  expect((await t.request(person, getUser)).status).toBe(401);
  expect((await t.request(person, logout)).status).toBe(200);
  expect((await t.request(null, logout)).status).toBe(200);
});

test.each([
  { what: 'after 12 idle hours', change: { lastUsedAt: sql`now() - interval '12 hours 1 second'` } },
  { what: 'after 7 days', change: { expiresAt: sql`now()` } },
])('a session ends $what; its cookie gets 401 and is cleared', async ({ change }) => {
  const person = await someone();
  await t.db.update(sessions).set(change).where(eq(sessions.userId, person.id));
  const response = await t.request(person, getUser);
  expect(response).toMatchObject({ status: 401, body: { code: 'not_authenticated' } });
  expect(String(response.headers['set-cookie'])).toContain('hs_session=;');
});

test('a malformed cookie gets 401 and is cleared; without one nothing is set', async () => {
  expect(String((await t.request({ cookie: 'hs_session=nonsense' }, getUser)).headers['set-cookie'])).toContain(
    'hs_session=;',
  );
  const anonymous = await t.request(null, getUser);
  expect(anonymous.status).toBe(401);
  expect(anonymous.headers['set-cookie']).toBeUndefined();
});

test('a deactivated account is out at once', async () => {
  const person = await someone();
  await t.request(await t.user('admin'), setUserActive, { params: { id: String(person.id) }, body: { active: false } });
  expect((await t.request(person, getUser)).status).toBe(401);
  expect(await sessionCount(person.id)).toBe(0);
});

test('use is noted once a minute', async () => {
  const person = await someone();
  const lastUsed = async () =>
    (await t.db.select().from(sessions).where(eq(sessions.userId, person.id)))[0]?.lastUsedAt;
  const fresh = await lastUsed();
  await t.request(person, getUser);
  expect(await lastUsed()).toBe(fresh);
  await t.db
    .update(sessions)
    .set({ lastUsedAt: sql`now() - interval '2 minutes'` })
    .where(eq(sessions.userId, person.id));
  const before = await lastUsed();
  await t.request(person, getUser);
  expect(await lastUsed()).not.toBe(before);
});

test('a hash with older parameters is renewed at sign-in', async () => {
  const argon2 = await loadArgon2();
  const weak = await argon2?.hash(PASSWORD, { memoryCost: 8192, timeCost: 1, parallelism: 1 });
  const person = await t.user('user', { password: weak ?? '' });
  expect((await attempt(person.username, PASSWORD)).status).toBe(200);
  expect((await account(person.id))?.password).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect((await attempt(person.username, PASSWORD)).status).toBe(200);
});

test('signed-in users learn what the web app needs to know', async () => {
  expect((await t.request(await someone(), getSettings)).body).toEqual({
    supportEmail: 'support@localhost',
    timeZone: 'Europe/London',
    tileUrl: 'https://tile.openstreetmap.org/{z}/{x}/{y}.png',
    tileAttribution: '© OpenStreetMap contributors',
    draftKey: expect.stringMatching(/^[\w+/]{43}=$/),
  });
});
