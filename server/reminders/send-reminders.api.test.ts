import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  completeFollowUp,
  dropFollowUp,
  getFollowUp,
  planFollowUp,
} from '#contract/leads/follow-ups/follow-ups.calls.ts';
import { archiveLead, reassignLead, restoreLead } from '#contract/leads/leads.calls.ts';
import { listNotifications } from '#contract/notifications/notifications.calls.ts';
import type { Database } from '#server/kit/db/open.ts';
import { users } from '#server/schema/users.ts';
import { freshDatabase } from '#server/testing/databases.ts';
import { runOwnJob } from '#server/testing/jobs.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';
import { sendDueReminders } from './send-reminders.ts';

const PLANNED = '2026-06-17T09:00:00.000Z';
const DUE = '2026-06-17T15:00:00.000Z';
const BEFORE = '2026-06-17T14:59:59.999Z';

/** Processes at different times on one database. */
let database: Database;
let morning: TestApp;
let before: TestApp;
let atTime: TestApp;
let nextDay: TestApp;
beforeAll(async () => {
  database = await freshDatabase();
  const start = (now: string) => testApp({ database, now });
  morning = await start(PLANNED);
  before = await start(BEFORE);
  atTime = await start(DUE);
  nextDay = await start('2026-06-18T15:00:00.000Z');
});
afterAll(async () => {
  for (const app of [morning, before, atTime, nextDay]) await app.close();
  await database.close();
});

async function plan(holder: TestUser, body: object = {}) {
  const lead = await morning.lead(holder);
  const planned = { at: DUE, note: 'Ask for Sam', ...body };
  const { status } = await morning.request(holder, planFollowUp.byId, { params: { id: lead.id }, body: planned });
  expect(status).toBe(200);
  return lead;
}
const followUpId = async (holder: TestUser, { id }: { id: number }) =>
  (await morning.request(holder, getFollowUp.byId, { params: { id } })).body.followUp?.id ?? 0;
const reminders = async (user: TestUser) =>
  (await morning.request(user, listNotifications)).body.items.filter(({ type }) => type === 'follow_up_due');

test('at its time a follow-up notifies its holder once, with a link to the lead', async () => {
  const holder = await morning.user();
  const lead = await plan(holder);
  await runOwnJob(before, 'reminders');
  expect(await reminders(holder)).toEqual([]);
  await runOwnJob(atTime, 'reminders');
  await runOwnJob(atTime, 'reminders');
  expect(await reminders(holder)).toMatchObject([
    {
      title: 'Follow-up due: Blue Door Bakery',
      message: 'Call at 16:00: Ask for Sam',
      relatedUuid: lead.uuid,
      relatedUserBusinessId: lead.id,
      leadCount: 0,
      read: false,
    },
  ]);
});

test.each(['complete', 'drop', 'move'] as const)('to %s the follow-up marks its reminder as read', async (action) => {
  const holder = await morning.user();
  const lead = await plan(holder);
  const id = await followUpId(holder, lead);
  await runOwnJob(atTime, 'reminders');
  expect(await reminders(holder)).toMatchObject([{ read: false }]);
  const at = '2026-06-20T15:00:00.000Z';
  if (action === 'complete') await atTime.request(holder, completeFollowUp, { params: { followUpId: id }, body: {} });
  if (action === 'drop') await atTime.request(holder, dropFollowUp, { params: { followUpId: id } });
  if (action === 'move') await atTime.request(holder, planFollowUp.byId, { params: { id: lead.id }, body: { at } });
  expect(await reminders(holder)).toMatchObject([{ read: true }]);
});

test('a long note is shortened, and one that is empty left out', async () => {
  const holder = await morning.user();
  await plan(holder, { type: 'meeting', note: '' });
  await plan(holder, { note: '🥐'.repeat(300), at: '2026-06-17T14:59:00.000Z' });
  await runOwnJob(atTime, 'reminders');
  const messages = (await reminders(holder)).map(({ message }) => message);
  expect(messages.sort()).toEqual([`Call at 15:59: ${'🥐'.repeat(200)}…`, 'Meeting at 16:00']);
});

test('of 20 runs at once in several processes, one sends each of 250 reminders', async () => {
  const holder = await morning.user();
  await morning.db.execute(sql`
    with shops as (
      insert into businesses (place_id, name) select 'remind-' || n, 'Shop ' || n from generate_series(1, 250) n returning id
    ), held as (
      insert into user_businesses (user_id, business_id) select ${holder.id}, id from shops returning id
    )
    insert into contact_activities (user_business_id, type, description, scheduled_at)
    select id, 'call', '', ${DUE}::timestamptz from held`);
  const apps = [atTime, nextDay];
  await Promise.all(
    Array.from({ length: 20 }, (_, nth) => {
      const now = new Date(Date.parse(DUE) + 1_000);
      return (apps[nth % 2] ?? atTime).db.transaction((tx) => sendDueReminders(tx, now, 'Europe/London'));
    }),
  );
  // Those of rows that were locked meanwhile.
  await runOwnJob(atTime, 'reminders');
  const { rows } = await morning.db.execute(sql`
    select count(*)::int as sent, count(distinct related_user_business_id)::int as leads
    from notifications where user_id = ${holder.id}`);
  expect(rows).toEqual([{ sent: 250, leads: 250 }]);
});

test('what was due while the product was stopped is sent at the next start, up to a day later', async () => {
  const holder = await morning.user();
  await plan(holder, { at: '2026-06-17T15:00:00.000Z' });
  const recent = await plan(holder, { at: '2026-06-17T15:00:00.001Z' });
  const restarted = await testApp({ database, now: '2026-06-18T15:00:00.000Z' });
  restarted.app.jobs.start();
  await expect.poll(async () => (await reminders(holder)).length, { timeout: 10_000 }).toBe(1);
  await restarted.close();
  expect(await reminders(holder)).toMatchObject([{ relatedUserBusinessId: recent.id }]);
});

test('a moved follow-up reminds at its new time, also after it has reminded', async () => {
  const holder = await morning.user();
  const lead = await plan(holder);
  const move = (app: TestApp, at: string) =>
    app.request(holder, planFollowUp.byId, { params: { id: lead.id }, body: { at } });
  await move(morning, '2026-06-17T15:30:00.000Z');
  await runOwnJob(atTime, 'reminders');
  expect(await reminders(holder)).toHaveLength(0);
  await move(morning, DUE);
  await runOwnJob(atTime, 'reminders');
  expect(await reminders(holder)).toHaveLength(1);
  await move(atTime, '2026-06-18T14:00:00.000Z');
  await runOwnJob(atTime, 'reminders');
  expect(await reminders(holder)).toHaveLength(1);
  await runOwnJob(nextDay, 'reminders');
  expect(await reminders(holder)).toHaveLength(2);
});

test('a follow-up that is planned for a time in the past does not remind', async () => {
  const holder = await morning.user();
  await plan(holder, { at: '2026-06-17T08:00:00.000Z' });
  await runOwnJob(atTime, 'reminders');
  expect(await reminders(holder)).toEqual([]);
});

test('a reassigned lead reminds its new holder', async () => {
  const [holder, target] = [await morning.user(), await morning.user()];
  const lead = await plan(holder);
  await morning.request(holder, reassignLead.byId, { params: { id: lead.id }, body: { newUserId: target.id } });
  await runOwnJob(atTime, 'reminders');
  expect(await reminders(holder)).toEqual([]);
  expect(await reminders(target)).toMatchObject([{ relatedUuid: lead.uuid }]);
});

test('completed and dropped follow-ups, archived leads and inactive users are not reminded', async () => {
  const holder = await morning.user();
  const [done, dropped, archived] = [await plan(holder), await plan(holder), await plan(holder)];
  await morning.request(holder, completeFollowUp, { params: { followUpId: await followUpId(holder, done) }, body: {} });
  await morning.request(holder, dropFollowUp, { params: { followUpId: await followUpId(holder, dropped) } });
  await morning.request(holder, archiveLead.byId, { params: { id: archived.id } });
  const inactive = await morning.user();
  await plan(inactive);
  await morning.db.update(users).set({ active: false }).where(eq(users.id, inactive.id));
  await runOwnJob(atTime, 'reminders');
  expect(await reminders(holder)).toEqual([]);
  await morning.db.update(users).set({ active: true }).where(eq(users.id, inactive.id));
  expect(await reminders(inactive)).toEqual([]);

  await morning.request(holder, restoreLead.byId, { params: { id: archived.id } });
  await runOwnJob(atTime, 'reminders');
  expect(await reminders(holder)).toMatchObject([{ relatedUserBusinessId: archived.id }]);
});

test('nothing is claimed when the notification cannot be written', async () => {
  const holder = await morning.user();
  await plan(holder);
  await morning.db.execute(
    sql`alter table notifications add constraint refuse check (type <> 'follow_up_due') not valid`,
  );
  await expect(runOwnJob(atTime, 'reminders')).rejects.toThrow();
  await morning.db.execute(sql`alter table notifications drop constraint refuse`);
  await runOwnJob(atTime, 'reminders');
  expect(await reminders(holder)).toHaveLength(1);
});

test('what is due is found by its index', async () => {
  const plan = await morning.db.transaction(async (tx) => {
    // A test has too few rows for the planner to prefer an index.
    await tx.execute(sql`set local enable_seqscan = off`);
    const { rows } = await tx.execute(sql`explain select id from contact_activities
      where scheduled_at is not null and completed_at is null and reminded_at is null and scheduled_at <= now()`);
    return JSON.stringify(rows);
  });
  expect(plan).toContain('contact_activities_reminder_idx');
});
