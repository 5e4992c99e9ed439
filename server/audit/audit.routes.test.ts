import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { AUDIT_PAGE_SIZE, exportAuditEvents, listAuditEvents } from '#contract/audit/audit.calls.ts';
import type { AuditRecord } from '#contract/audit/audit.ts';
import { buildPath, type Input } from '#contract/call.ts';
import { DELETED_USER } from '#contract/leads/lead.ts';
import { deleteLead, reassignLead } from '#contract/leads/leads.calls.ts';
import { deleteUser } from '#contract/users/users.calls.ts';
import { auditEvents } from '#server/schema/audit.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';
import { EXPORT_BATCH } from './audit.sql.ts';

// A database of its own: unfiltered pages hold the events of all users.
let t: TestApp;
let admin: TestUser;
beforeAll(async () => {
  t = await testApp({ ownDatabase: true, env: { TIME_ZONE: 'Europe/London' } });
  admin = await t.user('admin');
});
afterAll(() => t.close());

type Query = NonNullable<Input<typeof listAuditEvents>['query']>;
type NewEvent = typeof auditEvents.$inferInsert;

const add = async (...events: NewEvent[]) =>
  (await t.db.insert(auditEvents).values(events).returning({ id: auditEvents.id })).map(({ id }) => id);

const list = async (query: Query = {}) => (await t.request(admin, listAuditEvents, { query })).body;
const listIds = async (query: Query = {}) => (await list(query)).items.map(({ id }) => id);

/** All pages one after the other. */
async function readAll(query: Query): Promise<AuditRecord[][]> {
  const pages: AuditRecord[][] = [];
  for (let before: number | undefined, more = true; more; ) {
    const { items, next } = await list({ ...query, ...(before !== undefined && { before }) });
    pages.push(items);
    before = next ?? undefined;
    more = next !== null;
  }
  return pages;
}

const download = (query: Query = {}, viewer = admin) =>
  t.inject({ url: buildPath(exportAuditEvents, { query }), headers: { cookie: viewer.cookie } });
const parseLines = (csv: string) => csv.split('\r\n').slice(1, -1);

describe('the list', () => {
  test('an event has its time, actor, subject, IP address, outcome and details', async () => {
    const [user, other] = [await t.user(), await t.user('user', { fullName: 'Olivia Hart' })];
    const at = '2026-03-04T09:30:00.123Z';
    const [id] = await add({
      event: 'user_changed',
      at,
      actorId: user.id,
      subjectType: 'user',
      subjectId: other.id,
      ip: '192.0.2.7',
      details: { roleBefore: 'user', roleAfter: 'manager', emailChanged: true },
    });
    expect(await list({ userId: user.id })).toEqual({
      items: [
        {
          id,
          at,
          event: 'user_changed',
          actor: { id: user.id, username: user.username, fullName: 'Test user' },
          subject: { type: 'user', id: other.id, name: 'Olivia Hart' },
          ip: '192.0.2.7',
          outcome: 'done',
          details: { roleBefore: 'user', roleAfter: 'manager', emailChanged: true },
        },
      ],
      next: null,
    });
  });

  test('an anonymous request has no actor, and an event about nothing no subject', async () => {
    const [id] = await add({ event: 'sign_in_failed', outcome: 'refused', at: '2026-01-05T12:00:00Z' });
    const { items } = await list({ day: '2026-01-05' });
    expect(items).toMatchObject([{ id, actor: null, subject: null, ip: null, outcome: 'refused', details: {} }]);
  });

  test('a lead is called by its business, and has no name once it is deleted', async () => {
    const [holder, next] = [await t.user(), await t.user()];
    const lead = await t.lead(holder, {}, { name: 'Harbour Inn' });
    await t.request(holder, reassignLead.byId, { params: { id: lead.id }, body: { newUserId: next.id } });
    expect((await list({ userId: holder.id })).items).toMatchObject([
      {
        event: 'lead_reassigned',
        subject: { type: 'lead', id: lead.id, name: 'Harbour Inn' },
        details: { previousUserId: holder.id, newUserId: next.id },
      },
    ]);

    await t.request(next, deleteLead.byId, { params: { id: lead.id } });
    expect((await list({ userId: next.id })).items).toMatchObject([
      {
        event: 'lead_deleted',
        subject: { id: lead.id, name: null },
        details: { name: 'Harbour Inn', uuid: lead.uuid },
      },
    ]);
    expect((await list({ userId: holder.id })).items).toMatchObject([{ subject: { id: lead.id, name: null } }]);
  });

  test('the events of a deleted account stay, without its name', async () => {
    const user = await t.user('user', { fullName: 'Gerald Gone' });
    await add({ event: 'sign_in', actorId: user.id, subjectType: 'user', subjectId: user.id });
    expect((await t.request(admin, deleteUser, { params: { id: user.id } })).status).toBe(204);
    const { items } = await list({ userId: user.id });
    expect(items).toMatchObject([
      { event: 'user_deleted', actor: { id: admin.id }, subject: { type: 'user', id: user.id, name: null } },
      { event: 'sign_in', actor: { id: user.id, username: DELETED_USER, fullName: '' } },
    ]);
    expect(JSON.stringify(items)).not.toContain('Gerald');
  });

  test('details that the contract does not know are left out', async () => {
    const user = await t.user();
    await add({
      event: 'of_a_newer_version',
      actorId: user.id,
      details: { count: 3, role: { deep: 1 }, password: 'hunter2' },
    });
    const { items } = await list({ userId: user.id });
    expect(items).toMatchObject([{ event: 'of_a_newer_version' }]);
    expect(items[0]?.details).toEqual({ count: 3 });
  });
});

describe('filters', () => {
  test('by event, by person and by both', async () => {
    const [user, other] = [await t.user(), await t.user()];
    const [byUser, aboutUser, byOther, export1] = await add(
      { event: 'user_created', at: '2026-02-01T10:00:00Z', actorId: user.id, subjectType: 'user', subjectId: other.id },
      { event: 'user_changed', at: '2026-02-01T11:00:00Z', actorId: other.id, subjectType: 'user', subjectId: user.id },
      { event: 'user_created', at: '2026-02-01T12:00:00Z', actorId: other.id },
      { event: 'leads_exported', at: '2026-02-01T13:00:00Z', actorId: user.id },
      // Of a lead that happens to have the id of the user.
      { event: 'lead_deleted', at: '2026-02-01T14:00:00Z', actorId: admin.id, subjectType: 'lead', subjectId: user.id },
    );
    const day = '2026-02-01';
    expect(await listIds({ day, userId: user.id })).toEqual([export1, aboutUser, byUser]);
    expect(await listIds({ day, event: 'user_created' })).toEqual([byOther, byUser]);
    expect(await listIds({ day, event: 'user_created', userId: user.id })).toEqual([byUser]);
    expect(await listIds({ day, event: 'user_changed', userId: user.id })).toEqual([aboutUser]);
    expect(await listIds({ day, event: 'import' })).toEqual([]);
  });

  test('a day is one of the time zone of the team, also when the clocks change', async () => {
    const atMoment = (at: string) => ({ event: 'logout', at });
    const [, first, last, next] = await add(
      atMoment('2026-06-30T22:59:59.999Z'),
      atMoment('2026-06-30T23:00:00.000Z'),
      atMoment('2026-07-01T22:59:59.999Z'),
      atMoment('2026-07-01T23:00:00.000Z'),
    );
    expect(await listIds({ day: '2026-07-01' })).toEqual([last, first]);
    expect(await listIds({ day: '2026-07-02' })).toEqual([next]);
    // 25 hours long.
    const [start, end] = await add(atMoment('2026-10-24T23:00:00.000Z'), atMoment('2026-10-25T23:59:59.999Z'));
    expect(await listIds({ day: '2026-10-25' })).toEqual([end, start]);
    expect(await listIds({ day: '2026-10-26' })).toEqual([]);
  });

  test.each<[object, string]>([
    [{ event: 'nonsense' }, 'event'],
    [{ userId: '0' }, 'userId'],
    [{ userId: '2147483648' }, 'userId'],
    [{ day: '2026-02-30' }, 'day'],
    [{ day: '9999-12-31' }, 'day'],
    [{ day: 'yesterday' }, 'day'],
    [{ before: '-1' }, 'before'],
    [{ before: '1e3' }, 'before'],
  ])('%o is refused', async (query, path) => {
    const refused = { status: 400, body: { code: 'validation_failed', errors: [{ path }] } };
    expect(await t.request(admin, listAuditEvents, { query: query as never })).toMatchObject(refused);
    if (path !== 'before')
      expect(await t.request(admin, exportAuditEvents, { query: query as never })).toMatchObject(refused);
  });
});

describe('pages', () => {
  const many = 2 * AUDIT_PAGE_SIZE + 7;

  /** As after an import: many share a moment, and the ids are not in the order of the moments. */
  const addMany = (day: string, columns: (nth: number) => Partial<NewEvent> = () => ({})) =>
    add(
      ...Array.from({ length: many }, (_, nth) => ({
        event: 'lead_assigned',
        at: `${day}T12:0${(nth * 7) % 5}:00.000Z`,
        ...columns(nth),
      })),
    );

  test('follow each other without gaps and repeats', async () => {
    const ids = await addMany('2026-04-01');
    const pages = await readAll({ day: '2026-04-01' });
    expect(pages.map((page) => page.length)).toEqual([AUDIT_PAGE_SIZE, AUDIT_PAGE_SIZE, 7]);
    const events = pages.flat();
    expect(events.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(ids);
    const newestFirst = events.toSorted((a, b) => b.at.localeCompare(a.at) || b.id - a.id);
    expect(events).toEqual(newestFirst);
  });

  test('so do those of a person, who did some, is the subject of others, and both of the rest', async () => {
    const [user, other] = [await t.user(), await t.user()];
    const about = { subjectType: 'user', subjectId: user.id } as const;
    const ids = await addMany('2026-04-02', (nth) => {
      if (nth % 3 === 0) return { actorId: user.id };
      return nth % 3 === 1 ? { actorId: other.id, ...about } : { actorId: user.id, ...about };
    });
    const pages = await readAll({ userId: user.id, event: 'lead_assigned' });
    expect(pages.map((page) => page.length)).toEqual([AUDIT_PAGE_SIZE, AUDIT_PAGE_SIZE, 7]);
    expect(
      pages
        .flat()
        .map(({ id }) => id)
        .toSorted((a, b) => a - b),
    ).toEqual(ids);
  });

  test('an event that comes meanwhile does not move them', async () => {
    const ids = await addMany('2026-04-03');
    const first = await list({ day: '2026-04-03' });
    await add({ event: 'logout', at: '2026-04-03T13:00:00.000Z' });
    const second = await list({ day: '2026-04-03', before: first.next ?? 0 });
    const seen = [...first.items, ...second.items].map(({ id }) => id);
    expect(new Set(seen).size).toBe(2 * AUDIT_PAGE_SIZE);
    expect(seen.every((id) => ids.includes(id))).toBe(true);
  });

  test('a full last page has no next one, and nothing is older than an event that is no longer kept', async () => {
    await add(...Array.from({ length: AUDIT_PAGE_SIZE }, () => ({ event: 'logout', at: '2026-04-04T12:00:00.000Z' })));
    expect(await list({ day: '2026-04-04' })).toMatchObject({ next: null, items: { length: AUDIT_PAGE_SIZE } });
    expect(await list({ before: 999_999_999_999_999 })).toEqual({ items: [], next: null });
  });
});

describe('the export', () => {
  const day = '2026-05-05';
  let user: TestUser;
  beforeEach(async () => {
    user = await t.user();
  });

  test('has all matching events, safe in spreadsheets', async () => {
    const name = '=HYPERLINK("http://evil.example")';
    const lead = await t.lead(user, {}, { name });
    await add(
      {
        event: 'lead_reassigned',
        at: '2026-05-05T08:15:30.500Z',
        actorId: user.id,
        subjectType: 'lead',
        subjectId: lead.id,
        ip: '192.0.2.7',
        details: { previousUserId: user.id, newUserId: admin.id },
      },
      {
        event: 'lead_deleted',
        at: '2026-05-05T09:00:00.000Z',
        actorId: user.id,
        subjectType: 'lead',
        subjectId: 2_147_483_647,
        details: { name, businessId: 5 },
      },
      { event: 'call_refused', outcome: 'refused', at: '2026-05-06T09:00:00.000Z', actorId: user.id },
    );
    const response = await download({ userId: user.id, day });
    expect(response.statusCode).toBe(200);
    expect(response.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="audit.csv"',
      'cache-control': 'no-store',
    });
    expect(response.rawPayload.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
    expect(response.body.slice(1)).toBe(
      '"Time (UTC)","Event","Outcome","By","By User ID","About","About ID","About Name","IP Address","Details","Through"\r\n' +
        `"2026-05-05 09:00:00","Lead deleted","Done","${user.username}","${user.id}","Lead","2147483647","","",` +
        '"Business: =HYPERLINK(""http://evil.example""); Business ID: 5",""\r\n' +
        `"2026-05-05 08:15:30","Lead reassigned","Done","${user.username}","${user.id}","Lead","${lead.id}",` +
        `"'=HYPERLINK(""http://evil.example"")","192.0.2.7",` +
        `"Previous holder: user ${user.id}; New holder: user ${admin.id}",""\r\n`,
    );
    // No field starts as a formula does.
    expect(response.body).not.toMatch(/(^|[,\n])"[=+\-@]/);
  });

  test('has no gap or repeat between its batches', async () => {
    const count = 2 * EXPORT_BATCH + 1;
    await add(
      ...Array.from({ length: count }, (_, nth) => ({
        event: 'leads_exported',
        actorId: user.id,
        at: '2026-05-07T12:00:00.000Z',
        details: { count: nth },
      })),
    );
    const rows = parseLines((await download({ userId: user.id })).body);
    const numbers = rows.map((row) => Number(/Rows: (\d+)/.exec(row)?.[1]));
    expect(numbers).toEqual(Array.from({ length: count }, (_, nth) => count - 1 - nth));
  });

  test('is audited with its count, and does not contain itself', async () => {
    await add({ event: 'logout', actorId: user.id }, { event: 'logout', subjectType: 'user', subjectId: user.id });
    const other = await t.user('admin');
    const { body } = await download({ userId: user.id }, other);
    expect(parseLines(body)).toHaveLength(2);
    expect((await list({ userId: other.id })).items).toMatchObject([
      { event: 'audit_exported', actor: { id: other.id }, details: { count: 2 } },
    ]);
  });
});

test.each(['user', 'manager'] as const)('a %s is refused the log and the file, which is audited', async (role) => {
  const viewer = await t.user(role);
  expect(await t.request(viewer, listAuditEvents)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  expect((await download({}, viewer)).statusCode).toBe(403);
  await expect
    // Each is written after its response, in either order.
    .poll(async () =>
      (await list({ userId: viewer.id })).items.map(({ event, details }) => `${event} ${details.route}`).sort(),
    )
    .toEqual(['call_refused /api/audit', 'call_refused /api/audit/export']);
});
