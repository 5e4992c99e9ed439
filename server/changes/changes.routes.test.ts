import { and, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  BATCH_HEADER,
  exportChanges,
  getChangeBatch,
  listChanges,
  undoChanges,
} from '#contract/changes/changes.calls.ts';
import * as lists from '#contract/leads/lead-lists.calls.ts';
import * as calls from '#contract/leads/leads.calls.ts';
import { auditEvents } from '#server/schema/audit.ts';
import { changeBatches } from '#server/schema/changes.ts';
import { jobs } from '#server/schema/jobs.ts';
import { users } from '#server/schema/users.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

const NOW = '2026-11-16T09:00:00.000Z';

let t: TestApp;
let admin: TestUser;
beforeAll(async () => {
  t = await testApp({ now: NOW, env: { TIME_ZONE: 'Europe/London' } });
  admin = await t.user('admin');
});
afterAll(() => t.close());

const setStatus = (id: number, status: 'qualified' | 'new' | 'proposal', viewer: TestUser, app = t) =>
  app.request(viewer, calls.changeLeadStatus.byId, { params: { id }, body: { status } });
const list = async (viewer: TestUser, query = {}) => (await t.request(viewer, listChanges, { query })).body;

describe('the list', () => {
  test('has what changed, how many, by whom, where and whether it can be undone', async () => {
    const owner = await t.user();
    const lead = await t.lead(owner);
    const changed = await setStatus(lead.id, 'qualified', owner);
    const { items, next } = await list(owner);
    expect(items).toEqual([
      {
        id: changed.headers[BATCH_HEADER],
        at: NOW,
        kind: 'status',
        source: 'api',
        user: { id: owner.id, username: owner.username, fullName: 'Test user' },
        count: 1,
        created: null,
        first: {
          name: 'Blue Door Bakery',
          uuid: lead.uuid,
          change: { field: 'status', before: 'New', after: 'Qualified' },
        },
        undid: null,
        undoneAt: null,
        canUndo: true,
      },
    ]);
    expect(next).toBeNull();
  });

  test('says that a change is being undone while a job does it', async () => {
    const owner = await t.user();
    const changed = await setStatus((await t.lead(owner)).id, 'qualified', owner);
    const batchId = changed.headers[BATCH_HEADER] as string;
    const undone = await t.request(owner, undoChanges, { params: { batchId } });
    const find = async () => (await list(owner)).items.find(({ id }) => id === batchId);
    expect(await find()).not.toHaveProperty('undoing');

    const id = undone.headers[BATCH_HEADER] as string;
    await t.db.insert(jobs).values({ id, kind: 'undo', userId: owner.id, runAt: sql`now() + interval '1 hour'` });
    expect(await find()).toMatchObject({ undoing: true, canUndo: false });
  });

  test.each([
    ['/business/uuid/1', 'profile'],
    ['/crm?view=table', 'list'],
  ])('a change on the screen %s is one of the %s', async (path, source) => {
    const owner = await t.user();
    const lead = await t.lead(owner);
    const headers = { 'x-viewer-id': String(owner.id), referer: `http://localhost${path}` };
    await t.request(owner, calls.archiveLead.byId, { params: { id: lead.id } }, { headers });
    expect((await list(owner)).items[0]).toMatchObject({ source, kind: 'archive' });
  });

  test("has only one's own changes, for admins those of all users", async () => {
    const [owner, other] = [await t.user(), await t.user('manager')];
    const lead = await t.lead(owner);
    await setStatus(lead.id, 'qualified', owner);
    expect((await list(other)).items).toEqual([]);
    expect((await list(other, { userId: owner.id })).items).toEqual([]);
    expect((await list(admin, { userId: owner.id })).items).toHaveLength(1);
  });

  test('is filtered by kind and by day of the installation', async () => {
    const owner = await t.user();
    const lead = await t.lead(owner);
    // 00:30 on 1 July in London, 23:30 on 30 June in UTC.
    const july = await testApp({ now: '2026-06-30T23:30:00.000Z' });
    await setStatus(lead.id, 'proposal', owner, july);
    await july.close();
    await setStatus(lead.id, 'qualified', owner);
    await t.request(owner, calls.archiveLead.byId, { params: { id: lead.id } });
    expect((await list(owner, { kind: 'status' })).items).toHaveLength(2);
    expect((await list(owner, { kind: 'archive', day: '2026-11-16' })).items).toHaveLength(1);
    expect((await list(owner, { day: '2026-07-01' })).items).toMatchObject([{ kind: 'status' }]);
    expect((await list(owner, { day: '2026-06-30' })).items).toEqual([]);
    expect((await list(owner, { kind: '', day: '', userId: '' })).items).toHaveLength(3);
    const refused = { status: 400, body: { code: 'validation_failed' } };
    const uuid = '00000000-0000-4000-8000-000000000000';
    for (const query of [
      { kind: 'x' },
      { day: 'today' },
      { day: '0000-01-01' },
      { userId: 'x' },
      ...['x', `2026_${uuid}`, `0000-01-01T00:00:00.000Z_${uuid}`, `${NOW}_${'-'.repeat(36)}`].map((before) => ({
        before,
      })),
    ]) {
      expect(await t.request(owner, listChanges, { query: query as never })).toMatchObject(refused);
    }
  });

  test('is paged without gaps or repeats, also where many have the same time', async () => {
    const owner = await t.user();
    const lead = await t.lead(owner);
    for (let n = 0; n < 65; n += 1) await setStatus(lead.id, n % 2 ? 'new' : 'qualified', owner);
    const pages = [await list(owner)];
    for (let next = pages[0]?.next; next; next = pages.at(-1)?.next) pages.push(await list(owner, { before: next }));
    expect(pages.map(({ items }) => items.length)).toEqual([30, 30, 5]);
    expect(new Set(pages.flatMap(({ items }) => items.map(({ id }) => id))).size).toBe(65);
  });

  test('an undone batch says so, and the undo names what it undid', async () => {
    const owner = await t.user();
    const lead = await t.lead(owner);
    const changed = await setStatus(lead.id, 'qualified', owner);
    await t.request(owner, undoChanges, { params: { batchId: String(changed.headers[BATCH_HEADER]) } });
    const { items } = await list(owner);
    expect(items.find(({ kind }) => kind === 'undo')).toMatchObject({ undid: 'status', canUndo: true, undoneAt: null });
    expect(items.find(({ kind }) => kind === 'status')).toMatchObject({ canUndo: false, undoneAt: NOW });
  });

  test('what the viewer cannot undo is not offered', async () => {
    const [owner, manager, next] = [await t.user(), await t.user('manager'), await t.user()];
    const lead = await t.lead(owner);
    const offered = async (viewer: TestUser) =>
      (await list(viewer, { userId: owner.id })).items.map(({ kind, canUndo }) => [kind, canUndo]);
    const reassign = (viewer: TestUser, newUserId: number) =>
      t.request(viewer, calls.reassignLead.byId, { params: { id: lead.id }, body: { newUserId } });

    await setStatus(lead.id, 'qualified', owner);
    await setStatus(lead.id, 'proposal', owner);
    expect((await offered(owner)).map(([, canUndo]) => canUndo).toSorted()).toEqual([false, true]);
    await reassign(owner, next.id);
    expect((await offered(owner)).every(([, canUndo]) => !canUndo)).toBe(true);
    expect(
      (await offered(admin))
        .filter(([, canUndo]) => canUndo)
        .map(([kind]) => kind)
        .toSorted(),
    ).toEqual(['reassign', 'status']);

    await reassign(manager, manager.id);
    await reassign(manager, owner.id);
    expect((await list(manager)).items.filter(({ canUndo }) => canUndo)).toHaveLength(1);
    await t.db.update(users).set({ active: false }).where(eq(users.id, next.id));
    const [back] = (await list(manager)).items.filter(({ canUndo }) => canUndo);
    await t.request(manager, undoChanges, { params: { batchId: back?.id ?? '' } });
    // The lead would go back to an account that is inactive now.
    expect((await list(manager)).items.filter(({ kind, canUndo }) => kind === 'reassign' && canUndo)).toEqual([]);
  });

  test('what was changed on a business is offered to those who hold a lead on it', async () => {
    const owner = await t.user();
    const { id, businessId } = await t.lead(owner);
    await t.request(owner, calls.changePhone, { params: { businessId }, body: { phone: '020 7946 0018' } });
    expect((await list(owner)).items).toMatchObject([{ canUndo: true }]);
    const body = { newUserId: (await t.user()).id };
    await t.request(owner, calls.reassignLead.byId, { params: { id }, body });
    expect((await list(owner)).items.some(({ canUndo }) => canUndo)).toBe(false);
  });

  test('names users, tags and follow-ups as people read them, and a deleted user without a name', async () => {
    const [owner, target] = [
      await t.user('user', { fullName: 'Priya Shah' }),
      await t.user('user', { fullName: 'Tom Ellery' }),
    ];
    const lead = await t.lead(owner);
    await t.request(owner, calls.reassignLead.byId, { params: { id: lead.id }, body: { newUserId: target.id } });
    const [batch] = (await list(owner)).items;
    expect(batch?.first?.change).toEqual({ field: 'holder', before: 'Priya Shah', after: 'Tom Ellery' });
    // The previous holder may no longer open the lead.
    expect(batch?.first?.uuid).toBeNull();
    await t.request(target, calls.reassignLead.byId, { params: { id: lead.id }, body: { newUserId: owner.id } });
    await t.db.delete(users).where(eq(users.id, target.id));
    expect((await list(owner)).items[0]?.first?.change.after).toBe('deleted user');
  });

  test('a batch whose leads are deleted stays, without their names, and cannot be undone', async () => {
    const owner = await t.user();
    const lead = await t.lead(owner);
    await setStatus(lead.id, 'qualified', owner);
    await t.request(owner, calls.deleteLead.byId, { params: { id: lead.id } });
    expect((await list(owner)).items).toMatchObject([{ count: 1, first: null, canUndo: false }]);
  });
});

test('a preview shows the first changes and writes nothing', async () => {
  const owner = await t.user();
  const held = await Promise.all(Array.from({ length: 25 }, () => t.lead(owner)));
  const body = { ids: held.map(({ id }) => id), status: 'qualified' } as const;
  const changed = await t.request(owner, lists.bulkUpdateStatus, { body });
  const batchId = String(changed.headers[BATCH_HEADER]);
  const { body: shown } = await t.request(owner, getChangeBatch, { params: { batchId } });
  expect(shown.batch).toMatchObject({ id: batchId, count: 25, source: 'bulk' });
  expect(shown.changes).toHaveLength(20);
  expect(shown.undo).toEqual({ takenBack: 25, deleted: 0, left: [], creditsKept: 0 });
  expect((await t.request(owner, lists.listLeads, { query: { status: 'qualified' } })).body.total).toBe(25);
  expect((await t.request(await t.user(), getChangeBatch, { params: { batchId } })).status).toBe(403);
});

test('the leads of a batch are a list of their own', async () => {
  const owner = await t.user();
  const [lead, withPhone] = [await t.lead(owner), await t.lead(owner)];
  const total = async (changed: { headers: Record<string, unknown> }, viewer = owner) => {
    const query = { changes: String(changed.headers[BATCH_HEADER]), hideClosed: false };
    return (await t.request(viewer, lists.listLeads, { query })).body.items.map(({ userBusiness }) => userBusiness.id);
  };
  expect(await total(await setStatus(lead.id, 'qualified', owner))).toEqual([lead.id]);
  const phone = { params: { businessId: withPhone.businessId }, body: { phone: '020 7946 0018' } };
  const changed = await t.request(owner, calls.changePhone, phone);
  expect(await total(changed)).toEqual([withPhone.id]);
  expect(await total(changed, await t.user())).toEqual([]);
});

test('admins export the filtered changes, safe for spreadsheets, and the export is audited', async () => {
  const owner = await t.user();
  const lead = await t.lead(owner, {}, { name: '=SUM(A1)' });
  await t.request(owner, calls.addTag.byId, { params: { id: lead.id }, body: { tag: 'VIP' } });
  await setStatus(lead.id, 'qualified', owner);
  const { status, headers, body } = await t.request(admin, exportChanges, { query: { userId: owner.id, kind: 'tag' } });
  expect(status).toBe(200);
  expect(headers['content-disposition']).toBe('attachment; filename="changes.csv"');
  const [head, row, ...more] = String(body).trim().split('\r\n');
  expect(head).toContain('"When","Who","Kind","Where","Business","Field","Before","After","Undone","Through"');
  expect(row).toBe(`"${NOW}","${owner.username}","Tags","through the API","'=SUM(A1)","Tag","","VIP","",""`);
  expect(more).toEqual([]);
  expect((await t.request(owner, exportChanges)).status).toBe(403);
  const [exported] = await t.db
    .select({ details: auditEvents.details })
    .from(auditEvents)
    .where(and(eq(auditEvents.event, 'changes_exported'), eq(auditEvents.actorId, admin.id)));
  expect(exported?.details).toEqual({ count: 1 });
});

test('the author of a batch may be deleted; an admin can still undo it', async () => {
  const [author, owner] = [await t.user('admin'), await t.user()];
  const lead = await t.lead(owner);
  const changed = await setStatus(lead.id, 'qualified', author);
  await t.db.delete(users).where(eq(users.id, author.id));
  const batchId = String(changed.headers[BATCH_HEADER]);
  const [batch] = await t.db.select().from(changeBatches).where(eq(changeBatches.id, batchId));
  expect(batch?.userId).toBeNull();
  expect((await t.request(admin, undoChanges, { params: { batchId } })).body).toMatchObject({ takenBack: 1 });
});
