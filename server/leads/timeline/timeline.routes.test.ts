import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Input } from '#contract/call.ts';
import { BATCH_HEADER, undoChanges } from '#contract/changes/changes.calls.ts';
import {
  completeFollowUp,
  dropFollowUp,
  getFollowUp,
  planFollowUp,
} from '#contract/leads/follow-ups/follow-ups.calls.ts';
import { DELETED_USER } from '#contract/leads/lead.ts';
import { addActivity, addTag, changeLeadStatus, changePhone, reassignLead } from '#contract/leads/leads.calls.ts';
import { getTimeline, TIMELINE_PAGE, type TimelineEntry } from '#contract/leads/timeline/timeline.calls.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { LeadField } from '#server/change-log/change-values.ts';
import { type ChangeLog, recordBatch } from '#server/change-log/record-changes.ts';
import { assignmentHistory, contactActivities, contactCredits } from '#server/schema/leads.ts';
import { users } from '#server/schema/users.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

let t: TestApp;
let holder: TestUser;
const person = (fullName: string, role: 'user' | 'admin' = 'user') => t.user(role, { fullName });
beforeAll(async () => {
  t = await testApp();
  holder = await person('Priya Shah');
});
afterAll(() => t.close());

type LeadRow = Awaited<ReturnType<TestApp['lead']>>;
type QueryInput = Input<typeof getTimeline.byId>['query'];

/** A minute of one morning. */
const minute = (nth: number) => new Date(Date.UTC(2026, 10, 16, 9, nth)).toISOString();

const read = (lead: LeadRow, query: QueryInput = {}, viewer: TestUser | null = holder) =>
  t.request(viewer, getTimeline.byId, { params: { id: lead.id }, query });
const readItems = async (lead: LeadRow, show: 'all' | 'contacts' | 'changes' = 'all') =>
  (await read(lead, { show })).body.items;

async function readPages(lead: LeadRow, betweenPages = async () => {}) {
  const pages: TimelineEntry[][] = [];
  let before: string | undefined;
  do {
    const { body } = await read(lead, before === undefined ? {} : { before });
    pages.push(body.items);
    before = body.next ?? undefined;
    await betweenPages();
  } while (before !== undefined);
  return pages;
}

const record = (at: string, work: (log: ChangeLog) => void, batch: Partial<Parameters<typeof recordBatch>[1]> = {}) =>
  recordBatch(
    t.db,
    { kind: 'status', source: 'profile', userId: holder.id, now: new Date(at), ...batch },
    async (log) => work(log),
  );
const addStatus = (lead: LeadRow, at: string, by: Viewer = holder) =>
  record(at, (log) => log.addLead(lead.id, 'status', { before: 'new', after: 'recontact' }), { userId: by.id });
const insertActivity = async (
  lead: LeadRow,
  at: string,
  columns: Partial<typeof contactActivities.$inferInsert> = {},
) => {
  const row = { userBusinessId: lead.id, type: 'call' as const, description: '', createdBy: holder.id };
  const [activity] = await t.db
    .insert(contactActivities)
    .values({ ...row, completedAt: at, createdAt: at, ...columns })
    .returning({ id: contactActivities.id });
  return activity?.id ?? 0;
};
const addAssignment = (lead: LeadRow, at: string, columns: Partial<typeof assignmentHistory.$inferInsert>) =>
  t.db
    .insert(assignmentHistory)
    .values({ userBusinessId: lead.id, newUserId: lead.userId, changedBy: holder.id, changedAt: at, ...columns });
const addCredit = (lead: LeadRow, at: string, counted = true) =>
  t.db.insert(contactCredits).values({ leadId: lead.id, userId: lead.userId, creditedAt: at, counted });

describe('an entry', () => {
  test('is an activity, with its type, outcome, description and author', async () => {
    const lead = await t.lead(holder);
    const id = await insertActivity(lead, minute(1), { outcome: 'spoke', description: 'Wants a quote' });
    expect(await readItems(lead)).toEqual([
      {
        kind: 'activity',
        id: `activity-${id}`,
        at: minute(1),
        user: holder.fullName,
        type: 'call',
        outcome: 'spoke',
        description: 'Wants a quote',
      },
    ]);
  });

  test('is not a follow-up that is still open', async () => {
    const lead = await t.lead(holder);
    await insertActivity(lead, minute(1), { scheduledAt: minute(30), completedAt: null });
    expect(await readItems(lead)).toEqual([]);
  });

  test('is a change, with the value before and after, its author and where it was made', async () => {
    const lead = await t.lead(holder);
    const admin = await person('Olivia Hart', 'admin');
    await addStatus(lead, minute(1));
    await record(minute(2), (log) => log.addLead(lead.id, 'tag', { item: 'hot', before: null, after: 'hot' }), {
      userId: admin.id,
      source: 'bulk',
    });
    await record(minute(3), (log) => log.addLead(lead.id, 'notes', { before: 1, after: 2 }));
    expect(await readItems(lead)).toMatchObject([
      { kind: 'change', at: minute(3), change: { field: 'notes', before: null, after: null } },
      {
        at: minute(2),
        user: admin.fullName,
        source: 'bulk',
        change: { field: 'tag', before: null, after: 'hot' },
      },
      {
        at: minute(1),
        user: holder.fullName,
        source: 'profile',
        undo: false,
        change: { field: 'status', before: 'New', after: 'Recontact' },
      },
    ]);
  });

  test('is marked as undone where the change took another one back', async () => {
    const lead = await t.lead(holder);
    await record(minute(1), (log) => log.addLead(lead.id, 'archived', { before: true, after: false }), {
      kind: 'undo',
    });
    expect(await readItems(lead)).toMatchObject([
      { undo: true, change: { field: 'archived', before: 'Archived', after: 'Active' } },
    ]);
  });

  test('is a follow-up that was done, or that was dropped', async () => {
    const lead = await t.lead(holder);
    const plan = async () => {
      const body = { type: 'call' as const, at: new Date(Date.now() + 3_600_000).toISOString(), note: '' };
      await t.request(holder, planFollowUp.byId, { params: { id: lead.id }, body });
      const { body: planned } = await t.request(holder, getFollowUp.byId, { params: { id: lead.id } });
      return { followUpId: planned.followUp?.id ?? 0 };
    };
    await t.request(holder, completeFollowUp, { params: await plan(), body: { outcome: 'spoke' } });
    await t.request(holder, dropFollowUp, { params: await plan(), body: {} });
    const changes = (await readItems(lead, 'changes')).filter((entry) => entry.kind === 'change');
    expect(changes.map(({ change, done }) => [change.before === null ? 'planned' : 'removed', done])).toEqual([
      ['removed', false],
      ['planned', false],
      ['removed', true],
      ['planned', false],
    ]);
  });

  test('is a change of the business, on every lead on it and on no other', async () => {
    const lead = await t.lead(holder);
    const colleague = await person('Tom Ellery');
    const sameBusiness = await t.lead(colleague, { businessId: lead.businessId });
    const elsewhere = await t.lead(holder);
    await record(minute(1), (log) =>
      log.addBusiness(lead.businessId, 'phone', {
        before: { text: null, typed: false },
        after: { text: '020 7946 0018', typed: true },
      }),
    );
    const entry = { user: holder.fullName, change: { field: 'phone', before: null, after: '020 7946 0018' } };
    expect(await readItems(lead)).toMatchObject([entry]);
    expect((await read(sameBusiness, {}, colleague)).body.items).toMatchObject([entry]);
    expect(await readItems(elsewhere)).toEqual([]);
  });

  test('is a hand-over, with both holders, the user who made it and the notes', async () => {
    const lead = await t.lead(holder);
    const [previous, admin] = [await person('Tom Ellery'), await person('Olivia Hart', 'admin')];
    await addAssignment(lead, minute(1), { newUserId: previous.id, initial: true });
    await addAssignment(lead, minute(2), { previousUserId: previous.id, changedBy: admin.id, notes: 'Holiday cover' });
    expect(await readItems(lead)).toMatchObject([
      {
        kind: 'assignment',
        at: minute(2),
        user: admin.fullName,
        previous: previous.fullName,
        next: holder.fullName,
        notes: 'Holiday cover',
        imported: false,
      },
      { user: holder.fullName, previous: null, next: previous.fullName, notes: null, imported: false },
    ]);
  });

  test('says that an import created the lead, and not that it made later hand-overs', async () => {
    const lead = await t.lead(holder, { tags: ['Imported'] });
    await addAssignment(lead, minute(1), { initial: true });
    await addAssignment(lead, minute(2), { previousUserId: holder.id });
    expect((await readItems(lead)).map((entry) => entry.kind === 'assignment' && entry.imported)).toEqual([
      false,
      true,
    ]);
  });

  test('is a credit, with the user toward whose goal it counts, and who earned it where that is known', async () => {
    const lead = await t.lead(holder);
    const admin = await person('Olivia Hart', 'admin');
    await addCredit(lead, minute(1), false);
    expect(await readItems(lead)).toMatchObject([
      { kind: 'credit', at: minute(1), user: null, holder: holder.fullName, counted: false },
    ]);
    const credit = { userId: holder.id, creditedAt: minute(1), counted: true };
    await record(minute(1), (log) => log.addLead(lead.id, 'credit', { before: null, after: credit }), {
      userId: admin.id,
    });
    await record(minute(2), (log) =>
      log.addLead(lead.id, 'credit', { before: credit, after: { ...credit, counted: false } }),
    );
    expect(await readItems(lead)).toMatchObject([{ kind: 'credit', user: admin.fullName }]);
  });

  test('is a credit that was taken back', async () => {
    const lead = await t.lead(holder);
    const credit = { userId: holder.id, creditedAt: minute(1), counted: true };
    await record(minute(2), (log) => log.addLead(lead.id, 'credit', { before: credit, after: null }), { kind: 'undo' });
    expect(await readItems(lead)).toMatchObject([
      { kind: 'change', undo: true, change: { field: 'credit', before: holder.fullName, after: null } },
    ]);
  });

  test.each<LeadField>(['lead', 'holder', 'activity'])(
    'is not a change of the %s, which is another entry',
    async (field) => {
      const lead = await t.lead(holder);
      const value = { userId: holder.id, assignedAt: minute(1), viewed: false, id: 1 };
      await record(minute(1), (log) => log.addLead(lead.id, field, { before: null, after: value as never }));
      expect(await readItems(lead)).toEqual([]);
    },
  );

  test('names users whose account was deleted as such', async () => {
    const gone = await person('Tom Ellery');
    const lead = await t.lead(holder);
    await addAssignment(lead, minute(1), { newUserId: gone.id, changedBy: gone.id, initial: true });
    await addAssignment(lead, minute(2), { previousUserId: gone.id });
    await insertActivity(lead, minute(3), { createdBy: gone.id });
    await addStatus(lead, minute(4), gone);
    await t.db.delete(users).where(eq(users.id, gone.id));
    expect(await readItems(lead)).toMatchObject([
      { kind: 'change', user: DELETED_USER },
      { kind: 'activity', user: DELETED_USER },
      { kind: 'assignment', user: holder.fullName, previous: DELETED_USER },
      { kind: 'assignment', user: DELETED_USER, previous: null, next: DELETED_USER },
    ]);
  });
});

test('what was done with the lead is in it, newest first', async () => {
  const [colleague, admin] = [await person('Tom Ellery'), await person('Olivia Hart', 'admin')];
  const lead = await t.lead(holder);
  const byId = { params: { id: lead.id } };
  await t.request(holder, changeLeadStatus.byId, { ...byId, body: { status: 'in_progress' } });
  await t.request(holder, addActivity.byId, { ...byId, body: { type: 'meeting', notes: 'Met the chef' } });
  const tagged = await t.request(holder, addTag.byId, { ...byId, body: { tag: 'hot' } });
  await t.request(holder, undoChanges, { params: { batchId: String(tagged.headers[BATCH_HEADER]) } });
  await t.request(holder, changePhone, { params: { businessId: lead.businessId }, body: { phone: '020 7946 0018' } });
  await t.request(admin, reassignLead.byId, { ...byId, body: { newUserId: colleague.id, notes: 'Holiday cover' } });

  const { body } = await read(lead, {}, colleague);
  const by = (user: TestUser) => ({ user: user.fullName });
  expect(body.items).toMatchObject([
    { ...by(admin), kind: 'assignment', previous: holder.fullName, next: colleague.fullName, notes: 'Holiday cover' },
    { ...by(holder), change: { field: 'phone', before: null, after: '020 7946 0018' }, undo: false, source: 'api' },
    { ...by(holder), change: { field: 'tag', before: 'hot', after: null }, undo: true },
    { ...by(holder), change: { field: 'tag', before: null, after: 'hot' }, undo: false },
    { ...by(holder), kind: 'activity', type: 'meeting', description: 'Met the chef' },
    { ...by(holder), kind: 'credit', holder: holder.fullName, counted: true },
    { ...by(holder), change: { field: 'status', before: 'New', after: 'In Progress' } },
  ]);
  expect(body).toMatchObject({ items: { length: 7 }, next: null });
});

test('a first contact that is undone takes its credit out of the timeline, which says so', async () => {
  const lead = await t.lead(holder);
  const changed = await t.request(holder, changeLeadStatus.byId, {
    params: { id: lead.id },
    body: { status: 'recontact' },
  });
  await t.request(holder, undoChanges, { params: { batchId: String(changed.headers[BATCH_HEADER]) } });
  const entries = await readItems(lead);
  expect(entries.every(({ kind }) => kind === 'change')).toBe(true);
  expect(new Set(entries.map((entry) => entry.kind === 'change' && `${entry.change.field} ${entry.undo}`))).toEqual(
    new Set(['status true', 'credit true', 'status false']),
  );
});

test('contacts are activities other than notes, and credits; changes are everything else', async () => {
  const lead = await t.lead(holder);
  await addAssignment(lead, minute(1), { initial: true });
  await insertActivity(lead, minute(2), { type: 'note' });
  await insertActivity(lead, minute(3), { type: 'email' });
  await addStatus(lead, minute(4));
  await addCredit(lead, minute(4));
  const kinds = async (show: 'all' | 'contacts' | 'changes') =>
    (await readItems(lead, show)).map((entry) => (entry.kind === 'activity' ? entry.type : entry.kind));
  expect(await kinds('all')).toEqual(['credit', 'change', 'email', 'note', 'assignment']);
  expect(await kinds('contacts')).toEqual(['credit', 'email']);
  expect(await kinds('changes')).toEqual(['change', 'note', 'assignment']);
});

test.each([
  { who: 'the holder', caller: 'holder', status: 200 },
  { who: 'a manager', caller: 'manager', status: 200 },
  { who: 'an admin', caller: 'admin', status: 200 },
  { who: 'another user', caller: 'user', status: 403 },
  { who: 'a signed-out caller', caller: null, status: 401 },
] as const)('$who gets $status, by id and by uuid', async ({ caller, status }) => {
  const lead = await t.lead(holder);
  await addStatus(lead, minute(1));
  const viewer = caller === 'holder' ? holder : caller && (await t.user(caller));
  const responses = [
    await read(lead, {}, viewer),
    await t.request(viewer, getTimeline.byUuid, { params: { uuid: lead.uuid } }),
  ];
  for (const response of responses) {
    expect(response.status).toBe(status);
    if (status === 200) expect(response.body.items).toHaveLength(1);
    else expect(response.body).not.toHaveProperty('items');
  }
});

describe('pages', () => {
  const COUNT = 30;

  /** Thirty entries of each kind, ten at each of three moments, and one credit. */
  async function leadWithHistory() {
    const lead = await t.lead(holder);
    for (let nth = 0; nth < COUNT; nth += 1) {
      const at = minute(Math.floor(nth / 10));
      await addStatus(lead, at);
      await record(at, (log) => log.addBusiness(lead.businessId, 'wrongPhone', { before: null, after: `${nth}` }));
      await addAssignment(lead, at, { previousUserId: holder.id });
      await insertActivity(lead, at, { type: nth % 2 ? 'call' : 'note' });
    }
    await addCredit(lead, minute(1));
    return lead;
  }

  test('have every entry once, newest first, although many have the same moment', async () => {
    const lead = await leadWithHistory();
    const pages = await readPages(lead);
    expect(pages.map(({ length }) => length)).toEqual([
      TIMELINE_PAGE,
      TIMELINE_PAGE,
      4 * COUNT + 1 - 2 * TIMELINE_PAGE,
    ]);
    const entries = pages.flat();
    expect(new Set(entries.map(({ id }) => id)).size).toBe(4 * COUNT + 1);
    const times = entries.map(({ at }) => at);
    expect(times).toEqual(times.toSorted().toReversed());
  });

  test.each(['contacts', 'changes'] as const)('of the %s have every one of them', async (show) => {
    const lead = await leadWithHistory();
    const first = await read(lead, { show });
    const rest = first.body.next ? await read(lead, { show, before: first.body.next }) : undefined;
    const entries = [...first.body.items, ...(rest?.body.items ?? [])];
    expect(new Set(entries.map(({ id }) => id)).size).toBe(show === 'contacts' ? COUNT / 2 + 1 : entries.length);
    if (show === 'changes') expect(entries).toHaveLength(2 * TIMELINE_PAGE);
  });

  test('are not shifted by what happens while they are read', async () => {
    const lead = await leadWithHistory();
    const before = (await readPages(lead)).flat();
    const during = await readPages(lead, async () => {
      await addStatus(lead, minute(40));
      await insertActivity(lead, minute(40));
      await addAssignment(lead, minute(40), { previousUserId: holder.id });
    });
    expect(during.flat()).toEqual(before);
  });

  test('leave out nothing but the activities that are deleted while they are read', async () => {
    const lead = await leadWithHistory();
    const before = (await readPages(lead)).flat();
    const after = await readPages(lead, async () => {
      await t.db.delete(contactActivities).where(eq(contactActivities.userBusinessId, lead.id));
    });
    const [first = [], ...rest] = after;
    expect(rest.flat()).toEqual(before.slice(first.length).filter(({ kind }) => kind !== 'activity'));
  });

  test('keep the order in which changes were made, where their batch began earlier', async () => {
    const lead = await t.lead(holder);
    for (const at of [minute(5), minute(1), minute(6)]) await addStatus(lead, at);
    await insertActivity(lead, minute(3));
    expect((await readItems(lead)).map(({ kind, at }) => [kind, at])).toEqual([
      ['change', minute(6)],
      ['activity', minute(3)],
      ['change', minute(1)],
      ['change', minute(5)],
    ]);
  });

  test('after the last one are empty', async () => {
    const lead = await t.lead(holder);
    await addStatus(lead, minute(1));
    expect((await read(lead, { before: '.....' })).body).toEqual({ items: [], next: null });
  });

  test.each(['x', '1-1', '.....x', `.....99999999999999-1`, '-1-1.....'])('cannot begin at %s', async (before) => {
    const lead = await t.lead(holder);
    expect(await read(lead, { before })).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
  });
});
