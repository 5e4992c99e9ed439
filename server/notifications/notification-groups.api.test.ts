import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bulkReassign, listLeads } from '#contract/leads/lead-lists.calls.ts';
import { assignBusiness, markViewedOnProfile, reassignLead } from '#contract/leads/leads.calls.ts';
import { listNotifications } from '#contract/notifications/notifications.calls.ts';
import { businesses } from '#server/schema/leads.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

let t: TestApp;
let admin: TestUser;
beforeAll(async () => {
  t = await testApp();
  admin = await t.user('admin', { fullName: 'Olivia Hart' });
});
afterAll(() => t.close());

async function assign(user: TestUser, batch?: string, sender = admin) {
  const [business] = await t.db
    .insert(businesses)
    .values({ placeId: `g-${randomUUID()}`, name: 'Corner Café' })
    .returning();
  const body = { userId: user.id, businessId: business?.id ?? 0, ...(batch && { batch }) };
  const { status, body: lead } = await t.request(sender, assignBusiness, { body });
  expect(status).toBe(201);
  return lead;
}
const notices = async (user: TestUser) => (await t.request(user, listNotifications)).body;
const open = (user: TestUser, { id }: { id: number }) => t.request(user, markViewedOnProfile.byId, { params: { id } });
const listOf = async (user: TestUser, notification: number) =>
  (await t.request(user, listLeads, { query: { notification } })).body.items
    .map(({ userBusiness }) => userBusiness.id)
    .sort((a, b) => a - b);

test('the assignments of one action are one notification, which opens them', async () => {
  const user = await t.user();
  const batch = randomUUID();
  const first = await assign(user, batch);
  expect((await notices(user)).items).toMatchObject([
    {
      title: 'New business assigned',
      message: 'Olivia Hart assigned Corner Café to you.',
      relatedUuid: first.uuid,
      leadCount: 0,
    },
  ]);
  const others = [await assign(user, batch), await assign(user, batch)];
  await assign(user);
  const { items, unread } = await notices(user);
  expect(unread).toBe(2);
  expect(items[1]).toMatchObject({
    title: 'New 3 businesses assigned',
    message: 'Olivia Hart assigned 3 businesses to you.',
    relatedUuid: null,
    leadCount: 3,
  });
  expect(await listOf(user, items[1]?.id ?? 0)).toEqual([first, ...others].map(({ id }) => id).sort((a, b) => a - b));
});

test('a batch is one of a sender and of a receiver', async () => {
  const [one, two, otherAdmin] = [await t.user(), await t.user(), await t.user('admin')];
  const batch = randomUUID();
  await assign(one, batch);
  await assign(two, batch);
  await assign(one, batch, otherAdmin);
  expect((await notices(one)).items.map(({ leadCount }) => leadCount)).toEqual([0, 0]);
  expect((await notices(two)).items).toHaveLength(1);
});

test('a bulk reassignment is one notification, and counts only leads that the receiver still holds', async () => {
  const [one, two] = [await t.user(), await t.user()];
  const leads = [await t.lead(one), await t.lead(one), await t.lead(one)];
  const ids = leads.map(({ id }) => id);
  await t.request(admin, bulkReassign, { body: { ids, newUserId: two.id } });
  const [notice] = (await notices(two)).items;
  expect(notice).toMatchObject({ message: 'Olivia Hart assigned 3 businesses to you.', leadCount: 3 });
  expect((await notices(one)).items).toMatchObject([{ type: 'lead_reassigned_from', leadCount: 0 }]);

  await t.request(admin, reassignLead.byId, { params: { id: ids[0] ?? 0 }, body: { newUserId: one.id } });
  expect((await notices(two)).items.find(({ id }) => id === notice?.id)).toMatchObject({ leadCount: 2 });
  expect(await listOf(two, notice?.id ?? 0)).toEqual(ids.slice(1));
});

test("another user's notification lists nothing, for admins too", async () => {
  const user = await t.user();
  const leads = [await t.lead(admin), await t.lead(admin)];
  await t.request(admin, bulkReassign, { body: { ids: leads.map(({ id }) => id), newUserId: user.id } });
  const [notice] = (await notices(user)).items;
  expect(await listOf(user, notice?.id ?? 0)).toHaveLength(2);
  expect(await listOf(await t.user(), notice?.id ?? 0)).toEqual([]);
  expect(await listOf(admin, notice?.id ?? 0)).toEqual([]);
  expect((await t.request(user, listLeads, { query: { notification: 'x' as never } })).body).toMatchObject({
    code: 'validation_failed',
  });
});

test('opening the lead of a notification marks it as read, and only for its holder', async () => {
  const user = await t.user();
  const [lead] = [await assign(user), await assign(user)];
  await open(admin, lead);
  expect((await notices(user)).unread).toBe(2);
  await open(user, lead);
  const { items, unread } = await notices(user);
  expect(unread).toBe(1);
  expect(items.find(({ relatedUserBusinessId }) => relatedUserBusinessId === lead.id)?.read).toBe(true);
});

test('a notification about several leads is read once all that the user still holds were opened', async () => {
  const user = await t.user();
  const batch = randomUUID();
  const [given, first, second] = [await assign(user, batch), await assign(user, batch), await assign(user, batch)];
  await t.request(admin, reassignLead.byId, { params: { id: given.id }, body: { newUserId: admin.id } });
  const group = async () => (await notices(user)).items.find(({ type }) => type === 'lead_assigned');
  await open(user, first);
  expect(await group()).toMatchObject({ read: false, leadCount: 2 });
  await open(user, second);
  expect(await group()).toMatchObject({ read: true });
});
