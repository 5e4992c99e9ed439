import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { leadStatus } from '#contract/leads/lead.ts';
import { type LeadPageQuery, leadPageQuery } from '#contract/leads/lead-filter.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { Db } from '#server/kit/db/db.ts';
import { leadSetChanges, leads } from '#server/kit/db/schema.ts';
import { type TestApp, testApp } from '#server/testing.ts';
import { foundInSets } from './found-in-sets.sql.ts';
import { matching } from './lead-lists.sql.ts';
import { foldLeadSets } from './lead-sets.sql.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp({ alone: true });
});
afterAll(() => t.close());

async function counted(db: Db, viewer: Viewer, query: LeadPageQuery) {
  return (await foundInSets(db, viewer, query))?.total;
}

const either = { tags: 'hot,cold', archived: 'true', existing: 'true' };

test('sets hold while many change leads and several fold', async () => {
  const holder = await t.person();
  const made = await Promise.all(Array.from({ length: 10 }, () => t.lead(holder, { tags: ['hot'] })));
  const all = leadPageQuery.parse({ ...either, hideClosed: 'false' });
  await Promise.all([
    ...made.map(async ({ id }, nth) => {
      for (let turn = 0; turn < 10; turn += 1) {
        const status = leadStatus.options[(nth + turn) % leadStatus.options.length] ?? 'new';
        await t.db
          .update(leads)
          .set({ status, tags: [turn % 2 ? 'hot' : 'cold'] })
          .where(eq(leads.id, id));
        expect(await counted(t.db, holder, all)).toBe(10);
      }
    }),
    ...[1, 2].map(async () => {
      for (let turn = 0; turn < 20; turn += 1) await foldLeadSets(t.db);
    }),
  ]);
  await foldLeadSets(t.db);
  expect(await t.db.$count(leadSetChanges)).toBe(0);
  for (const status of leadStatus.options) {
    const filter = leadPageQuery.parse({ ...either, status, hideClosed: 'false' });
    expect(await counted(t.db, holder, filter)).toBe(await t.db.$count(leads, matching(holder, filter)));
  }
});

test('one that folds does not wait for another, nor for those who change leads', async () => {
  const holder = await t.person();
  const [first, second] = [await t.lead(holder), await t.lead(holder)];
  await foldLeadSets(t.db);
  await t.db.transaction(async (one) => {
    await one
      .update(leads)
      .set({ tags: ['cold'] })
      .where(eq(leads.id, first.id));
    await foldLeadSets(t.db);
    await t.db
      .update(leads)
      .set({ tags: ['hot'] })
      .where(eq(leads.id, second.id));
    await t.db.transaction(async (folding) => {
      await foldLeadSets(folding);
      await foldLeadSets(t.db);
      expect(await counted(t.db, holder, leadPageQuery.parse(either))).toBe(1);
    });
    expect(await counted(one, holder, leadPageQuery.parse(either))).toBe(2);
  });
  expect(await counted(t.db, holder, leadPageQuery.parse(either))).toBe(2);
});
