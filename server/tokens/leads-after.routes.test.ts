import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listLeads } from '#contract/leads/lead-lists.calls.ts';
import { leads } from '#server/schema/leads.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

const read = (viewer: Pick<TestUser, 'cookie'>, query: object) => t.request(viewer, listLeads, { query });

/** The ids on all pages; between two of them, something happens. */
async function readAll(viewer: TestUser, query: object, between: () => Promise<unknown> = async () => {}) {
  const ids: number[] = [];
  for (let after: number | null = 0; after !== null; ) {
    const { status, body } = await read(viewer, { ...query, after, pageSize: 3 });
    expect(status).toBe(200);
    ids.push(...body.items.map(({ userBusiness }) => userBusiness.id));
    after = body.next ?? null;
    await between();
  }
  return ids;
}

async function createLeads(user: TestUser, count: number, columns = {}) {
  const ids: number[] = [];
  for (let nth = 0; nth < count; nth += 1) ids.push((await t.lead(user, columns)).id);
  return ids;
}

test('all matching leads are read once, in the order of their ids', async () => {
  const user = await t.user();
  const ids = await createLeads(user, 7, { tags: ['hot'] });
  await createLeads(await t.user(), 1, { tags: ['hot'] });
  await createLeads(user, 1, { tags: ['cold'] });
  expect(await readAll(user, { tags: 'hot' })).toEqual(ids);
});

test('whatever changes meanwhile, a lead that matches all the time is on one page', async () => {
  const user = await t.user();
  const ids = await createLeads(user, 8);
  const added: number[] = [];
  let turn = 0;
  const found = await readAll(user, {}, async () => {
    turn += 1;
    if (turn > 2) return;
    // Each of these moves leads from page to page in every other order.
    const assignedAt = sql`now() - make_interval(hours => ${leads.id} * ${turn % 2 === 0 ? 1 : -1} % 5)`;
    await t.db
      .update(leads)
      .set({ assignedAt, businessName: sql`md5(${leads.id}::text)` })
      .where(eq(leads.userId, user.id));
    added.push(...(await createLeads(user, 1)));
    await t.db.delete(leads).where(eq(leads.id, ids[0] ?? 0));
  });
  expect(found).toEqual([...ids, ...added]);
});

test('the last page has no next, and a page without after does not either', async () => {
  const user = await t.user();
  await createLeads(user, 3);
  expect((await read(user, { after: 0, pageSize: 3 })).body).toMatchObject({ total: 3, next: null });
  expect((await read(user, { after: 2_147_483_647 })).body).toMatchObject({ items: [], total: 3, next: null });
  expect((await read(user, { pageSize: 3 })).body).not.toHaveProperty('next');
  expect((await read(user, { pageSize: 3, after: '' })).body).not.toHaveProperty('next');
});

test('a program that is limited to a saved view, or to own leads, reads no others', async () => {
  const admin = await t.user('admin');
  const [own] = await createLeads(admin, 1);
  await createLeads(await t.user(), 1);
  const program = await t.program(admin, { ownLeads: true });
  const { body } = await t.request(program, listLeads, { query: { after: 0 } });
  expect(body.items.map(({ userBusiness }) => userBusiness.id)).toEqual([own]);
});

test.each(['-1', 'x', '1.5', '2147483648'])('after=%s is refused', async (after) => {
  expect((await read(await t.user(), { after })).status).toBe(400);
});
