import { setTimeout as wait } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { login, logout } from '#contract/auth/auth.calls.ts';
import { resetPassword } from '#contract/auth/password-reset.calls.ts';
import { assignBusiness, reassignLead } from '#contract/leads/leads.calls.ts';
import {
  listNotifications,
  readAllNotifications,
  readNotification,
} from '#contract/notifications/notifications.calls.ts';
import { deleteUser, setUserActive, setUserPassword } from '#contract/users/users.calls.ts';
import { createPasswords, loadArgon2 } from '#server/auth/passwords.ts';
import { insertResetToken } from '#server/auth/reset-tokens.sql.ts';
import { insertSession } from '#server/auth/sessions/sessions.sql.ts';
import { newSecret } from '#server/kit/secrets.ts';
import { businesses } from '#server/schema/leads.ts';
import { sessions } from '#server/schema/users.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';
import { insertNotifications } from './notifications.sql.ts';

let t: TestApp;
let admin: TestUser;
let base: string;
beforeAll(async () => {
  t = await testApp();
  admin = await t.user('admin');
  await t.app.http.listen({ host: '127.0.0.1', port: 0 });
  base = `http://127.0.0.1:${(t.app.http.server.address() as { port: number }).port}`;
});
afterAll(() => t.close());

async function assignTo(user: TestUser) {
  const [business] = await t.db
    .insert(businesses)
    .values({ placeId: `n-${Math.random()}`, name: 'Corner Café' })
    .returning();
  return (await t.request(admin, assignBusiness, { body: { userId: user.id, businessId: business?.id ?? 0 } })).body;
}

/** Opens an event stream. */
async function openStream(user: TestUser, cookie = user.cookie) {
  const stop = new AbortController();
  const response = await fetch(`${base}/api/events`, { headers: { cookie }, signal: stop.signal });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return {
    response,
    until: async (enough: (text: string) => boolean) => {
      while (!enough(text)) {
        const { value, done } = (await reader?.read()) ?? { done: true, value: undefined };
        if (done) return `${text}(end)`;
        text += value;
      }
      return text;
    },
    close: () => stop.abort(),
  };
}
const times = (count: number) => (text: string) => text.split('event: notifications').length > count;

test('assignments and reassignments notify the new and the previous holder, newest first', async () => {
  const [one, two] = [await t.user(), await t.user()];
  const lead = await assignTo(one);
  await t.request(admin, reassignLead.byId, { params: { id: lead.id }, body: { newUserId: two.id } });

  const { body } = await t.request(one, listNotifications);
  expect(body.unread).toBe(2);
  expect(body.items).toMatchObject([
    { type: 'lead_reassigned_from', title: 'Business reassigned', relatedUuid: null, read: false },
    { type: 'lead_assigned', title: 'New business assigned', message: 'Test admin assigned Corner Café to you.' },
  ]);
  const { body: gained } = await t.request(two, listNotifications);
  expect(gained.items).toMatchObject([
    { type: 'lead_reassigned_to', relatedUserBusinessId: lead.id, relatedUuid: lead.uuid },
  ]);
});

test('users can mark one or all of their own notifications as read, and no others', async () => {
  const [one, two] = [await t.user(), await t.user()];
  await assignTo(one);
  await assignTo(one);
  const { items } = (await t.request(one, listNotifications)).body;
  const params = { id: items[0]?.id ?? 0 };
  expect((await t.request(two, readNotification, { params })).status).toBe(404);
  expect((await t.request(two, readAllNotifications)).body).toEqual({ unread: 0 });
  expect((await t.request(one, readNotification, { params })).body).toEqual({ unread: 1 });
  expect((await t.request(one, readNotification, { params })).body).toEqual({ unread: 1 });
  expect((await t.request(one, readAllNotifications)).body).toEqual({ unread: 0 });
  expect((await t.request(one, listNotifications)).body.items.every(({ read }) => read)).toBe(true);
});

test('a user who takes a lead is notified, one who gives a lead away is not', async () => {
  const giver = await t.user('admin');
  const [business] = await t.db
    .insert(businesses)
    .values({ placeId: `own-${giver.id}`, name: 'Own Shop' })
    .returning();
  const body = { userId: giver.id, businessId: business?.id ?? 0 };
  const { body: lead } = await t.request(giver, assignBusiness, { body });
  await t.request(giver, reassignLead.byId, { params: { id: lead.id }, body: { newUserId: admin.id } });
  const { items } = (await t.request(giver, listNotifications)).body;
  expect(items.map(({ type }) => type)).toEqual(['lead_assigned']);
});

test('a connected browser gets an event on commit, and none on rollback', async () => {
  const user = await t.user();
  const events = await openStream(user);
  expect(events.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(events.response.headers.get('cache-control')).toBe('no-store');
  expect(events.response.headers.get('x-content-type-options')).toBe('nosniff');
  const notice = { userId: user.id, type: 'lead_assigned' as const, title: 'x', message: 'x' };
  await t.db
    .transaction(async (tx) => {
      await insertNotifications(tx, [notice]);
      throw new Error('undone');
    })
    .catch(() => {});
  await assignTo(user);
  expect((await events.until(times(1))).split('event: notifications')).toHaveLength(2);
  await assignTo(user);
  expect(await events.until(times(2))).toContain('event: notifications');
  events.close();
});

test('other users get no event, and anonymous requests are refused', async () => {
  const [one, two] = [await t.user(), await t.user()];
  const events = await openStream(two);
  await assignTo(one);
  await assignTo(two);
  expect((await events.until(times(1))).split('event: notifications')).toHaveLength(2);
  events.close();
  expect((await fetch(`${base}/api/events`)).status).toBe(401);
});

test('a twenty-first stream of a user ends the oldest', async () => {
  const user = await t.user();
  const first = await openStream(user);
  const others = await Promise.all(Array.from({ length: 20 }, () => openStream(user)));
  expect(await first.until(() => false)).toMatch(/\(end\)$/);
  for (const events of others) events.close();
});

test('closing the server ends the streams instead of waiting for them', async () => {
  const ownApp = await testApp();
  const user = await ownApp.user();
  await ownApp.app.http.listen({ host: '127.0.0.1', port: 0 });
  const { port } = ownApp.app.http.server.address() as { port: number };
  const response = await fetch(`http://127.0.0.1:${port}/api/events`, { headers: { cookie: user.cookie } });
  const [, text] = await Promise.all([ownApp.close(), response.text()]);
  expect(text).toContain('welcome');
});

test('a deactivated account cannot open a stream', async () => {
  const user = await t.user();
  await t.request(admin, setUserActive, { params: { id: user.id }, body: { active: false } });
  expect(await t.db.$count(sessions, eq(sessions.userId, user.id))).toBe(0);
  expect((await fetch(`${base}/api/events`, { headers: { cookie: user.cookie } })).status).toBe(401);
});

const PASSWORD = 'Correct horse 9';
const openSession = async ({ id }: TestUser) => {
  const { secret, hash } = newSecret();
  await insertSession(t.db, { id: hash, userId: id, ip: '127.0.0.1', userAgent: 'test' });
  return `hs_session=${secret}`;
};
/** Ways to end a user's session, each requested from another process than the one that serves the stream. */
const revocations: [string, (other: TestApp, user: TestUser) => Promise<unknown>][] = [
  ['logout', (other, user) => other.request(user, logout)],
  ['deactivation', (other, { id }) => other.request(admin, setUserActive, { params: { id }, body: { active: false } })],
  ['deletion', (other, { id }) => other.request(admin, deleteUser, { params: { id } })],
  [
    'a password set by an admin',
    (other, { id }) => other.request(admin, setUserPassword, { params: { id }, body: { newPassword: PASSWORD } }),
  ],
  [
    'their own new password, which gives the session a new id',
    (other, user) => other.request(user, setUserPassword, { params: { id: user.id }, body: { newPassword: PASSWORD } }),
  ],
  [
    'a password set by link',
    async (other, { id }) => {
      const { secret, hash } = newSecret();
      await insertResetToken(t.db, hash, id);
      return other.request(null, resetPassword, { body: { token: secret, password: PASSWORD } });
    },
  ],
  [
    'a sign-in in its place',
    (other, { username, cookie }) =>
      other.request(null, login, { body: { username, password: PASSWORD } }, { headers: { cookie } }),
  ],
  [
    'ten newer sessions',
    async (other, user) => {
      for (let i = 0; i < 9; i++) await openSession(user);
      return other.request(null, login, { body: { username: user.username, password: PASSWORD } });
    },
  ],
];

test.each(revocations)('%s ends the open stream of the session at once', async (_, revoke) => {
  const other = await testApp();
  const hash = await (await createPasswords(await loadArgon2())).hash(PASSWORD);
  const user = await t.user('admin', { password: hash });
  await t.db
    .update(sessions)
    .set({ createdAt: new Date(Date.now() - 3_600_000).toISOString() })
    .where(eq(sessions.userId, user.id));
  const events = await openStream(user);

  expect(await revoke(other, user)).toHaveProperty(
    'status',
    expect.toSatisfy((status) => status < 300),
  );

  const ended = await Promise.race([events.until(() => false), wait(10_000, 'still open')]);
  expect(ended).toMatch(/\(end\)$/);
  expect(ended).not.toContain('event: notifications');
  await other.close();
});

test("the streams of a user's other sessions stay open", async () => {
  const user = await t.user();
  const other = await openSession(user);
  const [ending, staying] = [await openStream(user), await openStream(user, other)];
  await t.request(user, logout);
  expect(await ending.until(() => false)).toMatch(/\(end\)$/);
  await assignTo(user);
  expect(await staying.until(times(1))).not.toContain('(end)');
  staying.close();
});

test('HEAD returns the headers and opens no stream', async () => {
  const user = await t.user();
  const options = { method: 'HEAD', headers: { cookie: user.cookie } };
  const response = await fetch(`${base}/api/events`, { ...options, signal: AbortSignal.timeout(10_000) });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(await response.text()).toBe('');
  expect((await fetch(`${base}/api/events`, { method: 'HEAD' })).status).toBe(401);
});
