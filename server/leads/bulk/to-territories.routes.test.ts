import { inArray } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { undoChanges } from '#contract/changes/changes.calls.ts';
import * as calls from '#contract/leads/bulk/bulk-jobs.calls.ts';
import type { Share } from '#contract/leads/sharing/assignment.ts';
import { setUserActive } from '#contract/users/users.calls.ts';
import { leads } from '#server/schema/leads.ts';
import { createTerritories } from '#server/testing/territories.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

let t: TestApp;
let admin: TestUser;
let manager: TestUser;
let grace: TestUser;
let marcus: TestUser;
let olivia: TestUser;
beforeAll(async () => {
  t = await testApp();
  [admin, manager] = [await t.user('admin'), await t.user('manager')];
});
afterAll(() => t.close());
beforeEach(async () => {
  ({ grace, marcus, olivia } = await createTerritories(t));
});

const createLead = async (holder: TestUser, postcode: string) =>
  (await t.lead(holder, {}, { formattedAddress: `1 High Street, ${postcode}` })).id;
const toAction = () => ({ verb: 'to-territories' as const, fallbackUserId: olivia.id });
const preview = (viewer: TestUser, ids: number[]) =>
  t.request(viewer, calls.previewTerritories, { body: { ids, action: toAction() } });
const start = (viewer: TestUser, ids: number[]) =>
  t.request(viewer, calls.startBulkJob, { body: { ids, action: toAction() } });
async function run(viewer: TestUser, ids: number[]) {
  expect((await start(viewer, ids)).status).toBe(200);
  await t.app.jobs.run();
  return (await t.request(viewer, calls.getLatestBulkJob)).body.job;
}
const holdersOf = async (ids: number[]) => {
  const rows = await t.db.select().from(leads).where(inArray(leads.id, ids));
  const byId = new Map(rows.map(({ id, userId }) => [id, userId]));
  return ids.map((id) => byId.get(id));
};
const readNumbers = (shares: Share[]) =>
  Object.fromEntries(shares.map(({ fullName, count, fallback, held }) => [fullName, [count, fallback, held]]));

test('a manager gives each lead to its territory as previewed; those of an owner stay; undo returns them', async () => {
  const other = await t.user();
  const ids = [
    await createLead(other, 'LS1 4AP'),
    await createLead(other, 'LS2 8AA'),
    await createLead(other, 'YO1 7HH'),
    await createLead(grace, 'WF1 1AA'),
  ];
  const { body } = await preview(manager, ids);
  expect(readNumbers(body.shares)).toEqual({ Grace: [1, 0, 1], Marcus: [1, 0, 0], Olivia: [1, 1, 0] });
  const job = await run(manager, ids);
  expect(job).toMatchObject({ verb: 'distribute', state: 'done', total: 3, success: 3, failed: 0 });
  expect(await holdersOf(ids)).toEqual([grace.id, marcus.id, olivia.id, grace.id]);
  const undone = await t.request(manager, undoChanges, { params: { batchId: job?.batchId ?? '' } });
  expect(undone.body).toMatchObject({ takenBack: 3, left: [] });
  expect(await holdersOf(ids)).toEqual([other.id, other.id, other.id, grace.id]);
  expect((await start(manager, ids.slice(3))).body.code).toBe('already_assigned');
});

test('of two leads on one business in a district of two owners, one is given away', async () => {
  const [first, second] = [await t.user(), await t.user()];
  const lead = await t.lead(first, {}, { formattedAddress: '1 High Street, WF1 1AA' });
  const [other] = await t.db.insert(leads).values({ userId: second.id, businessId: lead.businessId }).returning();
  const ids = [lead.id, other?.id ?? 0];
  const { body } = await preview(manager, ids);
  expect(body.shares.map(({ count, held }) => [count, held])).toEqual([[1, 1]]);
  expect(await run(manager, ids)).toMatchObject({ state: 'done', total: 1, success: 1, failed: 0 });
  expect((await holdersOf(ids))[1]).toBe(second.id);
});

test('all that match a filter are shared out, too', async () => {
  const other = await t.user();
  const ids = [await createLead(other, 'LS1 4AP'), await createLead(other, 'LS2 8AA')];
  const body = { filter: { user: other.id }, action: toAction() };
  const shown = await t.request(admin, calls.previewTerritories, { body });
  expect(readNumbers(shown.body.shares)).toEqual({ Grace: [1, 0, 0], Marcus: [1, 0, 0] });
  await t.request(admin, calls.startBulkJob, { body });
  await t.app.jobs.run();
  expect(await holdersOf(ids)).toEqual([grace.id, marcus.id]);
});

test('refused to users, and with a fallback who is inactive; nothing moves', async () => {
  const ids = [await createLead(grace, 'LS2 8AA')];
  expect((await preview(grace, ids)).status).toBe(403);
  expect((await start(grace, ids)).status).toBe(403);
  await t.request(admin, setUserActive, { params: { id: olivia.id }, body: { active: false } });
  for (const response of [await preview(admin, ids), await start(admin, ids)]) {
    expect(response).toMatchObject({ status: 400, body: { code: 'invalid_target' } });
  }
  expect(await holdersOf(ids)).toEqual([grace.id]);
});
