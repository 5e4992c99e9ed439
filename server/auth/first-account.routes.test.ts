import { expect, test } from 'vitest';
import { getSetup, getUser, register } from '#contract/auth/auth.calls.ts';
import { DEFAULT_SECURITY } from '#contract/auth/security-rules.ts';
import { getTeamSettings } from '#contract/settings/settings.calls.ts';
import type { Role } from '#contract/users/user.ts';
import { changeUser } from '#contract/users/users.calls.ts';
import { sessions, users } from '#server/schema/users.ts';
import { readSetCookie, testApp } from '#server/testing/test-app.ts';

const body = { username: 'ada', password: 'eight characters', email: 'ada@example.test', fullName: 'Ada Example' };

test('the first account is an administrator regardless of the body, and is signed in', async () => {
  const t = await testApp({ ownDatabase: true });
  expect((await t.request(null, getSetup)).body).toEqual({ needed: true, codeRequired: false });

  const response = await t.request(null, register, { body: { ...body, role: 'user', active: false } as never });

  expect(response).toMatchObject({
    status: 201,
    body: { username: 'ada', role: 'admin', active: true, monthlyGoal: 100 },
  });
  expect((await t.request({ cookie: readSetCookie(response.headers) }, getUser)).body).toEqual(response.body);
  expect((await t.request(null, getSetup)).body).toEqual({ needed: false, codeRequired: false });
  await t.close();
});

test.each([
  ['https://crm.example.test', true],
  ['http://localhost:3000', false],
])('set up at %s, what does most harm asks for a proof again: %s', async (APP_URL, askAgain) => {
  const t = await testApp({ ownDatabase: true, env: { APP_URL } });
  const setUp = { body: { ...body, setupCode: t.app.setup.code } };
  const { headers, status } = await t.request(null, register, setUp);
  expect(status).toBe(201);
  const admin = { cookie: readSetCookie(headers) };
  const { settings, changes } = (await t.request(admin, getTeamSettings)).body;
  expect(settings.security).toEqual({ ...DEFAULT_SECURITY, askAgain });
  expect(changes.security?.by).toBe(askAgain ? body.fullName : undefined);
  const { id, username, email } = await t.user();
  const setRole = (role: Role) =>
    t.request(admin, changeUser, { params: { id }, body: { username, email, fullName: 'Tom Example', role } });
  // Signing in was a proof.
  expect((await setRole('manager')).status).toBe(200);
  await t.db.update(sessions).set({ provenAt: '2020-01-01T00:00:00Z' });
  const later = await setRole('admin');
  expect([later.status, later.body.code]).toEqual(askAgain ? [403, 'proof_required'] : [200, undefined]);
  await t.close();
});

test('registration is closed once there is a user, before the body is parsed, also for admins', async () => {
  const t = await testApp();
  const admin = await t.user('admin');
  for (const sender of [null, admin]) {
    const response = await t.request(sender, register, { body: { username: 5 } as never });
    expect(response).toMatchObject({ status: 403, body: { code: 'registration_closed' } });
  }
  await t.close();
});

test('of twenty concurrent registrations one succeeds', async () => {
  const t = await testApp({ ownDatabase: true });
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      t.request(null, register, { body: { ...body, username: `ada${i}`, email: `ada${i}@example.test` } }),
    ),
  );
  expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(responses.filter(({ body: refused }) => refused.code === 'registration_closed')).toHaveLength(19);
  expect(await t.db.$count(users)).toBe(1);
  await t.close();
});

test('an invalid field is refused with the message of the form, and no account is created', async () => {
  const t = await testApp({ ownDatabase: true });
  const wrong = [
    [{ username: 'ab' }, 'username', 'Username must be at least 3 characters'],
    [{ username: 'a@b.c' }, 'username', 'Username may contain only letters, digits, dots, underscores and hyphens'],
    [{ password: 'seven77' }, 'password', 'Password must be at least 8 characters'],
    [{ email: 'nowhere' }, 'email', 'Must be a valid email'],
    [{ fullName: ' A ' }, 'fullName', 'Full name must be at least 2 characters'],
  ] as const;
  for (const [invalid, path, message] of wrong) {
    const response = await t.request(null, register, { body: { ...body, ...invalid } });
    expect(response).toMatchObject({ status: 400, body: { code: 'validation_failed', message } });
    expect(response.body.errors).toEqual([{ path, message }]);
  }
  expect(await t.db.$count(users)).toBe(0);
  await t.close();
});

test('when reachable from other machines, registering needs the printed code; five wrong codes block it', async () => {
  const t = await testApp({ ownDatabase: true, env: { HOST: '0.0.0.0', APP_URL: 'http://leads.example.test' } });
  const code = t.app.setup.code ?? '';
  expect(code.length).toBeGreaterThanOrEqual(16);
  expect((await t.request(null, getSetup)).body).toEqual({ needed: true, codeRequired: true });
  for (const setupCode of [undefined, '', `${code}x`, 'wrong']) {
    const response = await t.request(null, register, { body: { ...body, setupCode } });
    expect(response).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  }
  expect((await t.request(null, register, { body: { ...body, setupCode: 'fifth' } })).status).toBe(403);
  expect((await t.request(null, register, { body: { ...body, setupCode: code } })).status).toBe(403);
  expect(await t.db.$count(users)).toBe(0);
  await t.close();
});

test.each<Record<string, string>>([
  { APP_URL: 'https://leads.example.test', TRUST_PROXY: '1' }, // as packaging/systemd/highstreet.env sets it
  { APP_URL: 'https://leads.example.test' },
  { TRUST_PROXY: '1' },
  { APP_URL: 'http://192.168.1.5:3000' },
  { HOST: '::' },
])('behind a proxy or with a public URL (%o) the first account needs the code', async (env) => {
  const t = await testApp({ ownDatabase: true, env });
  expect((await t.request(null, getSetup)).body).toEqual({ needed: true, codeRequired: true });
  expect(await t.request(null, register, { body })).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  expect(await t.db.$count(users)).toBe(0);
  expect((await t.request(null, register, { body: { ...body, setupCode: t.app.setup.code } })).status).toBe(201);
  await t.close();
});

test('registering with the right code succeeds', async () => {
  const t = await testApp({ ownDatabase: true, env: { HOST: '0.0.0.0' } });
  const response = await t.request(null, register, { body: { ...body, setupCode: t.app.setup.code } });
  expect(response.status).toBe(201);
  await t.close();
});
