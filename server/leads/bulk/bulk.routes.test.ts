import { and, eq, inArray } from 'drizzle-orm';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import * as calls from '#contract/leads/lead-lists.calls.ts';
import { auditEvents } from '#server/schema/audit.ts';
import { contactCredits, leads } from '#server/schema/leads.ts';
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

test('permitted leads are changed, and each other lead gets its error', async () => {
  const [mine, theirs] = [await t.lead(holder), await t.lead(other)];
  const ids = [mine.id, theirs.id, MISSING, mine.id];
  const response = await t.request(holder, calls.bulkArchive, { body: { ids } });
  expect(response).toMatchObject({ status: 200, body: { results: { success: 1, failed: 2 } } });
  expect(response.body.results.errors).toEqual([
    { id: theirs.id, message: 'This business is assigned to another user' },
    { id: MISSING, message: 'This business is no longer in the list' },
  ]);
  expect((await findLeads([mine.id, theirs.id])).map(({ archived }) => archived)).toEqual([true, false]);
  expect((await t.request(holder, calls.bulkRestore, { body: { ids: [mine.id] } })).body.results.success).toBe(1);
});

test('403 when all are refused, 404 when none exists', async () => {
  const theirs = await t.lead(other);
  for (const viewer of [holder, manager]) {
    expect(await t.request(viewer, calls.bulkDelete, { body: { ids: [theirs.id] } })).toMatchObject({
      status: 403,
      body: { code: 'not_your_lead' },
    });
  }
  expect(await t.request(admin, calls.bulkDelete, { body: { ids: [MISSING] } })).toMatchObject({
    status: 404,
    body: { code: 'not_found' },
  });
  expect(await findLeads([theirs.id])).toHaveLength(1);
});

test.each([[[]], [Array.from({ length: 501 }, (_, i) => i + 1)], [['1']], [[1.5]], [[0]], ['1'], [undefined]])(
  'ids %j are refused',
  async (ids) => {
    expect((await t.request(holder, calls.bulkArchive, { body: { ids } as never })).status).toBe(400);
  },
);

test('leads can be deleted', async () => {
  const [one, two] = [await t.lead(holder), await t.lead(holder)];
  const { body } = await t.request(holder, calls.bulkDelete, { body: { ids: [one.id, two.id] } });
  expect(body.results).toEqual({ success: 2, failed: 0, errors: [] });
  expect(await findLeads([one.id, two.id])).toEqual([]);
  const deleted = and(eq(auditEvents.event, 'lead_deleted'), inArray(auditEvents.subjectId, [one.id, two.id]));
  expect(await t.db.$count(auditEvents, deleted)).toBe(2);
});

test('a bulk status earns each lead its credit; an invalid status refuses the whole call', async () => {
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
  expect((await findLeads(ids)).map(({ status }) => status)).toEqual(['negotiation', 'negotiation']);
});

test('a bulk status respects the state of each lead: credited, existing customer, unchanged', async () => {
  const earlier = '2026-01-05T10:00:00.000Z';
  const [fresh, credited, customer, unchanged] = [
    await t.lead(holder),
    await t.lead(holder, { creditedAt: earlier, lastContactedAt: earlier }),
    await t.lead(holder, { existingCustomer: true }),
    await t.lead(holder, { status: 'recontact' }),
  ];
  await t.db.insert(contactCredits).values({ leadId: credited.id, userId: other.id, creditedAt: earlier });
  const ids = [unchanged.id, customer.id, credited.id, fresh.id];

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
  const [, , , untouched] = await findLeads(ids);
  expect(untouched?.updatedAt).toBe(unchanged.updatedAt);
  expect((await findLeads(ids)).map(({ status, lastContactedAt }) => [status, lastContactedAt])).toEqual([
    ['recontact', NOW],
    ['recontact', earlier],
    ['recontact', NOW],
    ['recontact', null],
  ]);
});

test.each([
  ['archive', calls.bulkArchive, {}],
  ['restore', calls.bulkRestore, {}],
  ['status', calls.bulkUpdateStatus, { status: 'closed_won' }],
  ['reassign', calls.bulkReassign, {}],
  ['delete', calls.bulkDelete, {}],
] as const)('%s: twenty leads need as many statements as two', async (_name, call, extraBody) => {
  const target = await t.user();
  const count = async (size: number) => {
    const many = await Promise.all(
      Array.from({ length: size }, () => t.lead(holder, { archived: call === calls.bulkRestore })),
    );
    const body = { ids: many.map(({ id }) => id), newUserId: target.id, ...extraBody } as never;
    const query = vi.spyOn(pg.Client.prototype, 'query');
    const { body: response } = await t.request(admin, call, { body });
    const texts = query.mock.calls.map(([config]) => readText(config)).filter((text) => text !== 'select 1');
    query.mockRestore();
    expect(response.results.success).toBe(size);
    return texts.length;
  };
  const [two, twenty] = [await count(2), await count(20)];
  expect(twenty).toBe(two);
  expect(two).toBeLessThanOrEqual(12);
});

const readText = (config: unknown) => (typeof config === 'string' ? config : (config as { text?: string }).text);

test('concurrent bulk changes of the same leads do not deadlock', async () => {
  const ids = (await createLeads(holder, 10)).map(({ id }) => id);
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
