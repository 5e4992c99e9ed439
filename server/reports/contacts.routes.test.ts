import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CONTACTS_PER_PAGE, listContacts } from '#contract/reports/contacts.calls.ts';
import { contactActivities, leads } from '#server/schema/leads.ts';
import { users } from '#server/schema/users.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

const NOW = '2026-11-19T12:00:00.000Z';
const OCTOBER = { period: 'days', from: '2026-10-01', to: '2026-10-31' } as const;

let t: TestApp;
let manager: TestUser;
beforeAll(async () => {
  t = await testApp({ now: NOW, ownDatabase: true, env: { TIME_ZONE: 'Europe/London' } });
  manager = await t.user('manager');
});
afterAll(() => t.close());

async function log(
  lead: { id: number },
  createdBy: number,
  completedAt: string | null,
  columns: Partial<typeof contactActivities.$inferInsert> = {},
) {
  const [activity] = await t.db
    .insert(contactActivities)
    .values({ userBusinessId: lead.id, type: 'call', description: '', createdBy, completedAt, ...columns })
    .returning();
  return activity?.id;
}

type Query = NonNullable<Parameters<typeof t.request<typeof listContacts>>[2]>['query'];
const read = async (viewer: TestUser, query: Query) =>
  (await t.request(viewer, listContacts, { query: { ...OCTOBER, ...query } })).body;
const ids = async (viewer: TestUser, query: Query) => (await read(viewer, query)).items.map(({ id }) => id);

test('the contacts of a figure, the newest first: by type, day, hour, outcome, person and the traits of their leads', async () => {
  const [caller, other] = [await t.user('user', { fullName: 'Cal Ler' }), await t.user('user', { fullName: 'Otto R' })];
  const bakery = await t.lead(caller, {}, { name: 'Blue Door', type: 'Bakery' });
  const customer = await t.lead(caller, { existingCustomer: true });
  // Thursday, October 1, 00:30 in summer time, and Monday, October 26, 09:10 in winter time.
  const night = await log(bakery, caller.id, '2026-09-30T23:30:00.000Z', { outcome: 'spoke' });
  const missed = await log(bakery, caller.id, '2026-10-26T09:10:00.000Z', { outcome: 'no_answer' });
  const plain = await log(bakery, caller.id, '2026-10-26T09:50:00.000Z');
  const email = await log(bakery, caller.id, '2026-10-26T10:00:00.000Z', { type: 'email' });
  const visit = await log(bakery, other.id, '2026-10-27T11:00:00.000Z', { type: 'meeting', outcome: 'met_owner' });
  // Neither a note, nor a contact of another month, of a customer, or that is only planned.
  await log(bakery, caller.id, '2026-10-26T11:00:00.000Z', { type: 'note' });
  await log(bakery, caller.id, '2026-11-01T00:00:00.000Z');
  await log(customer, caller.id, '2026-10-26T11:00:00.000Z');
  await log(bakery, caller.id, null, { scheduledAt: '2026-10-28T11:00:00.000Z' });

  const { days, total, items } = await read(manager, {});
  expect([days, total]).toEqual([{ from: '2026-10-01', to: '2026-10-31' }, 5]);
  expect(items.map(({ id }) => id)).toEqual([visit, email, plain, missed, night]);
  expect(items[0]).toEqual({
    ...{ id: visit, type: 'meeting', outcome: 'met_owner', at: '2026-10-27T11:00:00.000Z', person: 'Otto R' },
    lead: { uuid: bakery.uuid, name: 'Blue Door' },
  });
  expect(await ids(manager, { user: caller.id, contact: 'call' })).toEqual([plain, missed, night]);
  expect(await ids(manager, { reached: 'true' })).toEqual([visit, night]);
  expect(await ids(manager, { from: '2026-10-01', to: '2026-10-01' })).toEqual([night]);
  // A call without an outcome is not among those that the best time is counted from.
  expect(await ids(manager, { callTime: '1-09' })).toEqual([missed]);
  expect(await ids(manager, { callTime: '4-00', reached: 'true' })).toEqual([night]);
  expect(await ids(manager, { types: 'Bakery', contact: 'meeting' })).toEqual([visit]);
  expect(await ids(manager, { types: 'Florist' })).toEqual([]);

  await t.db.delete(users).where(eq(users.id, other.id));
  expect(await ids(manager, { deleted: 'true' })).toEqual([visit]);
  expect((await read(manager, { deleted: 'true' })).items[0]?.person).toBeNull();
});

test('users list what they logged themselves, without the name of a lead that is not theirs any more', async () => {
  const [caller, other] = [await t.user(), await t.user()];
  const [kept, given] = [await t.lead(caller), await t.lead(caller)];
  const first = await log(kept, caller.id, '2026-10-05T09:00:00.000Z');
  const second = await log(given, caller.id, '2026-10-06T09:00:00.000Z');
  await log(given, other.id, '2026-10-07T09:00:00.000Z');
  await t.db.update(leads).set({ userId: other.id }).where(eq(leads.id, given.id));

  const own = await read(caller, { user: caller.id });
  expect(own.items.map(({ id, lead }) => [id, lead])).toEqual([
    [second, null],
    [first, { uuid: kept.uuid, name: kept.business.name }],
  ]);
  const seen = await read(manager, { user: caller.id });
  expect(seen.items.map(({ lead }) => lead?.uuid)).toEqual([given.uuid, kept.uuid]);
  // Nor are those of deleted accounts anyone's own.
  expect(await ids(caller, { user: caller.id, deleted: 'true' })).toEqual([]);
  for (const query of [{}, { user: other.id }, { deleted: 'true' as const }]) {
    const refused = await t.request(caller, listContacts, { query: { ...OCTOBER, ...query } });
    expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  }
});

test('a page has the next contacts, and the total is that of all', async () => {
  const caller = await t.user();
  const lead = await t.lead(caller);
  // At the same moment, so that the id decides.
  await t.db.insert(contactActivities).values(
    Array.from({ length: CONTACTS_PER_PAGE + 2 }, () => ({
      ...{ userBusinessId: lead.id, type: 'call' as const, description: '', createdBy: caller.id },
      completedAt: '2026-10-05T09:00:00.000Z',
    })),
  );
  const [first, second, third] = [
    await read(caller, { user: caller.id }),
    await read(caller, { user: caller.id, page: 2 }),
    await read(caller, { user: caller.id, page: 3 }),
  ];
  expect([first, second, third].map(({ total, items }) => [total, items.length])).toEqual([
    [CONTACTS_PER_PAGE + 2, CONTACTS_PER_PAGE],
    [CONTACTS_PER_PAGE + 2, 2],
    [CONTACTS_PER_PAGE + 2, 0],
  ]);
  const listed = [...first.items, ...second.items].map(({ id }) => id);
  expect(listed).toEqual([...new Set(listed)].sort((a, b) => b - a));
});

test.each<Record<string, string>>([
  { contact: 'note' },
  { callTime: '8-09' },
  { callTime: '1-24' },
  { reached: 'maybe' },
  { page: '0' },
  { period: 'days', from: '2026-11-02', to: '2026-11-01' },
])('%o is no list', async (query) => {
  const refused = await t.request(manager, listContacts, { query: { ...OCTOBER, ...query } });
  expect(refused).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
});
