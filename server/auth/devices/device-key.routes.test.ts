import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endOtherSessions, endSession, listSessions } from '#contract/account/account.calls.ts';
import { logout } from '#contract/auth/auth.calls.ts';
import { getDeviceKey } from '#contract/auth/device-key.calls.ts';
import { deleteUser, setUserActive, setUserPassword } from '#contract/users/users.calls.ts';
import { insertSession } from '#server/auth/sessions/sessions.sql.ts';
import { newSecret } from '#server/kit/secrets.ts';
import { deviceKeys, sessions } from '#server/schema/users.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

/** Another session of the user: another browser, or the same one later. */
async function signInAgain({ id: userId }: TestUser) {
  const { secret, hash } = newSecret();
  await insertSession(t.db, { id: hash, userId, ip: '127.0.0.1', userAgent: 'test' });
  return { cookie: `hs_session=${secret}` };
}

const ask = async (sender: { cookie: string }, id?: string) =>
  (await t.request(sender, getDeviceKey, { body: id ? { id } : {} })).body;

/** Whether a later session of the user gets the key that was handed out before. */
async function isHandedOut(user: TestUser, id: string) {
  return (await ask(await signInAgain(user), id)).id === id;
}

test('a device gets a key of 32 bytes, and the same one in a later session', async () => {
  const user = await t.user();
  const first = await ask(user);
  expect(Buffer.from(first.key, 'base64')).toHaveLength(32);
  expect(await ask(user, first.id)).toEqual(first);
  expect(await ask(await signInAgain(user), first.id)).toEqual(first);
});

test('each device has its own key, and the id of another user opens nothing', async () => {
  const [ann, ben] = [await t.user(), await t.user()];
  const first = await ask(ann);
  const second = await ask(await signInAgain(ann));
  expect(second.key).not.toBe(first.key);
  const foreign = await ask(ben, first.id);
  expect(foreign.id).not.toBe(first.id);
  expect(foreign.key).not.toBe(first.key);
  expect(await isHandedOut(ann, first.id)).toBe(true);
});

test('a key that is younger than a restored backup is handed out again', async () => {
  const user = await t.user();
  const before = await ask(user);
  await t.db.delete(deviceKeys).where(eq(deviceKeys.id, before.id));
  expect(await ask(user, before.id)).toEqual(before);
});

test('a log-out drops the key of this device alone', async () => {
  const user = await t.user();
  const other = await signInAgain(user);
  const [here, there] = [await ask(user), await ask(other)];
  await t.request(user, logout);
  expect(await isHandedOut(user, here.id)).toBe(false);
  expect(await isHandedOut(user, there.id)).toBe(true);
});

test('ending one session drops the key of its device', async () => {
  const user = await t.user();
  const other = await signInAgain(user);
  const [here, there] = [await ask(user), await ask(other)];
  const id = (await t.request(user, listSessions)).body.find(({ current }) => !current)?.id ?? '';
  await t.request(user, endSession, { params: { id } });
  expect(await isHandedOut(user, there.id)).toBe(false);
  expect(await isHandedOut(user, here.id)).toBe(true);
});

test('ending all other sessions drops the keys of all other devices, with and without a session', async () => {
  const user = await t.user();
  const [other, expired] = [await signInAgain(user), await signInAgain(user)];
  const [here, there, late] = [await ask(user), await ask(other), await ask(expired)];
  await t.db.delete(sessions).where(eq(sessions.deviceKey, late.id));
  await t.request(user, endOtherSessions);
  expect(await isHandedOut(user, there.id)).toBe(false);
  expect(await isHandedOut(user, late.id)).toBe(false);
  expect(await isHandedOut(user, here.id)).toBe(true);
});

test('a deactivated user gets none of the former keys back', async () => {
  const admin = await t.user('admin');
  const user = await t.user();
  const { id } = await ask(user);
  const params = { id: String(user.id) };
  await t.request(admin, setUserActive, { params, body: { active: false } });
  expect((await t.request(user, getDeviceKey, { body: { id } })).status).toBe(401);
  await t.request(admin, setUserActive, { params, body: { active: true } });
  expect(await isHandedOut(user, id)).toBe(false);
});

test('deleting a user drops the keys', async () => {
  const user = await t.user();
  const { id } = await ask(user);
  await t.request(await t.user('admin'), deleteUser, { params: { id: String(user.id) } });
  expect(await t.db.$count(deviceKeys, sql`${deviceKeys.id} = ${id} and dropped_at is null`)).toBe(0);
});

test('a password that an administrator sets ends the sessions and keeps what was written on the device', async () => {
  const user = await t.user();
  const { id } = await ask(user);
  const body = { newPassword: 'correct horse 9' };
  await t.request(await t.user('admin'), setUserPassword, { params: { id: String(user.id) }, body });
  expect((await t.request(user, getDeviceKey, { body: { id } })).status).toBe(401);
  expect(await isHandedOut(user, id)).toBe(true);
});

test('it needs a session and a well-formed id', async () => {
  expect((await t.request(null, getDeviceKey, { body: {} })).status).toBe(401);
  const response = await t.request(await t.user(), getDeviceKey, { body: { id: 'nonsense' } });
  expect(response).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
});

test('twenty tabs that ask at once get one key', async () => {
  const user = await t.user();
  const id = randomUUID();
  const keys = await Promise.all(Array.from({ length: 20 }, () => ask(user, id)));
  expect(new Set(keys.map(({ key }) => key)).size).toBe(1);
  expect(keys[0]?.id).toBe(id);
});
