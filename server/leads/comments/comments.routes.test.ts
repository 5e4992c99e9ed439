import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BATCH_HEADER, undoChanges } from '#contract/changes/changes.calls.ts';
import { mergeBusinesses, undoMerge } from '#contract/duplicates/duplicates.calls.ts';
import * as calls from '#contract/leads/comments/comments.calls.ts';
import { DELETED_USER } from '#contract/leads/lead.ts';
import { assignBusiness, deleteLead, getLead, reassignLead } from '#contract/leads/leads.calls.ts';
import { getTimeline } from '#contract/leads/timeline/timeline.calls.ts';
import { listNotifications } from '#contract/notifications/notifications.calls.ts';
import { deleteUser, setUserActive } from '#contract/users/users.calls.ts';
import { businesses } from '#server/schema/leads.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

const NOW = '2026-11-17T09:00:00.000Z';

let t: TestApp;
let [holder, manager, admin]: [TestUser, TestUser, TestUser] = [] as never;
beforeAll(async () => {
  t = await testApp({ now: NOW });
});
afterAll(() => t.close());

/** Nobody's bell has notifications of another test. */
async function aLead(name = 'Corner Café') {
  [holder, manager, admin] = [await t.user(), await t.user('manager', { fullName: 'Mia Lead' }), await t.user('admin')];
  return t.lead(holder, {}, { name });
}

const comment = (viewer: TestUser, { id }: { id: number }, text: string, headers = {}) =>
  t.request(viewer, calls.addComment.byId, { params: { id }, body: { text } }, { headers });
const remove = (viewer: TestUser, commentId: number) =>
  t.request(viewer, calls.deleteComment, { params: { commentId } });
const readComments = async (viewer: TestUser, { id }: { id: number }, show: 'all' | 'contacts' | 'changes' = 'all') => {
  const { body } = await t.request(viewer, getTimeline.byId, { params: { id }, query: { show } });
  return body.items.flatMap((entry) => (entry.kind === 'comment' ? [entry] : []));
};
const readTexts = async (viewer: TestUser, lead: { id: number }) =>
  (await readComments(viewer, lead)).map(({ text }) => text);
const readBell = async (reader: TestUser) =>
  (await t.request(reader, listNotifications)).body.items.filter(({ type }) => type === 'lead_comment');

test('a comment of a manager is in the timeline, and the holder is notified with a link', async () => {
  const lead = await aLead();
  const { status, body } = await comment(manager, lead, '  Please tell me how this is going. ');

  expect({ status, body }).toEqual({
    status: 201,
    body: {
      id: body.id,
      userBusinessId: lead.id,
      text: 'Please tell me how this is going.',
      createdBy: manager.id,
      createdAt: NOW,
      holderNotified: true,
    },
  });
  expect(await readComments(holder, lead)).toEqual([
    {
      id: `comment-${body.id}`,
      kind: 'comment',
      commentId: body.id,
      at: NOW,
      user: 'Mia Lead',
      createdBy: manager.id,
      text: 'Please tell me how this is going.',
    },
  ]);
  expect(await readComments(holder, lead, 'changes')).toEqual([]);
  expect(await readBell(holder)).toMatchObject([
    {
      title: 'New comment on Corner Café',
      message: 'Mia Lead: Please tell me how this is going.',
      read: false,
      relatedUuid: lead.uuid,
    },
  ]);
  expect(await readBell(manager)).toEqual([]);
  expect(await readBell(admin)).toEqual([]);
  // It is no contact.
  const { body: profile } = await t.request(holder, getLead.byId, { params: { id: lead.id } });
  expect(profile.userBusiness).toMatchObject({ lastContactedAt: null, contactActivities: [] });
});

test('an answer reaches those who commented before, each once, with a link, and not its author', async () => {
  const lead = await aLead();
  await comment(manager, lead, 'How is this going?');
  await comment(manager, lead, 'And when do we call?');
  await comment(admin, lead, 'I wonder, too.');
  const { status } = await t.request(holder, calls.addComment.byUuid, {
    params: { uuid: lead.uuid },
    body: { text: 'On Monday.' },
  });
  expect(status).toBe(201);

  for (const reader of [manager, admin]) {
    expect((await readBell(reader))[0]).toMatchObject({ message: 'Test user: On Monday.', relatedUuid: lead.uuid });
  }
  expect((await readBell(manager)).map(({ message }) => message)).toHaveLength(2);
  expect(await readBell(holder)).toHaveLength(3);
});

test('who may not see the lead any more, or cannot sign in, is not notified', async () => {
  const lead = await aLead();
  const [colleague, left] = [await t.user(), await t.user('manager')];
  await comment(holder, lead, 'Rang twice.');
  await comment(left, lead, 'Good.');
  await t.request(admin, setUserActive, { params: { id: left.id }, body: { active: false } });
  await t.request(admin, reassignLead.byId, { params: { id: lead.id }, body: { newUserId: colleague.id } });
  const before = (await readBell(holder)).length;

  await comment(manager, lead, 'Welcome.');

  expect(await readBell(colleague)).toMatchObject([{ message: 'Mia Lead: Welcome.' }]);
  const bell = await readBell(holder);
  expect(bell).toHaveLength(before);
  // A link to what is now a colleague's lead would be refused.
  expect(bell[0]?.relatedUuid).toBeNull();
  expect(await t.db.execute(`select from notifications where user_id = ${left.id}`)).toMatchObject({ rows: [] });
});

test('the author learns that the holder is not notified: they are the holder, or cannot sign in', async () => {
  const lead = await aLead();
  expect((await comment(holder, lead, 'Rang twice.')).body).toMatchObject({ holderNotified: false });
  await t.request(admin, setUserActive, { params: { id: holder.id }, body: { active: false } });
  expect((await comment(manager, lead, 'Well?')).body).toMatchObject({ holderNotified: false });
});

test('a long comment is shortened in the bell', async () => {
  const lead = await aLead();
  await comment(manager, lead, '😀'.repeat(1_000));
  expect((await readBell(holder))[0]?.message).toBe(`Mia Lead: ${'😀'.repeat(200)}…`);
  expect(await readTexts(holder, lead)).toEqual(['😀'.repeat(1_000)]);
});

test.each([
  ['nothing', ''],
  ['spaces', '   '],
  ['too much', 'x'.repeat(2_001)],
])('%s is refused', async (_, text) => {
  const lead = await aLead();
  expect(await comment(holder, lead, text)).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
  expect(await readTexts(holder, lead)).toEqual([]);
});

test('a user who does not hold the lead is refused before the body is read', async () => {
  const lead = await aLead();
  expect(await comment(await t.user(), lead, '')).toMatchObject({ status: 403, body: { code: 'not_your_lead' } });
});

test('a repeated Idempotency-Key comments once', async () => {
  const lead = await aLead();
  const send = () => comment(manager, lead, 'How is this going?', { 'idempotency-key': 'the-same-press' });
  const [first, second] = [await send(), await send()];
  expect(second).toMatchObject({ status: 201, body: first.body });
  expect(await readTexts(holder, lead)).toHaveLength(1);
  expect(await readBell(holder)).toHaveLength(1);
});

describe('deleting', () => {
  test.each(['author', 'admin'] as const)('by the %s takes the notifications away, too', async (who) => {
    const lead = await aLead();
    const { body } = await comment(manager, lead, 'How is this going?');
    expect(await remove(who === 'author' ? manager : admin, body.id)).toMatchObject({
      status: 200,
      body: { message: 'Comment deleted' },
    });
    expect(await readTexts(holder, lead)).toEqual([]);
    expect(await readBell(holder)).toEqual([]);
    expect(await remove(admin, body.id)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });

  test('by others is refused, also by its author once the lead is not theirs', async () => {
    const lead = await aLead();
    const { body: theirs } = await comment(manager, lead, 'How is this going?');
    const { body: own } = await comment(holder, lead, 'Well.');
    expect(await remove(holder, theirs.id)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    expect(await remove(manager, own.id)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    const { id: newUserId } = await t.user();
    await t.request(admin, reassignLead.byId, { params: { id: lead.id }, body: { newUserId } });
    expect(await remove(holder, own.id)).toMatchObject({ status: 403, body: { code: 'not_your_lead' } });
    expect(await readTexts(manager, lead)).toHaveLength(2);
  });
});

test('a merge keeps the comments of both leads, and undoing it gives each its own again', async () => {
  const kept = await aLead('Blue Door Bakery');
  const other = await t.lead(holder, {}, { name: 'The Blue Door' });
  await comment(manager, kept, 'On the kept one');
  await comment(manager, other, 'On the other one');
  const businessIds = [kept.business.id, other.business.id];
  const { body: merged } = await t.request(admin, mergeBusinesses, { body: { keptId: kept.business.id, businessIds } });

  expect((await readTexts(holder, kept)).sort()).toEqual(['On the kept one', 'On the other one']);
  expect((await readBell(holder)).map(({ relatedUuid }) => relatedUuid)).toEqual([kept.uuid, kept.uuid]);
  await comment(holder, kept, 'Since');

  expect((await t.request(admin, undoMerge, { params: { id: merged.id } })).status).toBe(200);
  expect((await readTexts(holder, kept)).sort()).toEqual(['On the kept one', 'Since']);
  expect(await readTexts(holder, other)).toEqual(['On the other one']);
});

test('a lead that was commented on is not deleted by undoing its assignment', async () => {
  await aLead();
  const [business] = await t.db.insert(businesses).values({ placeId: 'commented', name: 'Corner Café' }).returning();
  const assigned = await t.request(admin, assignBusiness, {
    body: { userId: holder.id, businessId: business?.id ?? 0 },
  });
  const batchId = String(assigned.headers[BATCH_HEADER]);
  await comment(manager, assigned.body, 'Take care of this one.');
  const undone = await t.request(admin, undoChanges, { params: { batchId } });
  expect(undone).toMatchObject({ status: 409, body: { code: 'not_undoable' } });
  expect(await readTexts(holder, assigned.body)).toEqual(['Take care of this one.']);
});

test('a deleted lead takes its comments with it; those of a deleted account stay without its name', async () => {
  const lead = await aLead();
  await comment(manager, lead, 'How is this going?');
  await t.request(admin, deleteUser, { params: { id: manager.id } });
  await expect.poll(() => readComments(holder, lead)).toMatchObject([{ user: DELETED_USER, createdBy: null }]);
  await t.request(holder, deleteLead.byId, { params: { id: lead.id } });
  expect(await t.db.execute(`select from lead_comments where user_business_id = ${lead.id}`)).toMatchObject({
    rows: [],
  });
});
