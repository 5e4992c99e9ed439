import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { and, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { changePassword } from '#contract/account/account.calls.ts';
import * as invitationCalls from '#contract/account/invitations.calls.ts';
import { signInWithPasskey, startPasskeySignIn } from '#contract/account/passkey-sign-in.calls.ts';
import * as passkeyCalls from '#contract/account/passkeys.calls.ts';
import { getProofs } from '#contract/account/proof.calls.ts';
import { getSso, getUser, login } from '#contract/auth/auth.calls.ts';
import { forgotPassword, resetPassword } from '#contract/auth/password-reset.calls.ts';
import { createPasswords, loadArgon2 } from '#server/auth/passwords.ts';
import { newSecret } from '#server/kit/secrets.ts';
import { auditEvents } from '#server/schema/audit.ts';
import { invitations, passkeys, passwordResetTokens, sessions, throttles, users } from '#server/schema/users.ts';
import { createAuthenticator } from '#server/testing/authenticator.ts';
import { type IdentityProvider, startIdentityProvider } from '#server/testing/identity-provider.ts';
import { ssoBrowser, ssoEnv } from '#server/testing/sso.ts';
import { readSetCookie, type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

const PASSWORD = 'correct horse 9';
let provider: IdentityProvider;
let t: TestApp;
let emergency: TestUser;
let hash: string;
beforeAll(async () => {
  provider = await startIdentityProvider();
  const only = { OIDC_ONLY: 'on', OIDC_EMERGENCY_ADMIN: 'Emergency.Only' };
  t = await testApp({ env: { ...ssoEnv(provider), ...only, APP_URL: 'http://localhost' } });
  hash = await (await createPasswords(await loadArgon2())).hash(PASSWORD);
  emergency = await t.user('admin', { username: 'emergency.only', password: hash });
});
afterAll(async () => {
  await t.db.delete(users).where(eq(users.id, emergency.id));
  await t.close();
  await provider.stop();
});
beforeEach(() => t.db.delete(throttles));

const signIn = (username: string, password: string) => t.request(null, login, { body: { username, password } });
const createUser = (columns = {}) => t.user('user', { password: hash, ...columns });
const countSessions = ({ id }: { id: number }) => t.db.$count(sessions, eq(sessions.userId, id));
async function readMails({ email }: { email: string }) {
  await t.app.outbox.wake();
  const folder = join(t.env.dataDir, 'outbox');
  const mails = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'));
  return mails.filter((mail) => mail.includes(`To: ${email}`));
}

test('the sign-in page is told so', async () => {
  expect((await t.request(null, getSso)).body).toEqual({ name: 'Example ID', only: true });
});

test('a right password is refused like a wrong one and like an unknown name', async () => {
  const [user, inactive] = [await createUser(), await createUser({ active: false })];
  const responses = await Promise.all([
    ...[signIn(user.username, PASSWORD), signIn(user.email, PASSWORD), signIn(user.username, 'wrong horse')],
    ...[
      signIn('unknown-name', PASSWORD),
      signIn(inactive.username, PASSWORD),
      signIn(emergency.username, 'wrong horse'),
    ],
  ]);
  for (const { status, body, headers } of responses) {
    expect([status, body]).toEqual([401, responses[0]?.body]);
    expect(headers['set-cookie']).toBeUndefined();
  }
  expect(responses[0]?.body.code).toBe('invalid_credentials');
  expect(await countSessions(user), 'only that of the test').toBe(1);
  const isAboutUser = and(eq(auditEvents.subjectType, 'user'), eq(auditEvents.subjectId, user.id));
  const events = await t.db.select().from(auditEvents).where(isAboutUser);
  expect(events.map(({ event }) => event)).toEqual(['sign_in_failed', 'sign_in_failed', 'sign_in_failed']);
});

test('the emergency administrator signs in with the password', async () => {
  const { status, headers } = await signIn('EMERGENCY.ONLY', PASSWORD);
  expect(status).toBe(200);
  expect((await t.request({ cookie: readSetCookie(headers) }, getUser)).body.id).toBe(emergency.id);
});

test('without the role, the name is not enough', async () => {
  await t.db.update(users).set({ role: 'manager' }).where(eq(users.id, emergency.id));
  expect((await signIn(emergency.username, PASSWORD)).status).toBe(401);
  await t.db.update(users).set({ role: 'admin' }).where(eq(users.id, emergency.id));
});

test('a link for a new password is sent to the emergency administrator alone, with the same response', async () => {
  const user = await createUser();
  const responses = [];
  for (const { email } of [user, emergency, { email: 'unknown@example.test' }]) {
    responses.push(await t.request(null, forgotPassword, { body: { email } }));
  }
  expect(new Set(responses.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1);
  expect(await readMails(user)).toEqual([]);
  expect((await readMails(emergency)).join('')).toContain('Reset your Highstreet password');
});

test('a link that was sent before does nothing', async () => {
  const user = await createUser();
  const { secret, hash: token } = newSecret();
  const expiresAt = sql`now() + interval '1 hour'`;
  await t.db.insert(passwordResetTokens).values({ userId: user.id, token, expiresAt });
  const reset = await t.request(null, resetPassword, { body: { token: secret, password: 'Another secret 1' } });
  expect(reset).toMatchObject({ status: 400, body: { code: 'invalid_token' } });
  const [after] = await t.db.select().from(users).where(eq(users.id, user.id));
  expect(after?.password).toBe(hash);
});

test('a passkey signs in the emergency administrator alone', async () => {
  const challengeOf = (headers: object) => ({ cookie: readSetCookie(headers as never) });
  const signInWith = async (user: TestUser) => {
    const authenticator = createAuthenticator('http://localhost');
    const options = await t.request(user, passkeyCalls.startPasskey, { body: { password: PASSWORD } });
    const made = { cookie: `${user.cookie}; ${challengeOf(options.headers).cookie}` };
    await t.request(made, passkeyCalls.addPasskey, { body: { passkey: authenticator.make(options.body) } });
    const started = await t.request(null, startPasskeySignIn);
    const body = { passkey: authenticator.use(started.body) };
    return t.request(challengeOf(started.headers), signInWithPasskey, { body });
  };
  const user = await createUser();
  expect(await signInWith(user)).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } });
  expect(await t.db.$count(passkeys, eq(passkeys.userId, user.id))).toBe(1);
  expect((await signInWith(emergency)).status).toBe(200);
});

test('an invitation is accepted by signing in at the provider, and its mail says so', async () => {
  const invited = { email: 'ivy.only@example.test', fullName: 'Ivy Only', role: 'manager' as const };
  await t.request(emergency, invitationCalls.createInvitation, { body: invited });
  const mails = (await readMails(invited)).join('');
  expect(mails).toContain('To sign in with Example ID, open:');
  expect(mails).not.toContain('/invitation');

  const { secret, hash: token } = newSecret();
  await t.db.update(invitations).set({ token }).where(eq(invitations.email, invited.email));
  const refused = { status: 403, body: { code: 'sso_required' } };
  const account = { token: secret, username: 'ivy.only', fullName: 'Ivy Only', password: PASSWORD };
  expect(await t.request(null, invitationCalls.getInvitation, { params: { token: secret } })).toMatchObject(refused);
  expect(await t.request(null, invitationCalls.acceptInvitation, { body: account })).toMatchObject(refused);
  const { password: _, ...withoutPassword } = account;
  const passkey = await t.request(null, invitationCalls.startInvitedPasskey, { body: withoutPassword });
  expect(passkey).toMatchObject(refused);

  const claims = { sub: 'ivy', email: invited.email, email_verified: true };
  const { cookie } = await ssoBrowser(t, provider).signIn(claims);
  expect((await t.request({ cookie }, getUser)).body).toMatchObject({ fullName: 'Ivy Only', role: 'manager' });
});

test('what needs a proof takes signing in again instead of the password', async () => {
  const user = await createUser();
  const claims = { sub: `only-${user.id}`, email: user.email, email_verified: true };
  const { cookie } = await ssoBrowser(t, provider).signIn(claims);
  const proofs = { password: false, code: false, passkey: false, sso: 'Example ID' };
  expect((await t.request({ cookie }, getProofs)).body).toEqual(proofs);
  expect((await t.request(emergency, getProofs)).body).toMatchObject({ password: true, sso: null });
  await t.db.update(sessions).set({ provenAt: sql`now() - interval '1 hour'` }).where(eq(sessions.userId, user.id));
  const body = { newPassword: 'Another secret 1', password: PASSWORD };
  expect((await t.request({ cookie }, changePassword, { body })).body.code).toBe('proof_required');
  const again = await ssoBrowser(t, provider).signIn(claims, '?again=true');
  expect((await t.request({ cookie: again.cookie }, changePassword, { body })).status).toBe(200);
});
