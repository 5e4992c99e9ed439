import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { undoChanges } from '#contract/changes/changes.calls.ts';
import { mergeBusinesses } from '#contract/duplicates/duplicates.calls.ts';
import * as leadCalls from '#contract/leads/leads.calls.ts';
import { logContact } from '#contract/leads/log/log.calls.ts';
import * as calls from '#contract/leads/trip/trip.calls.ts';
import { tripStops, trips } from '#server/schema/trips.ts';
import { users } from '#server/schema/users.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

const NOW = '2026-11-19T10:00:00.000Z';
const LATER = '2026-11-19T11:30:00.000Z';
const OVERDUE = '2026-11-12T10:00:00.000Z';

let t: TestApp;
let later: TestApp;
beforeAll(async () => {
  t = await testApp({ now: NOW });
  later = await testApp({ now: LATER });
});
afterAll(async () => {
  await later.close();
  await t.close();
});

const LEEDS = { latitude: 53.7997, longitude: -1.5492, name: 'LS1, Leeds' };
const near = (nth: number) => ({ latitude: LEEDS.latitude + nth / 100, longitude: LEEDS.longitude });

const addLead = (holder: TestUser, nth: number, columns: Parameters<TestApp['lead']>[1] = {}) =>
  t.lead(holder, columns, { name: `Shop ${nth}`, formattedAddress: `${nth} High Street`, ...near(nth) });
const addLeads = (holder: TestUser, count: number) =>
  Promise.all(Array.from({ length: count }, (_, nth) => addLead(holder, nth + 1)));

const start = (viewer: TestUser, leads: { id: number }[]) =>
  t.request(viewer, calls.startTrip, { body: { start: LEEDS, stops: leads.map(({ id }) => id) } });
const change = (viewer: TestUser, tripId: string, leads: { id: number }[]) =>
  t.request(viewer, calls.changeStops, { params: { tripId }, body: { stops: leads.map(({ id }) => id) } });
const readTrip = async (viewer: TestUser) => (await t.request(viewer, calls.getTrip)).body.trip;
const readNames = async (viewer: TestUser) => (await readTrip(viewer))?.stops.map(({ name }) => name);

async function userOnTrip(count = 3) {
  const user = await t.user();
  const leads = await addLeads(user, count);
  const { body: trip } = await start(user, leads);
  const [first, second, third] = leads;
  if (!first || !second || !third) throw new Error('The trip has too few stops');
  return { user, leads, first, second, third, trip, params: { tripId: trip.id } };
}

test('a trip is started, and stays until it is ended', async () => {
  const user = await t.user();
  expect(await readTrip(user)).toBeNull();
  const near = await addLead(user, 1);
  const due = await addLead(user, 2, { nextStepAt: OVERDUE, nextStepType: 'call' });
  const { status, body: trip } = await start(user, [due, near]);
  expect(status).toBe(200);
  expect(trip).toMatchObject({ startedAt: NOW, start: LEEDS });
  expect(trip.stops).toMatchObject([
    { id: due.id, name: 'Shop 2', reason: { kind: 'due', at: OVERDUE }, arrivedAt: null, done: false },
    { id: near.id, address: '1 High Street', reason: { kind: 'near', miles: expect.closeTo(0.69, 2) } },
  ]);
  expect(await readTrip(user)).toEqual(trip);

  const ended = await t.request(user, calls.endTrip, { params: { tripId: trip.id } });
  expect([ended.status, ended.body]).toEqual([200, { trip: null }]);
  expect(await readTrip(user)).toBeNull();
  expect(await t.db.$count(tripStops, eq(tripStops.tripId, trip.id))).toBe(0);
});

test('a user is on one trip: another one takes its place, also of two at once', async () => {
  const { user, first, second, third, trip } = await userOnTrip();
  const both = await Promise.all([start(user, [first]), start(user, [second, third])]);
  expect(both.map(({ status }) => status)).toEqual([200, 200]);
  expect(await t.db.$count(trips, eq(trips.userId, user.id))).toBe(1);
  expect((await change(user, trip.id, [first])).status).toBe(404);
});

describe('the stops', () => {
  test('are dropped, added and moved; those that stay keep their arrival', async () => {
    const { user, first, second, third, trip, params } = await userOnTrip();
    await t.request(user, calls.checkIn, { params: { ...params, id: third.id }, body: { arrived: true } });
    const fourth = await addLead(user, 4);
    const changed = await change(user, trip.id, [third, fourth, first]);
    expect(changed.status).toBe(200);
    expect(changed.body.startedAt).toBe(NOW);
    expect(changed.body.stops.map(({ id, arrivedAt }) => [id, arrivedAt])).toEqual([
      [third.id, NOW],
      [fourth.id, null],
      [first.id, null],
    ]);
    const again = await change(user, trip.id, [third, fourth, first]);
    expect(again.body, 'the same request once more changes nothing').toEqual(changed.body);
    expect(changed.body.stops.map(({ id }) => id)).not.toContain(second.id);
  });

  test.each(['start', 'change'] as const)('of another user are refused, and nothing changes (%s)', async (by) => {
    const { user, leads, trip } = await userOnTrip();
    const foreign = await addLead(await t.user(), 9);
    const sent = [...leads, foreign];
    const { status, body } = by === 'start' ? await start(user, sent) : await change(user, trip.id, sent);
    expect([status, body.code]).toEqual([403, 'not_your_lead']);
    expect(await readTrip(user)).toEqual(trip);
  });

  test('of a manager may be leads of others, which they may see', async () => {
    const manager = await t.user('manager');
    const lead = await addLead(await t.user(), 1);
    expect((await start(manager, [lead])).body.stops).toMatchObject([{ id: lead.id }]);
    await t.db.update(users).set({ role: 'user' }).where(eq(users.id, manager.id));
    expect(await readNames(manager)).toEqual([]);
  });

  test('are leads that exist, are not archived and have a position', async () => {
    const user = await t.user();
    const archived = await addLead(user, 1, { archived: true });
    const unplaced = await t.lead(user, {}, { name: 'No Fixed Abode' });
    expect((await start(user, [{ id: 2_000_000_000 }])).status).toBe(404);
    expect((await start(user, [archived])).body).toMatchObject({ code: 'invalid_request' });
    expect((await start(user, [unplaced])).body.message).toBe('No Fixed Abode has no position, and cannot be a stop');
    expect(await readTrip(user)).toBeNull();
  });

  test('are at most 25', async () => {
    const user = await t.user();
    const leads = await addLeads(user, 26);
    expect(await start(user, leads)).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'stops', message: 'A trip has at most 25 stops' }] },
    });
    const { status, body } = await start(user, leads.slice(1));
    expect([status, body.stops.length]).toEqual([200, 25]);
    expect((await change(user, body.id, leads)).status).toBe(400);
  });

  test.each([
    ['no stop', []],
    ['the same stop twice', [1, 1]],
    ['an id that is text', ['1']],
  ])('%s is refused', async (_, stops) => {
    const body = { start: LEEDS, stops: stops as number[] };
    const refused = await t.request(await t.user(), calls.startTrip, { body });
    expect([refused.status, refused.body.code]).toEqual([400, 'validation_failed']);
  });
});

describe('a stop is done', () => {
  test('by a contact that the user logs from then on, until that is undone', async () => {
    const { user, first, second, third } = await userOnTrip();
    const before = await testApp({ now: '2026-11-19T09:59:00.000Z' });
    await before.request(user, logContact.byId, { params: { id: first.id }, body: { outcome: 'no_answer' } });
    await before.close();
    const logged = await later.request(user, logContact.byId, {
      params: { id: second.id },
      body: { outcome: 'met_owner' },
    });
    await later.request(user, leadCalls.addActivity.byId, {
      params: { id: third.id },
      body: { type: 'note', notes: 'Closed at 5' },
    });
    const readDone = async () => (await readTrip(user))?.stops.map(({ done }) => done);
    expect(await readDone()).toEqual([false, true, false]);

    const batchId = String(logged.headers['x-change-batch']);
    await later.request(user, undoChanges, { params: { batchId } });
    expect(await readDone()).toEqual([false, false, false]);
  });

  test('by a contact that completes a planned follow-up', async () => {
    const user = await t.user();
    const lead = await addLead(user, 1);
    await start(user, [lead]);
    const next = { at: '2026-11-19T16:00:00.000Z' };
    await t.request(user, logContact.byId, { params: { id: lead.id }, body: { outcome: 'shut', next } });
    expect((await readTrip(user))?.stops).toMatchObject([{ done: true }]);
  });

  test('not by what an admin logs on it', async () => {
    const { user, first } = await userOnTrip();
    await later.request(await t.user('admin'), logContact.byId, {
      params: { id: first.id },
      body: { outcome: 'spoke' },
    });
    expect((await readTrip(user))?.stops[0]).toMatchObject({ done: false });
  });
});

describe('the arrival', () => {
  test('is that of the first check-in, and can be taken back', async () => {
    const { user, first, params } = await userOnTrip();
    const stop = { ...params, id: first.id };
    const arrivalAfter = async (app: TestApp, arrived: boolean) =>
      (await app.request(user, calls.checkIn, { params: stop, body: { arrived } })).body.stops[0]?.arrivedAt;
    expect(await arrivalAfter(t, true)).toBe(NOW);
    expect(await arrivalAfter(later, true)).toBe(NOW);
    expect(await arrivalAfter(later, false)).toBeNull();
    expect(await arrivalAfter(later, true)).toBe(LATER);
  });

  test('is refused at a lead that is no stop', async () => {
    const { user, params } = await userOnTrip();
    const { id } = await addLead(user, 4);
    const body = { arrived: true };
    expect((await t.request(user, calls.checkIn, { params: { ...params, id }, body })).status).toBe(404);
  });
});

test('the trip of another user is invisible, also to an admin', async () => {
  const { user, first, trip, params } = await userOnTrip();
  for (const role of ['user', 'admin'] as const) {
    const other = await t.user(role);
    expect(await readTrip(other)).toBeNull();
    expect((await change(other, trip.id, [first])).status).toBe(404);
    const stop = { ...params, id: first.id };
    expect((await t.request(other, calls.checkIn, { params: stop, body: { arrived: true } })).status).toBe(404);
    expect((await t.request(other, calls.endTrip, { params })).status).toBe(404);
  }
  expect(await readTrip(user)).toEqual(trip);
});

describe('a lead leaves the trip', () => {
  test('with another holder, and comes back when that is undone', async () => {
    const { user, first } = await userOnTrip();
    const admin = await t.user('admin');
    const newUserId = (await t.user()).id;
    const moved = await t.request(admin, leadCalls.reassignLead.byId, {
      params: { id: first.id },
      body: { newUserId },
    });
    expect(await readNames(user)).toEqual(['Shop 2', 'Shop 3']);
    await t.request(admin, undoChanges, { params: { batchId: String(moved.headers['x-change-batch']) } });
    expect(await readNames(user)).toEqual(['Shop 1', 'Shop 2', 'Shop 3']);
  });

  test('also where a manager gives it away, who may still see it', async () => {
    const manager = await t.user('manager');
    const lead = await addLead(manager, 1);
    await start(manager, [lead]);
    const body = { newUserId: (await t.user()).id };
    await t.request(manager, leadCalls.reassignLead.byId, { params: { id: lead.id }, body });
    expect(await readNames(manager)).toEqual([]);
  });

  test('when it is archived, until it is restored', async () => {
    const { user, second } = await userOnTrip();
    const params = { id: second.id };
    await t.request(user, leadCalls.archiveLead.byId, { params, body: {} });
    expect(await readNames(user)).toEqual(['Shop 1', 'Shop 3']);
    await t.request(user, leadCalls.restoreLead.byId, { params });
    expect(await readNames(user)).toEqual(['Shop 1', 'Shop 2', 'Shop 3']);
  });

  test('when it is deleted', async () => {
    const { user, first } = await userOnTrip();
    await t.request(user, leadCalls.deleteLead.byId, { params: { id: first.id } });
    expect(await readNames(user)).toEqual(['Shop 2', 'Shop 3']);
  });

  test('when it is merged into another one', async () => {
    const { user, first, second, third } = await userOnTrip();
    const body = { keptId: first.businessId, businessIds: [first.businessId, second.businessId] };
    expect((await t.request(await t.user('admin'), mergeBusinesses, { body })).status).toBe(200);
    const stops = (await readTrip(user))?.stops ?? [];
    expect(stops.map(({ id }) => id)).toEqual([expect.toBeOneOf([first.id, second.id]), third.id]);
  });

  test('and a page that has not heard of it still moves the others', async () => {
    const { user, first, second, third, trip } = await userOnTrip();
    await t.request(user, leadCalls.archiveLead.byId, { params: { id: first.id }, body: {} });
    const { status, body } = await change(user, trip.id, [third, first, second]);
    expect(status).toBe(200);
    expect(body.stops.map(({ name }) => name)).toEqual(['Shop 3', 'Shop 2']);
  });

  test('with the account of its user, as the trip does', async () => {
    const { user, trip } = await userOnTrip();
    await t.db.delete(users).where(eq(users.id, user.id));
    expect(await t.db.$count(trips, eq(trips.id, trip.id))).toBe(0);
  });
});
