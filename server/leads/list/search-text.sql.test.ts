import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listLeads, listLeadTowns } from '#contract/leads/lead-lists.calls.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

let t: TestApp;
let holder: TestUser;
beforeAll(async () => {
  t = await testApp();
  holder = await t.user();
});
afterAll(() => t.close());

const DECOMPOSED_CAFE = 'Cafe\u0301 Noir';

describe('a name is found', () => {
  beforeAll(async () => {
    for (const name of ['İstanbul Kebap', 'Hauptstraße 12', DECOMPOSED_CAFE, 'Crème & Co', 'ÆRØ Øl']) {
      await t.lead(holder, {}, { name });
    }
  });

  test.each([
    ['İstanbul', 'İstanbul Kebap'],
    ['istanbul', 'İstanbul Kebap'],
    ['ISTANBUL', 'İstanbul Kebap'],
    ['I\u0307stanbul', 'İstanbul Kebap'],
    ['straße', 'Hauptstraße 12'],
    ['STRASSE', 'Hauptstraße 12'],
    ['Café', DECOMPOSED_CAFE],
    ['cafe\u0301 n', DECOMPOSED_CAFE],
    ['CRÈME', 'Crème & Co'],
    ['cre\u0300me', 'Crème & Co'],
    ['ærø ØL', 'ÆRØ Øl'],
  ])('by %s: %s', async (q, name) => {
    const { body } = await t.request(holder, listLeads, { query: { q } });
    expect(body.items.map(({ business }) => business.name)).toEqual([name]);
  });
});

test('a town is one option, spelt as in its newest lead, and filters every spelling', async () => {
  const user = await t.user();
  for (const [day, town] of ['Köln', 'KÖLN', 'Ko\u0308ln', 'Bath'].entries()) {
    await t.lead(user, { assignedAt: `2026-01-0${day + 1}T00:00:00Z` }, { town });
  }
  for (const viewer of [user, await t.user('admin')]) {
    const { body: towns } = await t.request(viewer, listLeadTowns);
    expect(towns.filter((town) => /^ko?\u0308?ö?ln$/i.test(town))).toEqual(['Ko\u0308ln']);
  }
  const { body } = await t.request(user, listLeads, { query: { town: 'köln' } });
  expect(body.total).toBe(3);
});

test('name and town of a lead follow its business', async () => {
  const lead = await t.lead(holder, {}, { name: 'Before', town: 'York' });
  const { business } = await t.lead(holder, {}, { name: 'Another', town: 'Bath' });
  const copies = async () => {
    const { rows } = await t.db.execute(
      sql`select business_name, town, search_name from user_businesses where id = ${lead.id}`,
    );
    return rows[0];
  };
  await t.db.execute(sql`update businesses set name = 'AFTER', town = null where id = ${lead.business.id}`);
  expect(await copies()).toEqual({ business_name: 'AFTER', town: null, search_name: 'after' });
  const heldByOther = await t.user();
  await t.db.execute(
    sql`update user_businesses set user_id = ${heldByOther.id}, business_id = ${business.id} where id = ${lead.id}`,
  );
  expect(await copies()).toEqual({ business_name: 'Another', town: 'Bath', search_name: 'another' });
});
