import { randomUUID } from 'node:crypto';
import { and, eq, inArray } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listChanges, undoChanges } from '#contract/changes/changes.calls.ts';
import type { BulkJobAction } from '#contract/leads/bulk/bulk-job.ts';
import * as calls from '#contract/leads/bulk/bulk-jobs.calls.ts';
import { listNotifications } from '#contract/notifications/notifications.calls.ts';
import { auditEvents } from '#server/schema/audit.ts';
import { jobs } from '#server/schema/jobs.ts';
import { leads } from '#server/schema/leads.ts';
import { users } from '#server/schema/users.ts';
import { testDatabase } from '#server/testing/databases.ts';
import { insertManyLeads } from '#server/testing/many-leads.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

const NOW = '2026-03-10T09:00:00.000Z';
const TOMORROW = '2026-03-11T09:00:00.000Z';
const UNKNOWN = '00000000-0000-4000-8000-000000000000';
let t: TestApp;
let manager: TestUser;
let admin: TestUser;
beforeAll(async () => {
  t = await testApp({ now: NOW });
  [manager, admin] = [await t.user('manager'), await t.user('admin')];
});
afterAll(() => t.close());

type Start = { filter?: object; count?: number; ids?: number[]; action: object };
const start = (viewer: TestUser, body: Start, headers = {}) =>
  t.request(viewer, calls.startBulkJob, { body: body as never }, { headers });
const latest = async (viewer: TestUser) => (await t.request(viewer, calls.getLatestBulkJob)).body.job;
const undo = (viewer: TestUser, batchId: string | null | undefined) =>
  t.request(viewer, undoChanges, { params: { batchId: batchId ?? '' } });

/** Starts a job and waits for its end. */
async function run(viewer: TestUser, body: Start) {
  const started = await start(viewer, body);
  expect(started).toMatchObject({ status: 200, body: { state: 'running', done: 0 } });
  await t.app.jobs.run();
  return latest(viewer);
}

/** A job as a process that has ended left it. */
async function leaveRunning(user: TestUser, leadIds: number[], action: BulkJobAction) {
  const id = randomUUID();
  await t.db
    .insert(jobs)
    .values({ id, kind: 'bulk', userId: user.id, ip: '::1', itemIds: leadIds, total: leadIds.length, input: action });
  return id;
}

const readLeads = (ids: number[]) => t.db.select().from(leads).where(inArray(leads.id, ids)).orderBy(leads.id);
const readState = async (ids: number[]) =>
  (await readLeads(ids)).map(({ updatedAt: _, lastContactedAt: __, creditedAt: ___, tags, ...lead }) => ({
    ...lead,
    tags: [...tags].sort(),
  }));

describe.each<[string, (target: TestUser) => object, Partial<typeof leads.$inferInsert>]>([
  ['archive', () => ({}), { archived: true }],
  ['restore', () => ({}), { archived: false }],
  ['update-status', () => ({ status: 'recontact' }), { status: 'recontact' }],
  ['plan-follow-up', () => ({ at: TOMORROW }), { nextStepAt: TOMORROW }],
  ['drop-follow-ups', () => ({}), { nextStepAt: null }],
  ['add-tag', () => ({ tag: 'fair' }), { tags: ['fair', 'hot'] }],
  ['remove-tag', () => ({ tag: 'hot' }), { tags: [] }],
  ['reassign', ({ id }) => ({ newUserId: id }), {}],
])('%s', (verb, toRest, expected) => {
  test('changes what matches and nothing else, and is undone as one', async () => {
    const [user, target] = [await t.user(), await t.user()];
    const columns = { tags: ['hot'], archived: verb === 'restore', archivedAt: verb === 'restore' ? NOW : null };
    const inLeeds = [await t.lead(user, columns, { town: 'Leeds' }), await t.lead(user, columns, { town: 'Leeds' })];
    const others = [await t.lead(user, columns, { town: 'York' }), await t.lead(target, columns, { town: 'Leeds' })];
    const matching = inLeeds.map(({ id }) => id);
    const all = [...inLeeds, ...others].map(({ id }) => id);
    if (verb === 'drop-follow-ups') await run(user, { ids: all, action: { verb: 'plan-follow-up', at: TOMORROW } });
    const before = await readState(all);

    const filter = { town: 'Leeds', archived: true };
    const job = await run(user, { filter, action: { verb, ...toRest(target) } });

    expect(job).toMatchObject({ verb, state: 'done', total: 2, done: 2, success: 2, failed: 0, batchId: job?.id });
    const holder = verb === 'reassign' ? { userId: target.id } : {};
    expect(await readState(matching)).toMatchObject(matching.map(() => ({ ...expected, ...holder })));
    expect((await readState(all)).slice(2)).toEqual(before.slice(2));
    expect((await undo(verb === 'reassign' ? admin : user, job?.batchId)).status).toBe(200);
    expect(await readState(all)).toEqual(before);
  });
});

test('leads are deleted for good', async () => {
  const user = await t.user();
  const ids = await insertManyLeads(t.db, user.id, 3);
  expect(await run(user, { filter: {}, action: { verb: 'delete' } })).toMatchObject({ success: 3, batchId: null });
  expect(await readLeads(ids)).toEqual([]);
});

test('another number of leads than was confirmed is refused with the new number, and nothing is changed', async () => {
  const user = await t.user();
  await insertManyLeads(t.db, user.id, 3);
  const remove = (count: number) => start(user, { filter: {}, count, action: { verb: 'delete' } });
  expect(await remove(2)).toMatchObject({
    status: 409,
    body: {
      code: 'count_changed',
      count: 3,
      message: '3 businesses match now, not 2. Nothing was changed; please check and confirm again.',
    },
  });
  expect(await latest(user)).toBeNull();
  expect(await t.db.$count(leads, eq(leads.userId, user.id))).toBe(3);
  expect((await remove(3)).status).toBe(200);
});

test('many leads are changed in steps of one batch, with one notification and one audit event, and undone together', async () => {
  const [user, target] = [await t.user(), await t.user()];
  await insertManyLeads(t.db, user.id, 1_200);
  const job = await run(admin, { filter: { user: user.id }, action: { verb: 'reassign', newUserId: target.id } });
  expect(job).toMatchObject({ state: 'done', total: 1_200, done: 1_200, success: 1_200 });
  const changes = (await t.request(admin, listChanges, { query: { kind: 'reassign', userId: String(admin.id) } })).body
    .items;
  expect(changes.find(({ id }) => id === job?.id)).toMatchObject({ count: 1_200, source: 'bulk' });
  expect((await t.request(target, listNotifications)).body.items).toHaveLength(1);
  const audited = and(eq(auditEvents.event, 'bulk_action'), eq(auditEvents.actorId, admin.id));
  const events = await t.db.select({ details: auditEvents.details }).from(auditEvents).where(audited);
  expect(events.filter(({ details }) => details.success === 1_200)).toHaveLength(1);

  expect((await t.request(user, listNotifications)).body.items).toHaveLength(1);
  expect((await undo(admin, job?.batchId)).status).toBe(200);
  expect(await t.db.$count(leads, eq(leads.userId, user.id))).toBe(1_200);
  expect((await t.request(user, listNotifications)).body.items, 'as if nothing had happened').toEqual([]);
});

test('more than 10,000 are refused', async () => {
  const user = await t.user();
  await insertManyLeads(t.db, user.id, 10_001);
  expect(await start(user, { filter: {}, action: { verb: 'plan-follow-up', at: TOMORROW } })).toMatchObject({
    status: 409,
    body: { code: 'too_many_leads', message: 'More than 10,000 businesses match. Please narrow the filters.' },
  });
  expect(await latest(user)).toBeNull();
});

describe('an even distribution', () => {
  test('gives each user their share, of a filter or of chosen leads, as one batch', async () => {
    const [user, busy, idle] = [await t.user(), await t.user(), await t.user()];
    await insertManyLeads(t.db, busy.id, 4);
    const ids = await insertManyLeads(t.db, user.id, 10, 'Bath');
    const action = { verb: 'distribute', users: [busy.id, idle.id], by: 'load' };
    const filter = { user: user.id, town: 'Bath', team: true };
    const job = await run(manager, { filter, action });
    expect(job).toMatchObject({ verb: 'distribute', state: 'done', success: 10 });
    expect(await t.db.$count(leads, eq(leads.userId, busy.id))).toBe(4 + 3);
    expect(await t.db.$count(leads, eq(leads.userId, idle.id))).toBe(7);
    await undo(admin, job?.batchId);
    expect(await t.db.$count(leads, eq(leads.userId, user.id))).toBe(10);

    await run(manager, { ids, action: { ...action, users: [idle.id] } });
    expect(await t.db.$count(leads, eq(leads.userId, idle.id))).toBe(10);
  });

  test('of leads of a chosen user, half stay and half go to the other', async () => {
    const [holder, other] = [await t.user(), await t.user()];
    const ids = await insertManyLeads(t.db, holder.id, 12);
    const before = await readLeads(ids);
    const action = { verb: 'distribute', users: [holder.id, other.id], by: 'load' };
    const job = await run(manager, { ids, action });
    expect(job).toMatchObject({ state: 'done', total: 6, success: 6, failed: 0 });
    const after = await readLeads(ids);
    const kept = after.filter(({ userId }) => userId === holder.id);
    expect(kept).toHaveLength(6);
    expect(before, 'unchanged').toEqual(expect.arrayContaining(kept));
    expect(after.filter(({ userId }) => userId === other.id)).toHaveLength(6);
    expect((await start(manager, { ids, action })).body).toMatchObject({
      code: 'already_assigned',
      message: 'All of these are shared out evenly already',
    });
  });

  test.each(['load', 'goal'] as const)('by %s comes out as its preview says, and fails for no lead', async (by) => {
    const members = [
      await t.user('user', { monthlyGoal: 10 }),
      await t.user('user', { monthlyGoal: 25 }),
      await t.user('user', { monthlyGoal: 70 }),
    ];
    const [first, second] = members as [TestUser, TestUser];
    await insertManyLeads(t.db, second.id, 3);
    const ids = [
      ...(await insertManyLeads(t.db, first.id, 20)),
      ...(await insertManyLeads(t.db, second.id, 5)),
      ...(await insertManyLeads(t.db, (await t.user()).id, 10)),
    ];
    await t.db
      .update(leads)
      .set({ status: 'closed_won' })
      .where(inArray(leads.id, ids.slice(0, 4)));
    const action = { verb: 'distribute' as const, users: members.map(({ id }) => id), by };
    const { shares } = (await t.request(manager, calls.previewDistribution, { body: { ids, action } })).body;
    const job = await run(manager, { ids, action });
    const total = shares.reduce((sum, { share }) => sum + share, 0);
    expect(job).toMatchObject({ state: 'done', total, success: total, failed: 0 });
    const counted = await Promise.all(
      shares.map(async ({ userId }) => t.db.$count(leads, and(eq(leads.userId, userId), inArray(leads.id, ids)))),
    );
    expect(counted).toEqual(shares.map(({ held, share }) => held + share));
  });

  test('its preview shows what each user has now, keeps and gets, also of a filter', async () => {
    const [holder, other] = [await t.user('user', { fullName: 'Ada' }), await t.user('user', { fullName: 'Bob' })];
    await insertManyLeads(t.db, holder.id, 12, 'Bath');
    await insertManyLeads(t.db, holder.id, 2, 'York');
    const action = { verb: 'distribute' as const, users: [other.id, holder.id], by: 'load' as const };
    const filter = { user: holder.id, town: 'Bath', team: true };
    const { body } = await t.request(manager, calls.previewDistribution, { body: { filter, action } });
    expect(body.shares).toEqual([
      { userId: holder.id, fullName: 'Ada', current: 14, held: 5, share: 0 },
      { userId: other.id, fullName: 'Bob', current: 0, held: 0, share: 7 },
    ]);
  });

  test('is refused to users, and for inactive users, as is its preview', async () => {
    const user = await t.user();
    await t.lead(user);
    const inactive = await t.user('user', { active: false });
    const action = { verb: 'distribute', users: [user.id], by: 'load' };
    const preview = (viewer: TestUser, body: Start) =>
      t.request(viewer, calls.previewDistribution, { body: body as never });
    for (const send of [start, preview]) {
      expect(await send(user, { filter: {}, action })).toMatchObject({ status: 403, body: { code: 'forbidden' } });
      const refused = await send(admin, { filter: { user: user.id }, action: { ...action, users: [inactive.id] } });
      expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_target' } });
      expect((await send(admin, { action })).status).toBe(400);
    }
  });
});

describe("others' leads", () => {
  const archive = { verb: 'archive' };

  test("a user's filter matches only their own", async () => {
    const [user, other] = [await t.user(), await t.user()];
    const [mine, theirs] = [await t.lead(user), await t.lead(other)];
    expect(await start(user, { filter: { user: other.id }, action: archive })).toMatchObject({ status: 404 });
    expect(await start(user, { filter: { team: true }, action: archive })).toMatchObject({ status: 403 });
    expect(await run(user, { filter: {}, action: archive })).toMatchObject({ total: 1, success: 1 });
    expect((await readLeads([mine.id, theirs.id])).map(({ archived }) => archived)).toEqual([true, false]);
  });

  test.each(['user', 'manager'] as const)('chosen by a %s, they are not changed', async (role) => {
    const [viewer, other] = [await t.user(role), await t.user()];
    const { id } = await t.lead(other);
    expect(await run(viewer, { ids: [id], action: archive })).toMatchObject({
      state: 'done',
      success: 0,
      failed: 1,
      reasons: ['This business is assigned to another user'],
      batchId: null,
    });
    expect((await readLeads([id]))[0]?.archived).toBe(false);
  });

  test('a manager reassigns those of the team, and changes nothing else of them', async () => {
    const [viewer, other, target] = [await t.user('manager'), await t.user(), await t.user()];
    const { id } = await t.lead(other);
    const filter = { user: other.id, team: true };
    for (const action of [archive, { verb: 'delete' }, { verb: 'add-tag', tag: 'x' }]) {
      expect(await run(viewer, { filter, action })).toMatchObject({ success: 0, failed: 1 });
    }
    expect((await readLeads([id]))[0]).toMatchObject({ archived: false, tags: [] });
    expect(await run(viewer, { filter, action: { verb: 'reassign', newUserId: target.id } })).toMatchObject({
      success: 1,
    });
  });

  test('a lead that was reassigned after the start is not changed', async () => {
    const [user, other] = [await t.user(), await t.user()];
    const { id } = await t.lead(user);
    await leaveRunning(user, [id], { verb: 'archive' });
    await t.db.update(leads).set({ userId: other.id }).where(eq(leads.id, id));
    await t.app.jobs.run();
    expect(await latest(user)).toMatchObject({ state: 'done', success: 0, failed: 1 });
  });
});

test('a job can be cancelled by its user alone; what it changed stays and can be undone', async () => {
  const user = await t.user();
  const done = await insertManyLeads(t.db, user.id, 500);
  const job = await run(user, { filter: {}, action: { verb: 'archive' } });
  // As between two steps, in the middle.
  const left = await insertManyLeads(t.db, user.id, 700);
  await t.db
    .update(jobs)
    .set({ state: 'running', itemIds: [...done, ...left], total: 1_200 })
    .where(eq(jobs.id, job?.id ?? ''));
  const params = { jobId: job?.id ?? '' };
  expect((await t.request(admin, calls.cancelBulkJob, { params })).status).toBe(404);
  const { body: cancelled } = await t.request(user, calls.cancelBulkJob, { params });
  expect(cancelled).toMatchObject({ state: 'cancelled', done: 500, total: 1_200 });
  await t.app.jobs.run();
  expect(await latest(user)).toEqual(cancelled);
  expect(await t.db.$count(leads, and(inArray(leads.id, done), leads.archived))).toBe(500);
  expect(await t.db.$count(leads, and(inArray(leads.id, left), leads.archived))).toBe(0);
  // Again: it has ended.
  expect((await t.request(user, calls.cancelBulkJob, { params })).body).toEqual(cancelled);
  expect((await undo(user, cancelled.batchId)).status).toBe(200);
  expect(await t.db.$count(leads, and(inArray(leads.id, done), leads.archived))).toBe(0);
  expect((await t.request(user, calls.cancelBulkJob, { params: { jobId: UNKNOWN } })).status).toBe(404);
});

test('a user has one job at a time, which other users do not see', async () => {
  const user = await t.user();
  const { id } = await t.lead(user);
  const running = await leaveRunning(user, [id], { verb: 'archive' });
  expect(await start(user, { filter: {}, action: { verb: 'archive' } })).toMatchObject({
    status: 409,
    body: { code: 'bulk_running' },
  });
  expect(await latest(user)).toMatchObject({ id: running, state: 'running', done: 0 });
  expect(await latest(admin)).not.toMatchObject({ id: running });
});

test('a job of a process that was stopped goes on in another one, and changes each lead once', async () => {
  const database = await testDatabase();
  const stopped = await testApp({ now: NOW, database });
  const user = await t.user();
  const ids = await insertManyLeads(t.db, user.id, 1_600);
  const body = { filter: {}, action: { verb: 'add-tag' as const, tag: 'fair' } };
  const { body: started } = await stopped.request(user, calls.startBulkJob, { body });
  await stopped.close();
  expect(await latest(user)).toMatchObject({ state: 'running' });
  await t.app.jobs.run();
  expect(await latest(user)).toMatchObject({ state: 'done', done: 1_600, success: 1_600 });
  const changes = (await t.request(admin, listChanges, { query: { kind: 'tag' } })).body.items;
  expect(changes.find(({ id }) => id === started.id)).toMatchObject({ count: 1_600 });
  expect((await readLeads(ids)).every(({ tags }) => tags.join() === 'fair')).toBe(true);
});

test('two processes do not change a lead twice', async () => {
  const apps = [t, await testApp({ now: NOW, database: await testDatabase() })];
  const user = await t.user();
  await leaveRunning(user, await insertManyLeads(t.db, user.id, 2_000), { verb: 'archive' });
  await Promise.all(apps.map(({ app }) => app.jobs.run()));
  await t.app.jobs.run();
  expect(await latest(user)).toMatchObject({ state: 'done', done: 2_000, success: 2_000 });
  await apps[1]?.close();
});

test('a job is stopped when its user or its target becomes inactive, and says why', async () => {
  const [user, target] = [await t.user(), await t.user()];
  const { id } = await t.lead(user);
  await leaveRunning(user, [id], { verb: 'reassign', newUserId: target.id });
  await t.db.update(users).set({ active: false }).where(eq(users.id, target.id));
  await t.app.jobs.run();
  expect(await latest(user)).toMatchObject({
    state: 'stopped',
    done: 0,
    message: 'The chosen user does not exist or is inactive',
  });

  const left = await leaveRunning(user, [id], { verb: 'archive' });
  await t.db.update(users).set({ active: false }).where(eq(users.id, user.id));
  await t.app.jobs.run();
  const [job] = await t.db.select().from(jobs).where(eq(jobs.id, left));
  expect(job).toMatchObject({ state: 'stopped', message: 'The account is no longer active' });
  expect((await readLeads([id]))[0]).toMatchObject({ userId: user.id, archived: false });
});

describe('a job whose step fails', () => {
  // Its leads are those of no user, which is a bug.
  const broken = { verb: 'distribute', shares: [] } as unknown as BulkJobAction;
  const readJob = async (id: string) => (await t.db.select().from(jobs).where(eq(jobs.id, id)))[0];
  const endPause = (id: string) => t.db.update(jobs).set({ runAt: NOW }).where(eq(jobs.id, id));

  test('waits longer each time while others go on, and is ended after ten tries with a reason', async () => {
    const [user, other] = [await t.user(), await t.user()];
    const failing = await leaveRunning(user, [(await t.lead(user)).id], broken);
    const pauses: number[] = [];
    for (let tries = 1; tries < 10; tries += 1) {
      const healthy = await leaveRunning(other, [(await t.lead(other)).id], { verb: 'archive' });
      await t.app.jobs.run();
      expect((await readJob(healthy))?.state).toBe('done');
      const job = await readJob(failing);
      expect(job).toMatchObject({ state: 'running', tries, message: null });
      pauses.push(Math.round((Date.parse(job?.runAt ?? '') - Date.parse(job?.updatedAt ?? '')) / 1_000));
      await t.app.jobs.run();
      expect((await readJob(failing))?.tries, 'not before the pause is over').toBe(tries);
      await endPause(failing);
    }
    expect(pauses).toEqual([5, 10, 20, 40, 80, 160, 320, 600, 600]);
    await t.app.jobs.run();
    expect(await latest(user)).toMatchObject({
      state: 'stopped',
      done: 0,
      message: 'It failed 10 times. Something went wrong on our side. Please try again.',
    });
    expect((await readJob(failing))?.lastError).toBe('An unexpected error; the log has the details.');
  });

  test('counts its failures anew after a step that succeeded', async () => {
    const user = await t.user();
    const id = await leaveRunning(user, await insertManyLeads(t.db, user.id, 2), { verb: 'archive' });
    await t.db.update(jobs).set({ tries: 9, runAt: NOW }).where(eq(jobs.id, id));
    await t.app.jobs.run();
    expect(await readJob(id)).toMatchObject({ state: 'done', success: 2, tries: 0 });
  });
});

test('a running job cannot be undone', async () => {
  const user = await t.user();
  await t.lead(user);
  const job = await run(user, { filter: {}, action: { verb: 'archive' } });
  await t.db
    .update(jobs)
    .set({ state: 'running' })
    .where(eq(jobs.id, job?.id ?? ''));
  expect(await undo(user, job?.batchId)).toMatchObject({ status: 409, body: { code: 'not_undoable' } });
});

test('a job whose changes were undone is stopped with a reason, and changes nothing more', async () => {
  const user = await t.user();
  const ids = await insertManyLeads(t.db, user.id, 2);
  const job = await run(user, { ids: ids.slice(0, 1), action: { verb: 'archive' } });
  expect((await undo(user, job?.batchId)).status).toBe(200);
  await t.db
    .update(jobs)
    .set({ state: 'running', itemIds: ids, total: 2 })
    .where(eq(jobs.id, job?.id ?? ''));
  await t.app.jobs.run();
  const message = 'This action was undone meanwhile. Please start it again.';
  expect(await latest(user)).toMatchObject({ state: 'stopped', done: 1, message });
  expect((await readLeads(ids)).map(({ archived }) => archived)).toEqual([false, false]);
});

test('the same Idempotency-Key starts one job', async () => {
  const user = await t.user();
  await t.lead(user);
  const body = { filter: {}, action: { verb: 'add-tag', tag: 'once' } };
  const headers = { 'idempotency-key': randomUUID() };
  const sent = [await start(user, body, headers), await start(user, body, headers)];
  expect(new Set(sent.map((response) => response.body.id)).size).toBe(1);
});

test.each([
  { action: { verb: 'archive' } },
  { filter: {}, ids: [1], action: { verb: 'archive' } },
  { ids: [], action: { verb: 'archive' } },
  { filter: {}, action: { verb: 'explode' } },
  { filter: { status: 'nonsense' }, action: { verb: 'archive' } },
  { filter: {}, action: { verb: 'update-status', status: 'nonsense' } },
  { filter: {}, action: { verb: 'add-tag', tag: '' } },
  { filter: {}, action: { verb: 'add-tag', tag: 'Imported' } },
  { filter: {}, action: { verb: 'plan-follow-up', at: '2020-01-01T00:00:00.000Z' } },
  { filter: {}, action: { verb: 'reassign', newUserId: 2_147_483_647 } },
  { filter: {}, action: { verb: 'distribute', users: [], by: 'load' } },
])('%j is refused and starts nothing', async (body) => {
  const user = await t.user();
  const lead = await t.lead(user);
  expect((await start(user, body)).status).toBe(400);
  expect(await latest(user)).toBeNull();
  expect((await readLeads([lead.id]))[0]?.updatedAt).toBe(lead.updatedAt);
});
