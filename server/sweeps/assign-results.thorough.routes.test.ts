import { randomUUID } from 'node:crypto';
import { eq, inArray, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { BATCH_HEADER, getChangeBatch, undoChanges } from '#contract/changes/changes.calls.ts';
import { dismissDuplicates } from '#contract/duplicates/duplicates.calls.ts';
import { getJob } from '#contract/jobs/jobs.calls.ts';
import { getShares } from '#contract/leads/bulk/bulk.calls.ts';
import { listLeads } from '#contract/leads/lead-lists.calls.ts';
import { assignBusiness } from '#contract/leads/leads.calls.ts';
import { listNotifications } from '#contract/notifications/notifications.calls.ts';
import type { SweepAssignment } from '#contract/sweeps/sweep.ts';
import * as calls from '#contract/sweeps/sweeps.calls.ts';
import { assignmentHistory, businesses, leads } from '#server/schema/leads.ts';
import { sweepDistricts, sweepResults, sweeps } from '#server/schema/sweeps.ts';
import { territoryDistricts } from '#server/schema/territories.ts';
import { withId } from '#server/testing/sweeps.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

let t: TestApp;
let admin: TestUser;
beforeAll(async () => {
  t = await testApp();
  admin = await t.user('admin');
});
afterAll(() => t.close());

/** A sweep that is done, with as many new results. */
async function createSweep(count: number, district = 'LS1') {
  const id = randomUUID();
  await t.db
    .insert(sweeps)
    .values({ id, businessType: 'Bakery', places: [district], provider: 'local', state: 'done' });
  await t.db.insert(sweepDistricts).values({ sweepId: id, district, position: 0, state: 'done' });
  const rows = Array.from({ length: count }, (_, nth) => ({ placeId: `${id} ${nth}`, name: `Bakery ${nth}` }));
  const found = await t.db.insert(businesses).values(rows).returning({ id: businesses.id });
  const businessIds = found.map((business) => business.id);
  await t.db.insert(sweepResults).values(businessIds.map((businessId) => ({ sweepId: id, businessId, district })));
  return { id, businessIds };
}

const to = (user: TestUser): SweepAssignment => ({ to: 'user', userId: user.id });

interface Options {
  batch?: string;
  businessIds?: number[];
  as?: TestUser;
}

const assign = (id: string, assignment: SweepAssignment, { batch = randomUUID(), businessIds, as }: Options = {}) =>
  t.request(as ?? admin, calls.assignSweepResults, {
    ...withId(id),
    body: { batch, assignment, ...(businessIds && { businessIds }) },
  });

/** Repeats the request until nothing is left, as the web does. */
async function assignAll(id: string, assignment: SweepAssignment, options: Options = {}) {
  const batch = randomUUID();
  for (;;) {
    const response = await assign(id, assignment, { batch, ...options });
    expect(response.status).toBe(200);
    if (response.body.left === 0) return response;
  }
}

const findLeads = (businessIds: number[]) => t.db.select().from(leads).where(inArray(leads.businessId, businessIds));
const countByUser = (found: { userId: number }[]) => {
  const counts = new Map<number, number>();
  for (const { userId } of found) counts.set(userId, (counts.get(userId) ?? 0) + 1);
  return counts;
};
const readCounts = async (id: string) => (await t.request(admin, calls.listSweepResults, withId(id))).body.counts;
const listMessages = async (user: TestUser) =>
  (await t.request(user, listNotifications)).body.items.map(({ message }) => message);

test('all results become leads of one user, as one batch with one notification, and can be undone', async () => {
  const holder = await t.user();
  const { id, businessIds } = await createSweep(3);
  const { status, body, headers } = await assign(id, to(holder));
  expect([status, body]).toEqual([200, { assigned: 3, left: 0 }]);
  const found = await findLeads(businessIds);
  expect(found).toHaveLength(3);
  const common = { status: 'new', viewed: false, archived: false, source: { kind: 'sweep' } };
  expect(found[0]).toMatchObject({ userId: holder.id, ...common });
  expect(await listMessages(holder)).toEqual(['Test admin assigned 3 businesses to you.']);
  const history = await t.db
    .select()
    .from(assignmentHistory)
    .where(
      inArray(
        assignmentHistory.userBusinessId,
        found.map((lead) => lead.id),
      ),
    );
  expect(history.map(({ initial, changedBy }) => [initial, changedBy])).toEqual(Array(3).fill([true, admin.id]));

  const results = await t.request(admin, calls.listSweepResults, withId(id));
  expect(results.body).toMatchObject({ counts: { new: 0, assigned: 3 }, batchId: headers[BATCH_HEADER] });
  const listed = await t.request(admin, listLeads, { query: { changes: String(headers[BATCH_HEADER]) } });
  expect(listed.body.total).toBe(3);

  const batchId = String(headers[BATCH_HEADER]);
  const undone = await t.request(admin, undoChanges, { params: { batchId } });
  expect(undone.body).toMatchObject({ deleted: 3 });
  expect(await findLeads(businessIds)).toEqual([]);
  expect(await listMessages(holder)).toEqual([]);
  expect(await readCounts(id)).toMatchObject({ new: 3, assigned: 0 });
  expect((await assign(id, to(holder))).body).toEqual({ assigned: 3, left: 0 });
});

test('only chosen results are assigned, and only those of the sweep', async () => {
  const holder = await t.user();
  const { id, businessIds } = await createSweep(3);
  const other = await createSweep(1);
  const [first = 0] = businessIds;
  const { body } = await assign(id, to(holder), { businessIds: [first, ...other.businessIds] });
  expect(body).toEqual({ assigned: 1, left: 0 });
  expect((await findLeads([...businessIds, ...other.businessIds])).map(({ businessId }) => businessId)).toEqual([
    first,
  ]);
});

test('what is a lead, closed or outside is not assigned', async () => {
  const [holder, other] = [await t.user(), await t.user()];
  const { id, businessIds } = await createSweep(4);
  const [taken = 0, closed = 0, outside = 0, free] = businessIds;
  await t.db.insert(leads).values({ userId: other.id, businessId: taken, archived: true });
  await t.db.update(sweepResults).set({ leftOut: 'closed' }).where(eq(sweepResults.businessId, closed));
  await t.db.update(sweepResults).set({ leftOut: 'outside' }).where(eq(sweepResults.businessId, outside));
  expect((await assign(id, to(holder), { businessIds })).body).toEqual({ assigned: 1, left: 0 });
  expect((await findLeads(businessIds)).filter(({ userId }) => userId === holder.id)).toMatchObject([
    { businessId: free },
  ]);
});

describe('a result that looks like a lead', () => {
  const bakery = {
    name: 'Symbister Bread House',
    phone: '01806 566000',
    formattedAddress: '1 Main Street, Symbister ZE2 9AA',
  };
  const readResults = async (id: string) => (await t.request(admin, calls.listSweepResults, withId(id))).body;

  /** A sweep with three results, of which the first is a business that was imported and is a lead. */
  async function createSimilar() {
    const sweep = await createSweep(3);
    const [alike = 0] = sweep.businessIds;
    const lead = await t.lead(await t.user(), {}, { ...bakery, name: 'Symbister Bread House Ltd', imported: true });
    await t.db
      .update(businesses)
      .set({ ...bakery, updatedAt: new Date().toISOString() })
      .where(eq(businesses.id, alike));
    return { ...sweep, alike, lead };
  }
  afterEach(async () => void (await t.db.delete(businesses).where(eq(businesses.phone, bakery.phone))));

  test('is not assigned, and shown with the lead', async () => {
    const { id, businessIds, alike, lead } = await createSimilar();
    expect((await assignAll(id, to(await t.user()))).body.assigned).toBe(2);
    expect(await findLeads([alike])).toEqual([]);
    expect(await findLeads(businessIds)).toHaveLength(2);
    const { items, counts } = await readResults(id);
    expect(counts).toMatchObject({ new: 0, similar: 1, assigned: 2 });
    expect(items.find(({ businessId }) => businessId === alike)).toMatchObject({
      status: 'similar',
      looksLike: { name: 'Symbister Bread House Ltd', leadUuid: lead.uuid },
    });
  });

  test('is found where many businesses changed just before the lead', async () => {
    const { id } = await createSweep(2_500);
    await t.db.delete(sweeps).where(eq(sweeps.id, id));
    const similar = await createSimilar();
    await assignAll(similar.id, to(await t.user()));
    expect(await readCounts(similar.id)).toMatchObject({ new: 0, similar: 1, assigned: 2 });
  });

  test('is new once an administrator marked it as not a duplicate', async () => {
    const { id, alike, lead } = await createSimilar();
    await assignAll(id, to(await t.user()));
    await t.request(admin, dismissDuplicates, { body: { businessIds: [alike, lead.businessId] } });
    expect((await readResults(id)).counts).toMatchObject({ new: 1, similar: 0 });
    expect((await assignAll(id, to(await t.user()))).body.assigned).toBe(1);
    expect(await findLeads([alike])).toHaveLength(1);
  });
});

test('results whose businesses were merged become one lead', async () => {
  const holder = await t.user();
  const { id, businessIds } = await createSweep(2);
  const [kept = 0, merged = 0] = businessIds;
  await t.db.update(businesses).set({ mergedInto: kept }).where(eq(businesses.id, merged));
  expect((await assign(id, to(holder))).body).toEqual({ assigned: 1, left: 0 });
  expect(await findLeads(businessIds)).toMatchObject([{ businessId: kept }]);
  expect(await readCounts(id)).toMatchObject({ new: 0, assigned: 1 });
});

describe('many results', () => {
  const COUNT = 1_203;

  test('are assigned by the server alone in the background, evenly, with one notification', async () => {
    const [one, two] = [await t.user(), await t.user()];
    const { id, businessIds } = await createSweep(1_201);
    const assignment: SweepAssignment = { to: 'several', userIds: [one.id, two.id], by: 'load' };
    const batch = randomUUID();
    const body = { batch, assignment, background: true };
    const started = await t.request(admin, calls.assignSweepResults, { ...withId(id), body });
    expect(started.body).toMatchObject({ assigned: 500, left: 701, job: { state: 'running', total: 701 } });
    await t.app.jobs.run();
    const params = { jobId: started.body.job?.id ?? '' };
    expect((await t.request(admin, getJob, { params })).body).toMatchObject({
      state: 'done',
      done: 701,
      success: 1_201,
    });
    expect([...countByUser(await findLeads(businessIds)).values()].sort()).toEqual([600, 601]);
    for (const user of [one, two]) expect(await listMessages(user)).toHaveLength(1);
  });

  test('are assigned in steps of one batch, with one notification', async () => {
    const holder = await t.user();
    const { id, businessIds } = await createSweep(COUNT);
    const batch = randomUUID();
    const steps = [];
    for (let nth = 0; nth < 3; nth += 1) steps.push((await assign(id, to(holder), { batch })).body);
    expect(steps).toEqual([
      { assigned: 500, left: 703 },
      { assigned: 1_000, left: 203 },
      { assigned: COUNT, left: 0 },
    ]);
    // A repeated request, after a lost response.
    const repeated = await assign(id, to(holder), { batch });
    expect(repeated.body).toEqual({ assigned: COUNT, left: 0 });
    expect(await findLeads(businessIds)).toHaveLength(COUNT);
    expect(await listMessages(holder)).toEqual([`Test admin assigned ${COUNT} businesses to you.`]);
    const { batchId } = (await t.request(admin, calls.listSweepResults, withId(id))).body;
    const shown = await t.request(admin, getChangeBatch, { params: { batchId: batchId ?? '' } });
    expect(shown.body).toMatchObject({ batch: { count: COUNT, kind: 'assign' }, undo: { deleted: COUNT } });
  });

  test.each(['load', 'goal'] as const)('are shared out by %s exactly as the preview says', async (by) => {
    const members = [
      await t.user('user', { monthlyGoal: 10 }),
      await t.user('user', { monthlyGoal: 25 }),
      await t.user('user', { monthlyGoal: 70 }),
    ];
    for (let nth = 0; nth < 7; nth += 1) await t.lead(members[0] as TestUser);
    const { id, businessIds } = await createSweep(COUNT);
    const userIds = members.map((member) => member.id);
    const preview = await t.request(admin, getShares, { query: { users: userIds.join(','), count: COUNT, by } });
    await assignAll(id, { to: 'several', userIds, by });
    const counts = countByUser(await findLeads(businessIds));
    expect(preview.body.map(({ userId, share }) => [userId, share])).toEqual(
      preview.body.map(({ userId }) => [userId, counts.get(userId) ?? 0]),
    );
    expect([...counts.values()].reduce((sum, count) => sum + count)).toBe(COUNT);
  });
});

describe('two at once', () => {
  test('twenty requests of several administrators assign each result once', async () => {
    const admins = [admin, await t.user('admin'), await t.user('admin')];
    const holders = [await t.user(), await t.user()];
    const { id, businessIds } = await createSweep(40);
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, nth) =>
        assign(id, to(holders[nth % 2] as TestUser), { as: admins[nth % 3] as TestUser }),
      ),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(responses.reduce((sum, { body }) => sum + body.assigned, 0)).toBe(40);
    expect(await findLeads(businessIds)).toHaveLength(40);
  });

  test('an assignment from the search and one of the sweep make one lead each', async () => {
    const [holder, other] = [await t.user(), await t.user()];
    const { id, businessIds } = await createSweep(30);
    await Promise.all([
      assign(id, to(holder)),
      ...businessIds.map((businessId) => t.request(admin, assignBusiness, { body: { userId: other.id, businessId } })),
    ]);
    const found = await findLeads(businessIds);
    const swept = found.filter(({ userId }) => userId === holder.id).map(({ businessId }) => businessId);
    const { rows } = await t.db.execute<{ business_id: number }>(sql`
      select later.business_id from user_businesses later join user_businesses earlier
        on earlier.business_id = later.business_id and earlier.id < later.id
      where later.user_id = ${holder.id} and later.business_id = any (${sql.param(swept)}::int[])`);
    expect(rows).toEqual([]); // the search may assign what is a lead already, the sweep may not
  });
});

describe('refused, and nothing is assigned', () => {
  test.each<[string, (user: TestUser) => unknown, string]>([
    ['an inactive user', ({ id }) => ({ to: 'user', userId: id }), 'invalid_target'],
    ['one inactive user of several', ({ id }) => ({ to: 'several', userIds: [id], by: 'load' }), 'invalid_target'],
    ['no user', () => ({ to: 'several', userIds: [], by: 'load' }), 'validation_failed'],
    ['an unknown basis', ({ id }) => ({ to: 'several', userIds: [id], by: 'luck' }), 'validation_failed'],
    ['an unknown way', () => ({ to: 'everyone' }), 'validation_failed'],
  ])('to %s', async (_, toAssignment, code) => {
    const inactive = await t.user('user', { active: false });
    const { id, businessIds } = await createSweep(2);
    const response = await assign(id, toAssignment(inactive) as SweepAssignment);
    expect(response).toMatchObject({ status: 400, body: { code } });
    expect(await findLeads(businessIds)).toEqual([]);
  });

  test('by a manager', async () => {
    const { id, businessIds } = await createSweep(2);
    const manager = await t.user('manager');
    expect((await assign(id, to(manager), { as: manager })).status).toBe(403);
    expect(await findLeads(businessIds)).toEqual([]);
  });

  test('a sweep that does not exist', async () => {
    expect((await assign(randomUUID(), to(admin))).status).toBe(404);
  });
});

const { ASSIGN_STEP } = calls;

describe('to territories', () => {
  const preview = (id: string, fallback: TestUser, as = admin) =>
    t.request(as, calls.previewSweepTerritories, { ...withId(id), body: { fallbackUserId: fallback.id } });

  test('each result goes to the owner of its district, the others to the fallback, as previewed', async () => {
    const [owner, fallback] = [await t.user(), await t.user()];
    // One that no other test gives to a user.
    await t.db.insert(territoryDistricts).values({ userId: owner.id, district: 'ZE1' });
    const { id, businessIds } = await createSweep(ASSIGN_STEP + 3, 'ZE3');
    const inTerritory = businessIds.slice(0, ASSIGN_STEP + 1);
    await t.db
      .update(businesses)
      .set({ formattedAddress: '1 Quay, Lerwick ZE1 0LL' })
      .where(inArray(businesses.id, inTerritory));
    const { body } = await preview(id, fallback);
    expect(body.shares).toMatchObject([
      { userId: owner.id, count: ASSIGN_STEP + 1, fallback: 0, held: 0 },
      { userId: fallback.id, count: 2, fallback: 2, held: 0 },
    ]);
    const done = await assignAll(id, { to: 'territory', fallbackUserId: fallback.id });
    expect(done.body).toEqual({ assigned: ASSIGN_STEP + 3, left: 0 });
    const found = await findLeads(businessIds);
    expect(countByUser(found)).toEqual(
      new Map([
        [owner.id, ASSIGN_STEP + 1],
        [fallback.id, 2],
      ]),
    );
    const params = { batchId: String(done.headers[BATCH_HEADER]) };
    expect((await t.request(admin, undoChanges, { params })).body).toMatchObject({ deleted: ASSIGN_STEP + 3 });
  });

  test('a result without a postcode goes to the owner of the district that the sweep found it in', async () => {
    const [owner, fallback] = [await t.user(), await t.user()];
    await t.db.insert(territoryDistricts).values({ userId: owner.id, district: 'ZE2' });
    const { id, businessIds } = await createSweep(3, 'ZE2');
    const [elsewhere = 0] = businessIds;
    await t.db
      .update(businesses)
      .set({ formattedAddress: '1 Main Street, Symbister ZE3 9AA' })
      .where(eq(businesses.id, elsewhere));
    const { body } = await preview(id, fallback);
    expect(body.shares).toMatchObject([
      { userId: owner.id, count: 2, fallback: 0 },
      { userId: fallback.id, count: 1, fallback: 1 },
    ]);
    await assignAll(id, { to: 'territory', fallbackUserId: fallback.id });
    const found = await findLeads(businessIds);
    expect(found.find(({ businessId }) => businessId === elsewhere)?.userId).toBe(fallback.id);
    expect(countByUser(found).get(owner.id)).toBe(2);
  });

  test('are refused with a fallback who is inactive, and to others', async () => {
    const fallback = await t.user('user', { active: false });
    const { id, businessIds } = await createSweep(1);
    const assignment = { to: 'territory' as const, fallbackUserId: fallback.id };
    for (const response of [await preview(id, fallback), await assign(id, assignment)]) {
      expect(response).toMatchObject({ status: 400, body: { code: 'invalid_target' } });
    }
    expect((await preview(id, fallback, await t.user('manager'))).status).toBe(403);
    expect(await findLeads(businessIds)).toEqual([]);
  });
});
