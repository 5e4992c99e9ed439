import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { leadStatus } from '#contract/leads/lead.ts';
import { leadFilter } from '#contract/leads/lead-filter.ts';
import { leads } from '#server/kit/db/schema.ts';
import { type TestApp, testApp } from '#server/testing.ts';
import { countedLeads, foldLeadCounts } from './lead-counts.sql.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp({ alone: true });
});
afterAll(() => t.close());

const everything = leadFilter.parse({ hideClosed: 'false', archived: 'true', existing: 'true' });

test('people who change leads at the same time do not wait for each other, and nothing is counted twice', async () => {
  const holder = await t.person();
  const [first, second] = [await t.lead(holder), await t.lead(holder)];
  // Both changes count in the same lines. Neither transaction has ended when the other writes.
  await t.db.transaction(async (one) => {
    await one.update(leads).set({ status: 'recontact' }).where(eq(leads.id, first.id));
    await t.db.transaction(async (other) => {
      await other.execute(sql`set local lock_timeout = '2s'`);
      await other.update(leads).set({ status: 'recontact' }).where(eq(leads.id, second.id));
      await foldLeadCounts(other);
    });
  });
  const filter = leadFilter.parse({ status: 'recontact' });
  expect(await countedLeads(t.db, holder, filter)).toBe(2);
  await foldLeadCounts(t.db);
  expect(await countedLeads(t.db, holder, filter)).toBe(2);
});

test('the counts hold while many change leads and several fold', async () => {
  const holder = await t.person();
  const made = await Promise.all(Array.from({ length: 10 }, () => t.lead(holder, { tags: ['hot'] })));
  const statuses = leadStatus.options;
  await Promise.all([
    ...made.map(async ({ id }, nth) => {
      for (let turn = 0; turn < 10; turn += 1) {
        const status = statuses[(nth + turn) % statuses.length] ?? 'new';
        await t.db.update(leads).set({ status }).where(eq(leads.id, id));
        expect(await countedLeads(t.db, holder, everything)).toBe(10);
      }
    }),
    ...[1, 2].map(async () => {
      for (let turn = 0; turn < 10; turn += 1) await foldLeadCounts(t.db);
    }),
  ]);
  await foldLeadCounts(t.db);
  const { rows } = await t.db.execute<{ status: string; leads: number }>(
    sql`select status, count(*)::int as leads from user_businesses where user_id = ${holder.id} group by status`,
  );
  for (const { status, leads: many } of rows) {
    expect(await countedLeads(t.db, holder, leadFilter.parse({ status, hideClosed: 'false' }))).toBe(many);
  }
});

test('a lead made while its business is being renamed has the new name', async () => {
  const holder = await t.person();
  const { business } = await t.lead(holder);
  const other = await t.person();
  let inserting: Promise<unknown> | undefined;
  await t.db.transaction(async (tx) => {
    await tx.execute(sql`update businesses set name = 'Renamed', town = 'Hull' where id = ${business.id}`);
    inserting = t.db.insert(leads).values({ userId: other.id, businessId: business.id }).execute();
    await expect
      .poll(async () => (await tx.execute(sql`select from pg_locks where not granted`)).rows.length)
      .toBeGreaterThan(0);
  });
  await inserting;
  const named = await t.db
    .select({ name: leads.businessName, town: leads.town })
    .from(leads)
    .where(eq(leads.businessId, business.id));
  expect(named).toEqual([1, 2].map(() => ({ name: 'Renamed', town: 'Hull' })));
});
