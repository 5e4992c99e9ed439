import { and, eq, inArray } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as calls from '#contract/leads/lead-lists.calls.ts';
import { assignBusiness } from '#contract/leads/leads.calls.ts';
import { listNotifications } from '#contract/notifications/notifications.calls.ts';
import { auditEvents } from '#server/schema/audit.ts';
import { assignmentHistory, leads } from '#server/schema/leads.ts';
import { testDatabase } from '#server/testing/databases.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

const NOW = '2026-03-10T09:00:00.000Z';
let t: TestApp;
let holder: TestUser;
let other: TestUser;
let manager: TestUser;
let admin: TestUser;
beforeAll(async () => {
  t = await testApp({ now: NOW });
  [holder, other, manager, admin] = [await t.user(), await t.user(), await t.user('manager'), await t.user('admin')];
});
afterAll(() => t.close());

const MISSING = 2_147_483_647;
const findLeads = (ids: number[]) => t.db.select().from(leads).where(inArray(leads.id, ids)).orderBy(leads.id);
const createLeads = (user: TestUser, count: number) => Promise.all(Array.from({ length: count }, () => t.lead(user)));
const findNotices = async (user: TestUser) => (await t.request(user, listNotifications)).body.items;
const findAuditEvents = (event: string, ids: number[]) =>
  t.db
    .select()
    .from(auditEvents)
    .where(and(eq(auditEvents.event, event), inArray(auditEvents.subjectId, ids)))
    .orderBy(auditEvents.subjectId);

describe('reassigning', () => {
  const reassign = (viewer: TestUser, ids: number[], to: TestUser, notes?: string) =>
    t.request(viewer, calls.bulkReassign, { body: { ids, newUserId: to.id, notes } });

  test('managers may; each lead gets a history and an audit row, and is not viewed by its new holder', async () => {
    const target = await t.user();
    const [one, two] = [await t.lead(holder, { viewed: true }), await t.lead(other, { viewed: true })];
    const response = await reassign(manager, [two.id, one.id], target, ' new area ');
    expect(response.body.results).toEqual({ success: 2, failed: 0, errors: [] });
    expect((await findLeads([one.id, two.id])).map(({ userId, viewed }) => [userId, viewed])).toEqual([
      [target.id, false],
      [target.id, false],
    ]);
    const history = await t.db
      .select()
      .from(assignmentHistory)
      .where(eq(assignmentHistory.newUserId, target.id))
      .orderBy(assignmentHistory.userBusinessId);
    const expected = { newUserId: target.id, changedBy: manager.id, notes: 'new area', initial: false };
    expect(history).toMatchObject([
      { ...expected, userBusinessId: one.id, previousUserId: holder.id },
      { ...expected, userBusinessId: two.id, previousUserId: other.id },
    ]);
    expect(await findAuditEvents('lead_reassigned', [one.id, two.id])).toMatchObject([
      { actorId: manager.id, subjectType: 'lead', details: { newUserId: target.id, previousUserId: holder.id } },
      { actorId: manager.id, subjectType: 'lead', details: { newUserId: target.id, previousUserId: other.id } },
    ]);
  });

  test('own, foreign, missing and repeated ids, and a business that the target has, are each counted once', async () => {
    const target = await t.user();
    const [mine, theirs, held] = [await t.lead(holder), await t.lead(other), await t.lead(holder)];
    await t.db.insert(leads).values({ userId: target.id, businessId: held.businessId });
    const ids = [held.id, mine.id, theirs.id, MISSING, mine.id, held.id];

    const { status, body } = await reassign(holder, ids, target);

    expect(status).toBe(200);
    expect(body.results).toMatchObject({ success: 1, failed: 3 });
    expect(body.results.errors.toSorted((a, b) => a.id - b.id)).toEqual([
      { id: theirs.id, message: 'This business is assigned to another user' },
      { id: held.id, message: 'Business is already assigned to this user' },
      { id: MISSING, message: 'This business is no longer in the list' },
    ]);
    const existing = [mine.id, theirs.id, held.id];
    expect((await findLeads(existing)).map(({ userId }) => userId)).toEqual([target.id, other.id, holder.id]);
    const history = await t.db
      .select({ lead: assignmentHistory.userBusinessId })
      .from(assignmentHistory)
      .where(inArray(assignmentHistory.userBusinessId, existing));
    expect(history).toEqual([{ lead: mine.id }]);
    expect(await findAuditEvents('lead_reassigned', existing)).toHaveLength(1);
    expect(await findNotices(target)).toHaveLength(1);
  });

  test('of two leads on one business the first is moved and the other stays', async () => {
    const target = await t.user();
    const first = await t.lead(holder);
    const [second] = await t.db.insert(leads).values({ userId: other.id, businessId: first.businessId }).returning();
    const [own] = await t.db
      .insert(leads)
      .values({ userId: target.id, businessId: (await t.lead(admin)).businessId })
      .returning();
    const ids = [second?.id ?? 0, own?.id ?? 0, first.id];

    const { body } = await reassign(manager, ids, target);

    const message = 'Business is already assigned to this user';
    expect(body.results).toMatchObject({ success: 1, failed: 2 });
    expect(body.results.errors.toSorted((a, b) => a.id - b.id)).toEqual([
      { id: second?.id, message },
      { id: own?.id, message },
    ]);
    expect((await findLeads(ids)).map(({ userId }) => userId)).toEqual([target.id, other.id, target.id]);
    expect(await t.db.$count(assignmentHistory, inArray(assignmentHistory.userBusinessId, ids))).toBe(1);
  });

  test('when the target already holds all, none succeeds and nothing is written', async () => {
    const target = await t.user();
    const held = await t.lead(target);
    const { status, body } = await reassign(admin, [held.id], target);
    expect(status).toBe(200);
    expect(body.results).toMatchObject({ success: 0, failed: 1 });
    expect((await findLeads([held.id]))[0]).toMatchObject({ assignedAt: held.assignedAt, updatedAt: held.updatedAt });
    expect(await findNotices(target)).toEqual([]);
  });

  test('each user gets one notification whatever the number of leads; a single lead is named and linked', async () => {
    const [target, many, single] = [await t.user(), await t.user(), await t.user()];
    const [one, two, three] = [await t.lead(many), await t.lead(many), await t.lead(single)];

    await reassign(admin, [one.id, two.id, three.id], target);

    expect(await findNotices(target)).toMatchObject([
      {
        type: 'lead_reassigned_to',
        title: '3 businesses reassigned to you',
        message: 'Test admin assigned 3 businesses to you.',
        relatedBusinessId: null,
        relatedUserBusinessId: null,
        relatedUuid: null,
        sourceUserId: admin.id,
      },
    ]);
    expect(await findNotices(many)).toMatchObject([
      {
        type: 'lead_reassigned_from',
        title: '2 businesses reassigned',
        message: 'Test admin reassigned 2 businesses to another user.',
        relatedUserBusinessId: null,
      },
    ]);
    expect(await findNotices(single)).toMatchObject([
      {
        title: 'Business reassigned',
        message: 'Test admin reassigned Blue Door Bakery to another user.',
        relatedBusinessId: three.businessId,
        relatedUserBusinessId: three.id,
      },
    ]);

    await reassign(target, [one.id], many);
    expect((await findNotices(many))[0]).toMatchObject({
      title: 'Business reassigned to you',
      message: 'Test user assigned Blue Door Bakery to you.',
      relatedUserBusinessId: one.id,
      relatedUuid: one.uuid,
    });
    expect(await findNotices(target)).toHaveLength(1);
  });

  test('concurrent reassignments of the same businesses in opposite order wait instead of deadlocking', async () => {
    const [database, target] = [await testDatabase(), await t.user()];
    const mine = await createLeads(holder, 20);
    const theirs = await t.db
      .insert(leads)
      .values(mine.toReversed().map(({ businessId }) => ({ userId: other.id, businessId })))
      .returning();
    const before = database.retries();
    const responses = await Promise.all(
      [mine, theirs].map((set) =>
        reassign(
          manager,
          set.map(({ id }) => id),
          target,
        ),
      ),
    );
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    expect(responses.map(({ body }) => body.results.success).toSorted((a, b) => a - b)).toEqual([0, 20]);
    expect(await t.db.$count(leads, eq(leads.userId, target.id))).toBe(20);
    expect(database.retries()).toBe(before);
  });

  test('a business assigned to the target meanwhile is refused, and the others are moved', async () => {
    const target = await t.user();
    const some = await createLeads(holder, 10);
    const ids = some.map(({ id }) => id);
    const [moved, ...assigned] = await Promise.all([
      reassign(manager, ids, target),
      ...some.map(({ businessId }) => t.request(admin, assignBusiness, { body: { userId: target.id, businessId } })),
    ]);
    expect(moved?.status).toBe(200);
    const created = assigned.filter(({ status }) => status === 201).length;
    expect(assigned.filter(({ status }) => status === 409)).toHaveLength(10 - created);
    expect(moved && 'results' in moved.body && moved.body.results.success).toBe(10 - created);
    expect(await t.db.$count(leads, eq(leads.userId, target.id))).toBe(10);
  });
});

test('reassigning to an unknown or inactive user refuses the whole call', async () => {
  const lead = await t.lead(holder);
  const inactive = await t.user('user', { active: false });
  for (const newUserId of [inactive.id, MISSING]) {
    const response = await t.request(holder, calls.bulkReassign, { body: { ids: [lead.id], newUserId } });
    expect(response).toMatchObject({ status: 400, body: { code: 'invalid_target' } });
  }
  expect(
    (await t.request(holder, calls.bulkReassign, { body: { ids: [lead.id], newUserId: String(holder.id) } as never }))
      .status,
  ).toBe(400);
});

test('a repeated idempotency key is executed once', async () => {
  const [one, target] = [await t.lead(holder), await t.user()];
  const repeat = () =>
    t.request(
      holder,
      calls.bulkReassign,
      { body: { ids: [one.id], newUserId: target.id } },
      { headers: { 'idempotency-key': one.uuid } },
    );
  const responses = await Promise.all(Array.from({ length: 20 }, repeat));
  expect(new Set(responses.map(({ status, body }) => `${status} ${JSON.stringify(body)}`)).size).toBe(1);
  expect(responses[0]).toMatchObject({ status: 200, body: { results: { success: 1 } } });
  expect(await t.db.$count(assignmentHistory, eq(assignmentHistory.userBusinessId, one.id))).toBe(1);
});
