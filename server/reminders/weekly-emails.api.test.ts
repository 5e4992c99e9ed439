import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { listLeads } from '#contract/leads/lead-lists.calls.ts';
import { changeReminderSettings } from '#contract/reminders/reminders.calls.ts';
import { getFunnel } from '#contract/reports/reports.calls.ts';
import { mailOutbox } from '#server/kit/db/kit-tables.ts';
import type { Database } from '#server/kit/db/open.ts';
import { users } from '#server/schema/users.ts';
import { freshDatabase } from '#server/testing/databases.ts';
import { runOwnJob } from '#server/testing/jobs.ts';
import { findFreePort, startMailServer } from '#server/testing/mail-server.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';
import { sendWeeklyEmails } from './weekly-emails.ts';

// A Monday in summer: 8:00 in London is 7:00 in UTC.
const EIGHT = '2026-06-22T07:00:00.000Z';
const LAST_WEEK = '2026-06-16T09:00:00.000Z';
const WEEK_BEFORE = '2026-06-09T09:00:00.000Z';

let database: Database;
let port: number;
let mailServer: Awaited<ReturnType<typeof startMailServer>>;
const started: TestApp[] = [];
beforeAll(async () => {
  port = await findFreePort();
  // Its own, because a week and the outbox belong to the whole database.
  database = await freshDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.db.execute(sql`delete from weekly_emails`);
  await database.db.execute(sql`delete from morning_emails`);
  await database.db.execute(sql`delete from users`);
  mailServer = await startMailServer(port);
});
afterEach(async () => {
  for (const app of started.splice(0)) await app.close();
  await mailServer.close();
});
/** A process on the database of the test, at a fixed time. */
async function start(now: string, env: Record<string, string> = { SMTP_URL: `smtp://127.0.0.1:${port}` }) {
  const app = await testApp({ database, now, env });
  started.push(app);
  return app;
}
async function run(...apps: TestApp[]) {
  await Promise.all(apps.map((app) => runOwnJob(app, 'reminders')));
  await Promise.all(apps.map(({ app }) => app.outbox.wake()));
}
/** A user who wants the e-mail and no other. */
async function subscriber(app: TestApp, role: 'user' | 'manager' | 'admin' = 'user') {
  const user = await app.user(role, { fullName: 'Zoë & Sons' });
  await app.request(user, changeReminderSettings, { body: { weeklyEmail: true, morningEmail: false } });
  return user;
}
async function addLeads(app: TestApp, holder: TestUser, count: number, columns: object) {
  for (let nth = 0; nth < count; nth += 1) await app.lead(holder, columns);
}
const recipients = () => mailServer.received.map(({ to }) => to).sort();
const readText = (nth = 0) => mailServer.received[nth]?.mail.text?.replaceAll('\r\n', '\n').trim();

test('a manager gets the figures of the team, and three things to look at with the links to just these leads', async () => {
  const app = await start(EIGHT);
  const [manager, holder, idle] = [await subscriber(app, 'manager'), await app.user(), await app.user('manager')];
  await addLeads(app, holder, 20, { assignedAt: LAST_WEEK });
  await addLeads(app, holder, 5, { assignedAt: LAST_WEEK, lastContactedAt: '2026-06-17T09:00:00.000Z' });
  await addLeads(app, holder, 12, { assignedAt: WEEK_BEFORE });
  await addLeads(app, holder, 8, { assignedAt: WEEK_BEFORE, lastContactedAt: '2026-06-10T09:00:00.000Z' });
  const earlier = { assignedAt: '2026-06-02T09:00:00.000Z', lastContactedAt: '2026-06-03T09:00:00.000Z' };
  await addLeads(app, holder, 19, earlier);
  await addLeads(app, holder, 1, { ...earlier, nextStepAt: '2026-06-20T09:00:00.000Z', nextStepType: 'call' });
  await run(app);
  expect(recipients()).not.toContain(idle.email);
  expect(recipients()).toContain(manager.email);

  const { mail } = mailServer.received.find(({ to }) => to === manager.email) ?? {};
  expect(mail?.subject).toBe("The team's week: 25 leads assigned, 5 contacted");
  const [uncontacted, overdue] = [
    'http://localhost:3000/crm?team=true&attention=uncontacted',
    'http://localhost:3000/crm?team=true&attention=overdue&hideClosed=false&existing=true',
  ];
  const text = mail?.text?.replaceAll('\r\n', '\n').trim();
  expect(text?.replace(/token=\S+/, 'token=…')).toBe(
    [
      'Hello Zoë & Sons,',
      'Leads assigned to the team last week (Jun 15 to Jun 21), and how far they came until now, beside those of the week before, which had more time. Percent are of the step before.',
      [
        'Step: Last week (Week before)',
        'Assigned: 25 (20)',
        'Contacted: 5, 20% (8, 40%)',
        'Reached: 0 (0)',
        'Qualified or proposal: 0 (0)',
        'Won: 0 (0)',
        'Lost: 0 (0)',
      ].join('\n'),
      'Open the report:\nhttp://localhost:3000/reports?period=days&from=2026-06-15&to=2026-06-21',
      'To look at:',
      `32 leads never contacted, 3 days and more after the assignment:\n${uncontacted}`,
      `1 lead with an overdue follow-up:\n${overdue}`,
      'Contacted fell from 100% to 40% (8 of 20) with the leads assigned Jun 8 to Jun 14:\nhttp://localhost:3000/reports?period=days&from=2026-06-08&to=2026-06-14',
      'Stop these e-mails, without signing in:\nhttp://localhost:3000/stop-weekly-email?token=…',
    ].join('\n\n'),
  );
  expect(mail?.html).toContain('Hello Zoë &amp; Sons,');
  expect(mail?.html).toContain(
    '<a href="http://localhost:3000/crm?team=true&amp;attention=uncontacted">32 leads never contacted, 3 days and more after the assignment</a>',
  );
  expect(mail?.html).not.toMatch(/<img|<script|<link/);
  expect(mail?.html).toMatch(/<tr><th [^>]*>Contacted<\/th><td [^>]*>5, 20%<\/td><td [^>]*>8, 40%<\/td><\/tr>/);
  const total = async (url: string) => {
    const query = Object.fromEntries(new URL(url).searchParams);
    return (await app.request(manager, listLeads, { query })).body.total;
  };
  expect([await total(uncontacted), await total(overdue)]).toEqual([32, 1]);
  const report = { period: 'days', from: '2026-06-08', to: '2026-06-14' } as const;
  expect((await app.request(manager, getFunnel, { query: report })).body.current.figures).toMatchObject({
    assigned: 20,
    contacted: 8,
  });
});

test('a user gets their own figures', async () => {
  const app = await start(EIGHT);
  const [user, other] = [await subscriber(app), await subscriber(app)];
  await addLeads(app, user, 2, { assignedAt: LAST_WEEK });
  await addLeads(app, other, 3, { assignedAt: WEEK_BEFORE, lastContactedAt: '2026-06-10T09:00:00.000Z' });
  await run(app);
  const mails = new Map(mailServer.received.map(({ to, mail }) => [to, mail]));
  expect(mails.get(user.email)?.subject).toBe('Your week: 2 leads assigned, 0 contacted');
  expect(mails.get(user.email)?.text).toContain('Leads assigned to you last week');
  expect(mails.get(user.email)?.text).toContain('http://localhost:3000/crm?attention=uncontacted');
  expect(mails.get(other.email)?.subject).toBe('Your week: 0 leads assigned, 0 contacted');
  expect(mails.get(other.email)?.text).toContain('Assigned: 0 (3)');
  expect(mails.get(other.email)?.text).not.toContain('To look at:');
});

test('it comes once in all processes, also after a restart', async () => {
  const [early, one, two] = [await start('2026-06-22T06:59:59.999Z'), await start(EIGHT), await start(EIGHT)];
  const user = await subscriber(one);
  await addLeads(one, user, 1, { assignedAt: LAST_WEEK });
  await run(early);
  expect(mailServer.received).toEqual([]);
  const claims = await Promise.all(
    Array.from({ length: 20 }, () => sendWeeklyEmails(one.db, new Date(EIGHT), 'Europe/London')),
  );
  expect(claims.filter(Boolean)).toHaveLength(1);
  await run(one, two, one, two);
  await run(await start('2026-06-22T15:00:00.000Z'));
  await run(await start('2026-06-23T08:00:00.000Z'));
  expect(recipients()).toEqual([user.email]);
});

test.each([
  ['on Monday evening', 1, '2026-06-22T20:00:00.000Z'],
  ['on Tuesday morning', 1, '2026-06-23T10:59:59.000Z'],
  ['on Tuesday at 12:00', 0, '2026-06-23T11:00:00.000Z'],
  ['on Wednesday', 0, '2026-06-24T08:00:00.000Z'],
])('where the product starts %s, after a Monday off, %i e-mails are sent', async (_, count, now) => {
  const app = await start(now);
  await addLeads(app, await subscriber(app), 1, { assignedAt: LAST_WEEK });
  await run(app);
  expect(recipients()).toHaveLength(count);
  if (count) expect(readText()).toContain('Assigned: 1 (0)');
  expect(await app.db.$count(mailOutbox)).toBe(0);
});

test('the next Monday has its own', async () => {
  const app = await start(EIGHT);
  await addLeads(app, await subscriber(app), 1, { assignedAt: LAST_WEEK });
  await run(app);
  await run(await start('2026-06-29T07:00:00.000Z'));
  expect([readText(0), readText(1)]).toEqual([
    expect.stringContaining('Assigned: 1 (0)'),
    expect.stringContaining('Assigned: 0 (1)'),
  ]);
});

test('a user without leads, one who did not ask for it, one who is inactive and one who switched it off meanwhile get none', async () => {
  const app = await start(EIGHT);
  const [, inactive, off, later] = [
    await subscriber(app),
    await subscriber(app),
    await subscriber(app),
    await subscriber(app),
  ];
  const silent = await app.user();
  for (const user of [inactive, off, later, silent]) await addLeads(app, user, 1, { assignedAt: LAST_WEEK });
  const deactivate = ({ id }: TestUser) => app.db.update(users).set({ active: false }).where(eq(users.id, id));
  await deactivate(inactive);
  await sendWeeklyEmails(app.db, new Date(EIGHT), 'Europe/London');
  expect(await app.db.$count(mailOutbox)).toBe(3);
  await deactivate(later);
  await app.request(off, changeReminderSettings, { body: { weeklyEmail: false } });
  await run(app);
  expect(recipients()).toEqual([]);
  expect(await app.db.$count(mailOutbox)).toBe(0);
});

test('without a mail server it becomes a file, like every other', async () => {
  const app = await start(EIGHT, {});
  await addLeads(app, await subscriber(app), 1, { assignedAt: LAST_WEEK });
  await run(app);
  const folder = join(app.env.dataDir, 'outbox');
  const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  expect(files).toEqual([expect.stringContaining('Your week: 1 lead assigned')]);
});
