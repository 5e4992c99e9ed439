import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addObjection } from '#contract/contact-rules/objections.calls.ts';
import { getFollowUp, planFollowUp } from '#contract/leads/follow-ups/follow-ups.calls.ts';
import * as calls from '#contract/leads/leads.calls.ts';
import { getPocket, getPocketLeads } from '#contract/leads/pocket/pocket.calls.ts';
import { startTrip } from '#contract/leads/trip/trip.calls.ts';
import { businesses, leads } from '#server/schema/leads.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

const listIds = async (user: TestUser) =>
  (await t.request(user, getPocket)).body.leads.map(({ id }) => id).sort((a, b) => a - b);
const readLeads = async (user: TestUser, ...ids: number[]) =>
  (await t.request(user, getPocketLeads, { query: { ids: ids.join() } })).body.leads;

test('it has the open leads of the viewer alone, whatever their role', async () => {
  const [user, admin] = [await t.user(), await t.user('admin')];
  const lead = await t.lead(user);
  await t.lead(user, { archived: true });
  await t.lead(user, { status: 'closed_won' });
  await t.lead(user, { existingCustomer: true });
  expect(await listIds(user)).toEqual([lead.id]);
  expect(await listIds(admin)).toEqual([]);
  expect(await readLeads(admin, lead.id)).toEqual([]);
});

test('a lead that was given to another user is theirs from then on', async () => {
  const [user, other, admin] = [await t.user(), await t.user(), await t.user('admin')];
  const lead = await t.lead(user);
  await t.request(admin, calls.reassignLead.byId, { params: { id: lead.id }, body: { newUserId: other.id } });
  expect(await listIds(user)).toEqual([]);
  expect(await readLeads(user, lead.id)).toEqual([]);
  expect(await listIds(other)).toEqual([lead.id]);
});

test('a lead is as its profile shows it, with the ten newest activities and its next step', async () => {
  const user = await t.user();
  const lead = await t.lead(user, { notes: 'Ask for Zoë', tags: ['hot'] });
  const params = { id: lead.id };
  const body = { type: 'call' as const, notes: 'Rang' };
  for (let nth = 0; nth < 12; nth += 1) await t.request(user, calls.addActivity.byId, { params, body });
  const at = new Date(Date.now() + 86_400_000).toISOString();
  await t.request(user, planFollowUp.byId, { params, body: { at, note: 'Bring samples' } });

  const [kept] = await readLeads(user, lead.id);
  const profile = (await t.request(user, calls.getLead.byId, { params })).body;
  const { contactActivities } = profile.userBusiness;
  expect(contactActivities).toHaveLength(12);
  expect(kept?.profile).toEqual({
    ...profile,
    userBusiness: { ...profile.userBusiness, contactActivities: contactActivities.slice(0, 10) },
  });
  expect(kept?.followUp).toEqual((await t.request(user, getFollowUp.byId, { params })).body.followUp);
});

test('while nothing changes, the answer is 304 without a body', async () => {
  const user = await t.user();
  await t.lead(user);
  const first = await t.request(user, getPocket);
  const etag = String(first.headers.etag);
  for (const tag of [etag, `W/${etag}`]) {
    const again = await t.request(user, getPocket, {}, { headers: { 'if-none-match': tag } });
    expect(again).toMatchObject({ status: 304, body: undefined });
  }
});

test('the version of a lead changes with the lead, its business, its activities and the objections to it', async () => {
  const user = await t.user();
  const admin = await t.user('admin');
  const lead = await t.lead(user, {}, { phone: '020 7946 0018' });
  const other = await t.lead(user);
  const params = { id: lead.id };
  const read = async () =>
    new Map((await t.request(user, getPocket)).body.leads.map((each) => [each.id, each.version]));
  const before = await read();
  const seen = new Set([before.get(lead.id)]);

  const changes = [
    () => t.request(user, calls.changeLeadNotes.byId, { params, body: { notes: 'New' } }),
    () => t.db.update(businesses).set({ website: 'https://x.example' }).where(eq(businesses.id, lead.businessId)),
    () => t.request(user, calls.addActivity.byId, { params, body: { type: 'note', notes: 'A note' } }),
    () =>
      t.request(admin, addObjection, { body: { on: 'number', value: '020 7946 0018', channel: 'call', words: '' } }),
  ];
  for (const change of changes) {
    await change();
    const after = await read();
    expect(seen.has(after.get(lead.id))).toBe(false);
    expect(after.get(other.id)).toBe(before.get(other.id));
    seen.add(after.get(lead.id));
  }
});

test('of more than 500 leads it has the stops of the trip, then what is planned next, then the latest changed', async () => {
  const user = await t.user();
  const [{ businessId }, planned, stop] = [
    await t.lead(user, { updatedAt: '2020-01-01T00:00:00.000Z' }),
    await t.lead(user, {
      updatedAt: '2020-01-02T00:00:00.000Z',
      nextStepAt: '2026-01-01T00:00:00.000Z',
      nextStepType: 'call',
    }),
    await t.lead(user, { updatedAt: '2020-01-03T00:00:00.000Z' }, { latitude: 53.8, longitude: -1.5 }),
  ];
  const many = Array.from({ length: 500 }, (_, nth) => ({ placeId: `pocket ${user.id} ${nth}`, name: 'Bakery' }));
  const made = await t.db.insert(businesses).values(many).returning({ id: businesses.id });
  await t.db.insert(leads).values(made.map(({ id }) => ({ userId: user.id, businessId: id })));
  await t.request(user, startTrip, {
    body: { start: { latitude: 53.8, longitude: -1.5, name: null }, stops: [stop.id] },
  });

  const ids = await listIds(user);
  expect(ids).toHaveLength(500);
  expect(ids).toEqual(expect.arrayContaining([planned.id, stop.id]));
  const [oldest] = await t.db.select({ id: leads.id }).from(leads).where(eq(leads.businessId, businessId));
  expect(ids).not.toContain(oldest?.id);
});

test.each(['', 'x', '1,', '0', '1;2', Array.from({ length: 51 }, (_, nth) => nth + 1).join(), '9999999999'])(
  'ids %j are refused',
  async (ids) => {
    const response = await t.request(await t.user(), getPocketLeads, { query: { ids } });
    expect(response).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
  },
);
