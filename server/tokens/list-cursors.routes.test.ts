import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listChanges } from '#contract/changes/changes.calls.ts';
import { DUPLICATES_PAGE, listDuplicates } from '#contract/duplicates/duplicates.calls.ts';
import { getTimeline } from '#contract/leads/timeline/timeline.calls.ts';
import { listSweepDistricts, listSweepResults } from '#contract/sweeps/sweeps.calls.ts';
import { changeBatches } from '#server/schema/changes.ts';
import { duplicatePairs } from '#server/schema/duplicates.ts';
import { businesses, contactActivities } from '#server/schema/leads.ts';
import { sweepDistricts, sweepResults, sweeps } from '#server/schema/sweeps.ts';
import { type TestApp, type TestProgram, type TestUser, testApp } from '#server/testing/test-app.ts';

let t: TestApp;
let admin: TestUser;
let program: TestProgram;
beforeAll(async () => {
  t = await testApp({ ownDatabase: true });
  admin = await t.user('admin');
  program = await t.program(admin, { rights: 'admin' });
});
afterAll(() => t.close());

/** What all pages have, and how many there are. */
async function readAll<T, N>(first: N, read: (after: N) => Promise<{ items: T[]; next?: N | null }>) {
  const all: T[] = [];
  let pages = 0;
  for (let after: N | null = first; after !== null; pages += 1) {
    const page: { items: T[]; next?: N | null } = await read(after);
    all.push(...page.items);
    after = page.next ?? null;
  }
  return { all, pages };
}

test('changes and the timeline of a lead go on after the last of a page', async () => {
  const { id } = await t.lead(admin);
  const numbers = Array.from({ length: 120 }, (_, nth) => nth);
  const batch = { userId: admin.id, kind: 'tag', source: 'api', count: 1 } as const;
  await t.db.insert(changeBatches).values(numbers.map(() => ({ ...batch, id: randomUUID() })));
  const rang = { userBusinessId: id, type: 'call', completedAt: sql`now()` } as const;
  await t.db.insert(contactActivities).values(numbers.map((nth) => ({ ...rang, description: `Rang ${nth}` })));
  const read = async (after: string) => (await t.request(program, listChanges, { query: after ? { after } : {} })).body;
  const { all, pages } = await readAll('', read);
  expect(pages).toBeGreaterThan(1);
  expect(new Set(all.map((batch) => batch.id)).size).toBe(numbers.length);
  const params = { id };
  const first = (await t.request(program, getTimeline.byId, { params })).body;
  expect(first.next).not.toBeNull();
  const after = first.next ?? '';
  const [byAfter, byBefore] = [
    await t.request(program, getTimeline.byId, { params, query: { after } }),
    await t.request(program, getTimeline.byId, { params, query: { before: after } }),
  ];
  expect(byAfter.body.items).not.toEqual(first.items);
  expect(byAfter.body).toEqual(byBefore.body);
});

test('duplicates are on one page each, while their scores change', async () => {
  const count = DUPLICATES_PAGE + 5;
  for (let nth = 0; nth < count; nth += 1) {
    const [one, two] = [await t.lead(admin), await t.lead(admin)];
    const ids = { businessId: one.businessId, otherId: two.businessId };
    await t.db.insert(duplicatePairs).values({ ...ids, score: 0.8 + nth / 1000, reasons: ['phone'] });
  }
  const { all, pages } = await readAll(0, async (after) => {
    const { body } = await t.request(program, listDuplicates, { query: { after } });
    await t.db.update(duplicatePairs).set({ score: sql`1.7 - ${duplicatePairs.score}` });
    return body;
  });
  expect(pages).toBe(2);
  expect(new Set(all.flatMap(({ records }) => records.map(({ id }) => id))).size).toBe(2 * count);
  expect((await t.request(program, listDuplicates)).body).not.toHaveProperty('next');
});

test('districts and results of a sweep', async () => {
  const id = randomUUID();
  await t.db.insert(sweeps).values({ id, businessType: 'Bakery', places: ['LS1'], provider: 'local', state: 'paused' });
  const codes = Array.from({ length: 130 }, (_, nth) => `LS${nth}`);
  await t.db.insert(sweepDistricts).values(codes.map((district, position) => ({ sweepId: id, district, position })));
  const found = codes.map((code, nth) => ({ placeId: `swept-${code}`, name: `Bakery ${(nth * 7) % 130}` }));
  const stored = await t.db.insert(businesses).values(found).returning({ id: businesses.id });
  await t.db.insert(sweepResults).values(stored.map((each) => ({ sweepId: id, businessId: each.id, district: 'LS1' })));
  const params = { id };
  const districts = await readAll(
    0,
    async (after) => (await t.request(program, listSweepDistricts, { params, query: { after } })).body,
  );
  expect(districts.all.map(({ code }) => code)).toEqual(codes);
  expect(districts.pages).toBeGreaterThan(1);
  const results = await readAll(
    0,
    async (after) => (await t.request(program, listSweepResults, { params, query: { after } })).body,
  );
  expect(results.all.map(({ businessId }) => businessId)).toEqual(stored.map((each) => each.id));
  expect(results.pages).toBeGreaterThan(1);
});
