import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { and, desc, eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createInvitation } from '#contract/account/invitations.calls.ts';
import { removePasskey } from '#contract/account/passkeys.calls.ts';
import { getSso, getUser, login } from '#contract/auth/auth.calls.ts';
import { disconnectSsoOfUser, endSsoSessions, listUsersWithSso } from '#contract/auth/sso.calls.ts';
import { setUserActive } from '#contract/users/users.calls.ts';
import { createPasswords, loadArgon2 } from '#server/auth/passwords.ts';
import { readEnv } from '#server/kit/env.ts';
import { auditEvents } from '#server/schema/audit.ts';
import { challenges, invitations, sessions, ssoIdentities, users } from '#server/schema/users.ts';
import { type IdentityProvider, type Misbehaviour, startIdentityProvider } from '#server/testing/identity-provider.ts';
import { ssoBrowser, ssoEnv } from '#server/testing/sso.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';
import { createSsoProvider } from './provider.ts';

let provider: IdentityProvider;
let t: TestApp;
let browser: ReturnType<typeof ssoBrowser>;
const apps: TestApp[] = [];
const open = async (env: Record<string, string> = {}) => {
  const app = await testApp({ env: { ...ssoEnv(provider), ...env } });
  apps.push(app);
  return app;
};
beforeAll(async () => {
  provider = await startIdentityProvider();
  t = await open();
  browser = ssoBrowser(t, provider);
});
afterEach(() => provider.misbehave({}));
afterAll(async () => {
  for (const app of apps) await app.close();
  await provider.stop();
});

const newSubject = () => `subject-${randomBytes(6).toString('hex')}`;
const claimsOf = ({ email }: { email: string }, claims = {}) => ({
  ...{ sub: newSubject(), email, email_verified: true, name: 'Name at the Provider' },
  ...claims,
});
const stranger = (claims = {}) => {
  const sub = newSubject();
  return { sub, email: `${sub}@strangers.test`, email_verified: true, name: 'A Stranger', ...claims };
};
const viewer = async (cookie: string, app = t) => (await app.request({ cookie }, getUser)).body;
const readAccount = async (email: string) => (await t.db.select().from(users).where(eq(users.email, email)))[0];
const eventsOf = async ({ id }: { id: number }) =>
  t.db
    .select()
    .from(auditEvents)
    .where(and(eq(auditEvents.subjectType, 'user'), eq(auditEvents.subjectId, id)))
    .orderBy(auditEvents.id);
const lastFailure = async () => {
  const failed = eq(auditEvents.event, 'sign_in_failed');
  const [last] = await t.db.select().from(auditEvents).where(failed).orderBy(desc(auditEvents.id)).limit(1);
  return last;
};
/** Their subjects. */
async function mailsTo({ email }: { email: string }, app = t) {
  await app.app.outbox.wake();
  const folder = join(app.env.dataDir, 'outbox');
  const mails = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'));
  return mails.filter((mail) => mail.includes(`To: ${email}`)).map((mail) => /^Subject: (.+)$/m.exec(mail)?.[1]);
}

test('the sign-in page reads the name of the provider', async () => {
  expect((await t.request(null, getSso)).body).toEqual({ name: 'Example ID', only: false });
});

test('without a provider there is none, and its addresses are unknown', async () => {
  const plain = await testApp();
  expect((await plain.request(null, getSso)).body).toEqual({ name: null, only: false });
  for (const url of ['/api/sso/start', '/api/sso/callback?code=x&state=y']) {
    expect((await plain.inject({ url })).statusCode).toBe(404);
  }
  await plain.close();
});

test('the browser is sent to the provider with a state, a nonce and PKCE, and nothing else of ours', async () => {
  const { location, cookie } = await browser.start('?to=/crm');
  const { origin, pathname, searchParams } = new URL(location);
  expect(origin + pathname).toBe(`${provider.issuer}/authorize`);
  const query = Object.fromEntries(searchParams);
  expect(query).toMatchObject({
    ...{ client_id: 'highstreet', response_type: 'code', scope: 'openid email profile', code_challenge_method: 'S256' },
    redirect_uri: `${t.env.appUrl}/api/sso/callback`,
  });
  for (const name of ['state', 'nonce', 'code_challenge']) expect(query[name]).toMatch(/^[\w-]{43}$/);
  expect(cookie).toMatch(/^hs_sso=[\w-]{43}$/);
  expect(Object.keys(query)).toHaveLength(8);
});

test('each tab of a browser comes back to its own sign-in', async () => {
  const claims = claimsOf(await t.user());
  const first = await browser.start();
  const second = await browser.start('', first.cookie);
  expect(second.cookie).toBe(first.cookie);
  for (const { location, cookie } of [first, second]) {
    const finished = await browser.finish(provider.authorize(location, claims), cookie);
    expect(finished.location).toBe('/');
  }
});

test('with https the cookie belongs to this host, and comes back from the provider', async () => {
  const secure = await open({ APP_URL: 'https://crm.example.test' });
  const { headers } = await ssoBrowser(secure, provider).get('/api/sso/start');
  expect(String(headers['set-cookie'])).toMatch(
    /^__Host-hs_sso=.{43}; Max-Age=900; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  );
});

describe('who signs in', () => {
  test('an account with the verified address, and from then on by the subject', async () => {
    const user = await t.user();
    const claims = claimsOf({ email: user.email.toUpperCase() });
    const { status, location, cookie } = await browser.signIn(claims, '?to=/crm?status=new');
    expect([status, location]).toEqual([302, '/crm?status=new']);
    expect((await viewer(cookie)).id).toBe(user.id);
    expect((await eventsOf(user)).map(({ event }) => event)).toEqual(['sso_connected', 'sign_in']);
    expect((await eventsOf(user))[1]?.details).toEqual({ kind: 'single sign-on' });
    const mails = ['Your Highstreet account was connected to single sign-on'];
    expect((await mailsTo(user)).filter((subject) => subject?.includes('single'))).toEqual(mails);

    await t.db
      .update(users)
      .set({ email: `moved-${user.email}` })
      .where(eq(users.id, user.id));
    const again = await browser.signIn({ ...claims, email: 'other@example.test', email_verified: false });
    expect((await viewer(again.cookie)).id).toBe(user.id);
    expect(
      (await mailsTo(user)).filter((subject) => subject?.includes('single')),
      'once',
    ).toEqual(mails);
  });

  test('an address that the user info has counts, too', async () => {
    const user = await t.user();
    const inUserInfo = { email: user.email, email_verified: 'true' };
    const { cookie } = await browser.signIn({ sub: newSubject(), inUserInfo });
    expect((await viewer(cookie)).id).toBe(user.id);
  });

  test.each([
    ['an address that is not verified', { email_verified: false }],
    ['an address of which nothing is said', { email_verified: undefined }],
    ['no address', { email: undefined }],
    ['what is no address', { email: 'no address' }],
  ])('not by %s', async (_name, claims) => {
    const user = await t.user();
    const { location, cookie } = await browser.signIn(claimsOf(user, claims));
    expect([location, cookie]).toEqual(['/auth?sso=no_account', '']);
    expect(await eventsOf(user)).toEqual([]);
  });

  test('not another person who got the address at the provider later', async () => {
    const user = await t.user();
    await browser.signIn(claimsOf(user));
    const { location } = await browser.signIn(claimsOf(user));
    expect(location).toBe('/auth?sso=no_account');
  });

  test('a stranger is told the same as one whose address is not verified, and gets no account', async () => {
    const claims = stranger();
    const { location, cookie } = await browser.signIn(claims);
    expect([location, cookie]).toEqual(['/auth?sso=no_account', '']);
    expect(await readAccount(claims.email)).toBeUndefined();
    expect(await lastFailure()).toMatchObject({
      ...{ outcome: 'refused', actorId: null, subjectId: null },
      details: { kind: 'single sign-on', code: 'no_account' },
    });
  });

  test('an inactive account is refused, connected or not', async () => {
    const [known, unknown] = [await t.user(), await t.user()];
    const claims = claimsOf(known);
    await browser.signIn(claims);
    const admin = await t.user('admin');
    for (const { id } of [known, unknown]) {
      await t.request(admin, setUserActive, { params: { id }, body: { active: false } });
    }
    expect((await browser.signIn(claims)).location).toBe('/auth?sso=account_inactive');
    expect((await browser.signIn(claimsOf(unknown))).location).toBe('/auth?sso=account_inactive');
    expect(await lastFailure()).toMatchObject({ subjectId: unknown.id });
    expect(await t.db.$count(ssoIdentities, eq(ssoIdentities.userId, unknown.id))).toBe(0);
  });

  test('a deleted account is unknown', async () => {
    const user = await t.user();
    const claims = claimsOf(user);
    await browser.signIn(claims);
    const hidden = { deletedAt: sql`now()`, email: `${user.id}@deleted.invalid` };
    await t.db.update(users).set(hidden).where(eq(users.id, user.id));
    const { location } = await browser.signIn({ ...claims, email: 'gone@example.test' });
    expect(location).toBe('/auth?sso=no_account');
  });

  test('an invited person, with what the administrator has chosen', async () => {
    const admin = await t.user('admin');
    const claims = stranger({ preferred_username: 'Inga Invited' });
    const invited = { email: claims.email, fullName: 'Inga Invited', role: 'manager' as const, monthlyGoal: 70 };
    await t.request(admin, createInvitation, { body: invited });
    const { cookie } = await browser.signIn({ ...claims, email: claims.email.toUpperCase() });
    expect(await viewer(cookie)).toMatchObject({ fullName: 'Inga Invited', role: 'manager', monthlyGoal: 70 });
    const account = await readAccount(claims.email.toUpperCase());
    expect(account).toMatchObject({ username: expect.stringMatching(/^IngaInvited/), hasPassword: false });
    expect(await t.db.$count(invitations, eq(invitations.email, claims.email))).toBe(0);
    expect((await eventsOf(account as { id: number })).map(({ event }) => event)).toEqual([
      ...['user_created', 'sso_connected', 'sign_in'],
    ]);
  });

  test('not with an invitation that has expired', async () => {
    const claims = stranger();
    const row = { email: claims.email, fullName: 'Late', role: 'user' as const, monthlyGoal: 10 };
    await t.db.insert(invitations).values({ ...row, expiresAt: sql`now() - interval '1 minute'` });
    expect((await browser.signIn(claims)).location).toBe('/auth?sso=no_account');
  });
});

describe('with accounts that are created by themselves', () => {
  let creating: ReturnType<typeof ssoBrowser>;
  let app: TestApp;
  beforeAll(async () => {
    const env = { OIDC_CREATE_USERS: 'on', OIDC_ALLOWED_DOMAINS: 'strangers.test, other.test' };
    app = await open({ ...env, OIDC_EMERGENCY_ADMIN: 'Emergency' });
    creating = ssoBrowser(app, provider);
  });

  test('a person of an allowed domain gets one, without a password', async () => {
    const claims = stranger({ name: 'Nina New' });
    const { cookie } = await creating.signIn(claims);
    const created = await viewer(cookie, app);
    expect(created).toMatchObject({ email: claims.email, fullName: 'Nina New', role: 'user', username: claims.sub });
    expect(await readAccount(claims.email)).toMatchObject({ hasPassword: false });
  });

  test.each(['else.test', 'sub.strangers.test', 'strangers.test.evil.test', 'evilstrangers.test'])(
    'a person of %s gets none',
    async (domain) => {
      const claims = stranger();
      const { location } = await creating.signIn({ ...claims, email: `${claims.sub}@${domain}` });
      expect(location).toBe('/auth?sso=no_account');
    },
  );

  test('two of the same name get two usernames, and no one the name of the emergency administrator', async () => {
    const name = `name-${randomBytes(4).toString('hex')}`;
    const [first, second, third] = [stranger(), stranger(), stranger()];
    for (const claims of [first, second]) await creating.signIn({ ...claims, preferred_username: name });
    await creating.signIn({ ...third, preferred_username: 'emergency' });
    const names = [first, second, third].map(async ({ email }) => (await readAccount(email))?.username);
    expect(await Promise.all(names)).toEqual([name, `${name}.2`, 'emergency.2']);
  });

  test('of 10 first sign-ins at once, one creates the account', async () => {
    const claims = stranger();
    const all = await Promise.all(Array.from({ length: 10 }, () => creating.signIn(claims)));
    expect(all.map(({ location }) => location)).toEqual(Array(10).fill('/'));
    expect(await t.db.$count(users, eq(users.email, claims.email))).toBe(1);
  });
});

describe('with roles by groups', () => {
  let grouped: ReturnType<typeof ssoBrowser>;
  let emergency: TestUser;
  let app: TestApp;
  beforeAll(async () => {
    const name = `emergency-${randomBytes(4).toString('hex')}`;
    app = await open({
      ...{ OIDC_ROLE_CLAIM: 'groups', OIDC_ROLES: 'crm-admins=admin,crm-leads=manager', OIDC_EMERGENCY_ADMIN: name },
    });
    emergency = await app.user('admin', { username: name });
    grouped = ssoBrowser(app, provider);
  });

  test('each sign-in gives the role of the group, which is audited and told', async () => {
    const user = await t.user();
    const claims = claimsOf(user);
    const first = await grouped.signIn({ ...claims, groups: ['crm-leads', 'staff'] });
    expect((await viewer(first.cookie)).role).toBe('manager');
    const second = await grouped.signIn({ ...claims, groups: [] });
    expect((await viewer(second.cookie)).role).toBe('user');
    const changes = (await eventsOf(user)).filter(({ event }) => event === 'user_changed');
    expect(changes.map(({ details, actorId }) => [actorId, details])).toEqual([
      [null, { roleBefore: 'user', roleAfter: 'manager', kind: 'single sign-on' }],
      [null, { roleBefore: 'manager', roleAfter: 'user', kind: 'single sign-on' }],
    ]);
    expect(await mailsTo(user, app)).toContain('Your Highstreet role was changed');
  });

  test('the emergency administrator stays one', async () => {
    const { cookie } = await grouped.signIn(claimsOf(emergency, { groups: [] }));
    expect((await viewer(cookie)).role).toBe('admin');
  });

  test('the last administrator stays one', async () => {
    const own = await testApp({
      ownDatabase: true,
      env: { ...ssoEnv(provider), OIDC_ROLE_CLAIM: 'groups' },
    });
    const [admin, other] = [await own.user('admin'), await own.user('admin')];
    const both = [admin, other].map((user) => claimsOf(user, { groups: ['user'] }));
    const results = await Promise.all(both.map((claims) => ssoBrowser(own, provider).signIn(claims)));
    expect(results.map(({ location }) => location)).toEqual(['/', '/']);
    expect(await own.db.$count(users, eq(users.role, 'admin')), 'of two at once, too').toBe(1);
    const refused = and(eq(auditEvents.event, 'user_changed'), eq(auditEvents.outcome, 'refused'));
    expect(await own.db.$count(auditEvents, refused)).toBe(1);
    await own.close();
  });
});

describe('what is refused', () => {
  const expectRefused = async (location: string, cookie: string, code: string) => {
    expect([location, cookie]).toEqual([`/auth?sso=${code}`, '']);
    expect(await lastFailure()).toMatchObject({ outcome: 'refused', details: { kind: 'single sign-on', code } });
  };

  const WRONG: [string, Misbehaviour][] = [
    ['a wrong signature', { key: 'other' }],
    ['another issuer in the ID token', { idToken: { iss: 'https://evil.test' } }],
    ['another issuer in the response', { response: { iss: 'https://evil.test' } }],
    ['another audience', { idToken: { aud: 'another-client' } }],
    ['another nonce', { idToken: { nonce: 'another' } }],
    ['no nonce', { idToken: { nonce: undefined } }],
    ['an expired token', { idToken: { exp: 1_000_000_000 } }],
    ['another code', { response: { code: 'another' } }],
    ['no subject', { idToken: { sub: undefined } }],
  ];
  test.each(WRONG)('%s', async (_name, wrong) => {
    const user = await t.user();
    provider.misbehave(wrong);
    const { location, cookie } = await browser.signIn(claimsOf(user));
    await expectRefused(location, cookie, 'unverified');
    expect(await t.db.$count(sessions, eq(sessions.userId, user.id)), 'only that of the test').toBe(1);
  });

  test('another state, which no sign-in of this browser has', async () => {
    provider.misbehave({ response: { state: 'another' } });
    const { location, cookie } = await browser.signIn(claimsOf(await t.user()));
    await expectRefused(location, cookie, 'expired');
  });

  test('a user who said no at the provider', async () => {
    const { location, cookie } = await browser.start();
    const state = new URL(location).searchParams.get('state') ?? '';
    const query = new URLSearchParams({ error: 'access_denied', state, iss: provider.issuer });
    const finished = await browser.finish(`?${query}`, cookie);
    await expectRefused(finished.location, finished.cookie, 'refused');
  });

  test('a browser that has not started it, without asking the provider', async () => {
    const { location } = await browser.start();
    const query = provider.authorize(location, stranger());
    const before = provider.countRequests();
    for (const cookie of ['', `hs_sso=${randomBytes(32).toString('base64url')}`]) {
      const finished = await browser.finish(query, cookie);
      await expectRefused(finished.location, finished.cookie, 'expired');
    }
    expect(provider.countRequests()).toBe(before);
  });

  test('the challenge of a passkey does not count', async () => {
    const { headers } = await t.inject({ method: 'POST', url: '/api/login/passkey/options' });
    const cookie = String(headers['set-cookie']).split(';')[0]?.replace('hs_challenge', 'hs_sso') ?? '';
    expect((await browser.finish('?code=x&state=y', cookie)).location).toBe('/auth?sso=expired');
  });

  test('the same response a second time, and of 20 at once all but one', async () => {
    const user = await t.user();
    const { location, cookie } = await browser.start();
    const query = provider.authorize(location, claimsOf(user));
    const all = await Promise.all(Array.from({ length: 20 }, () => browser.finish(query, cookie)));
    expect(all.filter((each) => each.cookie).map((each) => each.location)).toEqual(['/']);
    expect(all.filter((each) => each.location === '/auth?sso=expired')).toHaveLength(19);
    expect(await t.db.$count(sessions, eq(sessions.userId, user.id))).toBe(2);
  });

  test('a sign-in that took longer than a quarter of an hour', async () => {
    const { location, cookie } = await browser.start();
    const query = provider.authorize(location, stranger());
    await t.db.update(challenges).set({ expiresAt: sql`now()` });
    expect((await browser.finish(query, cookie)).location).toBe('/auth?sso=expired');
  });

  test.each(['//evil.test', '/\\evil.test', 'https://evil.test', '/%09/evil.test', 'javascript:alert(1)'])(
    'to be sent to %s afterwards',
    async (to) => {
      const { location } = await browser.signIn(claimsOf(await t.user()), `?to=${to}`);
      expect(location).toBe('/');
    },
  );

  test('no secret is logged', () => {
    expect(t.lines.join('')).not.toMatch(/client secret|eyJ|code=|state=/);
    expect(t.lines.filter((line) => line.includes('single sign-on refused')).length).toBeGreaterThan(5);
  });
});

describe('a provider that is away', () => {
  test('is one sentence, passwords still work, and it is tried again', async () => {
    const away = await startIdentityProvider();
    const app = await open(ssoEnv(away));
    const own = ssoBrowser(app, away);
    away.misbehave({ status: 503 });
    expect((await own.get('/api/sso/start')).location).toBe('/auth?sso=unavailable');
    away.misbehave({});
    const user = await app.user('user', {
      password: await (await createPasswords(await loadArgon2())).hash('A secret 1'),
    });
    const { location, cookie } = await own.start();
    const query = away.authorize(location, claimsOf(user));
    await away.stop();
    expect(await own.finish(query, cookie)).toMatchObject({ location: '/auth?sso=unavailable', cookie: '' });
    expect(await lastFailure()).toMatchObject({ details: { kind: 'single sign-on', code: 'unavailable' } });
    const signedIn = await app.request(null, login, { body: { username: user.username, password: 'A secret 1' } });
    expect(signedIn.status).toBe(200);
  });

  test('is not waited for', async () => {
    const { sso, appUrl } = readEnv(ssoEnv(provider));
    if (!sso) throw new Error('no single sign-on');
    const slow = createSsoProvider({ sso, appUrl, clock: () => new Date(), timeoutSeconds: 0.2 });
    provider.misbehave({ delayMs: 1_000 });
    const started = performance.now();
    await expect(slow.start({ again: false })).rejects.toMatchObject({ failure: 'unavailable' });
    expect(performance.now() - started).toBeLessThan(900);
    provider.misbehave({});
    expect((await slow.start({ again: false })).url).toContain(provider.issuer);
  });

  test('its addresses are read once an hour', async () => {
    const { sso, appUrl } = readEnv(ssoEnv(provider));
    if (!sso) throw new Error('no single sign-on');
    let now = new Date('2026-11-19T09:00:00Z');
    const client = createSsoProvider({ sso, appUrl, clock: () => now });
    const before = provider.countRequests();
    await Promise.all([client.start({ again: false }), client.start({ again: false })]);
    expect(provider.countRequests() - before).toBe(1);
    now = new Date('2026-11-19T10:01:00Z');
    await client.start({ again: false });
    expect(provider.countRequests() - before).toBe(2);
  });
});

describe('a log-out at the provider', () => {
  const send = (token: string, headers = { 'content-type': 'application/x-www-form-urlencoded' }) =>
    t.inject({
      ...{ method: 'POST', url: endSsoSessions.path, headers },
      payload: new URLSearchParams({ logout_token: token }).toString(),
    });
  const isOpen = async (cookie: string) => (await t.request({ cookie }, getUser)).status === 200;

  test('ends the session of its name, or all of the user there, and no other', async () => {
    const user = await t.user();
    const claims = claimsOf(user);
    const first = await browser.signIn({ ...claims, sid: 'session-1' });
    const second = await browser.signIn({ ...claims, sid: 'session-2' });
    const other = await browser.signIn({ ...claimsOf(await t.user()), sid: 'session-3' });

    const response = await send(await provider.logoutToken({ sub: claims.sub, sid: 'session-1' }));
    expect([response.statusCode, response.json()]).toEqual([200, {}]);
    expect(response.headers['cache-control']).toBe('no-store');
    expect(await Promise.all([first, second, other].map(({ cookie }) => isOpen(cookie)))).toEqual([false, true, true]);

    await send(await provider.logoutToken({ sub: claims.sub }));
    expect(await Promise.all([second, other, user].map(({ cookie }) => isOpen(cookie)))).toEqual([false, true, true]);
    const events = (await eventsOf(user)).filter(({ event }) => event === 'sso_sessions_ended');
    expect(events.map(({ outcome }) => outcome)).toEqual(['done', 'done']);
  });

  test('that is reported again does not end a later session', async () => {
    const claims = claimsOf(await t.user());
    await browser.signIn(claims);
    const token = await provider.logoutToken({ sub: claims.sub });
    await send(token);
    const later = await browser.signIn(claims);
    expect((await send(token)).statusCode).toBe(200);
    expect(await isOpen(later.cookie)).toBe(true);
  });

  test.each([
    ['with a nonce, as an ID token has', { nonce: 'x' }, {}],
    ['without the event', { events: {} }, {}],
    ['of another issuer', { iss: 'https://evil.test' }, {}],
    ['for another audience', { aud: 'another-client' }, {}],
    ['without a user', { sub: undefined }, {}],
    ['without a number of its own', { jti: undefined }, {}],
    ['of yesterday', { iat: Math.floor(Date.now() / 1_000) - 86_400 }, {}],
    ['that has expired', { exp: 1_000_000_000 }, {}],
    ['of another type', {}, { typ: 'at+jwt' }],
  ])('%s is refused', async (_name, wrong, header) => {
    const claims = claimsOf(await t.user());
    const { cookie } = await browser.signIn(claims);
    const response = await send(await provider.logoutToken({ sub: claims.sub, ...wrong }, header));
    expect([response.statusCode, response.json().code]).toEqual([400, 'invalid_token']);
    expect(await isOpen(cookie)).toBe(true);
  });

  test('with a wrong signature, none, or not a token at all is refused', async () => {
    const claims = claimsOf(await t.user());
    const { cookie } = await browser.signIn(claims);
    const right = await provider.logoutToken({ sub: claims.sub });
    provider.misbehave({ key: 'other' });
    const forged = await provider.logoutToken({ sub: claims.sub });
    provider.misbehave({});
    const [, payload] = right.split('.');
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`;
    for (const token of [forged, unsigned, 'nonsense', `${right}x`]) {
      expect((await send(token)).json().code).toBe('invalid_token');
    }
    expect((await send('')).json().code).toBe('validation_failed');
    expect(await isOpen(cookie)).toBe(true);
    const refused = and(eq(auditEvents.event, 'sso_sessions_ended'), eq(auditEvents.outcome, 'refused'));
    expect(await t.db.$count(auditEvents, refused)).toBeGreaterThan(4);
  });

  test('is a form, and of no browser', async () => {
    const token = await provider.logoutToken({ sub: 'x' });
    expect((await send(token, { 'content-type': 'application/json' })).statusCode).toBe(415);
    const form = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'cross-site' };
    expect((await send(token, form)).statusCode).toBe(403);
  });
});

test('an administrator disconnects a user, whose next sign-in is by the address again', async () => {
  const [admin, user] = [await t.user('admin'), await t.user()];
  const { cookie } = await browser.signIn(claimsOf(user));
  expect((await t.request(admin, listUsersWithSso)).body).toContain(user.id);
  const params = { id: user.id };
  expect((await t.request(admin, disconnectSsoOfUser, { params })).status).toBe(204);
  expect((await t.request(admin, listUsersWithSso)).body).not.toContain(user.id);
  expect((await t.request({ cookie }, getUser)).status, 'its session has ended').toBe(401);
  expect((await t.request(user, getUser)).status, 'others have not').toBe(200);
  expect(await mailsTo(user)).toContain('Your Highstreet account was disconnected from single sign-on');

  const madeAnew = await browser.signIn(claimsOf(user));
  expect((await viewer(madeAnew.cookie)).id).toBe(user.id);
  expect((await t.request(admin, disconnectSsoOfUser, { params: { id: 999_999_999 } })).status).toBe(404);
});

test('a proof by signing in again counts from when the user was asked', async () => {
  const { location } = await browser.start('?again=true');
  expect(Object.fromEntries(new URL(location).searchParams)).toMatchObject({ prompt: 'login', max_age: '0' });
  const user = await t.user();
  const long = Math.floor(Date.now() / 1_000) - 3_600;
  await browser.signIn(claimsOf(user, { auth_time: long }));
  const [session] = await t.db
    .select({ old: sql<boolean>`proven_at < now() - interval '59 minutes'` })
    .from(sessions)
    .where(and(eq(sessions.userId, user.id), eq(sessions.ssoIssuer, provider.issuer)));
  expect(session?.old).toBe(true);
});

test('where the provider does not say when, only a sign-in that was asked for again is a proof', async () => {
  const user = await t.user();
  const claims = claimsOf(user);
  const isProven = async (query: string) => {
    const { cookie } = await browser.signIn(claims, query);
    const params = { id: '00000000-0000-4000-8000-000000000000' };
    return (await t.request({ cookie }, removePasskey, { params })).body.code !== 'proof_required';
  };
  expect(await isProven('')).toBe(false);
  expect(await isProven('?again=true')).toBe(true);
});
