import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { assignBusiness, reassignLead } from '#contract/leads/leads.calls.ts';
import {
  listNotifications,
  readAllNotifications,
  readNotification,
} from '#contract/notifications/notifications.calls.ts';
import { setUserActive } from '#contract/users/users.calls.ts';
import { businesses, sessions } from '#server/kit/db/schema.ts';
import { type Person, type TestApp, testApp } from '#server/testing.ts';
import { insertNotifications } from './notifications.sql.ts';

let t: TestApp;
let admin: Person;
let base: string;
beforeAll(async () => {
  t = await testApp();
  admin = await t.person('admin');
  await t.app.http.listen({ host: '127.0.0.1', port: 0 });
  base = `http://127.0.0.1:${(t.app.http.server.address() as { port: number }).port}`;
});
afterAll(() => t.close());

async function assignTo(person: Person) {
  const [business] = await t.db
    .insert(businesses)
    .values({ placeId: `n-${Math.random()}`, name: 'Corner Café' })
    .returning();
  return (await t.ask(admin, assignBusiness, { body: { userId: person.id, businessId: business?.id ?? 0 } })).body;
}

/** Reads a stream until it has said this often that something is new. */
async function eventsOf(person: Person, cookie = person.cookie) {
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

test('an assignment and a reassignment are told to who gained and who lost the lead, newest first', async () => {
  const [one, two] = [await t.person(), await t.person()];
  const lead = await assignTo(one);
  await t.ask(admin, reassignLead.byId, { params: { id: lead.id }, body: { newUserId: two.id } });

  const { body } = await t.ask(one, listNotifications);
  expect(body.unread).toBe(2);
  expect(body.items).toMatchObject([
    { type: 'lead_reassigned_from', title: 'Business reassigned', relatedUuid: null, read: false },
    { type: 'lead_assigned', title: 'New business assigned', message: 'Test admin assigned Corner Café to you.' },
  ]);
  const { body: gained } = await t.ask(two, listNotifications);
  expect(gained.items).toMatchObject([
    { type: 'lead_reassigned_to', relatedUserBusinessId: lead.id, relatedUuid: lead.uuid },
  ]);
});

test("reading one, reading all, and nobody else's", async () => {
  const [one, two] = [await t.person(), await t.person()];
  await assignTo(one);
  await assignTo(one);
  const { items } = (await t.ask(one, listNotifications)).body;
  const params = { id: items[0]?.id ?? 0 };
  expect((await t.ask(two, readNotification, { params })).status).toBe(404);
  expect((await t.ask(two, readAllNotifications)).body).toEqual({ unread: 0 });
  expect((await t.ask(one, readNotification, { params })).body).toEqual({ unread: 1 });
  expect((await t.ask(one, readNotification, { params })).body).toEqual({ unread: 1 });
  expect((await t.ask(one, readAllNotifications)).body).toEqual({ unread: 0 });
  expect((await t.ask(one, listNotifications)).body.items.every(({ read }) => read)).toBe(true);
});

test('who takes a lead themselves is told of it, who gives one away is not', async () => {
  const giver = await t.person('admin');
  const [business] = await t.db
    .insert(businesses)
    .values({ placeId: `own-${giver.id}`, name: 'Own Shop' })
    .returning();
  const body = { userId: giver.id, businessId: business?.id ?? 0 };
  const { body: lead } = await t.ask(giver, assignBusiness, { body });
  await t.ask(giver, reassignLead.byId, { params: { id: lead.id }, body: { newUserId: admin.id } });
  const { items } = (await t.ask(giver, listNotifications)).body;
  expect(items.map(({ type }) => type)).toEqual(['lead_assigned']);
});

test('a connected browser hears of it when it is committed, and not when it is undone', async () => {
  const person = await t.person();
  const events = await eventsOf(person);
  expect(events.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(events.response.headers.get('cache-control')).toBe('no-store');
  expect(events.response.headers.get('x-content-type-options')).toBe('nosniff');
  const notice = { userId: person.id, type: 'lead_assigned' as const, title: 'x', message: 'x' };
  await t.db
    .transaction(async (tx) => {
      await insertNotifications(tx, [notice]);
      throw new Error('undone');
    })
    .catch(() => {});
  await assignTo(person);
  expect((await events.until(times(1))).split('event: notifications')).toHaveLength(2);
  await assignTo(person);
  expect(await events.until(times(2))).toContain('event: notifications');
  events.close();
});

test('others hear nothing, and anonymous callers are refused', async () => {
  const [one, two] = [await t.person(), await t.person()];
  const events = await eventsOf(two);
  await assignTo(one);
  await assignTo(two);
  expect((await events.until(times(1))).split('event: notifications')).toHaveLength(2);
  events.close();
  expect((await fetch(`${base}/api/events`)).status).toBe(401);
});

test('at most twenty streams a user: the oldest ends', async () => {
  const person = await t.person();
  const first = await eventsOf(person);
  const others = await Promise.all(Array.from({ length: 20 }, () => eventsOf(person)));
  expect(await first.until(() => false)).toMatch(/\(end\)$/);
  for (const events of others) events.close();
});

test('closing the server ends the streams instead of waiting for them', async () => {
  const alone = await testApp();
  const person = await alone.person();
  await alone.app.http.listen({ host: '127.0.0.1', port: 0 });
  const { port } = alone.app.http.server.address() as { port: number };
  const response = await fetch(`http://127.0.0.1:${port}/api/events`, { headers: { cookie: person.cookie } });
  const [, text] = await Promise.all([alone.close(), response.text()]);
  expect(text).toContain('welcome');
});

test('a deactivated account has no session left to listen with', async () => {
  const person = await t.person();
  await t.ask(admin, setUserActive, { params: { id: person.id }, body: { active: false } });
  expect(await t.db.$count(sessions, eq(sessions.userId, person.id))).toBe(0);
  expect((await fetch(`${base}/api/events`, { headers: { cookie: person.cookie } })).status).toBe(401);
});
