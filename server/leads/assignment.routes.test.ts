import { randomUUID } from 'node:crypto';
import { desc, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BATCH_HEADER, undoChanges } from '#contract/changes/changes.calls.ts';
import * as calls from '#contract/leads/leads.calls.ts';
import { lockBatch } from '#server/change-log/batches.sql.ts';
import { changeBatches } from '#server/schema/changes.ts';
import { assignmentHistory, businesses, contactCredits, leads } from '#server/schema/leads.ts';
import { notifications } from '#server/schema/notifications.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

let t: TestApp;
let holder: TestUser;
let admin: TestUser;
beforeAll(async () => {
  t = await testApp();
  [holder, admin] = [await t.user('user'), await t.user('admin')];
});
afterAll(() => t.close());

const withId = ({ id }: { id: number }) => ({ params: { id } });
const findCredit = async (leadId: number) =>
  (await t.db.select().from(contactCredits).where(eq(contactCredits.leadId, leadId)))[0];
const findNotices = (userId: number) =>
  t.db.select().from(notifications).where(eq(notifications.userId, userId)).orderBy(desc(notifications.id));

describe('reassigning', () => {
  const reassign = (lead: { id: number }, to: { id: number }, viewer = admin, notes?: string) =>
    t.request(viewer, calls.reassignLead.byId, { ...withId(lead), body: { newUserId: to.id, notes } });

  test('moves the lead, writes history and notifies both users', async () => {
    const [from, to] = [await t.user(), await t.user()];
    const lead = await t.lead(from, { viewed: true });
    expect((await reassign(lead, to, admin, ' on holiday ')).body).toMatchObject({ userId: to.id, viewed: false });
    const { body: history } = await t.request(to, calls.getAssignmentHistory.byId, withId(lead));
    expect(history).toMatchObject([
      {
        history: { notes: 'on holiday' },
        previousUser: { username: from.username },
        newUser: { username: to.username },
        changedBy: { username: admin.username },
      },
    ]);
    expect(await findNotices(to.id)).toMatchObject([
      { type: 'lead_reassigned_to', relatedUserBusinessId: lead.id, read: false },
    ]);
    expect(await findNotices(from.id)).toMatchObject([{ type: 'lead_reassigned_from', sourceUserId: admin.id }]);
    expect((await t.request(from, calls.getLead.byId, withId(lead))).status).toBe(403);
  });

  test('to the same holder, or to one who already has the business, is refused and changes nothing', async () => {
    const [from, to] = [await t.user(), await t.user()];
    const lead = await t.lead(from);
    await t.db.insert(leads).values({ userId: to.id, businessId: lead.businessId });
    for (const target of [from, to]) {
      expect(await reassign(lead, target)).toMatchObject({ status: 409, body: { code: 'already_assigned' } });
    }
    expect(await t.db.$count(assignmentHistory, eq(assignmentHistory.userBusinessId, lead.id))).toBe(0);
    expect(await findNotices(from.id)).toEqual([]);
  });

  test('the notes may have several lines, or be null', async () => {
    const lead = await t.lead(holder);
    expect((await reassign(lead, admin, admin, 'on holiday\nback in May')).status).toBe(200);
    const back = { ...withId(lead), body: { newUserId: holder.id, notes: null } };
    expect((await t.request(admin, calls.reassignLead.byId, back)).status).toBe(200);
  });

  test('to an unknown or inactive user is refused', async () => {
    const lead = await t.lead(holder);
    const inactive = await t.user('user', { active: false });
    for (const id of [inactive.id, 2_147_483_647]) {
      expect(await reassign(lead, { id })).toMatchObject({ status: 400, body: { code: 'invalid_target' } });
    }
  });

  test('twenty concurrent reassignments make a consistent history', async () => {
    const users = await Promise.all(Array.from({ length: 20 }, () => t.user()));
    const lead = await t.lead(holder);
    const responses = await Promise.all(users.map((user) => reassign(lead, user)));
    expect(responses.every(({ status }) => status === 200)).toBe(true);
    const rows = await t.db
      .select({ from: assignmentHistory.previousUserId, to: assignmentHistory.newUserId })
      .from(assignmentHistory)
      .where(eq(assignmentHistory.userBusinessId, lead.id))
      .orderBy(assignmentHistory.id);
    expect(rows).toHaveLength(20);
    let current: number | null = holder.id;
    for (const row of rows) {
      expect(row.from).toBe(current);
      current = row.to;
    }
  });

  test('a holder who repeats a reassignment with its idempotency key gets the first response, not a refusal', async () => {
    const to = await t.user();
    const lead = await t.lead(holder);
    const repeat = () =>
      t.request(
        holder,
        calls.reassignLead.byId,
        { ...withId(lead), body: { newUserId: to.id } },
        { headers: { 'idempotency-key': lead.uuid } },
      );
    const first = await repeat();
    expect(first.status).toBe(200);
    expect((await repeat()).body).toEqual(first.body);
    expect(
      (await t.request(holder, calls.reassignLead.byId, { ...withId(lead), body: { newUserId: to.id } })).status,
    ).toBe(403);
  });
});

describe('assigning', () => {
  const assign = (body: object, viewer = admin, headers = {}) =>
    t.request(viewer, calls.assignBusiness, { body: body as never }, { headers });
  const newBusiness = async () => {
    const values = { placeId: `p-${Math.random()}`, name: 'Corner Café' };
    return (await t.db.insert(businesses).values(values).returning())[0]?.id ?? 0;
  };

  test('nothing is added to a batch that was undone', async () => {
    const [first, second] = [await newBusiness(), await newBusiness()];
    const toHolder = { userId: holder.id, batch: randomUUID() };
    const { headers } = await assign({ ...toHolder, businessId: first });
    const batchId = String(headers[BATCH_HEADER]);
    expect((await t.request(admin, undoChanges, { params: { batchId } })).status).toBe(200);
    expect(await assign({ ...toHolder, businessId: second })).toMatchObject({
      status: 409,
      body: { code: 'batch_undone' },
    });
    expect(await t.db.$count(leads, eq(leads.businessId, second))).toBe(0);
  });

  test('a batch that is being undone is not added to, either', async () => {
    const [first, second] = [await newBusiness(), await newBusiness()];
    const toHolder = { userId: holder.id, batch: randomUUID() };
    const batchId = String((await assign({ ...toHolder, businessId: first })).headers[BATCH_HEADER]);
    let adding: ReturnType<typeof assign> | undefined;
    await t.db.transaction(async (tx) => {
      await lockBatch(tx, batchId);
      adding = assign({ ...toHolder, businessId: second });
      await expect
        .poll(async () => (await tx.execute(sql`select from pg_locks where not granted`)).rows.length)
        .toBeGreaterThan(0);
      await tx.insert(changeBatches).values({ id: randomUUID(), kind: 'undo', source: 'api', undoes: batchId });
    });
    expect(await adding).toMatchObject({ status: 409, body: { code: 'batch_undone' } });
  });

  test('a new lead has the defaults, and the creator is the viewer regardless of the body', async () => {
    const user = await t.user();
    const businessId = await newBusiness();
    const response = await assign({ userId: user.id, businessId, uuid: 'nonsense', createdBy: 1, status: 'new' });
    expect(response).toMatchObject({
      status: 201,
      body: {
        userId: user.id,
        businessId,
        status: 'new',
        viewed: false,
        archived: false,
        tags: [],
        notes: '',
        customFields: {},
      },
    });
    const { body: history } = await t.request(user, calls.getAssignmentHistory.byId, withId(response.body));
    expect(history).toMatchObject([{ newUser: { username: user.username }, changedBy: { username: admin.username } }]);
    expect(history[0]).not.toHaveProperty('previousUser');
    expect(await findNotices(user.id)).toMatchObject([{ type: 'lead_assigned', title: 'New business assigned' }]);
    expect(await findCredit(response.body.id)).toBeUndefined();
  });

  test('a valid, unused uuid is kept; a used one is replaced', async () => {
    const [one, two] = [await t.user(), await t.user()];
    const uuid = crypto.randomUUID();
    const businessId = await newBusiness();
    expect((await assign({ userId: one.id, businessId, uuid })).body.uuid).toBe(uuid);
    const second = await assign({ userId: two.id, businessId, uuid });
    expect(second.status).toBe(201);
    expect(second.body.uuid).not.toBe(uuid);
  });

  test('of twenty concurrent requests with one uuid, one gets it', async () => {
    const user = await t.user();
    const uuid = crypto.randomUUID();
    const ids = await Promise.all(Array.from({ length: 20 }, newBusiness));
    const responses = await Promise.all(ids.map((businessId) => assign({ userId: user.id, businessId, uuid })));
    expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(201));
    expect(responses.filter(({ body }) => body.uuid === uuid)).toHaveLength(1);
  });

  test('of twenty concurrent assignments one succeeds; the others are refused as already assigned', async () => {
    const user = await t.user();
    const businessId = await newBusiness();
    const responses = await Promise.all(Array.from({ length: 20 }, () => assign({ userId: user.id, businessId })));
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const refused of responses.filter(({ status }) => status !== 201)) {
      expect(refused).toMatchObject({
        status: 409,
        body: { code: 'already_assigned', message: 'Business is already assigned to this user' },
      });
    }
    expect(await findNotices(user.id)).toHaveLength(1);
  });

  test('invalid targets, businesses and fields are refused', async () => {
    const inactive = await t.user('user', { active: false });
    const businessId = await newBusiness();
    expect(await assign({ userId: inactive.id, businessId })).toMatchObject({
      status: 400,
      body: { code: 'invalid_target' },
    });
    expect(await assign({ userId: holder.id, businessId: 2_147_483_647 })).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    });
    expect(await assign({ userId: String(holder.id), businessId })).toMatchObject({ status: 400 });
    expect(await assign({ userId: holder.id, businessId, tags: ['imported'] })).toMatchObject({
      status: 400,
      body: { code: 'reserved_tag' },
    });
    expect(await t.db.$count(leads, eq(leads.businessId, businessId))).toBe(0);
  });
});

test('the users for reassignment are the active users, with the fields of a picker only', async () => {
  const inactive = await t.user('user', { active: false });
  const { body } = await t.request(holder, calls.listUsersForReassignment);
  expect(body.find(({ id }) => id === admin.id)).toEqual({
    id: admin.id,
    fullName: 'Test admin',
    username: admin.username,
    role: 'admin',
  });
  expect(body.some(({ id }) => id === inactive.id)).toBe(false);
});
