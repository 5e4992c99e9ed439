import { randomUUID } from 'node:crypto';
import { and, eq, inArray, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { BATCH_HEADER, undoChanges } from '#contract/changes/changes.calls.ts';
import { getJob } from '#contract/jobs/jobs.calls.ts';
import { listNotifications } from '#contract/notifications/notifications.calls.ts';
import * as calls from '#contract/territories/territories.calls.ts';
import type { TerritoryChange } from '#contract/territories/territory.ts';
import { deleteUser, setUserActive } from '#contract/users/users.calls.ts';
import { UK_DISTRICTS } from '#server/places/uk-districts.ts';
import { auditEvents } from '#server/schema/audit.ts';
import { businesses, leads } from '#server/schema/leads.ts';
import { territoryDistricts } from '#server/schema/territories.ts';
import { insertManyLeads } from '#server/testing/many-leads.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

let t: TestApp;
let admin: TestUser;
let grace: TestUser;
let marcus: TestUser;
beforeAll(async () => {
  t = await testApp();
  admin = await t.user('admin');
});
afterAll(() => t.close());
beforeEach(async () => {
  await t.db.delete(territoryDistricts);
  [grace, marcus] = [
    await t.user('user', { fullName: 'Grace Okafor' }),
    await t.user('user', { fullName: 'Marcus Bell' }),
  ];
});

const change = (viewer: TestUser, ...changes: (Partial<TerritoryChange> & { userId: number })[]) =>
  t.request(viewer, calls.changeTerritories, { body: { changes } });
const read = async (viewer = admin) => (await t.request(viewer, calls.getTerritories)).body;
const districtsOf = async (user: TestUser) =>
  (await read()).territories.find(({ userId }) => userId === user.id)?.districts;

describe('districts of users', () => {
  test('districts and whole areas are added and removed', async () => {
    const { body } = await change(admin, { userId: grace.id, add: ['ls', 'WF1', 'wf1'], remove: ['LS2', 'BD'] });
    const leeds = UK_DISTRICTS.filter(({ code }) => /^LS\d/.test(code)).length;
    expect(body.changes).toMatchObject([{ userId: grace.id, remove: [] }]);
    expect(body.changes[0]?.add).toHaveLength(leeds + 1);
    await change(admin, { userId: grace.id, remove: ['LS10', 'LS2', 'YO1'] });
    const districts = await districtsOf(grace);
    expect(districts).toHaveLength(leeds - 1);
    expect(districts?.slice(0, 3)).toEqual(['LS1', 'LS3', 'LS4']);
  });

  test('managers and admins read those of everyone, users their own', async () => {
    await change(admin, { userId: grace.id, add: ['LS1'] }, { userId: marcus.id, add: ['LS1', 'LS2'] });
    const idle = await t.user();
    const own = { userId: grace.id, fullName: 'Grace Okafor', username: grace.username, active: true };
    for (const viewer of [admin, await t.user('manager')]) {
      const { territories, overlaps } = await read(viewer);
      expect(territories.find(({ userId }) => userId === grace.id)).toEqual({ ...own, districts: ['LS1'] });
      // Users without a district are there, too.
      expect(territories.find(({ userId }) => userId === idle.id)?.districts).toEqual([]);
      expect(overlaps).toHaveLength(1);
    }
    expect(await read(grace)).toEqual({ territories: [{ ...own, districts: ['LS1'] }], overlaps: [] });
    expect(await read(idle)).toMatchObject({ territories: [{ userId: idle.id, districts: [] }], overlaps: [] });
  });

  test('overlaps are allowed and reported; those of inactive users are none', async () => {
    await change(admin, { userId: grace.id, add: ['LS1', 'LS2'] }, { userId: marcus.id, add: ['LS2', 'LS3'] });
    expect((await read()).overlaps).toEqual([{ district: 'LS2', userIds: [grace.id, marcus.id] }]);
    await t.request(admin, setUserActive, { params: { id: marcus.id }, body: { active: false } });
    const { overlaps, territories } = await read();
    expect(overlaps).toEqual([]);
    expect(territories.find(({ userId }) => userId === marcus.id)).toMatchObject({ active: false });
    // An inactive user can lose districts, but not get any.
    expect(await change(admin, { userId: marcus.id, add: ['LS4'] })).toMatchObject({
      status: 400,
      body: { code: 'invalid_target' },
    });
    expect((await change(admin, { userId: marcus.id, remove: ['LS'] })).body.changes).toEqual([
      { userId: marcus.id, add: [], remove: ['LS2', 'LS3'] },
    ]);
  });

  test('a move is one change whose inverse undoes it, and is audited for both users', async () => {
    await change(admin, { userId: grace.id, add: ['LS1', 'LS2', 'LS3'] }, { userId: marcus.id, add: ['LS3'] });
    const { body } = await change(
      admin,
      { userId: marcus.id, add: ['LS2', 'LS3'] },
      { userId: grace.id, remove: ['LS2', 'LS3'] },
    );
    expect(body.changes).toEqual([
      { userId: marcus.id, add: ['LS2'], remove: [] },
      { userId: grace.id, add: [], remove: ['LS2', 'LS3'] },
    ]);
    const inverse = body.changes.map(({ userId, add, remove }) => ({ userId, add: remove, remove: add }));
    await change(admin, ...inverse);
    expect([await districtsOf(grace), await districtsOf(marcus)]).toEqual([['LS1', 'LS2', 'LS3'], ['LS3']]);
    const events = await t.db
      .select()
      .from(auditEvents)
      .where(and(eq(auditEvents.event, 'territory_changed'), inArray(auditEvents.subjectId, [grace.id])))
      .orderBy(auditEvents.id);
    expect(events.map(({ actorId, details }) => [actorId, details])).toEqual([
      [admin.id, { districtsAdded: 3, districtsRemoved: 0 }],
      [admin.id, { districtsAdded: 0, districtsRemoved: 2 }],
      [admin.id, { districtsAdded: 2, districtsRemoved: 0 }],
    ]);
  });

  test.each(['user', 'manager'] as const)('a %s changes nothing', async (role) => {
    expect((await change(await t.user(role), { userId: grace.id, add: ['LS1'] })).status).toBe(403);
    expect(await districtsOf(grace)).toEqual([]);
  });

  test.each([['LS99'], ['XX'], ['Leeds'], ['LS1-LS4'], ['']])(
    '%s is refused, with all of the request',
    async (code) => {
      const response = await change(admin, { userId: grace.id, add: ['LS1'] }, { userId: marcus.id, add: [code] });
      expect(response).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
      expect(await districtsOf(grace)).toEqual([]);
    },
  );

  test('a user who does not exist is refused', async () => {
    const userId = 2_147_483_647;
    expect((await change(admin, { userId, add: ['LS1'] })).body.code).toBe('invalid_target');
    expect((await change(admin, { userId, remove: ['LS1'] })).status).toBe(404);
  });

  test('two changes at once both count', async () => {
    const responses = await Promise.all([
      change(admin, { userId: grace.id, add: ['LS1', 'LS2'] }, { userId: marcus.id, add: ['LS1'] }),
      change(admin, { userId: marcus.id, add: ['LS2'] }, { userId: grace.id, add: ['LS2', 'LS3'] }),
    ]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    expect([await districtsOf(grace), await districtsOf(marcus)]).toEqual([
      ['LS1', 'LS2', 'LS3'],
      ['LS1', 'LS2'],
    ]);
  });

  test('a deleted account leaves no district', async () => {
    await change(admin, { userId: grace.id, add: ['LS1'] });
    expect((await t.request(admin, deleteUser, { params: { id: grace.id } })).status).toBe(204);
    expect(await t.db.$count(territoryDistricts)).toBe(0);
  });
});

describe('moving open leads', () => {
  const inDistrict = (holder: TestUser, postcode: string, columns = {}) =>
    t.lead(holder, columns, { formattedAddress: `1 High Street, ${postcode}` });
  const holdersOf = async (ids: number[]) =>
    (await t.db.select().from(leads).where(inArray(leads.id, ids)).orderBy(leads.id)).map(({ userId }) => userId);
  const move = (viewer: TestUser, body: object = {}) =>
    t.request(viewer, calls.moveTerritoryLeads, {
      body: { fromUserId: grace.id, toUserId: marcus.id, districts: ['LS1', 'LS2'], ...body },
    });
  const count = async (viewer: TestUser) =>
    t.request(viewer, calls.countTerritoryLeads, { body: { userId: grace.id, districts: ['LS1', 'LS2'] } });

  test('those of the districts move as one batch, which undoes them; closed and archived ones stay', async () => {
    const [one, two, elsewhere, won, archived, held] = [
      await inDistrict(grace, 'Leeds LS1 4AP'),
      await inDistrict(grace, 'Leeds LS2 8AA', { viewed: true }),
      await inDistrict(grace, 'Leeds LS10 1AA'),
      await inDistrict(grace, 'Leeds LS1 4AP', { status: 'closed_won' }),
      await inDistrict(grace, 'Leeds LS1 4AP', { archived: true }),
      await inDistrict(grace, 'Leeds LS1 4AP'),
    ];
    await t.db.insert(leads).values({ userId: marcus.id, businessId: held.businessId });
    const ids = [one.id, two.id, elsewhere.id, won.id, archived.id, held.id];
    expect((await count(admin)).body).toEqual({ count: 3 });

    const moved = await move(admin);
    expect(moved.body).toEqual({ moved: 2, skipped: 1, next: null });
    const after = [marcus.id, marcus.id, grace.id, grace.id, grace.id, grace.id];
    expect(await holdersOf(ids)).toEqual(after);
    const batchId = String(moved.headers[BATCH_HEADER]);
    const undone = await t.request(admin, undoChanges, { params: { batchId } });
    expect(undone.body).toMatchObject({ takenBack: 2, left: [] });
    expect(await holdersOf(ids)).toEqual(ids.map(() => grace.id));
  });

  test('more than one step moves all of them, as one batch', async () => {
    const stored = await t.db
      .insert(businesses)
      .values(
        Array.from({ length: 510 }, () => ({
          placeId: `place-${randomUUID()}`,
          name: 'Blue Door Bakery',
          formattedAddress: 'Leeds LS1 4AP',
        })),
      )
      .returning({ businessId: businesses.id });
    const created = await t.db
      .insert(leads)
      .values(stored.map(({ businessId }) => ({ userId: grace.id, businessId })))
      .returning({ id: leads.id });
    const ids = created.map(({ id }) => id).sort((a, b) => a - b);
    const batch = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff';
    const first = await move(admin, { batch });
    expect(first.body).toEqual({ moved: 500, skipped: 0, next: ids[499] });
    const second = await move(admin, { batch, after: first.body.next });
    expect(second.body).toEqual({ moved: 10, skipped: 0, next: null });
    expect(second.headers[BATCH_HEADER]).toBe(first.headers[BATCH_HEADER]);
    const params = { batchId: String(first.headers[BATCH_HEADER]) };
    expect((await t.request(admin, undoChanges, { params })).body.takenBack).toBe(510);
    expect(new Set(await holdersOf(ids))).toEqual(new Set([grace.id]));
  });

  test('in the background the server goes on by itself, as the same batch', async () => {
    const [from, to] = [await t.user(), await t.user()];
    const ids = await insertManyLeads(t.db, from.id, 1_100);
    await t.db.execute(sql`update businesses set formatted_address = '1 High Street, Hull HU9 1AA'
      where id in (select business_id from user_businesses where user_id = ${from.id})`);
    const batch = randomUUID();
    const body = { fromUserId: from.id, toUserId: to.id, districts: ['HU9'], batch, background: true };
    const first = await move(admin, body);
    const job = { state: 'running', total: 600, done: 0 };
    expect(first.body).toMatchObject({ moved: 500, skipped: 0, next: null, job });
    await t.app.jobs.run();
    const params = { jobId: first.body.job?.id ?? '' };
    expect((await t.request(admin, getJob, { params })).body).toMatchObject({ state: 'done', success: 600, failed: 0 });
    expect((await t.request(from, getJob, { params })).status, 'of another user').toBe(404);
    expect(new Set(await holdersOf(ids))).toEqual(new Set([to.id]));
    expect((await t.request(to, listNotifications)).body.items).toHaveLength(1);
    const batchId = String(first.headers[BATCH_HEADER]);
    expect((await t.request(admin, undoChanges, { params: { batchId } })).body.takenBack).toBe(1_100);
  });

  test('two moves at once move each lead once', async () => {
    await Promise.all(Array.from({ length: 20 }, () => inDistrict(grace, 'Leeds LS1 4AP')));
    const other = await t.user();
    const responses = await Promise.all([move(admin), move(admin, { toUserId: other.id })]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    expect(responses.reduce((sum, { body }) => sum + body.moved, 0)).toBe(20);
  });

  test('refused to others, to an inactive user, and for a district that is none', async () => {
    const lead = await inDistrict(grace, 'Leeds LS1 4AP');
    for (const viewer of [grace, await t.user('manager')]) {
      expect((await move(viewer)).status).toBe(403);
      expect((await count(viewer)).status).toBe(403);
    }
    await t.request(admin, setUserActive, { params: { id: marcus.id }, body: { active: false } });
    expect((await move(admin)).body.code).toBe('invalid_target');
    expect((await move(admin, { districts: ['Leeds'] })).status).toBe(400);
    expect((await move(admin, { districts: [] })).status).toBe(400);
    expect(await holdersOf([lead.id])).toEqual([grace.id]);
  });
});
