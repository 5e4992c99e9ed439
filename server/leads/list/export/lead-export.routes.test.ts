import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildPath, type Input } from '#contract/call.ts';
import { addObjection } from '#contract/contact-rules/objections.calls.ts';
import { countLeads, exportLeads } from '#contract/leads/lead-export.calls.ts';
import { LEAD_SORTS } from '#contract/leads/lead-filter.ts';
import { listLeads } from '#contract/leads/lead-lists.calls.ts';
import { auditEvents } from '#server/schema/audit.ts';
import { businesses, leads } from '#server/schema/leads.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';
import { EXPORT_BATCH } from './lead-export.sql.ts';

let t: TestApp;
let admin: TestUser;
beforeAll(async () => {
  t = await testApp({ env: { TIME_ZONE: 'Europe/London' } });
  admin = await t.user('admin');
});
afterAll(() => t.close());

type Query = NonNullable<Input<typeof exportLeads>['query']>;

const download = (viewer: TestUser, query: Query = {}) =>
  t.inject({ url: buildPath(exportLeads, { query }), headers: { cookie: viewer.cookie } });
const parseLines = (csv: string) => csv.split('\r\n').slice(1, -1);
const parseNames = (csv: string) => parseLines(csv).map((line) => line.split('","')[0]?.slice(1));

const count = async (viewer: TestUser, query: Query = {}) =>
  (await t.request(viewer, countLeads, { query })).body.total;

test('all matching leads are a CSV file that is safe in spreadsheets and can be imported', async () => {
  const holder = await t.user();
  await t.lead(
    holder,
    {
      status: 'recontact',
      tags: ['Imported', 'hot', 'market'],
      customFields: { contactPerson: '@Zoë', email: 'zoe@example.org', value: '1500' },
      notes: 'private notes',
      source: { kind: 'file', name: 'spring.csv' },
      // Half past midnight of the next day in London.
      assignedAt: '2026-07-01T23:30:00.000Z',
      lastContactedAt: '2026-07-03T10:00:00.000Z',
    },
    {
      name: '=HYPERLINK("http://evil.example")',
      formattedAddress: '12 Mill Lane, Leeds LS1 2AB',
      town: 'Leeds',
      phone: '+44 113 496 0123',
      website: 'Not provided',
      type: 'Bakery',
    },
  );
  const objection = { on: 'number', value: '0113 496 0123', channel: 'text' } as const;
  await t.request(admin, addObjection, { body: objection });
  const response = await download(holder);
  expect(response.statusCode).toBe(200);
  expect(response.headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="leads.csv"',
    'cache-control': 'no-store',
    'x-row-count': '1',
  });
  expect(response.rawPayload.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
  expect(response.body.slice(1)).toBe(
    '"Business Name","Address","Town","Contact Name","Phone","Email Address","Website","User","Custom Tag",' +
      '"Status","Date Assigned","Last Contact","Archived","Existing Customer","Value","Source","Business Type","Do Not Contact"\r\n' +
      `"'=HYPERLINK(""http://evil.example"")","12 Mill Lane, Leeds LS1 2AB","Leeds","'@Zoë","'+44 113 496 0123",` +
      `"zoe@example.org","","${holder.username}","hot, market",` +
      '"Recontact","2026-07-02","2026-07-03","no","no","1500","File: spring.csv","Bakery","Text messages"\r\n',
  );
});

test('filters and order are those of the list', async () => {
  const holder = await t.user();
  const add = (name: string, minute: number, more: object = {}, about: object = {}) =>
    t.lead(
      holder,
      { assignedAt: new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString(), ...more },
      { name, ...about },
    );
  await add('Plain', 1);
  await add('Leeds bakery', 2, { tags: ['hot'] }, { town: 'Leeds' });
  await add('Won', 3, { status: 'closed_won' });
  await add('Archived', 4, { archived: true });
  await add('Customer', 5, { existingCustomer: true });
  const cases: [Query, string[]][] = [
    [{}, ['Leeds bakery', 'Plain']],
    [{ sort: 'oldest' }, ['Plain', 'Leeds bakery']],
    [{ hideClosed: false }, ['Won', 'Leeds bakery', 'Plain']],
    [{ status: 'closed_won', hideClosed: false }, ['Won']],
    [{ archived: true }, ['Archived', 'Leeds bakery', 'Plain']],
    [{ existing: true, tags: 'hot' }, ['Customer', 'Leeds bakery']],
    [{ tags: 'hot,warm' }, ['Leeds bakery']],
    [{ town: 'leeds' }, ['Leeds bakery']],
    [{ q: 'BAKERY' }, ['Leeds bakery']],
    [{ q: 'nowhere' }, []],
  ];
  for (const [query, names] of cases) {
    const { headers, body } = await download(holder, query);
    expect(parseNames(body)).toEqual(names);
    expect(headers['x-row-count']).toBe(String(names.length));
    expect(await count(holder, query)).toBe(names.length);
  }
});

test('users export their own leads, admins those of all users', async () => {
  const [user, manager] = [await t.user('user'), await t.user('manager')];
  await t.lead(user, {}, { name: 'Of the user' });
  await t.lead(manager, {}, { name: 'Of the manager' });
  expect(parseNames((await download(user)).body)).toEqual(['Of the user']);
  expect(parseNames((await download(manager)).body)).toEqual(['Of the manager']);
  // The user filter never shows more than the viewer may see.
  expect(parseNames((await download(manager, { user: user.id })).body)).toEqual([]);
  expect(await count(manager, { user: user.id })).toBe(0);
  expect(parseNames((await download(admin, { user: user.id })).body)).toEqual(['Of the user']);
  expect(await count(admin, { user: user.id })).toBe(1);
});

/** Oldest first. */
async function manyLeads(holder: TestUser, count: number) {
  const rows = Array.from({ length: count }, (_, nth) => ({
    placeId: `export-${holder.id}-${nth}`,
    name: `Shop ${String(nth).padStart(5, '0')}`,
  }));
  const stored = await t.db.insert(businesses).values(rows).returning({ id: businesses.id });
  // As after an import: many share a timestamp and differ only by id.
  const assignedAt = (nth: number) => new Date(Date.UTC(2026, 0, 1, 0, Math.floor(nth / 400))).toISOString();
  const made = await t.db
    .insert(leads)
    .values(stored.map(({ id }, nth) => ({ userId: holder.id, businessId: id, assignedAt: assignedAt(nth) })))
    .returning({ id: leads.id });
  return rows.map(({ name }, nth) => ({ name, id: made[nth]?.id ?? 0 }));
}

test('every order of the list is that of the file, across batches and with missing values', async () => {
  const holder = await t.user();
  await manyLeads(holder, 2 * EXPORT_BATCH + 100);
  await t.db.execute(sql`update user_businesses set
      last_contacted_at = case when id % 3 > 0 then timestamptz '2026-02-01' + id % 20 * interval '1 hour' end,
      next_step_at = case when id % 2 = 0 then timestamptz '2026-03-01' + id % 9 * interval '1 day' end,
      next_step_type = case when id % 2 = 0 then 'call' end,
      status = case when id % 4 = 0 then 'recontact' else 'new' end
    where user_id = ${holder.id}`);
  await t.db.execute(sql`update businesses set town = case when id % 5 > 1 then 'Town ' || id % 5 end
    where id in (select business_id from user_businesses where user_id = ${holder.id})`);
  for (const sort of LEAD_SORTS) {
    const listed: string[] = [];
    for (let page = 1; page <= 11; page += 1) {
      const { body } = await t.request(holder, listLeads, { query: { sort, page, pageSize: 100 } });
      listed.push(...body.items.map(({ business }) => business.name));
    }
    expect({ sort, names: parseNames((await download(holder, { sort })).body) }).toEqual({ sort, names: listed });
  }
});

test('no lead is missing or duplicated between batches, in both orders', async () => {
  const holder = await t.user();
  const many = 2 * EXPORT_BATCH + 1;
  const inOrder = (await manyLeads(holder, many)).map(({ name }) => name);
  const oldest = await download(holder, { sort: 'oldest' });
  expect(parseNames(oldest.body)).toEqual(inOrder);
  expect(oldest.headers['x-row-count']).toBe(String(many));
  const newest = await download(holder, { sort: 'newest' });
  expect(parseNames(newest.body)).toEqual(inOrder.reverse());
});

test('a failed export aborts the response, so that the client notices', async () => {
  const holder = await t.user();
  const last = (await manyLeads(holder, EXPORT_BATCH + 1)).at(-1)?.id ?? 0;
  // JavaScript cannot parse this date: the second batch fails after the first is sent.
  await t.db.update(leads).set({ lastContactedAt: 'infinity' }).where(eq(leads.id, last));
  try {
    const address = await t.app.http.listen({ port: 0, host: '127.0.0.1' });
    const response = await fetch(address + buildPath(exportLeads, { query: { sort: 'oldest' } }), {
      headers: { cookie: holder.cookie },
    });
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
    expect((await t.request(holder, countLeads)).body.total).toBe(EXPORT_BATCH + 1);
  } finally {
    await t.db.delete(leads).where(eq(leads.id, last));
  }
});

test('an export is audited with its count', async () => {
  const user = await t.user();
  await t.lead(user);
  await download(user);
  const events = await t.db.select().from(auditEvents).where(eq(auditEvents.actorId, user.id));
  expect(events).toMatchObject([{ event: 'leads_exported', details: { count: 1 }, outcome: 'done' }]);
});

test('invalid input is refused', async () => {
  for (const call of [countLeads, exportLeads]) {
    const refused = async (query: object) => (await t.request(admin, call, { query: query as never })).body;
    expect(await refused({ hideClosed: 'perhaps' })).toMatchObject({ code: 'validation_failed' });
    expect(await refused({ status: 'nonsense' })).toMatchObject({ code: 'validation_failed' });
    expect(await refused({ q: 'a\0b' })).toMatchObject({ code: 'validation_failed' });
  }
  expect((await t.request(admin, exportLeads, { query: { sort: 'sideways' as never } })).status).toBe(400);
});
