import { eq } from 'drizzle-orm';
import ICAL from 'ical.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { completeFollowUp, planFollowUp } from '#contract/leads/follow-ups/follow-ups.calls.ts';
import { archiveLead, reassignLead } from '#contract/leads/leads.calls.ts';
import { recordLeadObjection } from '#contract/leads/objections/lead-objections.calls.ts';
import * as calls from '#contract/reminders/reminders.calls.ts';
import { setUserPassword } from '#contract/users/users.calls.ts';
import { auditEvents } from '#server/schema/audit.ts';
import { businesses, leads } from '#server/schema/leads.ts';
import { calendarFeeds } from '#server/schema/notifications.ts';
import { users } from '#server/schema/users.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

const NOW = '2026-11-16T09:00:00.000Z';
const TOMORROW = '2026-11-17T10:00:00.000Z';
const APP_URL = 'http://localhost:3000';

let t: TestApp;
beforeAll(async () => {
  t = await testApp({ now: NOW });
});
afterAll(() => t.close());

const plan = (holder: TestUser, id: number, body: object) =>
  t.request(holder, planFollowUp.byId, { params: { id }, body: { at: TOMORROW, ...body } });
const createFeed = async (user: TestUser) =>
  new URL((await t.request(user, calls.createCalendarFeed)).body.url).pathname;

async function readEvents(url: string) {
  const response = await t.inject({ url });
  expect(response.statusCode).toBe(200);
  const calendar = new ICAL.Component(ICAL.parse(response.body));
  return calendar.getAllSubcomponents('vevent').map((component) => new ICAL.Event(component));
}
const summaries = async (url: string) => (await readEvents(url)).map(({ summary }) => summary);

describe('settings', () => {
  test('the morning e-mail is on until the user switches it off', async () => {
    const [user, other] = [await t.user(), await t.user()];
    expect((await t.request(user, calls.getReminderSettings)).body).toEqual({
      morningEmail: true,
      weeklyEmail: false,
      calendarCreatedAt: null,
    });
    const change = (morningEmail: unknown) =>
      t.request(user, calls.changeReminderSettings, { body: { morningEmail } as never });
    expect((await change(false)).body).toMatchObject({ morningEmail: false });
    expect((await t.request(user, calls.getReminderSettings)).body).toMatchObject({ morningEmail: false });
    expect((await t.request(other, calls.getReminderSettings)).body).toMatchObject({ morningEmail: true });
    expect(await change('true')).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    expect((await change(true)).body).toMatchObject({ morningEmail: true });
  });

  test('the weekly e-mail is off until the user switches it on, and the other stays as it is', async () => {
    const [user, other] = [await t.user(), await t.user()];
    const change = (body: object) => t.request(user, calls.changeReminderSettings, { body });
    expect((await change({ weeklyEmail: true })).body).toMatchObject({ morningEmail: true, weeklyEmail: true });
    expect((await change({ morningEmail: false })).body).toMatchObject({ morningEmail: false, weeklyEmail: true });
    expect((await t.request(other, calls.getReminderSettings)).body).toMatchObject({ weeklyEmail: false });
    expect(await change({})).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
  });
});

describe('calendar address', () => {
  test('is read without a session, and only its hash is stored', async () => {
    const user = await t.user();
    const { status, body } = await t.request(user, calls.createCalendarFeed);
    expect(status).toBe(201);
    expect(body.url).toMatch(new RegExp(`^${APP_URL}/api/calendar/[\\w-]{43}\\.ics$`));
    const response = await t.inject({ url: new URL(body.url).pathname });
    expect(response.headers['content-type']).toBe('text/calendar; charset=utf-8');
    expect(response.headers['cache-control']).toBe('no-store');
    expect((await t.request(user, calls.getReminderSettings)).body.calendarCreatedAt).toBe(body.createdAt);
    const [feed] = await t.db.select().from(calendarFeeds).where(eq(calendarFeeds.userId, user.id));
    expect(body.url).not.toContain(feed?.token);
  });

  test('ends with the password, like sessions', async () => {
    const [user, admin] = [await t.user(), await t.user('admin')];
    const feed = await createFeed(user);
    const changed = await t.request(admin, setUserPassword, {
      params: { id: user.id },
      body: { newPassword: 'a-new-passphrase-27' },
    });
    expect(changed.status).toBe(200);
    expect((await t.inject({ url: feed })).statusCode).toBe(404);
  });

  test('a new address replaces the previous one, and a revoked one is 404', async () => {
    const user = await t.user();
    const first = await createFeed(user);
    const second = await createFeed(user);
    const status = async (url: string) => (await t.inject({ url })).statusCode;
    expect([await status(first), await status(second)]).toEqual([404, 200]);
    const { body } = await t.request(user, calls.revokeCalendarFeed);
    expect(body.calendarCreatedAt).toBeNull();
    expect(await status(second)).toBe(404);
    expect((await t.request(user, calls.revokeCalendarFeed)).status).toBe(200);
    const events = await t.db.select().from(auditEvents).where(eq(auditEvents.actorId, user.id));
    expect(events.map(({ event }) => event)).toEqual([
      'calendar_feed_created',
      'calendar_feed_created',
      'calendar_feed_revoked',
    ]);
  });

  test.each(['', 'nonsense', '%00', 'x'.repeat(5_000), '..%2f..'])('the token "%s" is 404', async (token) => {
    const response = await t.inject({ url: `/api/calendar/${token}.ics` });
    expect(response.statusCode).toBe(404);
    expect(response.json()).toMatchObject({ code: 'not_found' });
  });

  test('is 404 while its user is inactive, and gone with the user', async () => {
    const user = await t.user();
    const url = await createFeed(user);
    const setActive = (active: boolean) => t.db.update(users).set({ active }).where(eq(users.id, user.id));
    await setActive(false);
    expect((await t.inject({ url })).statusCode).toBe(404);
    await setActive(true);
    expect((await t.inject({ url })).statusCode).toBe(200);
    await t.db.delete(users).where(eq(users.id, user.id));
    expect((await t.inject({ url })).statusCode).toBe(404);
  });

  test('cannot be written to', async () => {
    const url = await createFeed(await t.user());
    for (const method of ['POST', 'PUT', 'DELETE'] as const) {
      const response = await t.inject({ method, url });
      expect([response.statusCode, response.headers.allow]).toEqual([405, 'GET']);
    }
  });

  test('anonymous requests are limited by IP, before the token is looked up', async () => {
    // 120 a minute, times this factor.
    const limited = await testApp({ env: { RATE_LIMIT_FACTOR: '0.05' } });
    const statuses = [];
    for (let nth = 0; nth < 7; nth += 1) {
      statuses.push((await limited.inject({ url: '/api/calendar/nonsense.ics' })).statusCode);
    }
    expect(statuses).toEqual([404, 404, 404, 404, 404, 404, 429]);
    await limited.close();
  });
});

describe('calendar', () => {
  test("has the open follow-ups of the user's own leads", async () => {
    const [user, other] = [await t.user('admin'), await t.user()];
    const add = (name: string, holder = user) => t.lead(holder, {}, { name, phone: '0113 496 0000' });
    const bakery = await add('Fish; Chips, & Söhne');
    await plan(user, bakery.id, { type: 'meeting', note: 'Ask for Sam,\nthen Alex' });
    await add('Nothing planned');
    const [archived, given, done] = [await add('Archived'), await add('Given away'), await add('Done')];
    for (const { id } of [archived, given]) await plan(user, id, {});
    await t.request(user, archiveLead.byId, { params: { id: archived.id } });
    await t.request(user, reassignLead.byId, { params: { id: given.id }, body: { newUserId: other.id } });
    await plan(user, done.id, {});
    const events = await readEvents(await createFeed(user));
    const followUpId = Number(/\d+/.exec(events.find(({ summary }) => summary === 'Call: Done')?.uid ?? '')?.[0]);
    await t.request(user, completeFollowUp, { params: { followUpId }, body: {} });
    await plan(other, (await add('Of another user', other)).id, {});

    const [event, ...others] = await readEvents(await createFeed(user));
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      summary: 'Meeting: Fish; Chips, & Söhne',
      description: `Ask for Sam,\nthen Alex\n0113 496 0000\n${APP_URL}/business/uuid/${bakery.uuid}`,
    });
    expect(event?.startDate.toJSDate().toISOString()).toBe(TOMORROW);
    expect(event?.endDate.toJSDate().toISOString()).toBe('2026-11-17T10:15:00.000Z');
    expect(await summaries(await createFeed(other))).toEqual(['Call: Given away', 'Call: Of another user']);
  });

  test('leaves out a number that was found to be wrong', async () => {
    const user = await t.user();
    const lead = await t.lead(user, {}, { phone: '0113 496 0000' });
    await plan(user, lead.id, {});
    const url = await createFeed(user);
    const setWrong = (wrongPhone: string) =>
      t.db.update(businesses).set({ wrongPhone }).where(eq(businesses.id, lead.businessId));
    await setWrong('0113 496 0000');
    expect((await readEvents(url))[0]?.description).not.toContain('0113 496 0000');
    await setWrong('0113 496 9999');
    expect((await readEvents(url))[0]?.description).toContain('0113 496 0000');
  });

  test('leaves out a number that must not be called', async () => {
    const user = await t.user();
    const lead = await t.lead(user, {}, { phone: '0113 496 0777' });
    await plan(user, lead.id, {});
    const url = await createFeed(user);
    const params = { id: lead.id };
    await t.request(user, recordLeadObjection.byId, { params, body: { channel: 'email' } });
    expect((await readEvents(url))[0]?.description).toContain('0113 496 0777');
    await t.request(user, recordLeadObjection.byId, { params, body: { channel: 'call' } });
    expect((await readEvents(url))[0]?.description).not.toContain('0113 496 0777');
  });

  test('a moved follow-up keeps its UID and has a later revision', async () => {
    const user = await t.user();
    const lead = await t.lead(user);
    await plan(user, lead.id, {});
    const url = await createFeed(user);
    const [first] = await readEvents(url);
    const later = await testApp({ now: '2026-11-16T09:30:00.000Z' });
    const body = { at: '2026-11-18T10:00:00.000Z' };
    await later.request(user, planFollowUp.byId, { params: { id: lead.id }, body });
    const [moved] = await readEvents(url);
    expect(moved?.uid).toBe(first?.uid);
    expect([first?.sequence, moved?.sequence]).toEqual([0, 1_800]);
    const modified = moved?.component.getFirstPropertyValue('last-modified');
    expect(String(modified)).toBe('2026-11-16T09:30:00Z');
    expect(moved?.startDate.toJSDate().toISOString()).toBe(body.at);
    await later.close();
  });

  test.each([
    ['91 days ago', '2026-08-17T08:59:59.000Z', 0],
    ['90 days ago', '2026-08-18T09:00:00.000Z', 1],
    ['in less than a year', '2027-11-16T08:59:59.000Z', 1],
    ['in a year', '2027-11-16T09:00:00.000Z', 0],
  ])('one that is due %s', async (_, at, count) => {
    const user = await t.user();
    const lead = await t.lead(user);
    await plan(user, lead.id, {});
    await t.db.update(leads).set({ nextStepAt: at }).where(eq(leads.id, lead.id));
    expect(await readEvents(await createFeed(user))).toHaveLength(count);
  });
});
