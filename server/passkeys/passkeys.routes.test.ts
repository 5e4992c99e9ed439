import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { and, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { changePassword } from '#contract/account/account.calls.ts';
import { signInWithPasskey, startPasskeySignIn } from '#contract/account/passkey-sign-in.calls.ts';
import * as calls from '#contract/account/passkeys.calls.ts';
import { getProofs, prove, startPasskeyProof } from '#contract/account/proof.calls.ts';
import { getUser, login } from '#contract/auth/auth.calls.ts';
import { createPasswords, loadArgon2 } from '#server/auth/passwords.ts';
import { auditEvents } from '#server/schema/audit.ts';
import { challenges, passkeys, sessions, ssoIdentities, throttles, users } from '#server/schema/users.ts';
import { createAuthenticator } from '#server/testing/authenticator.ts';
import { readSetCookie, type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

const PASSWORD = 'correct horse 9';
const SITE = 'https://crm.example.test';
const UNKNOWN = { status: 401, body: { code: 'invalid_credentials' } };

let t: TestApp;
let hash: string;
beforeAll(async () => {
  t = await testApp({ env: { APP_URL: SITE } });
  hash = await (await createPasswords(await loadArgon2())).hash(PASSWORD);
});
afterAll(() => t.close());
beforeEach(() => t.db.delete(throttles));

/** With https the cookies have a prefix. */
const secureCookie = ({ cookie }: { cookie: string }) => cookie.replace('hs_session', '__Host-hs_session');
const asSecure = <U extends { cookie: string }>(user: U): U => ({ ...user, cookie: secureCookie(user) });
const createUser = async () => asSecure(await t.user('user', { password: hash }));
const setCookies = (headers: Record<string, unknown>) =>
  [headers['set-cookie']].flat().map((set) => String(set).split(';')[0]);
const findCookie = (headers: Record<string, unknown>, name: string) =>
  setCookies(headers).find((cookie) => cookie?.startsWith(`${name}=`)) ?? '';
const challengeOf = (headers: Record<string, unknown>) => findCookie(headers, '__Host-hs_challenge');
const eventsOf = async ({ id }: { id: number }) =>
  (
    await t.db
      .select()
      .from(auditEvents)
      .where(and(eq(auditEvents.subjectType, 'user'), eq(auditEvents.subjectId, id)))
  ).map(({ event }) => event);

async function add(user: TestUser, authenticator = createAuthenticator(SITE), name?: string) {
  const options = await t.request(user, calls.startPasskey, { body: { password: PASSWORD } });
  const browser = { cookie: `${user.cookie}; ${challengeOf(options.headers)}` };
  const body = { ...(name && { name }), passkey: authenticator.make(options.body) };
  const added = await t.request(browser, calls.addPasskey, { body });
  return { authenticator, options, added };
}
async function startSignIn() {
  const options = await t.request(null, startPasskeySignIn);
  return { challenge: options.body, browser: { cookie: challengeOf(options.headers) } };
}
async function signIn(authenticator: ReturnType<typeof createAuthenticator>, use = {}) {
  const { challenge, browser } = await startSignIn();
  return t.request(browser, signInWithPasskey, { body: { passkey: authenticator.use(challenge, use) } });
}

test('a passkey is added with the password, and signs in without a name', async () => {
  const user = await createUser();
  const wrong = await t.request(user, calls.startPasskey, { body: { password: 'wrong' } });
  expect(wrong.body.code).toBe('invalid_credentials');
  const { authenticator, options, added } = await add(user);
  expect(options.body).toMatchObject({ rp: { id: 'crm.example.test' }, user: { name: user.username } });
  expect(added).toMatchObject({ status: 201, body: { site: SITE, passkeys: [{ name: 'Passkey', lastUsedAt: null }] } });

  const { challenge } = await startSignIn();
  expect(challenge, 'names no account').toMatchObject({ allowCredentials: [] });
  const signedIn = await signIn(authenticator);
  expect(signedIn).toMatchObject({ status: 200, body: { username: user.username } });
  const session = { cookie: findCookie(signedIn.headers, '__Host-hs_session') };
  expect((await t.request(session, getUser)).body.id).toBe(user.id);
  expect((await t.request(user, calls.listPasskeys)).body.passkeys[0]?.lastUsedAt).not.toBeNull();
  expect(await eventsOf(user)).toEqual(expect.arrayContaining(['passkey_added', 'sign_in']));
  await t.app.outbox.wake();
  const folder = join(t.env.dataDir, 'outbox');
  const mails = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'));
  expect(
    mails.filter((mail) => mail.includes(`To: ${user.email}`) && mail.includes('A passkey was added')),
  ).toHaveLength(1);
});

test('starting over again and again with the right password locks nothing', async () => {
  const user = await createUser();
  for (let i = 0; i < 6; i += 1) {
    expect((await t.request(user, calls.startPasskey, { body: { password: PASSWORD } })).status).toBe(200);
  }
});

test('what was signed is accepted once, and by the browser that asked for it', async () => {
  const { authenticator } = await add(await createUser());
  const { challenge, browser } = await startSignIn();
  const body = { passkey: authenticator.use(challenge) };
  const other = await startSignIn();
  expect(await t.request(null, signInWithPasskey, { body })).toMatchObject(UNKNOWN);
  expect(await t.request(other.browser, signInWithPasskey, { body })).toMatchObject(UNKNOWN);
  expect((await t.request(browser, signInWithPasskey, { body })).status).toBe(200);
  expect(await t.request(browser, signInWithPasskey, { body })).toMatchObject(UNKNOWN);
});

test('each tab of a browser has a challenge of its own', async () => {
  const { authenticator } = await add(await createUser());
  const first = await startSignIn();
  const second = await t.request(first.browser, startPasskeySignIn);
  expect(challengeOf(second.headers)).toBe(first.browser.cookie);
  for (const challenge of [first.challenge, second.body]) {
    const body = { passkey: authenticator.use(challenge) };
    expect((await t.request(first.browser, signInWithPasskey, { body })).status).toBe(200);
  }
});

test('of twenty concurrent sign-ins with one answer one wins', async () => {
  const { authenticator } = await add(await createUser());
  const { challenge, browser } = await startSignIn();
  const body = { passkey: authenticator.use(challenge) };
  const all = await Promise.all(Array.from({ length: 20 }, () => t.request(browser, signInWithPasskey, { body })));
  expect(all.filter(({ status }) => status === 200)).toHaveLength(1);
});

test('an answer of another site, of another key, an old one or a copied one is refused, and counted', async () => {
  const user = await createUser();
  const { authenticator } = await add(user);
  const phisher = createAuthenticator('https://crm.example.evil');
  const { challenge, browser } = await startSignIn();
  const forged = { ...phisher.use(challenge), id: authenticator.id, rawId: authenticator.id };
  expect(await t.request(browser, signInWithPasskey, { body: { passkey: forged } })).toMatchObject(UNKNOWN);
  expect(await signIn(createAuthenticator(SITE)), 'unknown').toMatchObject(UNKNOWN);

  const late = await startSignIn();
  await t.db.update(challenges).set({ expiresAt: sql`now()` });
  const answer = { body: { passkey: authenticator.use(late.challenge) } };
  expect(await t.request(late.browser, signInWithPasskey, answer), 'expired').toMatchObject(UNKNOWN);

  expect((await signIn(authenticator)).status).toBe(200);
  expect(await signIn(authenticator, { counted: false }), 'a copy of the key').toMatchObject(UNKNOWN);
  const failures = await t.db.select().from(auditEvents).where(eq(auditEvents.event, 'sign_in_failed'));
  expect(failures.length).toBeGreaterThanOrEqual(3);
});

test('a passkey that does not verify its user is no passkey', async () => {
  const { added } = await add(await createUser(), createAuthenticator(SITE, { verifies: false }));
  expect(added).toMatchObject({ status: 400, body: { code: 'invalid_passkey' } });
});

test('a passkey that is synced between devices always counts zero', async () => {
  const { authenticator } = await add(await createUser());
  expect((await signIn(authenticator, { counted: false })).status).toBe(200);
  expect((await signIn(authenticator, { counted: false })).status).toBe(200);
});

test('the passkeys of a deactivated or deleted account sign in no one', async () => {
  const user = await createUser();
  const { authenticator } = await add(user);
  await t.db.update(users).set({ active: false }).where(eq(users.id, user.id));
  expect(await signIn(authenticator)).toMatchObject({ status: 403, body: { code: 'account_inactive' } });
  await t.db.delete(users).where(eq(users.id, user.id));
  expect(await signIn(authenticator)).toMatchObject(UNKNOWN);
});

test('a challenge of one user adds no passkey to another', async () => {
  const [user, other] = [await createUser(), await createUser()];
  const options = await t.request(user, calls.startPasskey, { body: { password: PASSWORD } });
  const browser = { cookie: `${other.cookie}; ${challengeOf(options.headers)}` };
  const body = { passkey: createAuthenticator(SITE).make(options.body) };
  expect((await t.request(browser, calls.addPasskey, { body })).body.code).toBe('invalid_passkey');
});

test('a device is added once, and is named, renamed and removed by its user alone', async () => {
  const [user, other] = [await createUser(), await createUser()];
  const { authenticator, added } = await add(user, createAuthenticator(SITE), 'My laptop');
  const params = { id: added.body.passkeys[0]?.id ?? '' };
  expect(added.body.passkeys[0]?.name).toBe('My laptop');
  expect((await add(other, authenticator)).added.body.code).toBe('invalid_passkey');
  expect((await t.request(other, calls.renamePasskey, { params, body: { name: 'Mine' } })).status).toBe(404);
  expect((await t.request(other, calls.removePasskey, { params })).status).toBe(404);
  expect((await t.request(user, calls.renamePasskey, { params, body: { name: ' ' } })).status).toBe(400);
  const renamed = await t.request(user, calls.renamePasskey, { params, body: { name: 'Old laptop' } });
  expect(renamed.body.passkeys[0]?.name).toBe('Old laptop');
  const old = sql`now() - interval '16 minutes'`;
  await t.db.update(sessions).set({ provenAt: old }).where(eq(sessions.userId, user.id));
  expect((await t.request(user, calls.removePasskey, { params })).body.code).toBe('proof_required');
  expect((await t.request(user, prove, { body: { password: PASSWORD } })).status).toBe(204);
  expect((await t.request(user, calls.removePasskey, { params })).body.passkeys).toEqual([]);
  expect(await signIn(authenticator)).toMatchObject(UNKNOWN);
  expect(await eventsOf(user)).toContain('passkey_removed');
});

test('a user has at most twenty', async () => {
  const user = await createUser();
  const row = { userId: user.id, name: 'Old', publicKey: '', counter: 0, transports: [], synced: false };
  const rows = Array.from({ length: calls.MAX_PASSKEYS }, (_, n) => ({ ...row, credentialId: `old-${user.id}-${n}` }));
  await t.db.insert(passkeys).values(rows);
  expect((await add(user)).added).toMatchObject({ status: 409, body: { code: 'too_many_passkeys' } });
});

test('a user without a password proves who they are with a passkey, keeps the last one, and may choose a password', async () => {
  const user = await createUser();
  const { authenticator, added } = await add(user);
  const params = { id: added.body.passkeys[0]?.id ?? '' };
  await t.db.update(users).set({ hasPassword: false }).where(eq(users.id, user.id));
  expect((await t.request(null, login, { body: { username: user.username, password: 'x' } })).status).toBe(401);
  expect((await t.request(user, getProofs)).body).toMatchObject({ password: false, code: false, passkey: true });
  expect((await t.request(user, calls.removePasskey, { params })).body.code).toBe('last_way_in');
  await t.db.insert(ssoIdentities).values({ userId: user.id, issuer: 'https://id.example', subject: `of ${user.id}` });
  const formerSso = await t.request(user, calls.removePasskey, { params });
  expect(formerSso.body.code, 'the provider is no longer there').toBe('last_way_in');

  await t.db.update(sessions).set({ provenAt: sql`now() - interval '16 minutes'` }).where(eq(sessions.userId, user.id));
  const change = () => t.request(user, changePassword, { body: { newPassword: 'Another secret 1' } });
  expect(await change()).toMatchObject({ status: 403, body: { code: 'proof_required' } });
  expect(await t.request(user, prove, { body: { password: PASSWORD } })).toMatchObject(UNKNOWN);
  const options = await t.request(user, startPasskeyProof);
  const browser = { cookie: `${user.cookie}; ${challengeOf(options.headers)}` };
  const proven = await t.request(browser, prove, { body: { passkey: authenticator.use(options.body) } });
  expect(proven.status).toBe(204);
  const changed = await change();
  expect(changed.status).toBe(200);
  const own = { cookie: readSetCookie(changed.headers) };
  expect((await t.request(own, getProofs)).body).toMatchObject({ password: true, code: false, passkey: true });
  expect((await t.request(own, calls.removePasskey, { params })).status).toBe(200);
});

test('the passkey of another user proves nothing', async () => {
  const [user, other] = [await createUser(), await createUser()];
  const { authenticator } = await add(other);
  const options = await t.request(user, startPasskeyProof);
  const browser = { cookie: `${user.cookie}; ${challengeOf(options.headers)}` };
  const proven = await t.request(browser, prove, { body: { passkey: authenticator.use(options.body) } });
  expect(proven).toMatchObject(UNKNOWN);
  expect(await eventsOf(user)).toContain('sign_in_failed');
});
