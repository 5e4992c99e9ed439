import { and, eq, inArray } from 'drizzle-orm';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import * as calls from '#contract/leads/lead-lists.calls.ts';
import { assignBusiness } from '#contract/leads/leads.calls.ts';
import { listNotifications } from '#contract/notifications/notifications.calls.ts';
import { assignmentHistory, auditEvents, contactCredits, leads } from '#server/kit/db/schema.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';
import { testDatabase } from '#server/testing/test-database.ts';

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
const rows = (ids: number[]) => t.db.select().from(leads).where(inArray(leads.id, ids)).orderBy(leads.id);
const leadsOf = (person: TestUser, count: number) => Promise.all(Array.from({ length: count }, () => t.lead(person)));
const noticesTo = async (person: TestUser) => (await t.request(person, listNotifications)).body.items;
const auditOf = (event: string, ids: number[]) =>
  t.db
    .select()
    .from(auditEvents)
    .where(and(eq(auditEvents.event, event), inArray(auditEvents.subjectId, ids)))
    .orderBy(auditEvents.subjectId);

test('the permitted ones are done and the rest counted, each with its reason', async () => {
  const [mine, theirs] = [await t.lead(holder), await t.lead(other)];
  const ids = [mine.id, theirs.id, MISSING, mine.id];
  const response = await t.request(holder, calls.bulkArchive, { body: { ids } });
  expect(response).toMatchObject({ status: 200, body: { results: { success: 1, failed: 2 } } });
  expect(response.body.results.errors).toEqual([
    { id: theirs.id, message: 'This business is assigned to another user' },
    { id: MISSING, message: 'This business is no longer in the list' },
  ]);
  expect((await rows([mine.id, theirs.id])).map(({ archived }) => archived)).toEqual([true, false]);
  expect((await t.request(holder, calls.bulkRestore, { body: { ids: [mine.id] } })).body.results.success).toBe(1);
});

test('all refused is 403, none there is 404', async () => {
  const theirs = await t.lead(other);
  for (const who of [holder, manager]) {
    expect(await t.request(who, calls.bulkDelete, { body: { ids: [theirs.id] } })).toMatchObject({
      status: 403,
      body: { code: 'not_your_lead' },
    });
  }
  expect(await t.request(admin, calls.bulkDelete, { body: { ids: [MISSING] } })).toMatchObject({
    status: 404,
    body: { code: 'not_found' },
  });
  expect(await rows([theirs.id])).toHaveLength(1);
});

test.each([[[]], [Array.from({ length: 501 }, (_, i) => i + 1)], [['1']], [[1.5]], [[0]], ['1'], [undefined]])(
  'ids %j are refused',
  async (ids) => {
    expect((await t.request(holder, calls.bulkArchive, { body: { ids } as never })).status).toBe(400);
  },
);

test('deleting', async () => {
  const [one, two] = [await t.lead(holder), await t.lead(holder)];
  const { body } = await t.request(holder, calls.bulkDelete, { body: { ids: [one.id, two.id] } });
  expect(body.results).toEqual({ success: 2, failed: 0, errors: [] });
  expect(await rows([one.id, two.id])).toEqual([]);
  const deleted = and(eq(auditEvents.event, 'lead_deleted'), inArray(auditEvents.subjectId, [one.id, two.id]));
  expect(await t.db.$count(auditEvents, deleted)).toBe(2);
});

test('a status for many earns each its credit; a bad status refuses the whole call', async () => {
  const [one, two] = [await t.lead(holder), await t.lead(holder, { status: 'in_progress' })];
  const ids = [one.id, two.id];
  expect((await t.request(holder, calls.bulkUpdateStatus, { body: { ids, status: 'nonsense' } as never })).status).toBe(
    400,
  );
  expect(
    (await t.request(holder, calls.bulkUpdateStatus, { body: { ids, status: 'recontact' } })).body.results.success,
  ).toBe(2);
  expect(await t.db.$count(contactCredits, inArray(contactCredits.leadId, ids))).toBe(2);
  expect(
    (await t.request(holder, calls.bulkUpdateStatus, { body: { ids, status: 'negotiation' } })).body.results.success,
  ).toBe(2);
  expect((await rows(ids)).map(({ status }) => status)).toEqual(['negotiation', 'negotiation']);
});

test('one status change treats each lead by its own state: credited before, existing customer, already there', async () => {
  const earlier = '2026-01-05T10:00:00.000Z';
  const [fresh, credited, customer, there] = [
    await t.lead(holder),
    await t.lead(holder, { creditedAt: earlier, lastContactedAt: earlier }),
    await t.lead(holder, { existingCustomer: true }),
    await t.lead(holder, { status: 'recontact' }),
  ];
  await t.db.insert(contactCredits).values({ leadId: credited.id, userId: other.id, creditedAt: earlier });
  const ids = [there.id, customer.id, credited.id, fresh.id];

  const { body } = await t.request(admin, calls.bulkUpdateStatus, { body: { ids, status: 'recontact' } });

  expect(body.results).toEqual({ success: 4, failed: 0, errors: [] });
  const credits = await t.db
    .select()
    .from(contactCredits)
    .where(inArray(contactCredits.leadId, ids))
    .orderBy(contactCredits.leadId);
  expect(credits).toEqual([
    { leadId: fresh.id, userId: holder.id, creditedAt: NOW, counted: true },
    { leadId: credited.id, userId: other.id, creditedAt: earlier, counted: true },
    { leadId: customer.id, userId: holder.id, creditedAt: NOW, counted: false },
  ]);
  const [, , , untouched] = await rows(ids);
  expect(untouched?.updatedAt).toBe(there.updatedAt);
  expect((await rows(ids)).map(({ status, lastContactedAt }) => [status, lastContactedAt])).toEqual([
    ['recontact', NOW],
    ['recontact', earlier],
    ['recontact', NOW],
    ['recontact', null],
  ]);
});

describe('reassigning', () => {
  const give = (who: TestUser, ids: number[], to: TestUser, notes?: string) =>
    t.request(who, calls.bulkReassign, { body: { ids, newUserId: to.id, notes } });

  test('managers may; history and audit have a row for each lead, and its new holder has not viewed it', async () => {
    const target = await t.user();
    const [one, two] = [await t.lead(holder, { viewed: true }), await t.lead(other, { viewed: true })];
    const response = await give(manager, [two.id, one.id], target, ' new area ');
    expect(response.body.results).toEqual({ success: 2, failed: 0, errors: [] });
    expect((await rows([one.id, two.id])).map(({ userId, viewed }) => [userId, viewed])).toEqual([
      [target.id, false],
      [target.id, false],
    ]);
    const history = await t.db
      .select()
      .from(assignmentHistory)
      .where(eq(assignmentHistory.newUserId, target.id))
      .orderBy(assignmentHistory.userBusinessId);
    const written = { newUserId: target.id, changedBy: manager.id, notes: 'new area', initial: false };
    expect(history).toMatchObject([
      { ...written, userBusinessId: one.id, previousUserId: holder.id },
      { ...written, userBusinessId: two.id, previousUserId: other.id },
    ]);
    expect(await auditOf('lead_reassigned', [one.id, two.id])).toMatchObject([
      { actorId: manager.id, subjectType: 'lead', details: { newUserId: target.id, previousUserId: holder.id } },
      { actorId: manager.id, subjectType: 'lead', details: { newUserId: target.id, previousUserId: other.id } },
    ]);
  });

  test('own, foreign, missing and repeated ids, and a business that the target has: each is counted once', async () => {
    const target = await t.user();
    const [mine, theirs, held] = [await t.lead(holder), await t.lead(other), await t.lead(holder)];
    await t.db.insert(leads).values({ userId: target.id, businessId: held.businessId });
    const ids = [held.id, mine.id, theirs.id, MISSING, mine.id, held.id];

    const { status, body } = await give(holder, ids, target);

    expect(status).toBe(200);
    expect(body.results).toMatchObject({ success: 1, failed: 3 });
    expect(body.results.errors.toSorted((a, b) => a.id - b.id)).toEqual([
      { id: theirs.id, message: 'This business is assigned to another user' },
      { id: held.id, message: 'Business is already assigned to this user' },
      { id: MISSING, message: 'This business is no longer in the list' },
    ]);
    const wanted = [mine.id, theirs.id, held.id];
    expect((await rows(wanted)).map(({ userId }) => userId)).toEqual([target.id, other.id, holder.id]);
    const written = await t.db
      .select({ lead: assignmentHistory.userBusinessId })
      .from(assignmentHistory)
      .where(inArray(assignmentHistory.userBusinessId, wanted));
    expect(written).toEqual([{ lead: mine.id }]);
    expect(await auditOf('lead_reassigned', wanted)).toHaveLength(1);
    expect(await noticesTo(target)).toHaveLength(1);
  });

  test('of two leads on one business the first goes to the target, and the other stays where it is', async () => {
    const target = await t.user();
    const first = await t.lead(holder);
    const [second] = await t.db.insert(leads).values({ userId: other.id, businessId: first.businessId }).returning();
    const [own] = await t.db
      .insert(leads)
      .values({ userId: target.id, businessId: (await t.lead(admin)).businessId })
      .returning();
    const ids = [second?.id ?? 0, own?.id ?? 0, first.id];

    const { body } = await give(manager, ids, target);

    const message = 'Business is already assigned to this user';
    expect(body.results).toMatchObject({ success: 1, failed: 2 });
    expect(body.results.errors.toSorted((a, b) => a.id - b.id)).toEqual([
      { id: second?.id, message },
      { id: own?.id, message },
    ]);
    expect((await rows(ids)).map(({ userId }) => userId)).toEqual([target.id, other.id, target.id]);
    expect(await t.db.$count(assignmentHistory, inArray(assignmentHistory.userBusinessId, ids))).toBe(1);
  });

  test('all of them the target has already: none succeeds, and nothing is written', async () => {
    const target = await t.user();
    const held = await t.lead(target);
    const { status, body } = await give(admin, [held.id], target);
    expect(status).toBe(200);
    expect(body.results).toMatchObject({ success: 0, failed: 1 });
    expect((await rows([held.id]))[0]).toMatchObject({ assignedAt: held.assignedAt, updatedAt: held.updatedAt });
    expect(await noticesTo(target)).toEqual([]);
  });

  test('one notice to each person, whatever the number; one lead is named in it and linked', async () => {
    const [target, many, single] = [await t.user(), await t.user(), await t.user()];
    const [one, two, three] = [await t.lead(many), await t.lead(many), await t.lead(single)];

    await give(admin, [one.id, two.id, three.id], target);

    expect(await noticesTo(target)).toMatchObject([
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
    expect(await noticesTo(many)).toMatchObject([
      {
        type: 'lead_reassigned_from',
        title: '2 businesses reassigned',
        message: 'Test admin reassigned 2 businesses to another user.',
        relatedUserBusinessId: null,
      },
    ]);
    expect(await noticesTo(single)).toMatchObject([
      {
        title: 'Business reassigned',
        message: 'Test admin reassigned Blue Door Bakery to another user.',
        relatedBusinessId: three.businessId,
        relatedUserBusinessId: three.id,
      },
    ]);

    await give(target, [one.id], many);
    expect((await noticesTo(many))[0]).toMatchObject({
      title: 'Business reassigned to you',
      message: 'Test user assigned Blue Door Bakery to you.',
      relatedUserBusinessId: one.id,
      relatedUuid: one.uuid,
    });
    expect(await noticesTo(target)).toHaveLength(1);
  });

  test('leads on the same businesses, given to one user in both orders at once, wait instead of colliding', async () => {
    const [database, target] = [await testDatabase(), await t.user()];
    const mine = await leadsOf(holder, 20);
    const theirs = await t.db
      .insert(leads)
      .values(mine.toReversed().map(({ businessId }) => ({ userId: other.id, businessId })))
      .returning();
    const before = database.retries();
    const responses = await Promise.all(
      [mine, theirs].map((set) =>
        give(
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

  test('a business that is assigned to the target meanwhile is refused, and the others are done', async () => {
    const target = await t.user();
    const some = await leadsOf(holder, 10);
    const ids = some.map(({ id }) => id);
    const [moved, ...assigned] = await Promise.all([
      give(manager, ids, target),
      ...some.map(({ businessId }) => t.request(admin, assignBusiness, { body: { userId: target.id, businessId } })),
    ]);
    expect(moved?.status).toBe(200);
    const created = assigned.filter(({ status }) => status === 201).length;
    expect(assigned.filter(({ status }) => status === 409)).toHaveLength(10 - created);
    expect(moved && 'results' in moved.body && moved.body.results.success).toBe(10 - created);
    expect(await t.db.$count(leads, eq(leads.userId, target.id))).toBe(10);
  });
});

test.each([
  ['archive', calls.bulkArchive, {}],
  ['restore', calls.bulkRestore, {}],
  ['status', calls.bulkUpdateStatus, { status: 'closed_won' }],
  ['reassign', calls.bulkReassign, {}],
  ['delete', calls.bulkDelete, {}],
] as const)('%s: twenty leads take as many statements as two', async (_name, call, more) => {
  const target = await t.user();
  const count = async (size: number) => {
    const many = await Promise.all(
      Array.from({ length: size }, () => t.lead(holder, { archived: call === calls.bulkRestore })),
    );
    const body = { ids: many.map(({ id }) => id), newUserId: target.id, ...more } as never;
    const query = vi.spyOn(pg.Client.prototype, 'query');
    const { body: response } = await t.request(admin, call, { body });
    const texts = query.mock.calls.map(([config]) => textOf(config)).filter((text) => text !== 'select 1');
    query.mockRestore();
    expect(response.results.success).toBe(size);
    return texts.length;
  };
  const [two, twenty] = [await count(2), await count(20)];
  expect(twenty).toBe(two);
  expect(two).toBeLessThanOrEqual(12);
});

const textOf = (config: unknown) => (typeof config === 'string' ? config : (config as { text?: string }).text);

test('reassigning to nobody refuses the whole call', async () => {
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

test('repeated with its key it is done once, and leaves one audit row', async () => {
  const [one, target] = [await t.lead(holder), await t.user()];
  const ask = () =>
    t.request(
      holder,
      calls.bulkReassign,
      { body: { ids: [one.id], newUserId: target.id } },
      { headers: { 'idempotency-key': one.uuid } },
    );
  const responses = await Promise.all(Array.from({ length: 20 }, ask));
  expect(new Set(responses.map(({ status, body }) => `${status} ${JSON.stringify(body)}`)).size).toBe(1);
  expect(responses[0]).toMatchObject({ status: 200, body: { results: { success: 1 } } });
  expect(await t.db.$count(assignmentHistory, eq(assignmentHistory.userBusinessId, one.id))).toBe(1);
});

test('two bulk changes of the same leads do not collide', async () => {
  const ids = (await leadsOf(holder, 10)).map(({ id }) => id);
  const reversed = ids.toReversed();
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      t.request(holder, i % 2 ? calls.bulkArchive : calls.bulkRestore, { body: { ids: i % 3 ? ids : reversed } }),
    ),
  );
  expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(200));
  const events = and(eq(auditEvents.event, 'bulk_action'), eq(auditEvents.actorId, holder.id));
  expect(await t.db.$count(auditEvents, events)).toBeGreaterThanOrEqual(20);
});
