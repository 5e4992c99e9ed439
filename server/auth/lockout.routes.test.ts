import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { getUser, login } from '#contract/auth/auth.calls.ts';
import { getSettings } from '#contract/auth/settings.calls.ts';
import { unlockUser } from '#contract/users/users.calls.ts';
import { throttles, users } from '#server/schema/users.ts';
import { createSecretBox } from '#server/second-factor/secret-box.ts';
import { type TestApp, testApp } from '#server/testing/test-app.ts';
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

const NO_SESSION = { userAgent: undefined, oldSession: undefined, browser: 'a browser' };
const createAccount = () => t.user('user', { password: hash });
const attempt = (username: string, password: string, headers = {}) =>
  t.request(null, login, { body: { username, password } }, { headers });
const account = async (id: number) => (await t.db.select().from(users).where(eq(users.id, id)))[0];

test('five failures lock the account for 15 minutes, also for the right password', async () => {
  const user = await createAccount();
  for (let i = 0; i < 5; i++) expect((await attempt(user.username, 'wrong one')).status).toBe(401);

  const locked = await attempt(user.email, PASSWORD);

  expect(locked).toMatchObject({ status: 429, body: { code: 'too_many_attempts' } });
  expect(Number(locked.headers['retry-after'])).toBeGreaterThan(14 * 60);
  expect(Number(locked.headers['retry-after'])).toBeLessThanOrEqual(15 * 60);
  expect((await account(user.id))?.failedLoginAttempts).toBe(5);
  expect((await t.request(user, getUser)).status).toBe(200); // open sessions live on

  await t.request(await t.user('admin'), unlockUser, { params: { id: String(user.id) } });
  expect((await attempt(user.username, PASSWORD)).status).toBe(200);
  expect(await account(user.id)).toMatchObject({ failedLoginAttempts: 0, lockedUntil: null });
});

test('later locks are longer: 30 minutes, an hour, and a day from the fiftieth failure on', async () => {
  const user = await createAccount();
  const lockedMinutes = async (failuresBefore: number) => {
    const last = { failedLoginAttempts: failuresBefore, lockedUntil: sql`now() - interval '1 second'` };
    await t.db.update(users).set(last).where(eq(users.id, user.id));
    expect((await attempt(user.username, 'wrong one')).status).toBe(401);
    const [row] = await t.db
      .select({ minutes: sql<number | null>`round(extract(epoch from ${users.lockedUntil} - now()) / 60)::int` })
      .from(users)
      .where(eq(users.id, user.id));
    return row?.minutes ?? null;
  };
  expect(await lockedMinutes(5)).toBe(null);
  expect(await lockedMinutes(9)).toBe(30);
  expect(await lockedMinutes(14)).toBe(60);
  expect(await lockedMinutes(44)).toBe(60);
  expect(await lockedMinutes(49)).toBe(1440);
  expect(await lockedMinutes(54)).toBe(1440);
});

test('an unknown name is locked like an existing one', async () => {
  const name = `ghost-${Date.now()}`;
  for (let i = 0; i < 5; i++) expect((await attempt(name, 'wrong one')).status).toBe(401);
  const locked = await attempt(name, 'wrong one');
  expect(locked).toMatchObject({ status: 429, body: { code: 'too_many_attempts' } });
  expect(Number(locked.headers['retry-after'])).toBeGreaterThan(14 * 60);
  const stored = await t.db.select({ key: throttles.key }).from(throttles);
  expect(JSON.stringify(stored)).not.toContain(name);
});

test('unknown and existing names are locked alike over hours and days', async () => {
  const user = await createAccount();
  const ghost = `ghost-${user.username}`;
  const unknownRow = sql`(select key from throttles where key like 'unknown name %' order by expires_at desc limit 1)`;
  const passTime = async (interval: string) => {
    const ago = (column: unknown) => sql`${column} - ${interval}::interval`;
    await t.db.update(throttles).set({ expiresAt: ago(throttles.expiresAt), lockedUntil: ago(throttles.lockedUntil) });
    await t.db
      .update(users)
      .set({ lockedUntil: ago(users.lockedUntil) })
      .where(eq(users.id, user.id));
  };
  const minutesLockedAfterFive = async (name: string) => {
    for (let i = 0; i < 5; i++) expect((await attempt(name, 'wrong one')).status).toBe(401);
    const locked = await attempt(name, 'wrong one');
    expect(locked.status).toBe(429);
    return Math.ceil(Number(locked.headers['retry-after']) / 60);
  };
  const expectBoth = async (minutes: number) =>
    expect([await minutesLockedAfterFive(user.username), await minutesLockedAfterFive(ghost)]).toEqual([
      minutes,
      minutes,
    ]);

  await expectBoth(15);
  await passTime('2 hours');
  await expectBoth(30);
  await passTime('23 hours 50 minutes');
  await expectBoth(60);
  await passTime('24 hours 1 minute');
  await expectBoth(15);
  await passTime('1 hour');
  await t.db.update(users).set({ failedLoginAttempts: 45 }).where(eq(users.id, user.id));
  await t.db.update(throttles).set({ count: 45 }).where(eq(throttles.key, unknownRow));
  await expectBoth(24 * 60);
  await passTime('24 hours 1 minute');
  await expectBoth(15);
}, 60_000);

test('an attempt refused as busy is not counted', async () => {
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
  const queued = Array.from({ length: 204 }, () => passwords.verify(undefined, 'x'));
  const user = await createAccount();
  const ghost = `ghost-${user.username}`;
  const ip = '198.51.100.7';
  const box = createSecretBox({ installationKey: 'any key' });
  const deps = { db: t.db, env: t.env, passwords, nameKey: 'any key', box, clock: () => new Date() };
  const signInAs = (name: string) => signIn(deps, { name, password: PASSWORD, session: { ip, ...NO_SESSION } });
  const counters = () => t.db.select().from(throttles).orderBy(throttles.key);
  const before = await counters();

  for (const name of [user.username, ghost, user.email]) {
    await expect(signInAs(name)).rejects.toMatchObject({ code: 'busy' });
  }

  expect(await account(user.id)).toMatchObject({ failedLoginAttempts: 0, lockedUntil: null });
  expect(await counters()).toEqual(before);
  release();
  await Promise.all(queued);
  expect((await signInAs(user.username)).user.id).toBe(user.id);
});

test('the stored hash of a sign-in name never equals a draft key', async () => {
  const user = await createAccount();
  const { draftKey } = (await t.request(user, getSettings)).body;
  const storedKey = Buffer.from(draftKey, 'base64').toString('base64url');
  for (const name of [`drafts of ${user.id}`, `Drafts of ${user.id}`, `: drafts of ${user.id}`]) {
    expect((await attempt(name, 'wrong one')).status).toBe(401);
  }
  const stored = await t.db.select({ key: throttles.key }).from(throttles);
  expect(JSON.stringify(stored)).not.toContain(storedKey);
  expect((await t.request(user, getSettings)).body.draftKey).toBe(draftKey);
});

test('of fifty concurrent guesses five are verified', async () => {
  const user = await createAccount();
  const responses = await Promise.all(Array.from({ length: 50 }, () => attempt(user.username, 'a guess')));
  expect(responses.filter(({ status }) => status === 401)).toHaveLength(5);
  expect(responses.filter(({ status }) => status === 429)).toHaveLength(45);
});

test('an IP is refused after 100 failed sign-ins with any names', async () => {
  const proxied = await testApp({ env: { TRUST_PROXY: '1' } });
  const from = (ip: string) => ({ headers: { 'x-forwarded-for': ip } });
  const body = { username: 'first', password: 'wrong one' };
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
