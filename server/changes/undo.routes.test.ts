import { and, eq, inArray, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BATCH_HEADER, getChangeBatch, listChanges, undoChanges } from '#contract/changes/changes.calls.ts';
import { startBulkJob } from '#contract/leads/bulk/bulk-jobs.calls.ts';
import { dropFollowUp, getFollowUp, planFollowUp } from '#contract/leads/follow-ups/follow-ups.calls.ts';
import * as lists from '#contract/leads/lead-lists.calls.ts';
import * as calls from '#contract/leads/leads.calls.ts';
import { listNotifications, readAllNotifications } from '#contract/notifications/notifications.calls.ts';
import { getMonthlyContacts, getWeeklyContacts } from '#contract/progress/progress.calls.ts';
import { changes } from '#server/schema/changes.ts';
import { businesses, contactCredits, leads } from '#server/schema/leads.ts';
import { users } from '#server/schema/users.ts';
import { insertManyLeads } from '#server/testing/many-leads.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

const NOW = '2026-11-16T09:00:00.000Z';
const LATER = { day: '2026-11-17T09:00:01.000Z', month: '2026-12-16T09:00:01.000Z' };
const TOMORROW = '2026-11-17T10:00:00.000Z';

let t: TestApp;
let holder: TestUser;
let admin: TestUser;
beforeAll(async () => {
  t = await testApp({ now: NOW });
  holder = await t.user();
  admin = await t.user('admin');
});
afterAll(() => t.close());

interface Changed {
  status: number;
  headers: Record<string, unknown>;
}

const batchOf = ({ headers }: Changed) => String(headers[BATCH_HEADER]);
const undo = (changed: Changed, viewer: TestUser | null = holder, app = t) =>
  app.request(viewer, undoChanges, { params: { batchId: batchOf(changed) } });
const preview = (changed: Changed, viewer: TestUser | null = holder) =>
  t.request(viewer, getChangeBatch, { params: { batchId: batchOf(changed) } });
const byId = (id: number) => ({ params: { id } });
const setStatus = (id: number, status: string, viewer = holder, app = t) =>
  app.request(viewer, calls.changeLeadStatus.byId, { ...byId(id), body: { status: status as 'new' } });
const reassign = (id: number, newUserId: number, viewer = holder) =>
  t.request(viewer, calls.reassignLead.byId, { ...byId(id), body: { newUserId } });
const read = async (id: number, viewer = admin) => (await t.request(viewer, calls.getLead.byId, byId(id))).body;
const meters = async (viewer: TestUser) => [
  (await t.request(viewer, getWeeklyContacts)).body.count,
  (await t.request(viewer, getMonthlyContacts)).body.count,
];

/** The state of a lead and its business that a change can affect. */
async function readState(id: number) {
  const { business, userBusiness } = await read(id);
  const { updatedAt: _, notesVersion: __, ...lead } = userBusiness;
  const { followUp } = (await t.request(admin, getFollowUp.byId, byId(id))).body;
  return { business, lead, followUp };
}

type Lead = Awaited<ReturnType<TestApp['lead']>>;

const CHANGES: [string, (lead: Lead) => Promise<Changed>][] = [
  ['a status', ({ id }) => setStatus(id, 'closed_won')],
  ['an uncontacted status', ({ id }) => setStatus(id, 'qualified')],
  ['an archive', ({ id }) => t.request(holder, calls.archiveLead.byId, byId(id))],
  [
    'an archive that drops the follow-up',
    ({ id }) => t.request(holder, calls.archiveLead.byId, { ...byId(id), body: { dropFollowUp: true } }),
  ],
  ['an existing customer', ({ id }) => t.request(holder, calls.markExistingCustomer.byId, byId(id))],
  ['a tag', ({ id }) => t.request(holder, calls.addTag.byId, { ...byId(id), body: { tag: 'VIP' } })],
  ['a removed tag', ({ id }) => t.request(holder, calls.removeTag.byId, { params: { id, tag: 'hot' } })],
  [
    'an e-mail',
    ({ id }) =>
      t.request(holder, calls.changeCustomFields.byId, {
        ...byId(id),
        body: { customFields: { email: 'x@example.test' } },
      }),
  ],
  [
    'a cleared contact person',
    ({ id }) =>
      t.request(holder, calls.changeCustomFields.byId, { ...byId(id), body: { customFields: { contactPerson: '' } } }),
  ],
  ['notes', ({ id }) => t.request(holder, calls.changeLeadNotes.byId, { ...byId(id), body: { notes: 'Wrong lead' } })],
  [
    'a phone number',
    ({ businessId }) =>
      t.request(holder, calls.changePhone, { params: { businessId }, body: { phone: '020 7946 0999' } }),
  ],
  [
    'a website',
    ({ businessId }) =>
      t.request(holder, calls.changeWebsite, { params: { businessId }, body: { website: 'https://wrong.test' } }),
  ],
  [
    'a type of business',
    ({ businessId }) => t.request(holder, calls.changeBusinessType, { params: { businessId }, body: { type: 'Pub' } }),
  ],
  [
    'a moved follow-up',
    ({ id }) =>
      t.request(holder, planFollowUp.byId, { ...byId(id), body: { at: '2026-11-20T10:00:00.000Z', note: 'Other' } }),
  ],
  [
    'a dropped follow-up',
    async ({ id }) => {
      const { followUp } = (await t.request(holder, getFollowUp.byId, byId(id))).body;
      return t.request(holder, dropFollowUp, { params: { followUpId: followUp?.id ?? 0 } });
    },
  ],
  ['a hand-over', async ({ id }) => reassign(id, (await t.user()).id, holder)],
];

/** A lead with something in every field. */
async function newLead() {
  const lead = await t.lead(
    holder,
    {
      tags: ['hot'],
      notes: 'Ask for Sam',
      customFields: { contactPerson: 'Sam' },
      viewed: true,
      assignedAt: '2026-10-01T08:00:00.000Z',
    },
    { phone: '020 7946 0018', website: 'https://bakery.test' },
  );
  await t.request(holder, planFollowUp.byId, { ...byId(lead.id), body: { at: TOMORROW, note: 'Ring' } });
  return lead;
}

describe.each(CHANGES)('%s', (_, change) => {
  test('is taken back by its author and by an admin, and undoing is undone', async () => {
    for (const viewer of [holder, admin]) {
      const lead = await newLead();
      const before = await readState(lead.id);
      const changed = await change(lead);
      expect(changed.status).toBe(200);
      const after = await readState(lead.id);
      expect(after).not.toEqual(before);

      // An author who gave the lead away may no longer change it, but is allowed to reassign no other's lead.
      const gaveAway = after.lead.userId !== holder.id;
      const undone = await undo(changed, gaveAway ? admin : viewer);
      expect(undone).toMatchObject({ status: 200, body: { takenBack: 1, left: [] } });
      expect(await readState(lead.id)).toEqual(before);

      expect(await undo(undone, gaveAway ? admin : viewer)).toMatchObject({
        status: 200,
        body: { takenBack: 1, left: [] },
      });
      expect(await readState(lead.id)).toEqual(after);
    }
  });

  test('is refused to other users, and changes nothing', async () => {
    const lead = await newLead();
    const changed = await change(lead);
    const before = await readState(lead.id);
    for (const role of ['user', 'manager'] as const) {
      expect(await undo(changed, await t.user(role))).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    }
    expect(await undo(changed, null)).toMatchObject({ status: 401 });
    expect(await readState(lead.id)).toEqual(before);
  });

  test('is taken back once by 20 requests at the same time', async () => {
    const lead = await newLead();
    const before = await readState(lead.id);
    const changed = await change(lead);
    const responses = await Promise.all(Array.from({ length: 20 }, () => undo(changed, admin)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(responses.filter(({ body }) => body.code === 'not_undoable')).toHaveLength(19);
    expect(await readState(lead.id)).toEqual(before);
  });
});

describe('undo after undo', () => {
  const nth = (n: number): [string, (lead: Lead) => Promise<Changed>][] => [
    ['a status', ({ id }) => setStatus(id, n === 1 ? 'in_progress' : 'closed_won')],
    [
      'an e-mail',
      ({ id }) => {
        const customFields = { email: `${n}@example.test` };
        return t.request(holder, calls.changeCustomFields.byId, { ...byId(id), body: { customFields } });
      },
    ],
    [
      'notes',
      ({ id }) => t.request(holder, calls.changeLeadNotes.byId, { ...byId(id), body: { notes: `Version ${n}` } }),
    ],
    [
      'a phone number',
      ({ businessId }) =>
        t.request(holder, calls.changePhone, { params: { businessId }, body: { phone: `020 7946 000${n}` } }),
    ],
    [
      'a follow-up',
      ({ id }) =>
        t.request(holder, planFollowUp.byId, {
          ...byId(id),
          body: { at: `2026-11-2${n}T10:00:00.000Z`, note: `${n}` },
        }),
    ],
    [
      'a tag',
      ({ id }) =>
        n === 1
          ? t.request(holder, calls.addTag.byId, { ...byId(id), body: { tag: 'VIP' } })
          : t.request(holder, calls.removeTag.byId, { params: { id, tag: 'VIP' } }),
    ],
    ['a mark', ({ id }) => t.request(holder, (n === 1 ? calls.archiveLead : calls.restoreLead).byId, byId(id))],
  ];
  const twice = nth(1).map(([name, first], at) => [name, first, nth(2)[at]?.[1] ?? first] as const);

  test.each(twice)('takes back two steps of %s, and undoing the undos makes both again', async (_, first, second) => {
    const lead = await newLead();
    const states = [await readState(lead.id)];
    const changed = [await first(lead)];
    states.push(await readState(lead.id));
    changed.push(await second(lead));
    states.push(await readState(lead.id));
    expect((await preview(changed[0] as Changed)).body).toMatchObject({ batch: { canUndo: false } });

    const undone = await undo(changed[1] as Changed);
    expect(await readState(lead.id)).toEqual(states[1]);
    expect((await preview(changed[0] as Changed)).body).toMatchObject({ batch: { canUndo: true } });
    const undoneBoth = await undo(changed[0] as Changed);
    expect(undoneBoth).toMatchObject({ status: 200, body: { takenBack: 1, left: [] } });
    expect(await readState(lead.id)).toEqual(states[0]);

    // What was undone last is redone first.
    expect(await undo(undone)).toMatchObject({ status: 409, body: { code: 'not_undoable' } });
    expect(await undo(undoneBoth)).toMatchObject({ status: 200 });
    expect(await readState(lead.id)).toEqual(states[1]);
    const redone = await undo(undone);
    expect(redone).toMatchObject({ status: 200 });
    expect(await readState(lead.id)).toEqual(states[2]);
    expect((await undo(redone)).status).toBe(200);
    expect(await readState(lead.id)).toEqual(states[1]);
  });

  test('a change by another user in between blocks, until it is undone', async () => {
    const lead = await t.lead(holder);
    const changed = await setStatus(lead.id, 'qualified');
    const between = await setStatus(lead.id, 'proposal', admin);
    const last = await setStatus(lead.id, 'negotiation');
    expect((await undo(last)).status).toBe(200);
    expect(await undo(changed)).toMatchObject({ status: 409, body: { code: 'not_undoable' } });
    const undone = await undo(between, admin);
    expect(undone.status).toBe(200);
    // Taken back, and taken back again: the change in between stands.
    const redone = await undo(undone, admin);
    expect(await undo(changed)).toMatchObject({ status: 409 });
    await undo(redone, admin);
    expect(await undo(changed)).toMatchObject({ status: 200 });
    expect((await read(lead.id)).userBusiness.status).toBe('new');
  });

  test('what a partial undo left stands', async () => {
    const [first, second] = [await t.lead(holder), await t.lead(holder)];
    const ids = [first.id, second.id];
    const bulk = (status: 'qualified' | 'proposal') =>
      t.request(holder, lists.bulkUpdateStatus, { body: { ids, status } });
    const [earlier, later] = [await bulk('qualified'), await bulk('proposal')];
    const blocking = await setStatus(second.id, 'negotiation');
    expect((await undo(later)).body).toMatchObject({ takenBack: 1, left: [{ reason: 'changed', count: 1 }] });
    await undo(blocking);
    expect((await undo(earlier)).body).toMatchObject({ takenBack: 1, left: [{ reason: 'changed', count: 1 }] });
    const states = await Promise.all(ids.map(async (id) => (await read(id)).userBusiness.status));
    expect(states).toEqual(['new', 'proposal']);
  });

  test('a lead whose changes were all undone is as it was assigned', async () => {
    const { businessId } = await t.lead(await t.user());
    const assigned = await t.request(admin, calls.assignBusiness, { body: { userId: holder.id, businessId } });
    const { id } = assigned.body;
    const notes = await t.request(holder, calls.changeLeadNotes.byId, { ...byId(id), body: { notes: 'Mine' } });
    const status = await setStatus(id, 'qualified');
    await undo(status);
    expect(await undo(assigned, admin)).toMatchObject({ status: 409 });
    await undo(notes);
    expect((await undo(assigned, admin)).body).toMatchObject({ deleted: 1 });
  });
});

describe('a deleted activity', () => {
  const at = (hour: number) => testApp({ now: `2026-11-16T1${hour}:00:00.000Z` });
  const add = async (app: TestApp, id: number, type: 'call' | 'note') =>
    (await app.request(holder, calls.addActivity.byId, { ...byId(id), body: { type, notes: `A ${type}` } })).body;
  const remove = (activityId: number, viewer = holder) =>
    t.request(viewer, calls.deleteActivity, { params: { activityId } });

  test('is no last contact any more, and undo restores both', async () => {
    const [first, second, third] = [await at(0), await at(1), await at(2)];
    const lead = await t.lead(holder);
    const lastContact = async () => (await read(lead.id)).userBusiness.lastContactedAt;
    const earlier = await add(first, lead.id, 'call');
    await add(second, lead.id, 'note');
    const later = await add(third, lead.id, 'call');
    const before = await read(lead.id);

    const deleted = await remove(later.id);
    expect(deleted).toMatchObject({ status: 200, body: { lastContactedAt: earlier.completedAt } });
    const both = await remove(earlier.id);
    expect(await lastContact()).toBeNull();
    expect((await undo(both)).body).toMatchObject({ takenBack: 1, left: [] });
    expect(await lastContact()).toBe(earlier.completedAt);
    const undone = await undo(deleted);
    expect((await preview(deleted)).body.changes).toMatchObject([
      { change: { field: 'activity', before: 'Call', after: null } },
    ]);
    const { contactActivities } = (await read(lead.id)).userBusiness;
    expect(contactActivities.map(({ updatedAt: _, ...activity }) => activity)).toEqual(
      before.userBusiness.contactActivities.map(({ updatedAt: _, ...activity }) => activity),
    );
    expect(await lastContact()).toBe(later.completedAt);
    await undo(undone);
    expect(await lastContact()).toBe(earlier.completedAt);
    await Promise.all([first, second, third].map((app) => app.close()));
  });

  test('leaves the contact that earned the credit', async () => {
    const lead = await t.lead(holder);
    await setStatus(lead.id, 'in_progress');
    const evening = await at(2);
    const { id } = await add(evening, lead.id, 'call');
    await evening.close();
    expect((await remove(id)).body.lastContactedAt).toBe(NOW);
  });

  test('can be brought back for 30 days, also once its author is gone', async () => {
    const author = await t.user();
    const lead = await t.lead(author);
    const added = await t.request(author, calls.addActivity.byId, {
      ...byId(lead.id),
      body: { type: 'call', notes: 'Rang' },
    });
    await reassign(lead.id, holder.id, admin);
    const deleted = await remove(added.body.id);
    await t.db.delete(users).where(eq(users.id, author.id));
    const later = await testApp({ now: LATER.month });
    expect((await undo(deleted, holder, later)).status).toBe(403);
    await later.close();
    expect((await undo(deleted)).status).toBe(200);
    expect((await read(lead.id)).userBusiness.contactActivities).toMatchObject([
      { id: added.body.id, description: 'Rang', createdBy: null },
    ]);
  });

  test('that was logged: undoing the deletion makes the contact undoable again', async () => {
    const lead = await t.lead(holder);
    const added = await t.request(holder, calls.addActivity.byId, {
      ...byId(lead.id),
      body: { type: 'call', notes: 'Rang' },
    });
    const deleted = await remove(added.body.id);
    expect((await undo(added)).status).toBe(409);
    await undo(deleted);
    expect((await undo(added)).status).toBe(200);
    expect((await read(lead.id)).userBusiness).toMatchObject({ contactActivities: [], lastContactedAt: null });
  });
});

test.each([
  ['restored lead', calls.archiveLead, calls.restoreLead, 'archivedAt'],
  ['removed mark', calls.markExistingCustomer, calls.unmarkExistingCustomer, 'existingCustomerAt'],
] as const)('undoing a %s restores its old date', async (_, mark, unmark, date) => {
  const lead = await t.lead(holder);
  const marked = await t.request(holder, mark.byId, byId(lead.id));
  expect(marked.body[date]).not.toBeNull();
  const removed = await t.request(holder, unmark.byId, byId(lead.id));
  await undo(removed);
  expect((await read(lead.id)).userBusiness[date]).toBe(marked.body[date]);
});

test('a change that changes nothing is no batch', async () => {
  const lead = await t.lead(holder);
  expect((await setStatus(lead.id, 'new')).headers[BATCH_HEADER]).toBeUndefined();
  expect((await t.request(holder, calls.addTag.byId, { ...byId(lead.id), body: { tag: 'a' } })).headers).toHaveProperty(
    BATCH_HEADER,
  );
  expect(
    (await t.request(holder, calls.addTag.byId, { ...byId(lead.id), body: { tag: 'A' } })).headers[BATCH_HEADER],
  ).toBeUndefined();
});

test('an unknown batch is 404, a malformed id 400', async () => {
  const unknown = { params: { batchId: '00000000-0000-4000-8000-000000000000' } };
  expect(await t.request(admin, undoChanges, unknown)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  const malformed = { params: { batchId: 'x' } };
  expect(await t.request(admin, undoChanges, malformed)).toMatchObject({ status: 400, body: { code: 'invalid_id' } });
});

test('the author can undo for 30 days, an admin longer', async () => {
  const later = await testApp({ now: LATER.month });
  const lead = await t.lead(holder);
  const changed = await setStatus(lead.id, 'qualified');
  expect(await undo(changed, holder, later)).toMatchObject({
    status: 403,
    body: { code: 'forbidden', message: 'Changes can be undone for 30 days' },
  });
  expect((await undo(changed, admin, later)).status).toBe(200);
  await later.close();
});

test('a lead that the author may no longer change is left', async () => {
  const lead = await t.lead(holder);
  const changed = await setStatus(lead.id, 'qualified');
  await reassign(lead.id, (await t.user()).id);
  const refused = await undo(changed);
  expect(refused).toMatchObject({ status: 409, body: { code: 'not_undoable' } });
  expect(refused.body.message).toBe('0 taken back, 1 may not be changed by you: Blue Door Bakery');
  expect((await read(lead.id)).userBusiness.status).toBe('qualified');
});

test('what was changed since is left and reported, and the rest is taken back', async () => {
  const held = await Promise.all(Array.from({ length: 5 }, (_, n) => t.lead(holder, {}, { name: `Shop ${n}` })));
  const ids = held.map(({ id }) => id);
  const changed = await t.request(holder, lists.bulkUpdateStatus, { body: { ids, status: 'qualified' } });
  await setStatus(ids[0] ?? 0, 'proposal');
  await setStatus(ids[1] ?? 0, 'proposal');
  // Changed and changed back: it is not the latest change any more.
  await setStatus(ids[2] ?? 0, 'proposal');
  await setStatus(ids[2] ?? 0, 'qualified');

  const { undo: outcome } = (await preview(changed)).body;
  expect(outcome).toMatchObject({ takenBack: 2, left: [{ reason: 'changed', count: 3 }] });
  const { body } = await undo(changed);
  expect(body).toMatchObject(outcome);
  expect(body.message).toMatch(/^2 taken back, 3 were changed since: Shop \d, Shop \d, Shop \d$/);
  const states = await Promise.all(ids.map(async (id) => (await read(id)).userBusiness.status));
  expect(states).toEqual(['proposal', 'proposal', 'qualified', 'new', 'new']);
});

test('another field of the same lead that was changed since does not matter', async () => {
  const lead = await t.lead(holder);
  const changed = await setStatus(lead.id, 'qualified');
  await t.request(holder, calls.addTag.byId, { ...byId(lead.id), body: { tag: 'VIP' } });
  expect((await undo(changed)).body).toMatchObject({ takenBack: 1, left: [] });
  expect((await read(lead.id)).userBusiness).toMatchObject({ status: 'new', tags: ['VIP'] });
});

describe('a bulk action of 500 leads', () => {
  const bulkLeads = async (owner: TestUser) => {
    const rows = await t.db
      .insert(businesses)
      .values(Array.from({ length: 500 }, (_, n) => ({ placeId: `bulk-${owner.id}-${n}`, name: `Bulk ${n}` })))
      .returning({ businessId: businesses.id });
    const inserted = await t.db
      .insert(leads)
      .values(rows.map(({ businessId }) => ({ businessId, userId: owner.id })))
      .returning({ id: leads.id });
    return inserted.map(({ id }) => id);
  };

  test('is taken back as a whole, with its credits', async () => {
    const owner = await t.user();
    const ids = await bulkLeads(owner);
    const changed = await t.request(owner, lists.bulkUpdateStatus, { body: { ids, status: 'closed_won' } });
    expect(await meters(owner)).toEqual([500, 500]);
    expect((await undo(changed, owner)).body).toMatchObject({ takenBack: 500, left: [], creditsKept: 0 });
    expect(await meters(owner)).toEqual([0, 0]);
    expect(await t.db.$count(leads, eq(leads.userId, owner.id))).toBe(500);
    const { body } = await t.request(owner, lists.listLeads, { query: { status: 'new' } });
    expect(body.total).toBe(500);
  });

  test('given to another user, they come back to theirs, and the unread notification is gone', async () => {
    const [owner, target] = [await t.user(), await t.user()];
    const ids = await bulkLeads(owner);
    const notices = async () => (await t.request(target, listNotifications)).body.items.map(({ title }) => title);
    const changed = await t.request(admin, lists.bulkReassign, { body: { ids, newUserId: target.id } });
    expect(await notices()).toEqual(['500 businesses reassigned to you']);
    expect((await undo(changed, admin)).body).toMatchObject({ takenBack: 500, left: [] });
    expect(await notices()).toEqual([]);
    expect((await t.request(owner, listNotifications)).body.items).toEqual([]);
    expect((await t.request(owner, lists.listLeads)).body.total).toBe(500);
    expect((await t.request(target, lists.listLeads)).body.total).toBe(0);
  });
});

describe('a hand-over', () => {
  test('whose notification was read is undone with a notification', async () => {
    const [owner, target] = [await t.user(), await t.user()];
    const lead = await t.lead(owner);
    const changed = await reassign(lead.id, target.id, admin);
    await t.request(target, readAllNotifications);
    await undo(changed, admin);
    const [newest] = (await t.request(target, listNotifications)).body.items;
    expect(newest).toMatchObject({ type: 'lead_reassigned_from', read: false });
  });

  test('is in the history twice', async () => {
    const [owner, target] = [await t.user(), await t.user()];
    const lead = await t.lead(owner);
    await undo(await reassign(lead.id, target.id, admin), admin);
    const history = (await t.request(admin, calls.getAssignmentHistory.byId, byId(lead.id))).body;
    expect(history.map(({ newUser }) => newUser.username)).toEqual([owner.username, target.username]);
    expect(history[0]?.history.notes).toBe('Reassignment undone');
  });

  test('from a user who is inactive now, or who holds the business again, is left', async () => {
    const [inactive, again, target] = [await t.user(), await t.user(), await t.user()];
    const [first, second] = [
      await t.lead(inactive, {}, { name: 'First' }),
      await t.lead(again, {}, { name: 'Second' }),
    ];
    const body = { ids: [first.id, second.id], newUserId: target.id };
    const changed = await t.request(admin, lists.bulkReassign, { body });
    await t.db.update(users).set({ active: false }).where(eq(users.id, inactive.id));
    await t.request(admin, calls.assignBusiness, { body: { userId: again.id, businessId: second.businessId } });
    const refused = await undo(changed, admin);
    expect(refused).toMatchObject({ status: 409, body: { code: 'not_undoable' } });
    expect(refused.body.message).toContain('1 had a holder whose account is gone: First');
    expect(refused.body.message).toContain('1 is held by that user already: Second');
  });

  test('a manager takes back their own', async () => {
    const manager = await t.user('manager');
    const [owner, target] = [await t.user(), await t.user()];
    const lead = await t.lead(owner);
    const changed = await reassign(lead.id, target.id, manager);
    expect((await undo(changed, manager)).status).toBe(200);
    expect((await read(lead.id)).userBusiness.userId).toBe(owner.id);
  });
});

describe('the credit of a first contact', () => {
  test('goes back with it, and toggling earns it once', async () => {
    const owner = await t.user();
    const lead = await t.lead(owner);
    const changed = await setStatus(lead.id, 'in_progress', owner);
    expect(await meters(owner)).toEqual([1, 1]);
    const undone = await undo(changed, owner);
    expect(undone.body).toMatchObject({ creditsKept: 0 });
    expect(await meters(owner)).toEqual([0, 0]);
    expect((await read(lead.id)).userBusiness.lastContactedAt).toBeNull();
    await undo(undone, owner);
    expect(await meters(owner)).toEqual([1, 1]);
    expect(await t.db.$count(contactCredits, eq(contactCredits.leadId, lead.id))).toBe(1);
  });

  test.each(['another user', 'the same user a day later'] as const)('stays when %s undoes it', async (who) => {
    const owner = await t.user();
    const lead = await t.lead(owner);
    const changed = await setStatus(lead.id, 'in_progress', owner);
    const later = await testApp({ now: LATER.day });
    const { body } = who === 'another user' ? await undo(changed, admin) : await undo(changed, owner, later);
    await later.close();
    expect(body).toMatchObject({ takenBack: 1, creditsKept: 1, message: '1 taken back, 1 goal credit stays' });
    expect(await meters(owner)).toEqual([1, 1]);
    expect((await read(lead.id)).userBusiness.status).toBe('new');
    // The lead has its credit: contacting it again earns no second one.
    await setStatus(lead.id, 'recontact', owner);
    expect(await meters(owner)).toEqual([1, 1]);
  });

  test('stays with a status that was changed since', async () => {
    const owner = await t.user();
    const lead = await t.lead(owner);
    const changed = await setStatus(lead.id, 'in_progress', owner);
    await setStatus(lead.id, 'closed_won', owner);
    expect((await undo(changed, owner)).status).toBe(409);
    expect(await meters(owner)).toEqual([1, 1]);
  });

  test('is not counted for an existing customer, and counted again when the mark is taken back', async () => {
    const owner = await t.user();
    const lead = await t.lead(owner);
    await setStatus(lead.id, 'in_progress', owner);
    const marked = await t.request(owner, calls.markExistingCustomer.byId, byId(lead.id));
    expect(await meters(owner)).toEqual([0, 0]);
    await undo(marked, owner);
    expect(await meters(owner)).toEqual([1, 1]);
  });
});

describe('an assignment', () => {
  const assign = async (batch?: string, sender = admin) => {
    const owner = await t.user();
    const { businessId } = await t.lead(await t.user());
    const body = { userId: owner.id, businessId, ...(batch && { batch }) };
    const assigned = await t.request(sender, calls.assignBusiness, { body });
    return { owner, assigned };
  };

  test('is taken back by deleting the lead that was not worked on, with its notification', async () => {
    const { owner, assigned } = await assign();
    const { body } = await undo(assigned, admin);
    expect(body).toMatchObject({ takenBack: 1, deleted: 1, left: [] });
    expect(await t.db.$count(leads, eq(leads.id, assigned.body.id))).toBe(0);
    expect((await t.request(owner, listNotifications)).body.items).toEqual([]);
  });

  test('is kept once the lead was worked on', async () => {
    const { owner, assigned } = await assign();
    await setStatus(assigned.body.id, 'qualified', owner);
    const refused = await undo(assigned, admin);
    expect(refused.body.message).toBe('0 taken back, 1 was worked on since, so it is kept: Blue Door Bakery');
    expect(await t.db.$count(leads, eq(leads.id, assigned.body.id))).toBe(1);
  });

  test('several of one action are one batch', async () => {
    const batch = crypto.randomUUID();
    const both = [await assign(batch), await assign(batch)];
    expect(new Set(both.map(({ assigned }) => batchOf(assigned))).size).toBe(1);
    const other = await assign(batch, await t.user('admin'));
    const [first] = both;
    if (first) expect((await undo(first.assigned, admin)).body).toMatchObject({ takenBack: 2, deleted: 2 });
    expect(await t.db.$count(leads, eq(leads.id, other.assigned.body.id))).toBe(1);
  });
});

test('the changes of a lead are deleted with it', async () => {
  const lead = await t.lead(holder);
  const changed = await setStatus(lead.id, 'qualified');
  expect(await t.db.$count(changes, eq(changes.leadId, lead.id))).toBe(1);
  await t.request(holder, calls.deleteLead.byId, byId(lead.id));
  expect(await t.db.$count(changes, eq(changes.batchId, batchOf(changed)))).toBe(0);
  expect(await undo(changed)).toMatchObject({ status: 409, body: { code: 'not_undoable' } });
});

describe('a large batch', () => {
  const startAll = async (viewer: TestUser, action: object) => {
    const body = { filter: {}, action } as never;
    const { body: job } = await t.request(viewer, startBulkJob, { body });
    await t.app.jobs.run();
    return job.id;
  };

  test('is taken back in steps, as one batch that can be undone again', async () => {
    const user = await t.user();
    const ids = await insertManyLeads(t.db, user.id, 1_200);
    const batchId = await startAll(user, { verb: 'add-tag', tag: 'fair' });
    await t.db
      .update(leads)
      .set({ tags: [] })
      .where(eq(leads.id, ids[0] ?? 0));
    const changed = ids.slice(1, 3);
    await t.request(user, startBulkJob, { body: { ids: changed, action: { verb: 'remove-tag', tag: 'fair' } } });
    await t.app.jobs.run();

    const { body: preview } = await t.request(user, getChangeBatch, { params: { batchId } });
    expect(preview.undo).toMatchObject({ takenBack: 1_198, left: [{ reason: 'changed', count: 2 }] });
    const { body: undone, headers } = await t.request(user, undoChanges, { params: { batchId } });
    expect(undone).toMatchObject({ takenBack: 1_197, deleted: 0, left: [{ reason: 'changed', count: 3 }] });
    expect(undone.job).toBeUndefined();
    expect(await t.db.$count(leads, and(inArray(leads.id, ids), sql`'fair' = any (tags)`))).toBe(0);

    const undoId = String(headers[BATCH_HEADER]);
    const { body: listed } = await t.request(user, listChanges);
    expect(listed.items.filter(({ kind }) => kind === 'undo')).toMatchObject([{ id: undoId, count: 1_197 }]);
    expect((await t.request(user, undoChanges, { params: { batchId } })).body).toMatchObject({ code: 'not_undoable' });
    expect((await t.request(user, undoChanges, { params: { batchId: undoId } })).body).toMatchObject({
      takenBack: 1_197,
    });
    expect(await t.db.$count(leads, and(inArray(leads.id, ids), sql`'fair' = any (tags)`))).toBe(1_197);
  });

  test('is taken back once, also by two at once', async () => {
    const user = await t.user();
    const ids = await insertManyLeads(t.db, user.id, 1_200);
    const batchId = await startAll(user, { verb: 'archive' });
    const both = await Promise.all(
      [user, admin].map((viewer) => t.request(viewer, undoChanges, { params: { batchId } })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(both.find(({ status }) => status === 200)?.body).toMatchObject({ takenBack: 1_200, left: [] });
    expect(await t.db.$count(leads, and(inArray(leads.id, ids), eq(leads.archived, true)))).toBe(0);
  });

  test('of leads that went back leaves no notification of either', async () => {
    const [admin, from, to] = [await t.user('admin'), await t.user(), await t.user()];
    const ids = await insertManyLeads(t.db, from.id, 700);
    const action = { verb: 'reassign', newUserId: to.id };
    const { body: job } = await t.request(admin, startBulkJob, {
      body: { filter: { user: from.id }, action } as never,
    });
    await t.app.jobs.run();
    const notices = async (user: TestUser) => (await t.request(user, listNotifications)).body.items.length;
    expect(await notices(to)).toBe(1);
    expect((await t.request(admin, undoChanges, { params: { batchId: job.id } })).body).toMatchObject({
      takenBack: 700,
    });
    expect(await t.db.$count(leads, and(inArray(leads.id, ids), eq(leads.userId, from.id)))).toBe(700);
    expect([await notices(from), await notices(to)]).toEqual([0, 0]);
  });

  test('names in its preview why leads cannot go back: held already, or of an account that is gone', async () => {
    const [from, to] = [await t.user(), await t.user()];
    const [first = 0] = await insertManyLeads(t.db, from.id, 600);
    const action = { verb: 'reassign', newUserId: to.id };
    const { body: job } = await t.request(admin, startBulkJob, {
      body: { filter: { user: from.id }, action } as never,
    });
    await t.app.jobs.run();
    const [moved] = await t.db.select().from(leads).where(eq(leads.id, first));
    await t.db.insert(leads).values({ userId: from.id, businessId: moved?.businessId ?? 0 });
    const readPreview = async () => (await t.request(admin, getChangeBatch, { params: { batchId: job.id } })).body.undo;
    expect(await readPreview()).toMatchObject({ takenBack: 599, left: [{ reason: 'already_held', count: 1 }] });
    await t.db.update(users).set({ active: false }).where(eq(users.id, from.id));
    expect(await readPreview()).toMatchObject({ takenBack: 0, left: [{ reason: 'holder_gone', count: 600 }] });
  });

  test('that nothing can be taken back of is refused', async () => {
    const user = await t.user();
    const ids = await insertManyLeads(t.db, user.id, 600);
    const batchId = await startAll(user, { verb: 'archive' });
    await t.db.update(leads).set({ archived: false }).where(inArray(leads.id, ids));
    expect(await t.request(user, undoChanges, { params: { batchId } })).toMatchObject({
      status: 409,
      body: { code: 'not_undoable' },
    });
  });
});
