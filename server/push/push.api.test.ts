import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { logout } from '#contract/auth/auth.calls.ts';
import * as calls from '#contract/push/push.calls.ts';
import { PUSH_KINDS } from '#contract/push/push-message.ts';
import { setUserActive } from '#contract/users/users.calls.ts';
import { wakeOwnJob } from '#server/jobs/jobs.sql.ts';
import { insertNotifications, type NewNotification, SOURCE_NAME } from '#server/notifications/notifications.sql.ts';
import { notifications, pushMessages, pushSubscriptions } from '#server/schema/notifications.ts';
import { sessions } from '#server/schema/users.ts';
import { startPushService } from '#server/testing/push/push-service.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

const WORKING = '2026-11-19T10:00:00.000Z';
const EVENING = '2026-11-19T20:00:00.000Z';

let push: Awaited<ReturnType<typeof startPushService>>;
let t: TestApp;
let evening: TestApp;
beforeAll(async () => {
  push = await startPushService({ now: () => new Date(WORKING) });
  t = await testApp({ ownDatabase: true, clock: () => new Date(WORKING), env: push.env });
  evening = await testApp({ database: t.database, clock: () => new Date(EVENING), env: push.env });
});
afterAll(async () => {
  push.close();
  await evening.close();
  await t.close();
});
beforeEach(async () => {
  push.answerWith(201);
  await t.db.delete(pushSubscriptions);
});

/** What is gathered, and then sent. */
async function ring(app = t) {
  await wakeOwnJob(app.db, 'push');
  await app.app.jobs.run('push');
  // The step has begun one itself, maybe before its commit.
  await app.app.push.sendDue();
  await app.app.push.sendDue();
}
async function addDevice(user: TestUser) {
  const device = push.subscribe();
  const added = await t.request(user, calls.addPushSubscription, { body: device.subscription });
  expect(added).toMatchObject({ status: 200, body: { endpoint: device.subscription.endpoint } });
  return device;
}
const settings = (user: TestUser, body: object) => t.request(user, calls.changePushSettings, { body: body as never });
const subscriptionsOf = (user: TestUser) => t.db.$count(pushSubscriptions, eq(pushSubscriptions.userId, user.id));

async function notify(user: TestUser, columns: Partial<NewNotification> = {}) {
  const values = { type: 'lead_comment', title: 'New comment', message: `${SOURCE_NAME} wrote: Ring at 9` } as const;
  await insertNotifications(t.db, [{ userId: user.id, ...values, ...columns }]);
}

test('a device shows one message of what is new, encrypted for it and signed by this installation', async () => {
  const user = await t.user();
  const lead = await t.lead(user);
  const [phone, tablet] = [await addDevice(user), push.subscribe()];
  await notify(user, { relatedUserBusinessId: lead.id });
  await ring();
  await ring();
  expect(phone.shown).toEqual([
    {
      title: 'Highstreet',
      body: 'There is a new comment on a lead',
      path: `/business/uuid/${lead.uuid}`,
      tag: expect.stringMatching(/^highstreet-\d+$/),
    },
  ]);
  expect(tablet.shown).toEqual([]);
  const { body } = await t.request(user, calls.getPush);
  expect([...push.service.senders]).toEqual([body.publicKey]);
  expect(push.service.headers).toMatchObject({ urgency: 'high', 'content-encoding': 'aes128gcm' });
  await notify(user);
  await notify(user, { type: 'follow_up_due', title: 'Follow-up due: Blue Door Bakery' });
  await ring();
  expect(phone.shown[1]).toMatchObject({ body: '1 follow-up due, 1 comment', path: '/today' });
  expect(await t.db.$count(pushMessages)).toBe(0);
});

test('its user chooses what it tells, and whether it names the lead', async () => {
  const user = await t.user();
  const colleague = await t.user('user', { fullName: 'Priya Shah' });
  const phone = await addDevice(user);
  expect((await t.request(user, calls.getPush)).body.settings).toEqual({
    kinds: PUSH_KINDS,
    details: false,
    atAnyTime: false,
  });
  expect((await settings(user, { details: true })).body.settings.details).toBe(true);
  await notify(user, { sourceUserId: colleague.id });
  await ring();
  expect(phone.shown).toMatchObject([{ title: 'New comment', body: 'Priya Shah wrote: Ring at 9' }]);
  await settings(user, { kinds: ['follow_up_due'] });
  await notify(user);
  await ring();
  expect(phone.shown).toHaveLength(1);
});

test('what was read meanwhile does not ring', async () => {
  const user = await t.user();
  const phone = await addDevice(user);
  await notify(user);
  await t.db.update(notifications).set({ read: true }).where(eq(notifications.userId, user.id));
  await ring();
  expect(phone.shown).toEqual([]);
});

test('in the evening it waits for the next working day, unless its user wants it at any time', async () => {
  const [late, quiet] = [await t.user(), await t.user()];
  const [loudPhone, quietPhone] = [await addDevice(late), await addDevice(quiet)];
  await settings(late, { atAnyTime: true });
  await notify(late);
  await notify(quiet);
  await notify(quiet);
  await ring(evening);
  expect([loudPhone.shown.length, quietPhone.shown.length]).toEqual([1, 0]);
  await ring();
  expect(quietPhone.shown).toMatchObject([{ body: '2 comments' }]);
});

test.each([404, 410])('a device is forgotten when its service answers %i', async (status) => {
  const user = await t.user();
  await addDevice(user);
  push.answerWith(status);
  await notify(user);
  await ring();
  expect([await subscriptionsOf(user), await t.db.$count(pushMessages)]).toEqual([0, 0]);
});

test.each([500, 429])('after %i a message is sent again, when the service has asked for it', async (status) => {
  const user = await t.user();
  const phone = await addDevice(user);
  push.answerWith(status, '600');
  await notify(user);
  await ring();
  const { requests } = push.service;
  await ring();
  expect(push.service.requests).toBe(requests); // not yet
  const [waiting] = await t.db.select().from(pushMessages);
  expect(Date.parse(waiting?.nextAttemptAt ?? '') - Date.now()).toBeGreaterThan(590_000);
  push.answerWith(201);
  await t.db.update(pushMessages).set({ nextAttemptAt: sql`now()` });
  await ring();
  expect(phone.shown).toHaveLength(1);
});

test('a message that the service refuses is not sent again, and one that is too old is given up', async () => {
  const user = await t.user();
  const phone = await addDevice(user);
  push.answerWith(413);
  await notify(user);
  await ring();
  expect(await t.db.$count(pushMessages)).toBe(0);
  push.answerWith(500);
  await notify(user);
  await ring();
  await t.db.update(pushMessages).set({ nextAttemptAt: sql`now()`, expiresAt: sql`now()` });
  push.answerWith(201);
  await ring();
  expect(phone.shown).toEqual([]);
  expect(await subscriptionsOf(user)).toBe(1);
});

test('log-out and deactivation end it; a session that has expired does not', async () => {
  const [leaving, staying, gone] = [await t.user(), await t.user(), await t.user()];
  await addDevice(leaving);
  const phone = await addDevice(staying);
  await addDevice(gone);
  expect((await t.request(leaving, logout)).status).toBeLessThan(300);
  await t.db.delete(sessions).where(eq(sessions.userId, staying.id));
  await notify(staying);
  await ring();
  expect(phone.shown).toHaveLength(1);
  await t.db.delete(sessions).where(eq(sessions.userId, gone.id));
  const admin = await t.user('admin');
  expect((await t.request(admin, setUserActive, { params: { id: gone.id }, body: { active: false } })).status).toBe(
    200,
  );
  expect([await subscriptionsOf(leaving), await subscriptionsOf(gone)]).toEqual([0, 0]);
});

test('a browser rings for one user, by one address', async () => {
  const [first, second] = [await t.user(), await t.user()];
  await addDevice(first);
  const { subscription } = await addDevice(first);
  expect(await subscriptionsOf(first)).toBe(1);
  await t.request(second, calls.addPushSubscription, { body: subscription });
  expect([await subscriptionsOf(first), await subscriptionsOf(second)]).toEqual([0, 1]);
  expect((await t.request(second, calls.removePushSubscription)).body.endpoint).toBeNull();
  expect(await subscriptionsOf(second)).toBe(0);
});

test.each([
  'https://internal.example.test/send/1',
  'https://fcm.googleapis.com.example.test/send/1',
  'http://fcm.googleapis.com.evil/send/1',
])('%s is no push service', async (endpoint) => {
  const user = await t.user();
  const { keys } = push.subscribe().subscription;
  const refused = await t.request(user, calls.addPushSubscription, { body: { endpoint, keys } });
  expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_url' } });
  expect(await subscriptionsOf(user)).toBe(0);
});

test('the services of the known browsers are, with https only', async () => {
  const strict = await testApp({ database: t.database });
  const user = await strict.user();
  const { keys } = push.subscribe().subscription;
  const add = async (endpoint: string) =>
    (await strict.request(user, calls.addPushSubscription, { body: { endpoint, keys } })).status;
  expect(await add('https://updates.push.services.mozilla.com/wpush/v2/abc')).toBe(200);
  expect(await add('https://web.push.apple.com/abc')).toBe(200);
  expect(await add('http://fcm.googleapis.com/fcm/send/abc')).toBe(400);
  expect(await add('http://127.0.0.1:4000/send/abc')).toBe(400);
  await strict.close();
});
