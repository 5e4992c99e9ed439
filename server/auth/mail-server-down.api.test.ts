import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { forgotPassword, verifyResetToken } from '#contract/auth/password-reset.calls.ts';
import { changeUser } from '#contract/users/users.calls.ts';
import { mailOutbox } from '#server/kit/db/kit-tables.ts';
import { findFreePort, startMailServer } from '#server/testing/mail-server.ts';
import { type TestApp, testApp } from '#server/testing/test-app.ts';

let t: TestApp;
let port: number;
beforeAll(async () => {
  port = await findFreePort();
  // Its own database, because the outbox belongs to the whole database.
  t = await testApp({ ownDatabase: true, env: { SMTP_URL: `smtp://127.0.0.1:${port}` } });
});
afterAll(() => t.close());

const readErrors = async () => (await t.db.select().from(mailOutbox)).map(({ lastError }) => lastError);

/** Moves all times that are compared with the database's clock into the past. */
async function passMinutes(minutes: number) {
  const by = sql`make_interval(mins => ${minutes})`;
  await t.db.execute(
    sql`update mail_outbox set next_attempt_at = next_attempt_at - ${by}, expires_at = expires_at - ${by}`,
  );
  await t.db.execute(
    sql`update password_reset_tokens set expires_at = expires_at - ${by}, created_at = created_at - ${by}`,
  );
}

test('when the mail server is down for an hour, no request waits, valid mail is sent once and expired links never', async () => {
  const [admin, changed, forgetful] = [await t.user('admin'), await t.user(), await t.user()];
  expect((await t.request(null, forgotPassword, { body: { email: forgetful.email } })).status).toBe(200);
  const { id, username, email } = changed;
  const body = { username, email, fullName: 'Changed', role: 'manager' as const };
  expect((await t.request(admin, changeUser, { params: { id }, body })).status).toBe(200);

  for (const minutes of [1, 5, 15, 15, 15]) {
    await t.app.outbox.wake();
    expect(await t.db.$count(mailOutbox)).toBe(2);
    expect(await readErrors()).toEqual(Array(2).fill('The mail server could not be reached (ECONNREFUSED)'));
    // Not due again yet: looking once more changes nothing.
    const before = await t.db.select().from(mailOutbox);
    await t.app.outbox.wake();
    expect(await t.db.select().from(mailOutbox)).toEqual(before);
    await passMinutes(minutes);
  }
  await passMinutes(15);

  const mailServer = await startMailServer(port);
  await t.app.outbox.wake();
  await t.app.outbox.wake();
  expect(mailServer.received.map(({ to }) => to)).toEqual([changed.email]);
  expect(mailServer.received[0]?.mail.text).toContain('role');
  expect(await t.db.$count(mailOutbox)).toBe(0);
  expect(t.lines.filter((line) => line.includes('mail dropped: it could not be sent in time'))).toHaveLength(1);

  await t.request(null, forgotPassword, { body: { email: forgetful.email } });
  await t.app.outbox.wake();
  expect(mailServer.received).toHaveLength(2);
  const token = /reset-password\?token=([\w-]{43})/.exec(mailServer.received[1]?.mail.text ?? '')?.[1] ?? '';
  expect((await t.request(null, verifyResetToken, { params: { token } })).status).toBe(200);
  await mailServer.close();
});
