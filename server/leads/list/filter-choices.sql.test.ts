import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Viewer } from '#contract/users/user.ts';
import type { Db } from '#server/kit/db/db.ts';
import { leads } from '#server/schema/leads.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';
import { originsInView, statusesInView, tagsInView, townsInView } from './filter-choices.sql.ts';

const OWN = { team: false };
let t: TestApp;
let [ada, tom, admin]: TestUser[] = [];
beforeAll(async () => {
  t = await testApp({ ownDatabase: true });
  [ada, tom, admin] = [await t.user(), await t.user(), await t.user('admin')];
  await t.lead(ada, { tags: ['hot', 'Imported'] }, { town: 'York' });
  await t.lead(ada, { tags: ['cold'], status: 'proposal', archived: true }, { town: 'Leeds' });
  await t.lead(tom, { tags: ['hot', 'new'], status: 'recontact' }, { town: 'Bath' });
  await t.lead(tom);
});
afterAll(() => t.close());

const readOptions = async (db: Db, viewer: Viewer | undefined) => {
  if (!viewer) throw new Error('no viewer');
  const [towns, tags, statuses] = [
    await townsInView(db, viewer, OWN),
    await tagsInView(db, viewer, OWN),
    await statusesInView(db, viewer, OWN),
  ];
  return { towns, tags, statuses: statuses.sort() };
};

test('admins get the options of all leads, also archived ones, other users those of their own', async () => {
  expect(await readOptions(t.db, admin)).toEqual({
    towns: ['Bath', 'Leeds', 'York'],
    tags: ['cold', 'hot', 'new'],
    statuses: ['new', 'proposal', 'recontact'],
  });
  expect(await readOptions(t.db, ada)).toEqual({
    towns: ['Leeds', 'York'],
    tags: ['cold', 'hot'],
    statuses: ['new', 'proposal'],
  });
  expect(await readOptions(t.db, tom)).toEqual({
    towns: ['Bath'],
    tags: ['hot', 'new'],
    statuses: ['new', 'recontact'],
  });
});

test('options follow the leads at once', async () => {
  const lead = await t.lead(ada as TestUser, { tags: ['spring'], status: 'negotiation' }, { town: 'Hull' });
  for (const viewer of [ada, admin]) {
    expect(await readOptions(t.db, viewer)).toMatchObject({
      towns: expect.arrayContaining(['Hull']),
      tags: expect.arrayContaining(['spring']),
      statuses: expect.arrayContaining(['negotiation']),
    });
  }
  await t.db
    .update(leads)
    .set({ tags: ['autumn'], status: 'new' })
    .where(eq(leads.id, lead.id));
  for (const viewer of [ada, admin]) {
    const { tags, statuses } = await readOptions(t.db, viewer);
    expect(tags).toContain('autumn');
    expect(tags).not.toContain('spring');
    expect(statuses).not.toContain('negotiation');
  }
  await t.db.delete(leads).where(eq(leads.id, lead.id));
  for (const viewer of [ada, admin]) {
    const { towns, tags } = await readOptions(t.db, viewer);
    expect(towns).not.toContain('Hull');
    expect(tags).not.toContain('autumn');
  }
});

test('a tag that only an old lead has is an option, however many leads are newer', async () => {
  const { rows } = await t.db.execute(`with made as (
      insert into businesses (place_id, name) select 'newer' || n, 'Shop ' || n from generate_series(1, 5200) n returning id)
    insert into user_businesses (user_id, business_id, tags) select ${tom?.id}, id, '{fresh}' from made returning id`);
  expect(rows).toHaveLength(5_200);
  await t.lead(ada as TestUser, { tags: ['vintage'], assignedAt: '2001-01-01T00:00:00Z' });
  expect(await tagsInView(t.db, admin as Viewer, OWN)).toEqual(['cold', 'fresh', 'hot', 'new', 'vintage']);
});

test('the sources are those of the leads in view, each once', async () => {
  const { db } = t;
  const [seller, other] = [await t.user(), await t.user()];
  await t.lead(seller, { source: { kind: 'file', name: 'spring.csv' } });
  await t.lead(seller, { source: { kind: 'file', name: 'spring.csv' } });
  await t.lead(seller, { source: { kind: 'sweep' } });
  await t.lead(other, { source: { kind: 'file', name: 'a: b.csv' } });
  expect(await originsInView(db, seller, OWN)).toEqual(['file:spring.csv', 'sweep']);
  expect(await originsInView(db, { ...seller, role: 'manager' }, { team: true })).toEqual([
    ...['file:a: b.csv', 'file:spring.csv', 'none', 'sweep'],
  ]);
});
