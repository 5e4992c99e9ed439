import { eq, sql } from 'drizzle-orm';
import { Secret, TOTP } from 'otpauth';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { changePassword } from '#contract/account/account.calls.ts';
import { confirmCodes, setUpCodes } from '#contract/account/codes.calls.ts';
import { createInvitation } from '#contract/account/invitations.calls.ts';
import { startPasskey } from '#contract/account/passkeys.calls.ts';
import { prove } from '#contract/account/proof.calls.ts';
import { exportAuditEvents } from '#contract/audit/audit.calls.ts';
import { getUser, login } from '#contract/auth/auth.calls.ts';
import { DEFAULT_SECURITY, type SecurityRules } from '#contract/auth/security-rules.ts';
import { getSettings } from '#contract/auth/settings.calls.ts';
import { exportChanges } from '#contract/changes/changes.calls.ts';
import { exportLeads } from '#contract/leads/lead-export.calls.ts';
import { listNotifications } from '#contract/notifications/notifications.calls.ts';
import { getWeeklyContacts } from '#contract/progress/progress.calls.ts';
import { changeTeamSettings } from '#contract/settings/settings.calls.ts';
import { changeUser, createUser, deleteUser, setUserPassword } from '#contract/users/users.calls.ts';
import { teamSettings } from '#server/schema/settings.ts';
import { passkeys, sessions, users } from '#server/schema/users.ts';
import { readSetCookie, type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';
import { createPasswords, loadArgon2 } from './passwords.ts';

const PASSWORD = 'correct horse 9';
const DAY_MS = 86_400_000;
const WRONG = { status: 401, body: { code: 'invalid_code' } };

let t: TestApp;
let now = new Date();
let hash: string;
let admin: TestUser;
beforeAll(async () => {
  // The rules are those of the whole team.
  t = await testApp({ ownDatabase: true, clock: () => now });
  hash = await (await createPasswords(await loadArgon2())).hash(PASSWORD);
  admin = await t.user('admin');
});
afterAll(() => t.close());
afterEach(async () => {
  now = new Date();
  await t.db.delete(teamSettings);
});

const change = async (rules: Partial<SecurityRules> | null, by = admin) =>
  t.request(by, changeTeamSettings, { body: { security: rules && { ...DEFAULT_SECURITY, ...rules } } });
const settingsOf = async (user: TestUser) => (await t.request(user, getSettings)).body;
const signIn = (user: TestUser) => t.request(null, login, { body: { username: user.username, password: PASSWORD } });
const createWithPassword = () => t.user('user', { password: hash });

async function turnCodesOn(user: TestUser) {
  const { key } = (await t.request(user, setUpCodes)).body;
  const code = new TOTP({ secret: Secret.fromBase32(key.replaceAll(' ', '')) }).generate({ timestamp: now.getTime() });
  return t.request(user, confirmCodes, { body: { code, password: PASSWORD } });
}

test('a second factor is asked of all after days of grace, and then before anything else', async () => {
  const user = await createWithPassword();
  now = new Date(Date.now() - 3 * DAY_MS);
  await change({ secondFactor: 'all', graceDays: 7 });
  const due = (await settingsOf(user)).secondFactorDue;
  expect(Math.round((Date.parse(due ?? '') - Date.now()) / DAY_MS), 'from when the account was made').toBe(7);
  expect((await t.request(user, listNotifications)).status).toBe(200);

  await t.db.update(users).set({ createdAt: '2026-01-01T09:00:00.000Z' });
  await change({ secondFactor: 'all', graceDays: 3 });
  await expect.poll(async () => (await t.request(user, listNotifications)).body.code).toBe('second_factor_required');
  expect((await t.request(user, getWeeklyContacts)).body.code).toBe('second_factor_required');
  expect((await t.request(user, getUser)).status, 'the account itself').toBe(200);
  expect((await signIn(user)).status).toBe(200);

  now = new Date();
  expect((await turnCodesOn(user)).status).toBe(200);
  expect((await settingsOf(user)).secondFactorDue).toBeNull();
  expect((await t.request(user, listNotifications)).status).toBe(200);
});

test('it can be asked of administrators alone', async () => {
  const [user, other] = [await createWithPassword(), await t.user('admin', { password: hash })];
  await change({ secondFactor: 'admins', graceDays: 0 });
  expect((await t.request(user, listNotifications)).status).toBe(200);
  expect((await t.request(other, listNotifications)).body.code).toBe('second_factor_required');
  // Who has changed it is not locked out of changing it back.
  expect((await change({ secondFactor: 'offered' })).body.code).toBe('second_factor_required');
  await t.db.insert(passkeys).values({
    ...{
      userId: admin.id,
      name: 'A key',
      credentialId: 'a key',
      publicKey: '',
      counter: 0,
      transports: [],
      synced: false,
    },
  });
  expect((await change({ secondFactor: 'offered' })).status).toBe(200);
});

test('where a second factor is asked, the password of a user with a passkey is not enough', async () => {
  const user = await createWithPassword();
  const passkey = { name: 'A key', publicKey: '', counter: 0, transports: [], synced: false };
  await t.db.insert(passkeys).values({ ...passkey, userId: user.id, credentialId: `of ${user.id}` });
  expect((await signIn(user)).status).toBe(200);
  await change({ secondFactor: 'all' });
  expect(await signIn(user)).toMatchObject({ status: 401, body: { code: 'passkey_required' } });
  const [row] = await t.db.select().from(users).where(eq(users.id, user.id));
  expect(row?.failedLoginAttempts, 'the right password is no failure').toBe(0);
});

test('second factors that are off are not set up, and those that are there still count', async () => {
  const [user, withCodes] = [await createWithPassword(), await createWithPassword()];
  await turnCodesOn(withCodes);
  await change({ secondFactor: 'off' });
  expect(await t.request(user, setUpCodes)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  expect((await t.request(user, startPasskey, { body: { password: PASSWORD } })).status).toBe(403);
  expect((await signIn(withCodes)).body.code).toBe('code_required');
});

test('sessions last as long as the rules say, those that are open too', async () => {
  const user = await createWithPassword();
  const before = await signIn(user);
  expect(String(before.headers['set-cookie'])).toContain('Max-Age=604800');
  await change({ sessionDays: 30, idleHours: 2 });
  const after = await signIn(user);
  expect(String(after.headers['set-cookie'])).toContain('Max-Age=2592000');
  const rows = await t.db.select().from(sessions).where(eq(sessions.userId, user.id));
  for (const { createdAt, expiresAt, idleHours } of rows) {
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(30 * DAY_MS);
    expect(idleHours).toBe(2);
  }
  const cookie = { cookie: readSetCookie(after.headers) };
  expect((await t.request(cookie, getUser)).status).toBe(200);
  await t.db.update(sessions).set({ lastUsedAt: sql`now() - interval '121 minutes'` });
  expect((await t.request(cookie, getUser)).status).toBe(401);
  await t.db.update(sessions).set({ lastUsedAt: sql`now()` });
});

test('without a limit for sessions that are not used, they last as long as any', async () => {
  const user = await createWithPassword();
  await change({ sessionDays: 30, idleHours: null });
  const cookie = { cookie: readSetCookie((await signIn(user)).headers) };
  const unusedFor = (days: number) =>
    t.db
      .update(sessions)
      .set({ lastUsedAt: sql`now() - make_interval(days => ${days})` })
      .where(eq(sessions.userId, user.id));
  await unusedFor(29);
  expect((await t.request(cookie, getUser)).status).toBe(200);
  await unusedFor(29);
  await change({ sessionDays: 20, idleHours: null });
  expect((await t.request(cookie, getUser)).status, 'a shorter one counts for it, too').toBe(401);
});

test('a common password is refused to who chooses it, and elsewhere where the rules say so', async () => {
  const user = await createWithPassword();
  const refused = await t.request(user, changePassword, { body: { password: PASSWORD, newPassword: 'PassWord123' } });
  expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: 'newPassword' }] } });

  const create = (name: string) =>
    t.request(admin, createUser, {
      body: { username: name, email: `${name}@example.test`, fullName: 'New User', password: 'password123' },
    });
  const set = () => t.request(admin, setUserPassword, { params: { id: user.id }, body: { newPassword: 'iloveyou1' } });
  expect((await create('first-new')).status).toBe(201);
  await change({ refuseCommonPasswords: true });
  expect(await create('second-new')).toMatchObject({ status: 400, body: { errors: [{ path: 'password' }] } });
  expect(await set()).toMatchObject({ status: 400, body: { errors: [{ path: 'newPassword' }] } });
});

test('a user whose password another person has set is asked for one of their own', async () => {
  const user = await createWithPassword();
  expect((await settingsOf(user)).chooseOwnPassword).toBe(false);
  await t.request(admin, setUserPassword, { params: { id: user.id }, body: { newPassword: PASSWORD } });
  const signedIn = { ...user, cookie: readSetCookie((await signIn(user)).headers) };
  expect((await settingsOf(signedIn)).chooseOwnPassword).toBe(true);
  await change({ askForOwnPassword: false });
  expect((await settingsOf(signedIn)).chooseOwnPassword).toBe(false);
  await change(null);
  const body = { password: PASSWORD, newPassword: 'a new horse 10' };
  const own = await t.request(signedIn, changePassword, { body });
  expect((await settingsOf({ ...user, cookie: readSetCookie(own.headers) })).chooseOwnPassword).toBe(false);
});

test('what does most harm needs a recent proof, where the rules say so', async () => {
  const [user, victim] = [await t.user('admin', { password: hash }), await t.user()];
  const { username, email, fullName } = victim;
  const body = { username, email, fullName, role: 'manager' as const };
  const newAdmin = { username: 'new-admin', email: 'new@admin.test', fullName: 'New Admin', password: PASSWORD };
  const attempts = {
    export: () => t.request(user, exportLeads),
    changes: () => t.request(user, exportChanges),
    audit: () => t.request(user, exportAuditEvents),
    role: () => t.request(user, changeUser, { params: { id: victim.id }, body }),
    rules: () => change({ askAgain: false }, user),
    administrator: () => t.request(user, createUser, { body: { ...newAdmin, role: 'admin' } }),
    invitation: () =>
      t.request(user, createInvitation, { body: { email: 'new@invited.test', fullName: 'New', role: 'admin' } }),
    password: () =>
      t.request(user, setUserPassword, { params: { id: victim.id }, body: { newPassword: 'a new horse 10' } }),
    delete: () => t.request(user, deleteUser, { params: { id: victim.id } }),
  };
  const old = sql`now() - interval '16 minutes'`;
  await t.db.update(sessions).set({ provenAt: old }).where(eq(sessions.userId, user.id));
  expect((await attempts.export()).status, 'not asked for').toBe(200);
  expect((await change({ askAgain: true })).status).toBe(200);
  for (const [name, attempt] of Object.entries(attempts)) {
    expect(await attempt(), name).toMatchObject({ status: 403, body: { code: 'proof_required' } });
  }
  const renamed = { ...body, role: 'user' as const, fullName: 'A new name' };
  expect((await t.request(user, changeUser, { params: { id: victim.id }, body: renamed })).status).toBe(200);

  expect(await t.request(user, prove, { body: { password: 'wrong' } })).toMatchObject({ status: 401 });
  expect((await t.request(user, prove, { body: { password: PASSWORD } })).status).toBe(204);
  for (const [name, attempt] of Object.entries(attempts)) expect((await attempt()).status, name).toBeLessThan(300);
});

test('a proof by a one-time code counts once, and wrong ones lock', async () => {
  const user = await createWithPassword();
  const { key } = (await t.request(user, setUpCodes)).body;
  const totp = new TOTP({ secret: Secret.fromBase32(key.replaceAll(' ', '')) });
  const codeIn = (seconds: number) => totp.generate({ timestamp: now.getTime() + seconds * 1_000 });
  const [body, code] = [{ code: codeIn(0), password: PASSWORD }, codeIn(30)];
  const recovery = (await t.request(user, confirmCodes, { body })).body.recoveryCodes;
  const proveBy = (given: string) => t.request(user, prove, { body: { code: given } });
  expect((await proveBy(code)).status).toBe(204);
  expect(await proveBy(code)).toMatchObject(WRONG);
  expect((await proveBy(recovery[0] ?? '')).status).toBe(204);
  for (let i = 0; i < 5; i += 1) expect(await proveBy('000000')).toMatchObject(WRONG);
  expect(await proveBy(recovery[1] ?? '')).toMatchObject({ status: 429, body: { code: 'too_many_attempts' } });
});

test.each([
  { graceDays: -1 },
  { sessionDays: 0 },
  { sessionDays: 91 },
  { idleHours: 0.5 },
  { secondFactor: 'sometimes' },
])('%j is no rule', async (rules) => {
  expect((await change(rules as Partial<SecurityRules>)).body.code).toBe('validation_failed');
});

test('twenty changes of roles at once all come to an end', async () => {
  const colleagues = await Promise.all(Array.from({ length: 20 }, () => t.user()));
  const all = await Promise.all(
    colleagues.map(({ id, username, email, fullName }) =>
      t.request(admin, changeUser, { params: { id }, body: { username, email, fullName, role: 'manager' } }),
    ),
  );
  expect(all.map(({ status }) => status)).toEqual(colleagues.map(() => 200));
});

test('sessions that have ended do not come back with longer ones', async () => {
  const user = await createWithPassword();
  await change({ idleHours: 1 });
  const cookie = { cookie: readSetCookie((await signIn(user)).headers) };
  await t.db
    .update(sessions)
    .set({ lastUsedAt: sql`now() - interval '90 minutes'` })
    .where(eq(sessions.userId, user.id));
  expect((await t.request(cookie, getUser)).status).toBe(401);
  await change({ idleHours: 12 });
  expect((await t.request(cookie, getUser)).status).toBe(401);
});

test('who signs in at the provider of single sign-on has a second factor there', async () => {
  const user = await createWithPassword();
  await t.db.update(sessions).set({ ssoIssuer: 'https://id.example' }).where(eq(sessions.userId, user.id));
  await change({ secondFactor: 'all', graceDays: 0 });
  expect((await t.request(user, listNotifications)).status).toBe(200);
  expect((await settingsOf(user)).secondFactorDue).toBeNull();
});
