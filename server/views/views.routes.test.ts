import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listLeads } from '#contract/leads/lead-lists.calls.ts';
import { deleteUser } from '#contract/users/users.calls.ts';
import { BUILT_IN_VIEW_IDS, builtInViews } from '#contract/views/built-in-views.ts';
import { MAX_VIEWS } from '#contract/views/view.ts';
import * as calls from '#contract/views/views.calls.ts';
import { users } from '#server/schema/users.ts';
import { savedViews, viewPreferences } from '#server/schema/views.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

const NOW = '2026-06-17T09:30:00.000Z';
const DAY_MS = 24 * 60 * 60_000;
const daysAgo = (days: number) => new Date(Date.parse(NOW) - days * DAY_MS).toISOString();

let t: TestApp;
let admin: TestUser;
beforeAll(async () => {
  t = await testApp({ now: NOW, env: { TIME_ZONE: 'Europe/London' } });
  admin = await t.user('admin');
});
afterAll(() => t.close());

const SETTINGS = { status: 'recontact', sort: 'follow-up', view: 'table', pageSize: '40' };
const create = (viewer: TestUser, body: object = {}) =>
  t.request(viewer, calls.createView, { body: { name: `View ${randomUUID()}`, settings: SETTINGS, ...body } });
const list = async (viewer: TestUser) => (await t.request(viewer, calls.listViews)).body;
const namesFor = async (viewer: TestUser) => (await list(viewer)).views.map(({ name }) => name);
const pin = (viewer: TestUser, pinned: string[], defaultView: string | null = null) =>
  t.request(viewer, calls.setViewPreferences, {
    body: { pinned: pinned as never[], defaultView: defaultView as never },
  });

test('a view is saved, renamed, replaced, deleted and restored by its owner', async () => {
  const owner = await t.user();
  const { status, body: view } = await create(owner, { name: '  Warm   leads ' });
  expect(status).toBe(201);
  expect(view).toMatchObject({ name: 'Warm   leads', shared: false, settings: SETTINGS, owner: { id: owner.id } });

  const params = { viewId: view.id };
  const changed = await t.request(owner, calls.changeView, { params, body: { name: 'Hot leads', settings: {} } });
  expect(changed.body).toMatchObject({ id: view.id, name: 'Hot leads', settings: {} });
  expect(await namesFor(owner)).toEqual(['Hot leads']);

  await pin(owner, [view.id]);
  expect((await t.request(owner, calls.deleteView, { params })).status).toBe(200);
  expect(await list(owner)).toEqual({ views: [], pinned: [], defaultView: null });
  expect((await t.request(owner, calls.deleteView, { params })).status).toBe(404);
  expect((await t.request(owner, calls.restoreView, { params })).body).toEqual(changed.body);
  // Its place among the pinned views is restored, too.
  expect(await list(owner)).toMatchObject({ views: [{ name: 'Hot leads' }], pinned: [view.id] });
});

test.each([
  { screen: 'reports', period: 'quarter', origin: 'sweep', by: 'field3', sum: '4', sort: 'won-desc' },
  { screen: 'contacts', period: 'quarter', who: '5', contact: 'call', reached: 'true', callTime: '1-09' },
])('a view of $screen is no view of the list', async (settings) => {
  const owner = await t.user();
  const { body: view } = await create(owner, { settings });
  expect(view.settings).toEqual(settings);
  await pin(owner, ['new-today', view.id], view.id);
  expect(await list(owner)).toMatchObject({ views: [{ id: view.id }], pinned: ['new-today'], defaultView: null });
  expect((await t.request(owner, calls.countPinnedViews)).body.map(({ id }) => id)).toEqual(['new-today']);
});

test('names are unique per owner, in any case, and a deleted view frees its name', async () => {
  const [owner, other] = [await t.user(), await t.user()];
  const { body: view } = await create(owner, { name: 'Bakeries' });
  expect(await create(owner, { name: 'BAKERIES' })).toMatchObject({ status: 409, body: { code: 'duplicate_name' } });
  expect((await create(other, { name: 'Bakeries' })).status).toBe(201);
  const { body: second } = await create(owner, { name: 'Cafes' });
  const rename = { params: { viewId: second.id }, body: { name: 'bakeries' } };
  expect((await t.request(owner, calls.changeView, rename)).body.code).toBe('duplicate_name');

  await t.request(owner, calls.deleteView, { params: { viewId: view.id } });
  expect((await t.request(owner, calls.changeView, rename)).status).toBe(200);
  const restored = await t.request(owner, calls.restoreView, { params: { viewId: view.id } });
  expect(restored).toMatchObject({ status: 409, body: { code: 'duplicate_name' } });
});

test.each([
  { name: '' },
  { name: 'x'.repeat(61) },
  { settings: { status: 'contacted' } },
  { settings: { page: '2' } },
  { settings: { notification: '7' } },
  { settings: { nonsense: 'x' } },
  { settings: { view: 'globe' } },
  { settings: { q: 'x'.repeat(2_001) } },
  { settings: { sort: 'size' } },
  { settings: { screen: 'progress' } },
  { settings: { screen: 'reports', status: 'new' } },
  { settings: { screen: 'reports', who: '5' } },
  { settings: { screen: 'contacts', status: 'new' } },
])('%o is refused', async (body) => {
  const owner = await t.user();
  expect(await create(owner, body)).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
  expect((await list(owner)).views).toEqual(
    expect.not.arrayContaining([expect.objectContaining({ owner: { id: owner.id } })]),
  );
});

test(`a user can have ${MAX_VIEWS} views, also with several requests at once`, async () => {
  const owner = await t.user();
  const rows = Array.from({ length: MAX_VIEWS - 1 }, (_, nth) => ({ ownerId: owner.id, name: `${nth}`, settings: {} }));
  await t.db.insert(savedViews).values(rows);
  const responses = await Promise.all(['a', 'b', 'c'].map((name) => create(owner, { name })));
  expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  expect(responses.find(({ status }) => status === 409)?.body.code).toBe('too_many_views');
});

test('only managers and admins share views', async () => {
  const user = await t.user();
  expect(await create(user, { shared: true })).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  const { body: view } = await create(user);
  const share = { params: { viewId: view.id }, body: { shared: true } };
  expect((await t.request(user, calls.changeView, share)).status).toBe(403);
  expect((await list(user)).views.find(({ id }) => id === view.id)?.shared).toBe(false);

  for (const role of ['manager', 'admin'] as const) {
    const owner = await t.user(role);
    const { body: shared } = await create(owner, { shared: true });
    expect(await namesFor(user)).toContain(shared.name);
  }
});

test("another user's private view does not exist for others, and their shared one cannot be changed", async () => {
  const [owner, other] = [await t.user('manager'), await t.user('manager')];
  const { body: hidden } = await create(owner);
  const { body: shared } = await create(owner, { shared: true });
  const attempts = (viewer: TestUser, viewId: string) => [
    t.request(viewer, calls.changeView, { params: { viewId }, body: { name: 'Taken over' } }),
    t.request(viewer, calls.deleteView, { params: { viewId } }),
  ];
  for (const viewer of [other, admin]) {
    expect(await namesFor(viewer)).not.toContain(hidden.name);
    for (const { status } of await Promise.all(attempts(viewer, hidden.id))) expect(status).toBe(404);
  }
  for (const { status } of await Promise.all(attempts(other, shared.id))) expect(status).toBe(403);
  expect(await namesFor(owner)).toEqual(expect.arrayContaining([hidden.name, shared.name]));

  const user = await t.user();
  for (const { status } of await Promise.all(attempts(user, shared.id))) expect(status).toBe(403);
  const renamed = await t.request(admin, calls.changeView, { params: { viewId: shared.id }, body: { name: 'Tidied' } });
  expect(renamed.body).toMatchObject({ name: 'Tidied', owner: { id: owner.id } });
  await t.request(owner, calls.deleteView, { params: { viewId: shared.id } });
  expect((await t.request(other, calls.restoreView, { params: { viewId: shared.id } })).status).toBe(403);
  expect((await t.request(admin, calls.restoreView, { params: { viewId: hidden.id } })).status).toBe(404);
});

test('an owner who may not share any more no longer changes what the team sees', async () => {
  const owner = await t.user('manager');
  const { body: shared } = await create(owner, { shared: true });
  const { body: own } = await create(owner);
  await t.db.update(users).set({ role: 'user' }).where(eq(users.id, owner.id));
  const params = { viewId: shared.id };
  for (const body of [{ name: 'Still mine' }, { settings: {} }, { shared: false }]) {
    expect((await t.request(owner, calls.changeView, { params, body })).status).toBe(403);
  }
  expect((await t.request(owner, calls.deleteView, { params })).status).toBe(403);
  expect((await t.request(owner, calls.deleteView, { params: { viewId: own.id } })).status).toBe(200);
  expect((await t.request(admin, calls.deleteView, { params })).status).toBe(200);
  expect((await t.request(owner, calls.restoreView, { params })).status).toBe(403);
});

test('pins and the default view are stored in order, without duplicates and without views that others may not see', async () => {
  const [owner, other] = [await t.user('manager'), await t.user()];
  const { body: view } = await create(owner);
  const response = await pin(owner, ['going-quiet', view.id, 'new-today', 'going-quiet'], view.id);
  expect(response.body).toEqual({ pinned: ['going-quiet', view.id, 'new-today'], defaultView: view.id });
  expect(await list(owner)).toMatchObject(response.body);
  expect((await pin(other, [view.id, 'new-today'], view.id)).body).toEqual({
    pinned: ['new-today'],
    defaultView: null,
  });

  // Shared later, the view is where it was pinned.
  await t.request(owner, calls.changeView, { params: { viewId: view.id }, body: { shared: true } });
  expect(await list(other)).toMatchObject({ pinned: [view.id, 'new-today'], defaultView: view.id });

  expect((await pin(owner, ['no-such-view'])).status).toBe(400);
  expect(
    (
      await pin(
        owner,
        Array.from({ length: 11 }, () => randomUUID()),
      )
    ).status,
  ).toBe(400);
});

test('a view with a filter that is not valid any more has no count, and the others have theirs', async () => {
  const owner = await t.user();
  await t.lead(owner);
  const { body: broken } = await create(owner);
  const { body: whole } = await create(owner, { settings: {} });
  await t.db
    .update(savedViews)
    .set({ settings: { status: 'gone' } })
    .where(eq(savedViews.id, broken.id));
  await pin(owner, [broken.id, whole.id]);
  const { body: counts } = await t.request(owner, calls.countPinnedViews);
  expect(counts).toEqual([{ id: whole.id, total: 1, totalCapped: false }]);
});

test('a shared view has the leads that each viewer may see', async () => {
  const [seller, colleague, manager] = [await t.user(), await t.user(), await t.user('manager')];
  const tag = randomUUID();
  await t.lead(seller, { tags: [tag] });
  await t.lead(colleague, { tags: [tag] });
  await t.lead(colleague, { tags: [tag] });
  const settings = { tags: tag, user: String(colleague.id), team: 'true' };
  const { body: view } = await create(admin, { shared: true, settings });
  const count = async (viewer: TestUser) => {
    await pin(viewer, [view.id]);
    return (await t.request(viewer, calls.countPinnedViews)).body;
  };
  // Users get the view of their own leads; managers and admins that of the colleague.
  expect(await count(seller)).toEqual([{ id: view.id, total: 1, totalCapped: false }]);
  expect(await count(colleague)).toEqual([{ id: view.id, total: 2, totalCapped: false }]);
  expect(await count(manager)).toEqual([{ id: view.id, total: 2, totalCapped: false }]);
  expect(await count(admin)).toEqual([{ id: view.id, total: 2, totalCapped: false }]);
  // The list itself refuses the team to users, with or without a view.
  expect((await t.request(seller, listLeads, { query: settings })).status).toBe(403);
});

test.each(['user', 'admin'] as const)(
  'the built-in views of a %s have the leads that their names say',
  async (role) => {
    const viewer = await t.user(role);
    const add = (columns: object) => t.lead(viewer, { assignedAt: daysAgo(40), viewed: true, ...columns });
    const planned = (nextStepAt: string) => ({ nextStepAt, nextStepType: 'call' as const });
    const leads = {
      today: await add({ assignedAt: '2026-06-16T23:30:00.000Z' }),
      quiet: await add({ lastContactedAt: daysAgo(31) }),
      contacted: await add({ lastContactedAt: daysAgo(20) }),
      overdue: await add(planned(daysAgo(2))),
      tonight: await add(planned('2026-06-17T20:00:00.000Z')),
      tomorrow: await add(planned('2026-06-18T08:00:00.000Z')),
      won: await add({ status: 'closed_won', lastContactedAt: daysAgo(50) }),
      customer: await add({ existingCustomer: true, status: 'closed_won' }),
      archived: await add({ archived: true }),
    };
    const open = ['today', 'quiet', 'contacted', 'overdue', 'tonight', 'tomorrow'];
    const expected: Record<string, string[]> = {
      'my-open-leads': open,
      'new-today': ['today'],
      'going-quiet': ['quiet'],
      'follow-ups-due': ['overdue', 'tonight'],
      'existing-customers': ['customer'],
    };
    for (const { id, settings } of builtInViews(viewer)) {
      const query = { ...settings, user: String(viewer.id), pageSize: '100' };
      const { body } = await t.request(viewer, listLeads, { query });
      const found = body.items.map(({ userBusiness }) => userBusiness.id).sort((a, b) => a - b);
      const names = expected[id] as (keyof typeof leads)[];
      expect({ id, found }).toEqual({ id, found: names.map((name) => leads[name].id).sort((a, b) => a - b) });
    }
    await pin(viewer, [...BUILT_IN_VIEW_IDS]);
    const counts = (await t.request(viewer, calls.countPinnedViews)).body;
    expect(counts.map(({ id }) => id)).toEqual(BUILT_IN_VIEW_IDS);
    if (role === 'user') expect(counts.map(({ total }) => total)).toEqual([6, 1, 1, 2, 1]);
    expect(counts[0]?.total).toBe(6);
  },
);

test('deleting an account deletes its private views, and shared ones stay without an owner', async () => {
  const [owner, user] = [await t.user('manager'), await t.user()];
  const { body: hidden } = await create(owner);
  const { body: shared } = await create(owner, { shared: true });
  await pin(owner, [hidden.id]);
  expect((await t.request(admin, deleteUser, { params: { id: owner.id } })).status).toBe(204);

  expect(await t.db.$count(savedViews, eq(savedViews.id, hidden.id))).toBe(0);
  expect(await t.db.$count(viewPreferences, eq(viewPreferences.userId, owner.id))).toBe(0);
  expect((await list(user)).views.find(({ id }) => id === shared.id)).toMatchObject({ owner: null, shared: true });
  const params = { viewId: shared.id };
  expect((await t.request(user, calls.deleteView, { params })).status).toBe(403);
  const unshared = await t.request(admin, calls.changeView, { params, body: { shared: false } });
  expect(unshared).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  expect((await t.request(admin, calls.deleteView, { params })).status).toBe(200);
});
