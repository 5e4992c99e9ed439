import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { and, eq } from 'drizzle-orm';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { changeEmail } from '#contract/account/account.calls.ts';
import * as calls from '#contract/account/codes.calls.ts';
import { login } from '#contract/auth/auth.calls.ts';
import { createPasswords, loadArgon2 } from '#server/auth/passwords.ts';
import { auditEvents } from '#server/schema/audit.ts';
import { oneTimeCodes, passkeys, recoveryCodes, throttles, users } from '#server/schema/users.ts';
import { readSetCookie, type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

const PASSWORD = 'correct horse 9';
let now = new Date('2026-11-19T09:00:00Z');

let t: TestApp;
let hash: string;
beforeAll(async () => {
  t = await testApp({ clock: () => now });
  hash = await (await createPasswords(await loadArgon2())).hash(PASSWORD);
});
afterAll(() => t.close());
beforeEach(() => t.db.delete(throttles));

const createUser = () => t.user('user', { password: hash });
/** Codes are used once, so that each test moves on. */
function nextCode(key: string) {
  now = new Date(now.getTime() + 30_000);
  return codeAt(key, now);
}
const codeAt = (key: string, at: Date) =>
  new TOTP({ secret: Secret.fromBase32(key.replaceAll(' ', '')) }).generate({ timestamp: at.getTime() });
const signIn = (user: TestUser, code?: string, password = PASSWORD) =>
  t.request(null, login, { body: { username: user.username, password, ...(code !== undefined && { code }) } });
const read = async ({ id }: TestUser) => (await t.db.select().from(users).where(eq(users.id, id)))[0];
const eventsOf = async ({ id }: TestUser) =>
  (
    await t.db
      .select()
      .from(auditEvents)
      .where(and(eq(auditEvents.subjectType, 'user'), eq(auditEvents.subjectId, id)))
  ).map(({ event }) => event);

async function createUserWithCodes() {
  const user = await createUser();
  const { key } = (await t.request(user, calls.setUpCodes)).body;
  const body = { code: nextCode(key), password: PASSWORD };
  const confirmed = await t.request(user, calls.confirmCodes, { body });
  return { user, key, recovery: confirmed.body.recoveryCodes };
}

test('codes count once a first code is confirmed', async () => {
  const user = await createUser();
  expect((await t.request(user, calls.getCodes)).body).toEqual({ since: null, recoveryCodesLeft: 0 });
  const { key, qr } = (await t.request(user, calls.setUpCodes)).body;
  expect(key).toMatch(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/);
  expect(qr.path).toMatch(/^M/);
  const [stored] = await t.db.select().from(oneTimeCodes).where(eq(oneTimeCodes.userId, user.id));
  expect(JSON.stringify(stored)).not.toContain(key.replaceAll(' ', ''));
  expect((await signIn(user)).status, 'not confirmed yet').toBe(200);

  const confirm = (code: string, password = PASSWORD) =>
    t.request(user, calls.confirmCodes, { body: { code, password } });
  expect((await confirm('000000')).body).toMatchObject({ code: 'invalid_code', errors: [{ path: 'code' }] });
  expect((await confirm(nextCode(key), 'wrong')).body.code).toBe('invalid_credentials');
  const confirmed = await confirm(nextCode(key));
  expect(confirmed.body.recoveryCodes).toHaveLength(10);
  expect((await t.request(user, calls.getCodes)).body).toMatchObject({
    since: expect.any(String),
    recoveryCodesLeft: 10,
  });
  expect((await t.request(user, calls.setUpCodes)).body.code).toBe('invalid_request');
  expect(await eventsOf(user)).toContain('codes_set_up');
  const kept = await t.db.select().from(recoveryCodes).where(eq(recoveryCodes.userId, user.id));
  expect(JSON.stringify(kept)).not.toContain(confirmed.body.recoveryCodes[0]);
});

test('an account with codes is signed in to with password and code, each code once', async () => {
  const { user, key } = await createUserWithCodes();
  const missing = await signIn(user);
  expect(missing).toMatchObject({ status: 401, body: { code: 'code_required' } });
  expect(missing.headers['set-cookie']).toBeUndefined();
  expect((await read(user))?.failedLoginAttempts, 'the right password is no failure').toBe(0);

  const code = nextCode(key);
  expect((await signIn(user, code, 'wrong')).body.code).toBe('invalid_credentials');
  expect((await signIn(user, code)).status).toBe(200);
  expect((await read(user))?.failedLoginAttempts).toBe(0);
  expect((await signIn(user, code)).body.code, 'used').toBe('invalid_code');
  expect((await signIn(user, codeAt(key, new Date(now.getTime() - 30_000)))).body.code, 'older').toBe('invalid_code');
  expect((await signIn(user, codeAt(key, new Date(now.getTime() + 30_000)))).status, 'a clock that is ahead').toBe(200);
  expect((await signIn(user, codeAt(key, new Date(now.getTime() + 90_000)))).body.code).toBe('invalid_code');
});

test('of twenty concurrent sign-ins with one code one wins', async () => {
  const { user, key } = await createUserWithCodes();
  const code = nextCode(key);
  const responses = await Promise.all(Array.from({ length: 20 }, () => signIn(user, code)));
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
});

test('of twenty concurrent sign-ins with one recovery code one wins', async () => {
  const { user, recovery } = await createUserWithCodes();
  const responses = await Promise.all(Array.from({ length: 20 }, () => signIn(user, recovery[0]?.toUpperCase())));
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
  expect((await t.request(user, calls.getCodes)).body.recoveryCodesLeft).toBe(9);
  expect(await eventsOf(user)).toContain('recovery_code_used');
});

test('five wrong codes lock the account, as passwords do', async () => {
  const { user, key } = await createUserWithCodes();
  for (let i = 0; i < 5; i += 1) expect((await signIn(user, '000000')).body.code).toBe('invalid_code');
  expect((await signIn(user, nextCode(key))).body.code).toBe('too_many_attempts');
  expect(await eventsOf(user)).toContain('account_locked');
});

test('asking for the code again and again locks nothing, and gives no further guesses', async () => {
  const { user } = await createUserWithCodes();
  for (let i = 0; i < 12; i += 1) expect((await signIn(user)).body.code).toBe('code_required');
  for (let i = 0; i < 5; i += 1) {
    expect((await signIn(user, '000000')).body.code).toBe('invalid_code');
    if (i < 4) await signIn(user);
  }
  expect((await signIn(user)).body.code).toBe('too_many_attempts');
});

test('codes are removed with password and code', async () => {
  const { user, key } = await createUserWithCodes();
  const remove = (code: string, password = PASSWORD) =>
    t.request(user, calls.removeCodes, { body: { code, password } });
  expect((await remove(nextCode(key), 'wrong')).body.code).toBe('invalid_credentials');
  expect((await remove('000000')).body.code).toBe('invalid_code');
  expect((await remove(nextCode(key))).body).toEqual({ since: null, recoveryCodesLeft: 0 });
  expect((await signIn(user)).status).toBe(200);
  expect((await remove('000000')).status).toBe(404);
  expect(await eventsOf(user)).toContain('codes_removed');
});

test('new recovery codes replace the former ones', async () => {
  const { user, key, recovery } = await createUserWithCodes();
  const body = { code: nextCode(key), password: PASSWORD };
  const renewed = (await t.request(user, calls.renewRecoveryCodes, { body })).body.recoveryCodes;
  expect((await signIn(user, recovery[0])).body.code).toBe('invalid_code');
  expect((await signIn(user, renewed[0])).status).toBe(200);
});

test('an administrator removes the codes of a user, who is told', async () => {
  const admin = await t.user('admin');
  const { user } = await createUserWithCodes();
  expect((await t.request(admin, calls.listUsersWithCodes)).body).toContain(user.id);
  const remove = () => t.request(admin, calls.removeCodesOfUser, { params: { id: user.id } });
  const own = await t.request(admin, calls.removeCodesOfUser, { params: { id: admin.id } });
  expect(own).toMatchObject({ status: 409, body: { code: 'cannot_change_self' } });
  const passkey = { name: 'Phone', publicKey: '', counter: 0, transports: [], synced: false };
  await t.db.insert(passkeys).values({ ...passkey, userId: user.id, credentialId: `of ${user.id}` });
  expect((await remove()).status).toBe(204);
  expect((await remove()).status).toBe(404);
  expect((await t.request(admin, calls.listUsersWithCodes)).body).not.toContain(user.id);
  expect(await t.db.$count(passkeys, eq(passkeys.userId, user.id))).toBe(0);
  expect((await signIn(user)).status).toBe(200);
  await t.app.outbox.wake();
  const folder = join(t.env.dataDir, 'outbox');
  const mails = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'));
  const told = mails.filter(
    (mail) =>
      mail.includes(`To: ${user.email}`) &&
      mail.includes('An administrator has removed the one-time codes and passkeys'),
  );
  expect(told).toHaveLength(1);
  expect(await eventsOf(user)).toContain('codes_removed');
});

test('the right password in between gives no further guesses of the code', async () => {
  const { user } = await createUserWithCodes();
  const change = () =>
    t.request(user, changeEmail, { body: { email: `${user.username}@new.test`, password: PASSWORD } });
  for (let i = 0; i < 4; i += 1) expect((await signIn(user, '000000')).body.code).toBe('invalid_code');
  expect((await change()).status).toBe(200);
  expect((await signIn(user, '000000')).body.code).toBe('invalid_code');
  expect((await signIn(user, '000000')).body.code).toBe('too_many_attempts');
});

test('wrong codes of a user without a password lock as well', async () => {
  const { user } = await createUserWithCodes();
  await t.db.update(users).set({ hasPassword: false }).where(eq(users.id, user.id));
  const remove = () => t.request(user, calls.removeCodes, { body: { code: '000000' } });
  for (let i = 0; i < 5; i += 1) expect((await remove()).body.code).toBe('invalid_code');
  expect((await remove()).body.code).toBe('too_many_attempts');
});

test('setting up codes ends the sessions that were opened without one', async () => {
  const user = await createUser();
  const other = { cookie: readSetCookie((await signIn(user)).headers) };
  const { key } = (await t.request(user, calls.setUpCodes)).body;
  await t.request(user, calls.confirmCodes, { body: { code: nextCode(key), password: PASSWORD } });
  expect((await t.request(other, calls.getCodes)).status).toBe(401);
  expect((await t.request(user, calls.getCodes)).status).toBe(200);
});

test('a recovery code that was used is told by e-mail', async () => {
  const { user, recovery } = await createUserWithCodes();
  expect((await signIn(user, recovery[0])).status).toBe(200);
  await t.app.outbox.wake();
  const folder = join(t.env.dataDir, 'outbox');
  const mails = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'));
  expect(mails.filter((mail) => mail.includes(`To: ${user.email}`) && mail.includes('recovery code'))).toHaveLength(1);
});
