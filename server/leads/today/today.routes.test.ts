import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { planFollowUp } from '#contract/leads/follow-ups/follow-ups.calls.ts';
import { logContact } from '#contract/leads/log/log.calls.ts';
import { getToday, getTodayCounts, type TodaySection, todaySection } from '#contract/leads/today/today.calls.ts';
import { getTeamAttention } from '#contract/progress/progress.calls.ts';
import { leads } from '#server/schema/leads.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

// A Wednesday in summer: local time is an hour ahead of UTC.
const NOW = '2026-06-17T09:00:00.000Z';
const DAY_MS = 24 * 60 * 60_000;
const daysAgo = (days: number, shiftMs = 0) => new Date(Date.parse(NOW) - days * DAY_MS + shiftMs).toISOString();

let t: TestApp;
beforeAll(async () => {
  t = await testApp({ now: NOW });
});
afterAll(() => t.close());

async function readToday(viewer: TestUser) {
  const { status, body } = await t.request(viewer, getToday);
  expect(status).toBe(200);
  const names = Object.fromEntries(
    todaySection.options.map((section) => [section, body[section].leads.map(({ business }) => business.name)]),
  ) as Record<TodaySection, string[]>;
  const { body: counts } = await t.request(viewer, getTodayCounts);
  for (const section of todaySection.options) {
    expect(counts[section]).toBe(names[section].length);
    expect(body[section].count).toBe(names[section].length);
  }
  return { names, body };
}

const quiet = { lastContactedAt: daysAgo(20), status: 'in_progress' as const };

test('each lead is in its section, in order', async () => {
  const holder = await t.user();
  const add = (name: string, columns: object = {}) => t.lead(holder, columns, { name });
  const planned = async (name: string, at: string, columns: object = {}) => {
    const lead = await add(name);
    await t.request(holder, planFollowUp.byId, { params: { id: lead.id }, body: { at, note: `About ${name}` } });
    if (Object.keys(columns).length) await t.db.update(leads).set(columns).where(eq(leads.id, lead.id));
  };
  await planned('an hour ago', '2026-06-17T08:00:00.000Z');
  await planned('yesterday', '2026-06-16T12:00:00.000Z');
  await planned('at 23:30 local time', '2026-06-17T22:30:00.000Z');
  await planned('at four', '2026-06-17T15:00:00.000Z');
  await planned('at 00:30 tomorrow', '2026-06-17T23:30:00.000Z');
  await planned('on Sunday', '2026-06-21T12:00:00.000Z');
  await planned('next Monday', '2026-06-22T08:00:00.000Z');
  await planned('closed, but promised', '2026-06-17T16:00:00.000Z', { status: 'closed_won' });
  await planned('archived', '2026-06-17T16:00:00.000Z', { archived: true });
  await add('older new lead', { assignedAt: daysAgo(3) });
  await add('new lead', { assignedAt: daysAgo(1) });
  await add('quiet for 20 days', quiet);
  await add('quiet for 40 days', { ...quiet, lastContactedAt: daysAgo(40) });
  await add('contacted yesterday', { ...quiet, lastContactedAt: daysAgo(1) });
  await add('opened, but never contacted', { viewed: true, assignedAt: daysAgo(5) });
  await add('closed', { ...quiet, status: 'closed_lost' });
  await add('customer', { ...quiet, existingCustomer: true });

  const { names, body } = await readToday(holder);
  expect(names).toEqual({
    overdue: ['yesterday', 'an hour ago'],
    due: ['at four', 'closed, but promised', 'at 23:30 local time'],
    new: ['new lead', 'older new lead', 'opened, but never contacted'],
    loose: ['contacted yesterday'],
    quiet: ['quiet for 40 days', 'quiet for 20 days'],
    later: ['at 00:30 tomorrow', 'on Sunday'],
  });
  expect(body.overdue.leads[0]?.followUp).toMatchObject({ at: '2026-06-16T12:00:00.000Z', note: 'About yesterday' });
  expect(body.quiet.leads[0]?.followUp).toBeNull();
});

test('a lead contacted without opening its profile is no longer new, and goes quiet', async () => {
  const holder = await t.user();
  const { id } = await t.lead(holder, {}, { name: 'Rung at once' });
  const later = await testApp({ now: daysAgo(-15) });
  await t.request(holder, logContact.byId, { params: { id }, body: { outcome: 'spoke' } });
  expect((await readToday(holder)).names).toMatchObject({ new: [], loose: ['Rung at once'], quiet: [] });

  const { body } = await later.request(holder, getToday);
  expect(body).toMatchObject({
    new: { count: 0 },
    quiet: { count: 1, leads: [{ userBusiness: { id, viewed: false } }] },
  });
  const team = await later.request(await later.user('manager'), getTeamAttention);
  expect(team.body.find(({ user }) => user.id === holder.id)).toMatchObject({ quiet: 1 });
  await later.close();
});

test.each([
  ['just under 14 days', daysAgo(14, 1), 0],
  ['14 days to the moment', daysAgo(14), 0],
  ['just over 14 days', daysAgo(14, -1), 1],
])('%s of silence', async (_, lastContactedAt, count) => {
  const holder = await t.user();
  await t.lead(holder, { ...quiet, lastContactedAt });
  expect((await readToday(holder)).body.quiet.count).toBe(count);
});

test.each(['manager', 'admin'] as const)("a %s's day has their own leads only", async (role) => {
  const holder = await t.user();
  await t.lead(holder);
  const viewer = await t.user(role);
  await t.lead(viewer, {}, { name: 'Own' });
  expect((await readToday(viewer)).names.new).toEqual(['Own']);
});

test('a section sends its first 50 leads and counts them all', async () => {
  const holder = await t.user();
  for (let nth = 0; nth < 52; nth += 1) await t.lead(holder);
  const { body } = await t.request(holder, getToday);
  expect(body.new.count).toBe(52);
  expect(body.new.leads).toHaveLength(50);
});
