import { and, eq, gt, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { confirmEmail } from '#contract/account/account.calls.ts';
import * as invitations from '#contract/account/invitations.calls.ts';
import { resetPassword, verifyResetToken } from '#contract/auth/password-reset.calls.ts';
import { reportSignIn } from '#contract/auth/report-sign-in.calls.ts';
import { stopWeeklyEmail } from '#contract/reminders/reminders.calls.ts';
import { auditEvents } from '#server/schema/audit.ts';
import { type TestApp, testApp } from '#server/testing/test-app.ts';

const TOKEN = 'x'.repeat(43);

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

const person = { username: 'a-stranger', fullName: 'A Stranger' };

test.each([
  { call: confirmEmail, send: () => t.request(null, confirmEmail, { body: { token: TOKEN } }) },
  { call: reportSignIn, send: () => t.request(null, reportSignIn, { body: { token: TOKEN } }) },
  { call: verifyResetToken, send: () => t.request(null, verifyResetToken, { params: { token: TOKEN } }) },
  {
    call: resetPassword,
    send: () => t.request(null, resetPassword, { body: { token: TOKEN, password: 'A secret 1' } }),
  },
  {
    call: invitations.getInvitation,
    send: () => t.request(null, invitations.getInvitation, { params: { token: TOKEN } }),
  },
  {
    call: invitations.startInvitedPasskey,
    send: () => t.request(null, invitations.startInvitedPasskey, { body: { token: TOKEN, ...person } }),
  },
  {
    call: invitations.acceptInvitation,
    send: () =>
      t.request(null, invitations.acceptInvitation, { body: { token: TOKEN, ...person, password: 'A secret 1' } }),
  },
  { call: stopWeeklyEmail, send: () => t.request(null, stopWeeklyEmail, { query: { token: TOKEN } }) },
])('a link that is not valid is refused and audited, without it: $call.method $call.path', async ({ call, send }) => {
  const [last] = await t.db.select({ id: sql<number>`coalesce(max(id), 0)`.mapWith(Number) }).from(auditEvents);
  expect(await send()).toMatchObject({ status: 400, body: { code: 'invalid_token' } });
  const since = and(gt(auditEvents.id, last?.id ?? 0), eq(auditEvents.event, 'call_refused'));
  // After the response.
  await expect
    .poll(() => t.db.select().from(auditEvents).where(since))
    .toMatchObject([
      {
        ...{ outcome: 'refused', actorId: null, ip: '127.0.0.1' },
        details: { code: 'invalid_token', method: call.method, route: call.path.replace(/\{(\w+)\}/g, ':$1') },
      },
    ]);
  expect(JSON.stringify(await t.db.select().from(auditEvents).where(since))).not.toContain(TOKEN);
});
