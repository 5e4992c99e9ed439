import { and, eq, inArray } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as calls from '#contract/leads/lead-lists.calls.ts';
import { assignmentHistory, auditEvents, contactCredits, leads, notifications } from '#server/kit/db/schema.ts';
import { type Person, type TestApp, testApp } from '#server/testing.ts';

const NOW = '2026-03-10T09:00:00.000Z';
let t: TestApp;
let holder: Person;
let other: Person;
let manager: Person;
let admin: Person;
beforeAll(async () => {
  t = await testApp({ now: NOW });
  [holder, other, manager, admin] = [
    await t.person(),
    await t.person(),
    await t.person('manager'),
    await t.person('admin'),
  ];
});
afterAll(() => t.close());

const MISSING = 2_147_483_647;
const rows = (ids: number[]) => t.db.select().from(leads).where(inArray(leads.id, ids)).orderBy(leads.id);

test('the permitted ones are done and the rest counted, each with its reason', async () => {
  const [mine, theirs] = [await t.lead(holder), await t.lead(other)];
  const ids = [mine.id, theirs.id, MISSING, mine.id];
  const answer = await t.ask(holder, calls.bulkArchive, { body: { ids } });
  expect(answer).toMatchObject({ status: 200, body: { results: { success: 1, failed: 2 } } });
  expect(answer.body.results.errors).toEqual([
    { id: theirs.id, message: 'This business is assigned to another user' },
    { id: MISSING, message: 'This business is no longer in the list' },
  ]);
  expect((await rows([mine.id, theirs.id])).map(({ archived }) => archived)).toEqual([true, false]);
  expect((await t.ask(holder, calls.bulkRestore, { body: { ids: [mine.id] } })).body.results.success).toBe(1);
});

test('all refused is 403, none there is 404', async () => {
  const theirs = await t.lead(other);
  for (const who of [holder, manager]) {
    expect(await t.ask(who, calls.bulkDelete, { body: { ids: [theirs.id] } })).toMatchObject({
      status: 403,
      body: { code: 'not_your_lead' },
    });
  }
  expect(await t.ask(admin, calls.bulkDelete, { body: { ids: [MISSING] } })).toMatchObject({
    status: 404,
    body: { code: 'not_found' },
  });
  expect(await rows([theirs.id])).toHaveLength(1);
});

test.each([[[]], [Array.from({ length: 501 }, (_, i) => i + 1)], [['1']], [[1.5]], [[0]], ['1'], [undefined]])(
  'ids %j are refused',
  async (ids) => {
    expect((await t.ask(holder, calls.bulkArchive, { body: { ids } as never })).status).toBe(400);
  },
);

test('deleting', async () => {
  const [one, two] = [await t.lead(holder), await t.lead(holder)];
  const { body } = await t.ask(holder, calls.bulkDelete, { body: { ids: [one.id, two.id] } });
  expect(body.results).toEqual({ success: 2, failed: 0, errors: [] });
  expect(await rows([one.id, two.id])).toEqual([]);
  const deleted = and(eq(auditEvents.event, 'lead_deleted'), inArray(auditEvents.subjectId, [one.id, two.id]));
  expect(await t.db.$count(auditEvents, deleted)).toBe(2);
});

test('a status for many earns each its credit; a bad status refuses the whole call', async () => {
  const [one, two] = [await t.lead(holder), await t.lead(holder, { status: 'in_progress' })];
  const ids = [one.id, two.id];
  expect((await t.ask(holder, calls.bulkUpdateStatus, { body: { ids, status: 'nonsense' } as never })).status).toBe(
    400,
  );
  expect(
    (await t.ask(holder, calls.bulkUpdateStatus, { body: { ids, status: 'recontact' } })).body.results.success,
  ).toBe(2);
  expect(await t.db.$count(contactCredits, inArray(contactCredits.leadId, ids))).toBe(2);
  expect(
    (await t.ask(holder, calls.bulkUpdateStatus, { body: { ids, status: 'negotiation' } })).body.results.success,
  ).toBe(2);
  expect((await rows(ids)).map(({ status }) => status)).toEqual(['negotiation', 'negotiation']);
});

test('reassigning: managers may, a business that the target has is left, history and notices are written', async () => {
  const target = await t.person();
  const [one, two, held] = [await t.lead(holder), await t.lead(other), await t.lead(holder)];
  await t.db.insert(leads).values({ userId: target.id, businessId: held.businessId });
  const body = { ids: [one.id, two.id, held.id], newUserId: target.id, notes: ' new area ' };
  const answer = await t.ask(manager, calls.bulkReassign, { body });
  expect(answer.body.results).toEqual({
    success: 2,
    failed: 1,
    errors: [{ id: held.id, message: 'Business is already assigned to this user' }],
  });
  expect((await rows([one.id, two.id, held.id])).map(({ userId }) => userId)).toEqual([
    target.id,
    target.id,
    holder.id,
  ]);
  const history = await t.db.select().from(assignmentHistory).where(eq(assignmentHistory.newUserId, target.id));
  expect(history.map(({ notes }) => notes)).toEqual(['new area', 'new area']);
  expect(await t.db.$count(notifications, eq(notifications.userId, target.id))).toBe(2);
});

test('reassigning to nobody refuses the whole call', async () => {
  const lead = await t.lead(holder);
  const inactive = await t.person('user', { active: false });
  for (const newUserId of [inactive.id, MISSING]) {
    const answer = await t.ask(holder, calls.bulkReassign, { body: { ids: [lead.id], newUserId } });
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_target' } });
  }
  expect(
    (await t.ask(holder, calls.bulkReassign, { body: { ids: [lead.id], newUserId: String(holder.id) } as never }))
      .status,
  ).toBe(400);
});

test('repeated with its key it is done once, and leaves one audit row', async () => {
  const [one, target] = [await t.lead(holder), await t.person()];
  const ask = () =>
    t.ask(
      holder,
      calls.bulkReassign,
      { body: { ids: [one.id], newUserId: target.id } },
      { headers: { 'idempotency-key': one.uuid } },
    );
  const answers = await Promise.all(Array.from({ length: 20 }, ask));
  expect(new Set(answers.map(({ status, body }) => `${status} ${JSON.stringify(body)}`)).size).toBe(1);
  expect(answers[0]).toMatchObject({ status: 200, body: { results: { success: 1 } } });
  expect(await t.db.$count(assignmentHistory, eq(assignmentHistory.userBusinessId, one.id))).toBe(1);
});

test('two bulk changes of the same leads do not collide', async () => {
  const many = await Promise.all(Array.from({ length: 10 }, () => t.lead(holder)));
  const ids = many.map(({ id }) => id);
  const reversed = ids.toReversed();
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      t.ask(holder, i % 2 ? calls.bulkArchive : calls.bulkRestore, { body: { ids: i % 3 ? ids : reversed } }),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
  const events = and(eq(auditEvents.event, 'bulk_action'), eq(auditEvents.actorId, holder.id));
  expect(await t.db.$count(auditEvents, events)).toBeGreaterThanOrEqual(20);
});
