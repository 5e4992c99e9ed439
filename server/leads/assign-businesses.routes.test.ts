import { randomBytes } from 'node:crypto';
import { inArray } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { BATCH_HEADER, undoChanges } from '#contract/changes/changes.calls.ts';
import type { AssignmentChoice, Share } from '#contract/leads/sharing/assignment.ts';
import { listNotifications } from '#contract/notifications/notifications.calls.ts';
import * as calls from '#contract/territories/territories.calls.ts';
import { setUserActive } from '#contract/users/users.calls.ts';
import { businesses, leads } from '#server/schema/leads.ts';
import { createTerritories } from '#server/testing/territories.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

let t: TestApp;
let admin: TestUser;
let grace: TestUser;
let marcus: TestUser;
let olivia: TestUser;
beforeAll(async () => {
  t = await testApp();
  admin = await t.user('admin');
});
afterAll(() => t.close());
beforeEach(async () => {
  ({ grace, marcus, olivia } = await createTerritories(t));
});

async function createBusinesses(...postcodes: (string | null)[]): Promise<number[]> {
  const rows = await t.db
    .insert(businesses)
    .values(
      postcodes.map((postcode) => ({
        placeId: `place-${randomBytes(8).toString('hex')}`,
        name: 'Blue Door Bakery',
        formattedAddress: postcode && `1 High Street, ${postcode}, UK`,
      })),
    )
    .returning({ id: businesses.id });
  return rows.map(({ id }) => id);
}

const LEEDS = ['Leeds LS1 4AP', 'Leeds LS1 2AA', 'Leeds LS2 8AA', 'Wakefield WF1 1AA', 'York YO1 7HH', null];
const byTerritory = (): AssignmentChoice => ({ way: 'territory', fallbackUserId: olivia.id });
const preview = (businessIds: number[], choice: AssignmentChoice, viewer = admin) =>
  t.request(viewer, calls.previewAssignment, { body: { businessIds, choice } });
const assign = (businessIds: number[], choice: AssignmentChoice, viewer = admin, headers = {}) =>
  t.request(viewer, calls.assignBusinesses, { body: { businessIds, choice } }, { headers });
const leadsOn = (businessIds: number[]) =>
  t.db.select().from(leads).where(inArray(leads.businessId, businessIds)).orderBy(leads.businessId, leads.id);
const readNumbers = (shares: Share[]) =>
  Object.fromEntries(shares.map(({ fullName, count, fallback, held }) => [fullName, [count, fallback, held]]));

describe('assigning businesses', () => {
  test('each to its own territory: the preview is what happens, as one batch that can be undone', async () => {
    await t.lead(grace);
    const ids = await createBusinesses(...LEEDS);
    const expected = { Grace: [2, 0, 0], Marcus: [2, 0, 0], Olivia: [2, 2, 0] };
    expect(readNumbers((await preview(ids, byTerritory())).body.shares)).toEqual(expected);
    expect(await leadsOn(ids)).toEqual([]);

    const response = await assign(ids, byTerritory());
    expect(readNumbers(response.body.shares)).toEqual(expected);
    const holders = (await leadsOn(ids)).map(({ userId }) => userId);
    // Of the two owners of WF1, Grace has a lead more.
    expect(holders).toEqual([grace.id, grace.id, marcus.id, marcus.id, olivia.id, olivia.id]);
    const { body } = await t.request(marcus, listNotifications);
    expect(body.items.map(({ title }) => title)).toEqual(['New 2 businesses assigned']);

    const again = await assign(ids, byTerritory());
    expect(readNumbers(again.body.shares)).toEqual({ Grace: [0, 0, 2], Marcus: [0, 0, 2], Olivia: [0, 0, 2] });
    expect(await leadsOn(ids)).toHaveLength(6);

    const params = { batchId: String(response.headers[BATCH_HEADER]) };
    expect((await t.request(admin, undoChanges, { params })).body).toMatchObject({ deleted: 6 });
    expect(await leadsOn(ids)).toEqual([]);
  });

  test('by open leads and by goal left, among the chosen users', async () => {
    await Promise.all(Array.from({ length: 4 }, () => t.lead(grace)));
    await t.lead(grace, { status: 'closed_won' });
    const users = [grace.id, marcus.id];
    const ids = await createBusinesses(...Array.from({ length: 6 }, () => null));
    const load = await preview(ids, { way: 'load', userIds: users });
    expect(readNumbers(load.body.shares)).toEqual({ Grace: [1, 0, 0], Marcus: [5, 0, 0] });
    expect((await assign(ids, { way: 'load', userIds: users })).body).toEqual(load.body);

    const busy = await t.user('user', { fullName: 'Busy', monthlyGoal: 30 });
    const idle = await t.user('user', { fullName: 'Idle', monthlyGoal: 60 });
    const more = await createBusinesses(...Array.from({ length: 6 }, () => null));
    const goal = { way: 'goal' as const, userIds: [busy.id, idle.id] };
    expect(readNumbers((await preview(more, goal)).body.shares)).toEqual({ Idle: [4, 0, 0], Busy: [2, 0, 0] });
    expect(readNumbers((await assign(more, goal)).body.shares)).toEqual({ Idle: [4, 0, 0], Busy: [2, 0, 0] });
  });

  test('a business that one of the users in question holds gets no second lead', async () => {
    const [id = 0] = await createBusinesses('Wakefield WF1 1AA');
    await t.db.insert(leads).values([
      { userId: marcus.id, businessId: id },
      { userId: olivia.id, businessId: id },
    ]);
    expect(readNumbers((await assign([id], byTerritory())).body.shares)).toEqual({ Marcus: [0, 0, 1] });
    expect(await leadsOn([id])).toHaveLength(2);
  });

  test('a merged business stands for the one that was kept', async () => {
    const [kept = 0, merged = 0] = await createBusinesses('Leeds LS1 4AP', 'York YO1 7HH');
    await t.db
      .update(businesses)
      .set({ mergedInto: kept })
      .where(inArray(businesses.id, [merged]));
    const { body } = await assign([merged, kept], byTerritory());
    expect(readNumbers(body.shares)).toEqual({ Grace: [1, 0, 0] });
    expect((await leadsOn([kept, merged])).map(({ businessId }) => businessId)).toEqual([kept]);
  });

  test('the territory of a user who was deactivated meanwhile counts as none', async () => {
    const ids = await createBusinesses('Leeds LS1 4AP', 'Wakefield WF1 1AA');
    await preview(ids, byTerritory());
    await t.request(admin, setUserActive, { params: { id: grace.id }, body: { active: false } });
    const { body } = await assign(ids, byTerritory());
    expect(readNumbers(body.shares)).toEqual({ Marcus: [1, 0, 0], Olivia: [1, 1, 0] });
  });

  test('a chosen user who is inactive refuses all of it', async () => {
    const ids = await createBusinesses('York YO1 7HH', 'Leeds LS1 4AP');
    await t.request(admin, setUserActive, { params: { id: olivia.id }, body: { active: false } });
    const choices: AssignmentChoice[] = [
      byTerritory(),
      { way: 'one', userId: olivia.id },
      { way: 'load', userIds: [grace.id, olivia.id] },
      { way: 'goal', userIds: [grace.id, 2_147_483_647] },
    ];
    for (const choice of choices) {
      for (const response of [await preview(ids, choice), await assign(ids, choice)]) {
        expect(response).toMatchObject({ status: 400, body: { code: 'invalid_target' } });
      }
    }
    expect(await leadsOn(ids)).toEqual([]);
  });

  test('two requests at once assign each business once', async () => {
    const ids = await createBusinesses(...Array.from({ length: 30 }, () => 'York YO1 7HH'));
    const userIds = [grace.id, marcus.id];
    const responses = await Promise.all([
      assign(ids, { way: 'load', userIds }),
      assign(ids.toReversed(), { way: 'load', userIds: userIds.toReversed() }),
    ]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    expect(await leadsOn(ids)).toHaveLength(30);
    const given = responses.flatMap(({ body }) => body.shares).reduce((sum, { count }) => sum + count, 0);
    expect(given).toBe(30);
  });

  test('a request that is repeated with its key is answered as the first time', async () => {
    const ids = await createBusinesses('Leeds LS1 4AP');
    const headers = { 'idempotency-key': `key-${randomBytes(8).toString('hex')}` };
    const first = await assign(ids, byTerritory(), admin, headers);
    expect((await assign(ids, byTerritory(), admin, headers)).body).toEqual(first.body);
    expect(await leadsOn(ids)).toHaveLength(1);
  });

  test('refused to others, and without businesses', async () => {
    const ids = await createBusinesses('Leeds LS1 4AP');
    for (const viewer of [grace, await t.user('manager')]) {
      expect((await preview(ids, byTerritory(), viewer)).status).toBe(403);
      expect((await assign(ids, byTerritory(), viewer)).status).toBe(403);
    }
    expect((await assign([], byTerritory())).status).toBe(400);
    expect((await assign([2_147_483_647], byTerritory())).status).toBe(404);
    expect(await leadsOn(ids)).toEqual([]);
  });
});
