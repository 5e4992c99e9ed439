import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changeReminderSettings, getReminderSettings, stopWeeklyEmail } from '#contract/reminders/reminders.calls.ts';
import { auditEvents } from '#server/schema/audit.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';
import { createStopToken } from './stop-weekly-email.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

async function subscriber() {
  const user = await t.user();
  await t.request(user, changeReminderSettings, { body: { weeklyEmail: true } });
  return { user, token: await createStopToken(t.db, user.id) };
}
const readSettings = async (user: TestUser) => (await t.request(user, getReminderSettings)).body;
const listAudits = ({ id }: TestUser) =>
  t.db
    .select()
    .from(auditEvents)
    .where(and(eq(auditEvents.actorId, id), eq(auditEvents.event, 'weekly_email_stopped')));
const toUrl = (token: string) => `/api/weekly-email/stop?${new URLSearchParams({ token })}`;

const ONE_CLICK = 'List-Unsubscribe=One-Click';
const BOUNDARY = 'a-boundary';
const FORM = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--${BOUNDARY}--\r\n`;

describe('the link of a Monday e-mail', () => {
  test.each([
    ['the page', undefined, undefined],
    ['a mail program', 'application/x-www-form-urlencoded', ONE_CLICK],
    ['a mail program with a form', `multipart/form-data; boundary=${BOUNDARY}`, FORM],
  ])('pressed on %s stops it without signing in, for its user only', async (_, type, payload) => {
    const [{ user, token }, { user: other }] = [await subscriber(), await subscriber()];
    const press = () =>
      t.inject({
        method: 'POST',
        url: toUrl(token),
        ...(type && payload && { headers: { 'content-type': type }, payload }),
      });
    const response = await press();
    expect(response.statusCode).toBe(200);
    expect(response.json().message).toContain('You get no more Monday e-mails.');
    // The morning e-mail stays.
    expect(await readSettings(user)).toMatchObject({ morningEmail: true, weeklyEmail: false });
    expect(await readSettings(other)).toMatchObject({ weeklyEmail: true });
    expect(await listAudits(user)).toMatchObject([{ subjectType: 'user', subjectId: user.id, outcome: 'done' }]);

    // Again it is no error, and nothing more is done.
    expect((await press()).statusCode).toBe(200);
    expect(await listAudits(user)).toHaveLength(1);
  });

  test('opened, it leads to the page with the button and changes nothing: mail scanners open links', async () => {
    const { user, token } = await subscriber();
    for (const method of ['GET', 'HEAD'] as const) {
      const response = await t.inject({ method, url: toUrl(token) });
      expect([response.statusCode, response.headers.location]).toEqual([303, `/stop-weekly-email?token=${token}`]);
    }
    expect(await readSettings(user)).toMatchObject({ weeklyEmail: true });
    expect(await listAudits(user)).toEqual([]);
  });

  test('works in the session of another user, too, and stops the e-mail of its own', async () => {
    const [{ user, token }, { user: other }] = [await subscriber(), await subscriber()];
    expect((await t.request(other, stopWeeklyEmail, { query: { token } })).status).toBe(200);
    expect(await readSettings(user)).toMatchObject({ weeklyEmail: false });
    expect(await readSettings(other)).toMatchObject({ weeklyEmail: true });
  });

  test('is refused with another signature, for another user, and from another site', async () => {
    const [{ user, token }, { token: others }] = [await subscriber(), await subscriber()];
    const signature = token.split('.')[1] ?? '';
    const wrong = ['', 'nonsense', `${user.id}`, `${user.id}.`, `${user.id}.${'a'.repeat(43)}`];
    for (const each of [...wrong, `${user.id}.${others.split('.')[1]}`, `2147483648.${signature}`, `${token}a`]) {
      const refused = await t.request(null, stopWeeklyEmail, { query: { token: each } });
      expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_token' } });
    }
    const headers = { 'sec-fetch-site': 'cross-site' };
    const crossSite = await t.request(null, stopWeeklyEmail, { query: { token } }, { headers });
    expect(crossSite).toMatchObject({ status: 403, body: { code: 'cross_site' } });
    expect(await readSettings(user)).toMatchObject({ weeklyEmail: true });
  });
});
