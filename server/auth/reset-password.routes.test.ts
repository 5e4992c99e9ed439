import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { desc, eq, sql } from 'drizzle-orm';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { getUser, login } from '#contract/auth/auth.calls.ts';
import {
  FORGOT_PASSWORD_RESPONSE,
  forgotPassword,
  resetPassword,
  verifyResetToken,
} from '#contract/auth/password-reset.calls.ts';
import { changeUser, setUserActive, setUserPassword } from '#contract/users/users.calls.ts';
import { mailOutbox } from '#server/kit/db/kit-tables.ts';
import { newSecret } from '#server/kit/secrets.ts';
import { passwordResetTokens, throttles, users } from '#server/schema/users.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

const NEW_PASSWORD = 'Brand new 1';
const mails: { to: string[]; mail: Email }[] = [];
let refuseMail = false;
let smtp: SMTPServer;
let t: TestApp;

beforeAll(async () => {
  smtp = new SMTPServer({
    authOptional: true,
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk) => chunks.push(chunk));
      stream.on('end', async () => {
        if (refuseMail) return done(new Error(`no room for <${session.envelope.rcptTo[0]?.address}>`));
        mails.push({
          to: session.envelope.rcptTo.map(({ address }) => address),
          mail: await PostalMime.parse(Buffer.concat(chunks)),
        });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve));
  const { port } = smtp.server.address() as { port: number };
  t = await testApp({
    env: { SMTP_URL: `smtp://127.0.0.1:${port}?ignoreTLS=true`, APP_URL: 'http://leads.example.test' },
  });
});
afterAll(async () => {
  await t.close();
  await new Promise<void>((resolve) => smtp.close(resolve));
});
beforeEach(async () => {
  refuseMail = false;
  await t.db.delete(throttles);
});

const requestReset = (email: string) => t.request(null, forgotPassword, { body: { email } });
const mailsTo = (user: TestUser) => mails.filter(({ to }) => to.includes(user.email));
const tokenIn = (mail: Email | undefined) => /reset-password\?token=([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? '';
const withId = (user: TestUser) => ({ params: { id: String(user.id) } });

async function requestLink(user: TestUser): Promise<string> {
  await requestReset(user.email);
  await t.app.outbox.wake();
  return tokenIn(mailsTo(user).at(-1)?.mail);
}
const resetWith = (token: string, password = NEW_PASSWORD) =>
  t.request(null, resetPassword, { body: { token, password } });
const verify = (token: string) => t.request(null, verifyResetToken, { params: { token } });

test('a link requested by e-mail, case-insensitively, is sent to the stored e-mail and sets a password once', async () => {
  const user = await t.user();
  expect(await requestReset(`  ${user.email.toUpperCase()} `)).toMatchObject({
    status: 200,
    body: { message: FORGOT_PASSWORD_RESPONSE },
  });
  await t.app.outbox.wake();

  const [{ to, mail } = { to: [], mail: undefined }] = mailsTo(user);
  expect(to).toEqual([user.email]);
  expect(mail).toMatchObject({ subject: 'Reset your Highstreet password', from: { address: 'no-reply@localhost' } });
  expect(mail?.text).toContain('http://leads.example.test/reset-password?token=');
  expect(mail?.html).toContain('<a href="http://leads.example.test/reset-password?token=');
  const token = tokenIn(mail);
  expect((await verify(token)).body).toEqual({ valid: true });
  expect((await verify(token)).body).toEqual({ valid: true }); // looking at it does not use it up

  expect((await resetWith(token)).status).toBe(200);
  expect((await t.request(user, getUser)).status).toBe(401); // every session has ended
  expect((await t.request(null, login, { body: { username: user.username, password: NEW_PASSWORD } })).status).toBe(
    200,
  );
  expect(await resetWith(token)).toMatchObject({ status: 400, body: { code: 'invalid_token' } });
  await t.app.outbox.wake();
  expect(mailsTo(user).at(-1)?.mail.subject).toBe('Your Highstreet password was changed');
});

test('an unknown and an inactive e-mail get the same response and no mail', async () => {
  const inactive = await t.user('user', { active: false });
  const known = await requestReset((await t.user()).email);
  for (const email of [inactive.email, 'unknown@example.test']) {
    const response = await requestReset(email);
    expect(response.status).toBe(200);
    expect(response.body).toEqual(known.body);
  }
  await t.app.outbox.wake();
  expect(mailsTo(inactive)).toEqual([]);
  expect(await t.db.$count(mailOutbox)).toBe(0);
});

test.each(['nowhere', 'a@b.test, c@d.test', 'a@b.test\nBcc: c@d.test', ''])(
  '%j is not a valid e-mail',
  async (email) => {
    expect(await requestReset(email)).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', message: 'Please enter a valid email address' },
    });
  },
);

test.each([
  ['Short1a', 'Password must be at least 8 characters'],
  [`${'aA1'.repeat(33)}xx`, 'Password must be at most 100 characters'],
  ['no upper 1', 'Password must contain at least one uppercase letter'],
  ['NO LOWER 1', 'Password must contain at least one lowercase letter'],
  ['No number here', 'Password must contain at least one number'],
])('the password %j is refused and the link stays valid', async (password, message) => {
  const token = await requestLink(await t.user());
  expect(await resetWith(token, password)).toMatchObject({ status: 400, body: { code: 'validation_failed', message } });
  expect((await resetWith(token)).status).toBe(200);
});

test.each(['nonsense', 'x'.repeat(600), 'x'.repeat(8_000), '\u0000', 'a b'])(
  'an unknown token (%#) is invalid',
  async (token) => {
    expect(await verify(token)).toMatchObject({
      status: 400,
      body: {
        valid: false,
        code: 'invalid_token',
        message: 'Invalid or expired token. Please request a new reset link.',
      },
    });
  },
);

test('a link expires after 60 minutes by the database clock', async () => {
  const user = await t.user();
  const token = await requestLink(user);
  const [row] = await t.db
    .select({ minutes: sql<number>`round(extract(epoch from ${passwordResetTokens.expiresAt} - now()) / 60)::int` })
    .from(passwordResetTokens)
    .where(eq(passwordResetTokens.userId, user.id));
  expect(row?.minutes).toBe(60);
  await t.db.update(passwordResetTokens).set({ expiresAt: sql`now()` }).where(eq(passwordResetTokens.userId, user.id));
  expect((await verify(token)).status).toBe(400);
  expect((await resetWith(token)).status).toBe(400);
});

test('a new link, a set password, a changed e-mail and a deactivation invalidate the older link', async () => {
  const admin = await t.user('admin');
  const changes: ((user: TestUser) => Promise<unknown>)[] = [
    (user) => requestLink(user),
    (user) => t.request(admin, setUserPassword, { ...withId(user), body: { newPassword: 'set by admin' } }),
    (user) =>
      t.request(admin, changeUser, {
        ...withId(user),
        body: { username: user.username, email: `new-${user.email}`, fullName: 'Test user', role: 'user' },
      }),
    (user) => t.request(admin, setUserActive, { ...withId(user), body: { active: false } }),
  ];
  for (const change of changes) {
    const user = await t.user();
    const token = await requestLink(user);
    expect((await verify(token)).status).toBe(200);
    await change(user);
    expect((await verify(token)).status).toBe(400);
    expect((await resetWith(token)).status).toBe(400);
  }
});

test('an account gets three mails an hour; the fourth request gets the same response and no mail', async () => {
  const user = await t.user();
  for (let i = 0; i < 4; i++) expect((await requestReset(user.email)).status).toBe(200);
  await t.app.outbox.wake();
  expect(mailsTo(user)).toHaveLength(3);
});

test('an IP may request 60 resets an hour', async () => {
  await t.db
    .insert(throttles)
    .values({ key: 'reset requests of 127.0.0.1', count: 60, expiresAt: sql`now() + interval '20 minutes'` });
  const response = await requestReset('unknown@example.test');
  expect(response).toMatchObject({ status: 429, body: { code: 'too_many_attempts' } });
  expect(Number(response.headers['retry-after'])).toBeGreaterThan(1100);
});

test('the database stores only a hash of the token', async () => {
  const user = await t.user();
  const token = await requestLink(user);
  const rows = await t.db.execute(sql`select row_to_json(p)::text as row from password_reset_tokens p`);
  expect(JSON.stringify(rows.rows)).not.toContain(token);
});

test('of twenty concurrent uses of a link one succeeds', async () => {
  const user = await t.user();
  const token = await requestLink(user);
  const responses = await Promise.all(Array.from({ length: 20 }, (_, i) => resetWith(token, `Brand new 1${i}`)));
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(responses.filter(({ status }) => status === 400)).toHaveLength(19);
});

test('a reset link unlocks a locked account', async () => {
  const user = await t.user('user', { failedLoginAttempts: 5, lockedUntil: '2099-01-01T00:00:00.000Z' });
  expect((await resetWith(await requestLink(user))).status).toBe(200);
  expect((await t.request(null, login, { body: { username: user.username, password: NEW_PASSWORD } })).status).toBe(
    200,
  );
});

test('a failing mail server does not affect the response; the mail is sent later with a valid link, or dropped', async () => {
  const user = await t.user();
  refuseMail = true;
  expect((await requestReset(user.email)).status).toBe(200);
  await t.app.outbox.wake();
  const [job] = await t.db.select().from(mailOutbox).orderBy(desc(mailOutbox.id)).limit(1);
  expect(job).toMatchObject({ kind: 'reset_link', attempts: 1 });
  expect(mailsTo(user)).toEqual([]);

  refuseMail = false;
  await t.db.update(mailOutbox).set({ nextAttemptAt: sql`now()` });
  await t.app.outbox.wake();
  expect(mailsTo(user)).toHaveLength(1);
  expect((await verify(tokenIn(mailsTo(user)[0]?.mail))).status).toBe(200);
  expect(await t.db.$count(passwordResetTokens, eq(passwordResetTokens.userId, user.id))).toBe(1);

  refuseMail = true;
  await requestReset(user.email);
  await t.app.outbox.wake();
  // The column has milliseconds, to which "now" may be rounded up.
  await t.db.update(mailOutbox).set({ expiresAt: sql`now() - interval '1 second'`, nextAttemptAt: sql`now()` });
  refuseMail = false;
  await t.app.outbox.wake();
  expect(mailsTo(user)).toHaveLength(1);
  expect(await t.db.$count(mailOutbox)).toBe(0);
  expect(t.lines.join('')).not.toContain(user.email);
  expect(t.lines.some((line) => line.includes('mail dropped'))).toBe(true);
});

test('a link of a deleted account is invalid', async () => {
  const user = await t.user();
  const { secret, hash } = newSecret();
  await t.db
    .insert(passwordResetTokens)
    .values({ userId: user.id, token: hash, expiresAt: sql`now() + interval '1 hour'` });
  await t.db.delete(users).where(eq(users.id, user.id));
  expect((await verify(secret)).status).toBe(400);
});

test('without a mail server a message becomes a file that only its owner can read', async () => {
  const offline = await testApp();
  const user = await offline.user();
  await offline.request(null, forgotPassword, { body: { email: user.email } });
  await offline.app.outbox.wake();
  const folder = join(offline.env.dataDir, 'outbox');
  const files = readdirSync(folder);
  expect(files).toHaveLength(1);
  const file = join(folder, files[0] ?? '');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const mail = await PostalMime.parse(readFileSync(file));
  expect(mail.to?.[0]?.address).toBe(user.email);
  expect(tokenIn(mail)).toMatch(/^[\w-]{43}$/);
  await offline.close();
});
