import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { getUser, login } from '#contract/auth/auth.calls.ts';
import { resetPassword } from '#contract/auth/password-reset.calls.ts';
import { auditEvents } from '#server/schema/audit.ts';
import { oneTimeCodes, passkeys, users } from '#server/schema/users.ts';
import { type TestApp, testApp } from '#server/testing/test-app.ts';
import { resetAccount } from './reset-account.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

test('an account that no one can use any more is used again with a link', async () => {
  const user = await t.user('admin');
  await t.db.insert(oneTimeCodes).values({ userId: user.id, secret: '', confirmedAt: new Date().toISOString() });
  const passkey = { name: 'Phone', publicKey: '', counter: 0, transports: [], synced: false };
  await t.db.insert(passkeys).values({ ...passkey, userId: user.id, credentialId: `of ${user.id}` });
  const locked = { active: false, failedLoginAttempts: 5, lockedUntil: '2126-01-01T00:00:00.000Z' };
  await t.db.update(users).set(locked).where(eq(users.id, user.id));

  const link = await resetAccount(t.db, user.email.toUpperCase(), 'https://crm.example.test');
  expect(link).toMatch(/^https:\/\/crm\.example\.test\/reset-password\?token=[\w-]{43}$/);
  expect((await t.request(user, getUser)).status, 'its sessions have ended').toBe(401);
  const body = { token: link?.split('token=')[1] ?? '', password: 'Brand new 1' };
  expect((await t.request(null, resetPassword, { body })).status).toBe(200);
  const signedIn = await t.request(null, login, { body: { username: user.username, password: body.password } });
  expect(await t.db.$count(passkeys, eq(passkeys.userId, user.id))).toBe(0);
  expect(signedIn, 'without a code').toMatchObject({ status: 200, body: { id: user.id, active: true } });
  const events = await t.db
    .select()
    .from(auditEvents)
    .where(and(eq(auditEvents.subjectType, 'user'), eq(auditEvents.subjectId, user.id)));
  expect(events.map(({ event }) => event)).toContain('account_reset');
});

test('an unknown name resets nothing', async () => {
  expect(await resetAccount(t.db, 'nobody-of-this-name', 'https://crm.example.test')).toBeUndefined();
});
