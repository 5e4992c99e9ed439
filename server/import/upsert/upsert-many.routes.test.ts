import { eq } from 'drizzle-orm';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { upsertLeads } from '#contract/import/upsert.calls.ts';
import { DEFAULT_ADDING } from '#contract/leads/adding/adding-rules.ts';
import { changeTeamSettings } from '#contract/settings/settings.calls.ts';
import { auditEvents } from '#server/schema/audit.ts';
import { externalIds } from '#server/schema/external-ids.ts';
import { businesses, leads } from '#server/schema/leads.ts';
import { notifications } from '#server/schema/notifications.ts';
import { type TestApp, type TestProgram, type TestUser, testApp } from '#server/testing/test-app.ts';

let t: TestApp;
let admin: TestUser;
let program: TestProgram;
beforeAll(async () => {
  t = await testApp({ ownDatabase: true });
  admin = await t.user('admin');
  program = await t.program(admin, { rights: 'write' });
});
afterAll(() => t.close());

const upsert = async (sender: TestProgram, items: object[], options: object = {}) =>
  (await t.request(sender, upsertLeads, { body: { source: 'hubspot', items, ...options } })).body;

let made = 0;
const SYLLABLES = ['bak', 'cor', 'dim', 'fel', 'gus', 'hop', 'jin', 'kav', 'lem', 'mox'];
/** Businesses that look like no other. */
const newBusinesses = (count: number, values: object = {}) =>
  Array.from({ length: count }, () => {
    made += 1;
    const name = [...String(made * 7_919)].map((digit) => SYLLABLES[Number(digit)]).join('');
    return { externalId: `id-${made}`, name, phone: `0113 49${String(made).padStart(5, '0')}`, ...values };
  });

test('forty new leads need as many statements as four', async () => {
  const count = async (items: object[]) => {
    const query = vi.spyOn(pg.Client.prototype, 'query');
    const { counts } = await upsert(program, items);
    // The parts of the product that run by themselves ask as well, each with a statement of its own.
    const texts = query.mock.calls.map(([config]) => (typeof config === 'string' ? config : JSON.stringify(config)));
    query.mockRestore();
    expect(counts.created).toBe(items.length);
    return texts.filter((text) => /businesses|external_ids|assignment_history|savepoint|own_fields/.test(text)).length;
  };
  await upsert(program, newBusinesses(2)); // the next one looks at what was written
  const four = await count(newBusinesses(4));
  expect(await count(newBusinesses(40))).toBe(four);
});

test('each has its lead with what was sent, its external id, and its line of the audit', async () => {
  const holder = await t.user();
  const items = newBusinesses(30, { holderId: holder.id }).map((item, nth) => ({ ...item, notes: `Note ${nth}` }));
  const { results } = await upsert(program, items);
  expect(results.map(({ index, outcome }) => [index, outcome])).toEqual(items.map((_, nth) => [nth, 'created']));
  const stored = await t.db
    .select({ id: leads.id, name: businesses.name, notes: leads.notes, externalId: externalIds.externalId })
    .from(leads)
    .innerJoin(businesses, eq(businesses.id, leads.businessId))
    .innerJoin(externalIds, eq(externalIds.userBusinessId, leads.id))
    .where(eq(leads.userId, holder.id))
    .orderBy(leads.id);
  expect(stored).toEqual(
    items.map(({ name, notes, externalId }, nth) => ({ id: results[nth]?.lead?.id, name, notes, externalId })),
  );
  const assigned = await t.db.select().from(auditEvents).where(eq(auditEvents.program, program.name));
  const ids = new Set(assigned.map(({ subjectId }) => Number(subjectId)));
  expect(stored.filter(({ id }) => !ids.has(id))).toEqual([]);
  const told = await t.db.select().from(notifications).where(eq(notifications.userId, holder.id));
  expect(told).toMatchObject([{ title: 'New 30 businesses assigned' }]);
});

test('those that are refused among them are reported, and the others are made', async () => {
  const items: object[] = newBusinesses(25);
  items[7] = { ...items[7], tags: ['Imported'] };
  items[8] = { ...items[8], ownFields: { 999999: 'x' } };
  items[20] = { ...items[20], holderId: 999_999 };
  const { results, counts } = await upsert(program, items);
  expect(counts).toMatchObject({ created: 22, refused: 3 });
  expect(results.map(({ index }) => index)).toEqual(items.map((_, nth) => nth));
  expect([7, 8, 20].map((nth) => results[nth]?.error?.code)).toEqual(['reserved_tag', 'not_found', 'invalid_target']);
  const names = [7, 8, 20].map((nth) => (items[nth] as { name: string }).name);
  const stored = (await t.db.select({ name: businesses.name }).from(businesses)).map(({ name }) => name);
  expect(stored.filter((name) => names.includes(name))).toEqual([]);
});

test('what comes again, or changes a lead in between, sees what came before in the same request', async () => {
  const [one, two, three] = newBusinesses(3);
  const { results } = await upsert(program, [
    one as object,
    two as object,
    { externalId: one?.externalId, notes: 'Again' },
    three as object,
    { ...two, externalId: 'like-two' },
    two as object,
  ]);
  expect(results.map(({ outcome }) => outcome)).toEqual([
    ...['created', 'created', 'changed', 'created', 'skipped', 'unchanged'],
  ]);
  expect(results[2]?.lead?.id).toBe(results[0]?.lead?.id);
  expect(results[4]?.looksLike).toMatchObject({ leadUuid: results[1]?.lead?.uuid });
});

test('a user makes as many as the team allows in a day, of one request as of many', async () => {
  const adding = { ...DEFAULT_ADDING, allowed: true, perDay: 5 };
  await t.request(admin, changeTeamSettings, { body: { addingLeads: adding } });
  const user = await t.user();
  const own = await t.program(user, { rights: 'write' });
  expect((await upsert(own, newBusinesses(2))).counts.created).toBe(2);
  const { results, counts } = await upsert(own, newBusinesses(8));
  expect(counts).toMatchObject({ created: 3, refused: 5 });
  expect(results.slice(0, 3).every(({ outcome }) => outcome === 'created')).toBe(true);
  expect(new Set(results.slice(3).map(({ error }) => error?.code))).toEqual(new Set(['too_many_added']));
});
