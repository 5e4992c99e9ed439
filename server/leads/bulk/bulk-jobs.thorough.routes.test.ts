import { and, eq, isNotNull } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BATCH_HEADER, undoChanges } from '#contract/changes/changes.calls.ts';
import { getLatestBulkJob, startBulkJob } from '#contract/leads/bulk/bulk-jobs.calls.ts';
import { leads } from '#server/schema/leads.ts';
import { insertManyLeads } from '#server/testing/many-leads.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp({ now: '2026-03-10T09:00:00.000Z' });
});
afterAll(() => t.close());

async function run(viewer: TestUser, body: object) {
  await t.request(viewer, startBulkJob, { body: body as never });
  await t.app.jobs.run();
  return (await t.request(viewer, getLatestBulkJob)).body.job;
}
const undo = (viewer: TestUser, batchId: string | null | undefined) =>
  t.request(viewer, undoChanges, { params: { batchId: batchId ?? '' } });

test('10,000 leads are changed, undone and changed again', async () => {
  const [user, target, admin] = [await t.user(), await t.user(), await t.user('admin')];
  await insertManyLeads(t.db, user.id, 10_000);
  const isPlanned = and(eq(leads.userId, user.id), isNotNull(leads.nextStepAt));
  const planned = await run(user, { filter: {}, action: { verb: 'plan-follow-up', at: '2026-03-11T09:00:00.000Z' } });
  expect(planned).toMatchObject({ state: 'done', success: 10_000 });
  const undone = await undo(user, planned?.batchId);
  expect(undone).toMatchObject({ status: 200, body: { takenBack: 10_000 } });
  expect(await t.db.$count(leads, isPlanned)).toBe(0);
  expect((await undo(user, String(undone.headers[BATCH_HEADER]))).status).toBe(200);
  expect(await t.db.$count(leads, isPlanned)).toBe(10_000);

  const moved = await run(admin, { filter: { user: user.id }, action: { verb: 'reassign', newUserId: target.id } });
  expect(moved).toMatchObject({ state: 'done', success: 10_000 });
  expect(await undo(admin, moved?.batchId)).toMatchObject({ status: 200, body: { takenBack: 10_000 } });
  expect(await t.db.$count(leads, eq(leads.userId, user.id))).toBe(10_000);
}, 300_000);
