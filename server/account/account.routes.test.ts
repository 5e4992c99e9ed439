import { eq, inArray, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as calls from '#contract/account/account.calls.ts';
import { getUser, login } from '#contract/auth/auth.calls.ts';
import { forgotPassword, resetPassword } from '#contract/auth/password-reset.calls.ts';
import { reportSignIn } from '#contract/auth/report-sign-in.calls.ts';
import { changeUser } from '#contract/users/users.calls.ts';
import { createPasswords, loadArgon2 } from '#server/auth/passwords.ts';
import { auditEvents } from '#server/schema/audit.ts';
import {
  emailChanges,
  knownBrowsers,
  oneTimeCodes,
  passkeys,
  recoveryCodes,
  sessions,
  signInReports,
  throttles,
  users,
} from '#server/schema/users.ts';
import { findFreePort, startMailServer } from '#server/testing/mail-server.ts';
import { readSetCookie, type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

const PASSWORD = 'correct horse 9';
const NEW_PASSWORD = 'battery staple 9';
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:144.0) Gecko/20100101 Firefox/144.0';

let t: TestApp;
let mailServer: Awaited<ReturnType<typeof startMailServer>>;
let hash: string;
beforeAll(async () => {
  const port = await findFreePort();
  mailServer = await startMailServer(port);
  t = await testApp({
    env: { SMTP_URL: `smtp://127.0.0.1:${port}?ignoreTLS=true`, APP_URL: 'http://leads.example.test' },
  });
  hash = await (await createPasswords(await loadArgon2())).hash(PASSWORD);
});
afterAll(async () => {
  await t.close();
  await mailServer.close();
});
beforeEach(() => t.db.delete(throttles));

const createUser = () => t.user('user', { password: hash });
const signIn = (username: string, password = PASSWORD, headers: Record<string, string> = {}) =>
  t.request(null, login, { body: { username, password } }, { headers });
const mailsTo = (address: string) => mailServer.received.filter(({ to }) => to === address).map(({ mail }) => mail);
const tokenIn = (path: string, address: string) =>
  new RegExp(`${path}\\?token=([\\w-]+)`).exec(mailsTo(address).at(-1)?.text ?? '')?.[1] ?? '';
const readUser = async ({ id }: { id: number }) => (await t.db.select().from(users).where(eq(users.id, id)))[0];
const eventsOf = async ({ id }: { id: number }) =>
  (await t.db.select().from(auditEvents).where(eq(auditEvents.actorId, id)).orderBy(auditEvents.id)).map(
    ({ event }) => event,
  );

test('the account says who its user is', async () => {
  const user = await createUser();
  const { body } = await t.request(user, calls.getAccount);
  expect(body).toMatchObject({ user: { username: user.username, email: user.email }, newEmail: null });
  expect(JSON.stringify(body)).not.toContain(hash);
});

test('users change their own name', async () => {
  const user = await createUser();
  expect((await t.request(user, calls.changeName, { body: { fullName: 'New Name' } })).body.user.fullName).toBe(
    'New Name',
  );
  expect((await t.request(user, getUser)).body.fullName).toBe('New Name');
  expect(await eventsOf(user)).toContain('name_changed');
  const refused = await t.request(user, calls.changeName, { body: { fullName: 'N' } });
  expect(refused).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
});

test('a new password needs the current one, ends the other sessions and is reported by e-mail', async () => {
  const user = await createUser();
  const elsewhere = { cookie: readSetCookie((await signIn(user.username)).headers) };

  const wrong = await t.request(user, calls.changePassword, {
    body: { password: 'not it at all', newPassword: NEW_PASSWORD },
  });
  expect(wrong).toMatchObject({ status: 401, body: { code: 'invalid_credentials', errors: [{ path: 'password' }] } });
  expect((await readUser(user))?.failedLoginAttempts).toBe(1);

  const changed = await t.request(user, calls.changePassword, {
    body: { password: PASSWORD, newPassword: NEW_PASSWORD },
  });
  expect(changed.status).toBe(200);
  expect((await t.request(elsewhere, getUser)).status).toBe(401);
  expect((await t.request(user, getUser)).status, 'the session has a new id').toBe(401);
  expect((await t.request({ cookie: readSetCookie(changed.headers) }, getUser)).status).toBe(200);
  expect((await signIn(user.username)).status).toBe(401);
  expect((await signIn(user.username, NEW_PASSWORD)).status).toBe(200);
  await t.app.outbox.wake();
  expect(mailsTo(user.email).map(({ subject }) => subject)).toContain('Your Highstreet password was changed');
  expect(await eventsOf(user)).toContain('password_changed');
});

test('of twenty concurrent changes of a password one wins', async () => {
  const user = await createUser();
  const change = (n: number) =>
    t.request(user, calls.changePassword, { body: { password: PASSWORD, newPassword: `${NEW_PASSWORD}${n}` } });
  const responses = await Promise.all(Array.from({ length: 20 }, (_, n) => change(n)));
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
});

test('five wrong passwords lock the account, and end no session', async () => {
  const user = await createUser();
  const wrong = () => t.request(user, calls.changePassword, { body: { password: 'wrong', newPassword: NEW_PASSWORD } });
  for (let i = 0; i < 5; i += 1) expect((await wrong()).status).toBe(401);
  expect((await wrong()).status).toBe(429);
  expect((await t.request(user, getUser)).status).toBe(200);
});

const enterEmail = (user: TestUser, email: string, password = PASSWORD) =>
  t.request(user, calls.changeEmail, { body: { email, password } });
const confirm = (token: string) => t.request(null, calls.confirmEmail, { body: { token } });

test('a new address counts once its link was opened, and the old one is told', async () => {
  const user = await createUser();
  const newEmail = `moved-${user.email}`;
  expect((await enterEmail(user, newEmail, 'wrong')).status).toBe(401);
  expect((await enterEmail(user, newEmail)).body).toMatchObject({ newEmail, user: { email: user.email } });
  await t.app.outbox.wake();
  const token = tokenIn('confirm-email', newEmail);
  expect((await readUser(user))?.email).toBe(user.email);

  expect((await confirm(token)).status).toBe(200);
  expect((await readUser(user))?.email).toBe(newEmail);
  expect((await t.request(user, calls.getAccount)).body.newEmail).toBeNull();
  expect((await confirm(token)).body.code, 'the link works once').toBe('invalid_token');
  await t.app.outbox.wake();
  expect(mailsTo(user.email).at(-1)?.subject).toBe('Your Highstreet e-mail address was changed');
  expect(await eventsOf(user)).toEqual(expect.arrayContaining(['email_change_requested', 'email_confirmed']));
});

test('of twenty concurrent uses of a link one wins', async () => {
  const user = await createUser();
  await enterEmail(user, `once-${user.email}`);
  await t.app.outbox.wake();
  const token = tokenIn('confirm-email', `once-${user.email}`);
  const responses = await Promise.all(Array.from({ length: 20 }, () => confirm(token)));
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
});

test('a link for an address that another account has meanwhile is refused, and changes nothing', async () => {
  const [user, other] = [await createUser(), await createUser()];
  await enterEmail(user, `wanted-${user.email}`);
  await t.app.outbox.wake();
  await t.db
    .update(users)
    .set({ email: `wanted-${user.email}` })
    .where(eq(users.id, other.id));
  expect((await confirm(tokenIn('confirm-email', `wanted-${user.email}`))).body.code).toBe('duplicate_email');
  expect((await readUser(user))?.email).toBe(user.email);
});

test.each([
  { what: 'expired', end: (userId: number) => expire(userId) },
  { what: 'withdrawn', end: (_: number, user: TestUser) => t.request(user, calls.withdrawEmail) },
  {
    what: 'of an inactive account',
    end: (userId: number) => t.db.update(users).set({ active: false }).where(eq(users.id, userId)),
  },
  { what: 'replaced by another address', end: (_: number, user: TestUser) => enterEmail(user, `later-${user.email}`) },
])('a link that is $what is refused', async ({ end }) => {
  const user = await createUser();
  await enterEmail(user, `late-${user.email}`);
  await t.app.outbox.wake();
  const token = tokenIn('confirm-email', `late-${user.email}`);
  expect(token).toMatch(/^[\w-]{43}$/);
  await end(user.id, user);
  expect((await confirm(token)).body.code).toBe('invalid_token');
  expect((await readUser(user))?.email).toBe(user.email);
});
const expire = (userId: number) =>
  t.db.update(emailChanges).set({ expiresAt: sql`now()` }).where(eq(emailChanges.userId, userId));

test('the own address and a fourth in an hour are refused', async () => {
  const user = await createUser();
  expect((await enterEmail(user, user.email.toUpperCase())).body.errors).toMatchObject([{ path: 'email' }]);
  for (const n of [1, 2, 3]) expect((await enterEmail(user, `${n}-${user.email}`)).status).toBe(200);
  expect((await enterEmail(user, `4-${user.email}`)).body.code).toBe('too_many_attempts');
});

test('sessions are listed with browser, system and use, and ended', async () => {
  const user = await createUser();
  const elsewhere = await signIn(user.username, PASSWORD, { 'user-agent': FIREFOX });
  const { body: listed } = await t.request(user, calls.listSessions);
  expect(listed).toMatchObject([
    { current: true, browser: null },
    { current: false, browser: 'Firefox', system: 'Windows', ip: '127.0.0.1' },
  ]);
  const [own, other] = listed.map(({ id }) => id);
  const stored = await t.db.select({ id: sessions.id }).from(sessions).where(eq(sessions.userId, user.id));
  for (const { id } of stored) expect(JSON.stringify(listed)).not.toContain(id);

  const end = (id = '') => t.request(user, calls.endSession, { params: { id } });
  expect((await end(own)).body.code).toBe('cannot_change_self');
  expect((await end(other)).body).toHaveLength(1);
  expect((await t.request({ cookie: readSetCookie(elsewhere.headers) }, getUser)).status).toBe(401);
  expect((await end(other)).status).toBe(404);
  expect(await eventsOf(user)).toContain('session_ended');
});

test('sessions of other users are neither listed nor ended', async () => {
  const [user, other] = [await createUser(), await createUser()];
  const [session] = (await t.request(other, calls.listSessions)).body;
  expect((await t.request(user, calls.listSessions)).body.map(({ id }) => id)).not.toContain(session?.id);
  const response = await t.request(user, calls.endSession, { params: { id: session?.id ?? '' } });
  expect(response.status).toBe(404);
  expect((await t.request(other, getUser)).status).toBe(200);
});

test('all other sessions end at once', async () => {
  const user = await createUser();
  for (let i = 0; i < 3; i += 1) await signIn(user.username);
  expect((await t.request(user, calls.endOtherSessions)).body).toMatchObject([{ current: true }]);
  expect(await t.db.$count(sessions, eq(sessions.userId, user.id))).toBe(1);
  expect((await t.request(user, getUser)).status).toBe(200);
});

/** The cookie by which a browser is known again. */
const browserIn = (headers: { 'set-cookie'?: string | string[] | undefined }) =>
  [headers['set-cookie']]
    .flat()
    .find((set) => set?.startsWith('hs_browser='))
    ?.split(';')[0] ?? '';

test('a sign-in with a browser that the user has not used is reported by e-mail', async () => {
  const user = await createUser();
  const first = await signIn(user.username);
  const known = { cookie: browserIn(first.headers) };
  await signIn(user.username, PASSWORD, known);
  await signIn(user.username);
  await t.app.outbox.wake();
  expect(mailsTo(user.email), 'the first browser twice, and without its cookie').toHaveLength(0);

  await signIn(user.username, PASSWORD, { 'user-agent': FIREFOX });
  await t.app.outbox.wake();
  const [mail, ...others] = mailsTo(user.email);
  expect(others).toEqual([]);
  expect(mail?.subject).toBe('A new sign-in to your Highstreet account');
  expect(mail?.text).toMatch(/Firefox on Windows, from 127\.0\.0\.1, \w+ \d+, \d{4}, \d\d:\d\d/);
  expect(await eventsOf(user)).toContain('new_browser');

  // Another user of the same browser is asked about it as well.
  const other = await createUser();
  await signIn(other.username);
  await signIn(other.username, PASSWORD, { ...known, 'user-agent': FIREFOX });
  await t.app.outbox.wake();
  expect(mailsTo(other.email)).toHaveLength(1);
});

test('"This was not me" ends all sessions and the password, and sends a link for a new one', async () => {
  const user = await createUser();
  await signIn(user.username);
  const stranger = {
    cookie: readSetCookie((await signIn(user.username, PASSWORD, { 'user-agent': FIREFOX })).headers),
  };
  await t.app.outbox.wake();
  const token = tokenIn('report-sign-in', user.email);
  const report = () => t.request(null, reportSignIn, { body: { token } });

  const responses = await Promise.all(Array.from({ length: 20 }, report));
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
  expect((await t.request(stranger, getUser)).status).toBe(401);
  expect(await t.db.$count(sessions, eq(sessions.userId, user.id))).toBe(0);
  expect(await t.db.$count(knownBrowsers, eq(knownBrowsers.userId, user.id))).toBe(0);
  expect((await signIn(user.username)).status).toBe(401);

  await t.app.outbox.wake();
  const link = tokenIn('reset-password', user.email);
  const password = 'Brand new 1';
  expect((await t.request(null, resetPassword, { body: { token: link, password } })).status).toBe(200);
  expect((await signIn(user.username, password)).status).toBe(200);
  expect(await eventsOf(user)).toContain('sign_in_reported');
});

test('"This was not me" removes what the other person may have set up, and leaves what was there before', async () => {
  const [user, owner] = [await createUser(), await createUser()];
  const passkey = (userId: number, name: string, createdAt?: string) => ({
    ...{ userId, name, credentialId: `${name} of ${userId}`, publicKey: '', counter: 0, transports: [], synced: false },
    ...(createdAt && { createdAt }),
  });
  const before = '2026-01-01T09:00:00.000Z';
  await t.db.insert(passkeys).values([passkey(user.id, 'mine', before)]);
  for (const { username } of [user, owner]) {
    await signIn(username);
    await signIn(username, PASSWORD, { 'user-agent': FIREFOX });
  }
  await t.app.outbox.wake();
  const code = { secret: '', confirmedAt: new Date().toISOString() };
  await t.db.insert(passkeys).values([passkey(user.id, 'theirs'), passkey(owner.id, 'theirs')]);
  await t.db.insert(oneTimeCodes).values({ userId: user.id, ...code });
  await t.db.insert(oneTimeCodes).values({ userId: owner.id, secret: '', confirmedAt: before });
  await t.db.insert(recoveryCodes).values([user, owner].map(({ id }) => ({ userId: id, code: 'a hash' })));

  for (const { email } of [user, owner]) {
    const body = { token: tokenIn('report-sign-in', email) };
    expect((await t.request(null, reportSignIn, { body })).status).toBe(200);
  }
  const left = await t.db
    .select({ name: passkeys.name })
    .from(passkeys)
    .where(inArray(passkeys.userId, [user.id, owner.id]));
  expect(left).toEqual([{ name: 'mine' }]);
  const count = async (table: typeof oneTimeCodes | typeof recoveryCodes, { id }: { id: number }) =>
    t.db.$count(table, eq(table.userId, id));
  expect([await count(oneTimeCodes, user), await count(recoveryCodes, user)]).toEqual([0, 0]);
  expect([await count(oneTimeCodes, owner), await count(recoveryCodes, owner)]).toEqual([1, 1]);
});

describe('the address that another person has changed', () => {
  /** They have the password, and confirm an address of their own before the owner reads the mail. */
  async function takeOver(user: TestUser) {
    await signIn(user.username);
    const stranger = await signIn(user.username, PASSWORD, { 'user-agent': FIREFOX });
    await t.app.outbox.wake();
    const token = tokenIn('report-sign-in', user.email);
    const email = `stranger-${user.email}`;
    await enterEmail({ ...user, cookie: readSetCookie(stranger.headers) }, email);
    await t.app.outbox.wake();
    expect((await confirm(tokenIn('confirm-email', email))).status).toBe(200);
    await t.app.outbox.wake();
    const mailsBefore = mailsTo(email).length;
    const report = async () => {
      expect((await t.request(null, reportSignIn, { body: { token } })).status).toBe(200);
      await t.app.outbox.wake();
      return {
        mails: mailsTo(email)
          .slice(mailsBefore)
          .map(({ subject }) => subject),
      };
    };
    return { email, report };
  }
  const RESET = 'Reset your Highstreet password';

  test('is given back, and gets no link', async () => {
    const user = await createUser();
    const { report } = await takeOver(user);
    expect(await report()).toEqual({ mails: [] });
    expect((await readUser(user))?.email).toBe(user.email);
    expect(mailsTo(user.email).at(-1)?.subject).toBe(RESET);
    const body = { token: tokenIn('reset-password', user.email), password: 'Brand new 1' };
    expect((await t.request(null, resetPassword, { body })).status).toBe(200);
  });

  test('stays where an administrator has changed it since', async () => {
    const [user, admin] = [await createUser(), await t.user('admin')];
    const { report } = await takeOver(user);
    const { username, fullName, role } = (await readUser(user)) as typeof users.$inferSelect;
    const email = `admin-${user.email}`;
    await t.request(admin, changeUser, { params: { id: user.id }, body: { username, fullName, role, email } });
    await report();
    expect((await readUser(user))?.email).toBe(email);
    expect(mailsTo(email).at(-1)?.subject).toBe(RESET);
  });

  test('gets no link either where another account has the former one', async () => {
    const [user, other] = [await createUser(), await createUser()];
    const { report } = await takeOver(user);
    await t.db.update(users).set({ email: user.email.toUpperCase() }).where(eq(users.id, other.id));
    expect(await report()).toEqual({ mails: [] });
    expect(mailsTo(user.email).at(-1)?.subject).toBe('Your Highstreet e-mail address was changed');
    expect((await signIn(user.username)).status, 'the password has ended').toBe(401);
  });
});

test('a link to report a sign-in that is expired or unknown changes nothing', async () => {
  const user = await createUser();
  await signIn(user.username);
  await signIn(user.username);
  await t.app.outbox.wake();
  await t.db.update(signInReports).set({ expiresAt: sql`now()` }).where(eq(signInReports.userId, user.id));
  for (const token of [tokenIn('report-sign-in', user.email), 'x'.repeat(43), '']) {
    expect((await t.request(null, reportSignIn, { body: { token } })).body.code).toBe('invalid_token');
  }
  expect((await t.request(user, getUser)).status).toBe(200);
  expect((await signIn(user.username)).status).toBe(200);
});

test('the stored data of the viewer is a file without secrets or data of others', async () => {
  const [user, other] = [await createUser(), await createUser()];
  await signIn(user.username);
  await enterEmail(user, `export-${user.email}`);
  await t.request(null, forgotPassword, { body: { email: user.email } });
  await t.lead(user);
  await t.lead(other);
  const { body, headers } = await t.request(user, calls.exportAccount);
  expect(headers['content-disposition']).toBe('attachment; filename="highstreet-account.json"');
  expect(body).toMatchObject({
    account: { username: user.username, email: user.email },
    newEmail: [{ email: `export-${user.email}` }],
    leads: [{ business_name: 'Blue Door Bakery', status: 'new' }],
  });
  expect(body.sessions).toHaveLength(2);
  expect((body.auditEvents as { event: string }[]).map(({ event }) => event)).toContain('sign_in');
  const text = JSON.stringify(body);
  for (const secret of [hash, other.username, other.email]) expect(text).not.toContain(secret);
  expect(text).not.toMatch(/"(password|token|browser)":/);
  expect(await eventsOf(user)).toContain('account_exported');
});

test('a new password also ends the link to a new address', async () => {
  const user = await createUser();
  const session = { cookie: readSetCookie((await signIn(user.username)).headers) };
  await t.request(session, calls.changeEmail, { body: { email: `taken-${user.email}`, password: PASSWORD } });
  await t.app.outbox.wake();
  const token = tokenIn('confirm-email', `taken-${user.email}`);
  await t.request(session, calls.changePassword, { body: { password: PASSWORD, newPassword: 'a new horse 10' } });
  expect((await t.request(null, calls.confirmEmail, { body: { token } })).body.code).toBe('invalid_token');
});
