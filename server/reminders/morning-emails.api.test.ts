import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { changeReminderSettings } from '#contract/reminders/reminders.calls.ts';
import { mailOutbox } from '#server/kit/db/kit-tables.ts';
import type { Database } from '#server/kit/db/open.ts';
import { leads } from '#server/schema/leads.ts';
import { users } from '#server/schema/users.ts';
import { freshDatabase } from '#server/testing/databases.ts';
import { runOwnJob } from '#server/testing/jobs.ts';
import { findFreePort, startMailServer } from '#server/testing/mail-server.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';
import { sendMorningEmails } from './morning-emails.ts';

// A Wednesday in summer: 8:00 in London is 7:00 in UTC.
const EIGHT = '2026-06-17T07:00:00.000Z';

let database: Database;
let port: number;
let mailServer: Awaited<ReturnType<typeof startMailServer>>;
const started: TestApp[] = [];
beforeAll(async () => {
  port = await findFreePort();
  // Its own, because a morning and the outbox belong to the whole database.
  database = await freshDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
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
const plan = (app: TestApp, holder: TestUser, name: string, nextStepAt: string, columns = {}) =>
  app.lead(holder, { nextStepAt, nextStepType: 'call', ...columns }, { name });
const recipients = () => mailServer.received.map(({ to }) => to).sort();

test('at 8:00 each user gets what is due and overdue, once a day in all processes', async () => {
  const [early, one, two, later] = [
    await start('2026-06-17T06:59:59.999Z'),
    await start(EIGHT),
    await start(EIGHT),
    await start('2026-06-17T09:00:00.000Z'),
  ];
  const holder = await one.user('user', { fullName: 'Zoë & Sons' });
  await plan(one, holder, 'Blue Door <Bakery>', '2026-06-17T15:00:00.000Z');
  await plan(one, holder, 'At 23:59', '2026-06-17T22:59:00.000Z', { nextStepType: 'meeting' });
  await plan(one, holder, 'Yesterday', '2026-06-16T10:00:00.000Z', { nextStepType: 'email' });
  await plan(one, holder, 'Tomorrow', '2026-06-17T23:00:00.000Z');
  await plan(one, holder, 'Archived', '2026-06-17T15:00:00.000Z', { archived: true });
  await run(early);
  expect(mailServer.received).toEqual([]);
  await run(one, two, one, two);
  await run(one, two);
  await run(later);
  expect(recipients()).toEqual([holder.email]);

  const mail = mailServer.received[0]?.mail;
  expect(mail?.subject).toBe('Your follow-ups today: 2 due, 1 overdue');
  expect(mail?.text?.replaceAll('\r\n', '\n').trim()).toBe(
    [
      'Hello Zoë & Sons,',
      'Due today (2)\n16:00  Call: Blue Door <Bakery>\n23:59  Meeting: At 23:59',
      'Overdue (1)\nJun 16  Email: Yesterday',
      'Open your day:',
      'http://localhost:3000/today',
      'To stop these e-mails, switch off "Morning e-mail" on the Reminders page of your account:',
      'http://localhost:3000/reminders',
    ].join('\n\n'),
  );
  expect(mail?.html).toContain('Due today (2)<br>\n16:00  Call: Blue Door &lt;Bakery&gt;<br>');
  expect(mail?.html).toContain('<a href="http://localhost:3000/today">');
});

test('20 runs at once queue one e-mail, and a restart none', async () => {
  const app = await start(EIGHT, {});
  const holder = await app.user();
  await plan(app, holder, 'Bakery', '2026-06-17T15:00:00.000Z');
  const claims = await Promise.all(
    Array.from({ length: 20 }, () => sendMorningEmails(app.db, new Date(EIGHT), 'Europe/London')),
  );
  expect(claims.filter(Boolean)).toHaveLength(1);
  expect(await app.db.$count(mailOutbox)).toBe(1);
  const restarted = await start('2026-06-17T07:10:00.000Z');
  await run(restarted);
  await run(restarted);
  expect(recipients()).toEqual([holder.email]);
});

test('a user without anything due, one who switched it off and one who is inactive get none', async () => {
  const app = await start(EIGHT);
  const [idle, off, inactive, holder] = [await app.user(), await app.user(), await app.user(), await app.user()];
  await plan(app, idle, 'Tomorrow', '2026-06-18T15:00:00.000Z');
  for (const user of [off, inactive, holder]) await plan(app, user, 'Today', '2026-06-17T15:00:00.000Z');
  await app.request(off, changeReminderSettings, { body: { morningEmail: false } });
  await app.db.update(users).set({ active: false }).where(eq(users.id, inactive.id));
  await run(app);
  expect(recipients()).toEqual([holder.email]);
});

test('what changed after the e-mail was queued is respected when it is sent', async () => {
  const app = await start(EIGHT);
  const [done, off, holder] = [await app.user(), await app.user(), await app.user()];
  for (const user of [done, off, holder]) await plan(app, user, 'Today', '2026-06-17T10:00:00.000Z');
  await sendMorningEmails(app.db, new Date(EIGHT), 'Europe/London');
  expect(await app.db.$count(mailOutbox)).toBe(3);
  await app.db.update(leads).set({ nextStepAt: null, nextStepType: null }).where(eq(leads.userId, done.id));
  await app.request(off, changeReminderSettings, { body: { morningEmail: false } });
  await run(app);
  expect(recipients()).toEqual([holder.email]);
  expect(await app.db.$count(mailOutbox)).toBe(0);
});

test.each([
  ['Saturday', 0, '2026-06-20'],
  ['Sunday', 0, '2026-06-21'],
  ['Monday', 1, '2026-06-22'],
])('on a %s a user with nothing but overdue follow-ups gets %i e-mails', async (_, count, day) => {
  const app = await start(`${day}T07:00:00.000Z`);
  const [overdue, due] = [await app.user(), await app.user()];
  await plan(app, overdue, 'Thursday', '2026-06-18T10:00:00.000Z');
  await plan(app, due, 'Today', `${day}T10:00:00.000Z`);
  await run(app);
  expect(recipients()).toHaveLength(1 + count);
  expect(recipients()).toContain(due.email);
});

test('the next day has its own e-mails', async () => {
  const today = await start(EIGHT);
  const holder = await today.user();
  await plan(today, holder, 'Overdue', '2026-06-17T10:00:00.000Z');
  await run(today);
  await run(await start('2026-06-18T07:00:00.000Z'));
  expect(mailServer.received.map(({ mail }) => mail.subject)).toEqual([
    'Your follow-ups today: 1 due',
    'Your follow-ups today: 1 overdue',
  ]);
});

test('after 20 lines of a section the rest is counted', async () => {
  const app = await start(EIGHT);
  const holder = await app.user();
  for (let nth = 0; nth < 25; nth += 1) await plan(app, holder, `Shop ${nth}`, '2026-06-17T10:00:00.000Z');
  await run(app);
  expect(mailServer.received[0]?.mail.text).toContain('and 5 more');
});

test('a mail server that is away for an hour delays the e-mail, and neither loses nor repeats it', async () => {
  await mailServer.close();
  const app = await start(EIGHT);
  const holder = await app.user();
  await plan(app, holder, 'Bakery', '2026-06-17T15:00:00.000Z');
  const passMinutes = (minutes: number) =>
    app.db.execute(sql`update mail_outbox set next_attempt_at = next_attempt_at - make_interval(mins => ${minutes}),
      expires_at = expires_at - make_interval(mins => ${minutes})`);
  for (const minutes of [1, 5, 15, 15, 15, 9]) {
    await run(app);
    expect(await app.db.$count(mailOutbox)).toBe(1);
    await passMinutes(minutes);
  }
  mailServer = await startMailServer(port);
  await passMinutes(6);
  const later = await start('2026-06-17T08:06:00.000Z');
  await run(later, app);
  await run(later, app);
  expect(recipients()).toEqual([holder.email]);
  expect(await app.db.$count(mailOutbox)).toBe(0);
});

test('at 12:00 an e-mail that could not be sent is dropped, and none is queued', async () => {
  await mailServer.close();
  const app = await start(EIGHT);
  await plan(app, await app.user(), 'Bakery', '2026-06-17T15:00:00.000Z');
  await run(app);
  mailServer = await startMailServer(port);
  await app.db.execute(
    sql`update mail_outbox set next_attempt_at = now(), expires_at = expires_at - interval '4 hours'`,
  );
  await run(await start('2026-06-17T11:00:00.000Z'));
  expect(mailServer.received).toEqual([]);
  expect(await app.db.$count(mailOutbox)).toBe(0);
  expect(await sendMorningEmails(app.db, new Date('2026-06-17T11:00:00Z'), 'Europe/London')).toBe(false);
});

test('without a mail server the e-mail becomes a file, like every other', async () => {
  const app = await start(EIGHT, {});
  await plan(app, await app.user(), 'Bakery', '2026-06-17T15:00:00.000Z');
  await run(app);
  const folder = join(app.env.dataDir, 'outbox');
  const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  expect(files).toEqual([expect.stringContaining('Bakery')]);
});
