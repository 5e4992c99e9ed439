import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type LeadPageQuery, leadPageQuery } from '#contract/leads/lead-filter.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { Database } from '#server/kit/db/open.ts';
import { businesses, leadNameWords, leadSetChanges, leadSets, leads } from '#server/kit/db/schema.ts';
import { freshDatabase } from '#server/test-database.ts';
import { foundInSets } from './found-in-sets.sql.ts';
import { matching } from './lead-lists.sql.ts';
import { foldLeadSets } from './lead-sets.sql.ts';
import { CHANGES, one, startWithTwoPeople } from './testing-changes.ts';

const ADMIN: Viewer = { id: 0, role: 'admin' };

let database: Database;
let ada: number;
let tom: number;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  const { db } = database;
  ({ ada, tom } = await startWithTwoPeople(db));
  const shops = Array.from({ length: 24 }, (_, nth) => ({
    placeId: `p${nth}`,
    name: ['Corner Bakery', 'Bakers & Bakery', 'The  BAKED bean', 'Zoë’s 100% Café'][nth % 4] ?? '',
    town: [null, 'Leeds', 'York', 'leeds', 'Ålesund'][nth % 5] ?? null,
  }));
  const shopIds = (await db.insert(businesses).values(shops).returning()).map(({ id }) => id);
  const tags = [[], ['hot'], ['hot', 'cold', 'hot']];
  await db.insert(leads).values(
    shopIds.map((businessId, nth) => ({
      userId: nth % 3 ? ada : tom,
      businessId,
      status: (['new', 'recontact', 'closed_won'] as const)[nth % 7] ?? 'new',
      tags: tags[nth % 3] ?? [],
      archived: nth % 5 === 0,
      existingCustomer: nth % 11 === 3,
    })),
  );
});

const filters = () =>
  [
    { q: 'bake' },
    { q: 'BAKERY', archived: 'true' },
    { q: 'bakery', existing: 'true' },
    { q: 'ZOË', hideClosed: 'false' },
    { q: '100%' },
    { q: 'nothing' },
    { q: 'ner bak' },
    { q: 'er b', archived: 'true' },
    { q: 'baked bean' },
    { q: 'the baked' },
    { q: 'corner bakers' },
    { q: 'Zoë’s 100% c', existing: 'true' },
    { q: 'baker', user: String(ada) },
    { town: 'LEEDS', tags: 'hot' },
    { town: 'ålesund', tags: 'hot', archived: 'true' },
    { tags: 'hot,cold' },
    { tags: 'hot,cold', town: 'York', status: 'recontact' },
    { tags: 'cold', existing: 'true', archived: 'true', hideClosed: 'false' },
  ].map((given) => leadPageQuery.parse(given));

/** What sets say and counting one by one does not. */
async function wrong() {
  const different: unknown[] = [];
  for (const filter of filters()) {
    for (const viewer of [ADMIN, { id: ada, role: 'user' } as const]) {
      const counted = (await foundInSets(database.db, viewer, filter))?.total;
      const actual = await database.db.$count(leads, matching(viewer, filter));
      if (counted !== actual) different.push({ filter, viewer, counted, actual });
    }
  }
  return different;
}

/** The sets themselves, once nothing is to be folded. */
async function wronglyIn() {
  const { rows } = await database.db.execute(sql`
    with said as (
      select distinct id, unnest(lead_words(user_id, status, archived, existing_customer, town, tags, business_name)) as word
      from user_businesses
    ), actual as (
      select word, id / 16384 as piece, lead_members(id % 16384, 1) as members from said group by 1, 2
    ), kept as (
      select word, piece, coalesce(many, few) as members from lead_sets
    )
    select word, piece from ((table kept except table actual) union all (table actual except table kept)) as different`);
  const names = await database.db.execute(sql`
    select word from lead_name_words full join (select distinct word from lead_sets where word like 'n%') as kept using (word)
    where lead_name_words.word is null or kept.word is null`);
  return [...rows, ...names.rows];
}

test.each(CHANGES)('sets count right when %s, before and after they are folded', async (_what, change) => {
  await change(database.db, { ada, tom });
  expect(await wrong()).toEqual([]);

  await foldLeadSets(database.db);
  expect(await database.db.$count(leadSetChanges)).toBe(0);
  expect(await wrong()).toEqual([]);
  expect(await wronglyIn()).toEqual([]);

  await change(database.db, { ada, tom });
  expect(await wrong()).toEqual([]);
  await foldLeadSets(database.db);
  expect(await wrong()).toEqual([]);
  expect(await wronglyIn()).toEqual([]);
});

const everything = { hideClosed: 'false', archived: 'true', existing: 'true' };

async function counted(query: Partial<Record<keyof LeadPageQuery, string>>) {
  return (await foundInSets(database.db, ADMIN, leadPageQuery.parse({ ...everything, ...query })))?.total;
}

test('a very long name is found by any part of it that is not very long itself', async () => {
  const letters = 'abcdefghijklmnopqrstuvwxyz';
  const name = Array.from({ length: 300 }, (_, nth) => letters[(nth * nth + nth) % 26]).join('');
  await database.db
    .update(businesses)
    .set({ name: `At ${name} the end` })
    .where(sql`id = (select min(id) from businesses)`);
  for (const folded of [false, true]) {
    if (folded) await foldLeadSets(database.db);
    for (let at = 0; at + 25 <= name.length; at += 7) expect(await counted({ q: name.slice(at, at + 25) })).toBe(1);
    expect(await counted({ q: name.slice(-3) })).toBeGreaterThan(0);
    expect(await counted({ q: `${name.slice(-20)} the end` })).toBe(1);
    expect(await counted({ q: `${name.slice(80, 100)} the` })).toBe(0);
    expect(await counted({ q: `at ${name.slice(0, 20)}` })).toBe(1);
    expect(await counted({ q: `at ${name.slice(50, 70)}` })).toBe(0);
  }
});

test.each([
  ['that is very long', 'x'.repeat(26)],
  ['without three letters in a row', 'ba'],
  ['that begins with the last letter of a word', 'y bakery'],
  ['with a word without letters', 'bakers & bakery'],
  ['with two spaces', 'the  baked'],
  ['with something that is no letter', 'bak\u0001ery'],
  ['without any letter', '&&&&'],
])('sets do not tell of a part of a name %s', async (_what, q) => {
  await foldLeadSets(database.db);
  expect(await counted({ q })).toBeUndefined();
});

test('sets do not tell while more has changed than is looked at one by one', async () => {
  await database.db.execute(sql`insert into lead_set_changes select n, '{}' from generate_series(1, 2001) n`);
  expect(await counted({ q: 'bakery' })).toBeUndefined();
  await foldLeadSets(database.db);
  expect(await counted({ q: 'bakery' })).toBe(12);
});

test('of two changes to a lead, either may be folded first', async () => {
  await foldLeadSets(database.db);
  for (const first of ['min', 'max']) {
    await database.db
      .update(leads)
      .set({ status: 'recontact', tags: ['cold'] })
      .where(one);
    await database.db
      .update(leads)
      .set({ status: 'new', tags: ['hot'], archived: sql`not archived` })
      .where(one);
    const { rows } = await database.db.execute<{ lead: number; had: string[] }>(sql`
      delete from lead_set_changes where ctid = (select ${sql.raw(first)}(ctid) from lead_set_changes) returning *`);
    await foldLeadSets(database.db);
    await database.db.insert(leadSetChanges).values(rows);
    expect(await wrong()).toEqual([]);
    await foldLeadSets(database.db);
    expect(await wrong()).toEqual([]);
    expect(await wronglyIn()).toEqual([]);
  }
});

test('sets are brought up to date in steps, all at once or so many at a time', async () => {
  await foldLeadSets(database.db);
  await database.db.execute(sql`insert into lead_set_changes select n, '{}' from generate_series(1, 2500) n`);
  await foldLeadSets(database.db, 1);
  expect(await database.db.$count(leadSetChanges)).toBe(1_500);
  await foldLeadSets(database.db);
  expect(await database.db.$count(leadSetChanges)).toBe(0);
  expect(await wronglyIn()).toEqual([]);
});

test('what no lead says any more is not kept', async () => {
  await foldLeadSets(database.db);
  await database.db.delete(leads);
  await foldLeadSets(database.db);
  expect(await database.db.$count(leadSets)).toBe(0);
  expect(await database.db.$count(leadNameWords)).toBe(0);
});

test('a piece with many members is not packed, and one with fewer is', async () => {
  const { db } = database;
  await db.execute(
    sql`insert into businesses (place_id, name) select 'many' || n, 'Shop' from generate_series(1, 130) n`,
  );
  const packed = async () => {
    const rows = await db.select().from(leadSets).where(eq(leadSets.word, 'gmany'));
    return rows.map(({ few }) => few !== null);
  };
  for (const [many, isPacked] of [
    [2, true],
    [130, false],
    [128, false],
    [127, true],
  ] as const) {
    await db.execute(sql`delete from user_businesses where 'many' = any (tags)`);
    await db.execute(sql`
      insert into user_businesses (user_id, business_id, tags)
      select ${ada}, id, array['many'] from businesses where place_id like 'many%' limit ${many}`);
    await foldLeadSets(db);
    expect(await packed()).toEqual([isPacked]);
    expect(await counted({ tags: 'many,hot', q: 'shop' })).toBe(many);
    expect(await wronglyIn()).toEqual([]);
  }
});

test('leads of several pieces are counted together, and found in the order of the list', async () => {
  const { db } = database;
  await db.execute(sql`
    insert into user_businesses (id, user_id, business_id, tags, assigned_at) overriding system value
    select id + 100000, ${ada}, business_id, tags, now() - id % 5 * interval '1 day'
    from user_businesses where user_id = ${tom}`);
  await foldLeadSets(db);
  expect((await db.selectDistinct({ piece: leadSets.piece }).from(leadSets)).length).toBe(2);
  expect(await wrong()).toEqual([]);
  expect(await wronglyIn()).toEqual([]);

  const viewer: Viewer = { id: ada, role: 'user' };
  for (const page of [1, 2]) {
    const query = leadPageQuery.parse({ ...everything, q: 'bak', page });
    const listed = await db.execute<{ id: number }>(sql`
      select id from user_businesses where ${matching(viewer, query)}
      order by assigned_at desc, id desc limit 10 offset ${(page - 1) * 10}`);
    expect(listed.rows.length).toBeGreaterThan(5);
    expect((await foundInSets(db, viewer, query))?.ids).toEqual(listed.rows.map(({ id }) => id));
  }
});

/** So many that it takes longer to go through them than to look at a few wherever they are. */
const addOthers = () =>
  database.db.execute(sql`
    with others as (insert into businesses (place_id, name) select 'other' || n, 'Other' from generate_series(1, 600) n returning id)
    insert into user_businesses (id, user_id, business_id) overriding system value select id + 100000, ${ada}::int, id from others`);

test('of few among very many all are told, wherever they are, and those that changed a moment ago', async () => {
  const { db } = database;
  const edges = [511, 512, 519, 520, 1_023, 16_383, 16_384, 32_767, 49_152, 500_007];
  await db.delete(leads);
  await db.execute(sql`
    insert into user_businesses (id, user_id, business_id, tags) overriding system value
    select new.id, ${ada}, business.id, array['here']
    from unnest(${sql.param(edges)}::int[]) with ordinality as new (id, nth)
    join (select id, row_number() over (order by id) as nth from businesses) as business using (nth)`);
  await addOthers();
  await foldLeadSets(db);
  const told = async () => {
    const found = await foundInSets(db, ADMIN, leadPageQuery.parse({ tags: 'here,there' }));
    return { total: found?.total, all: found?.all?.toSorted((a, b) => a - b) };
  };
  expect(await told()).toEqual({ total: edges.length, all: edges });

  await db.update(leads).set({ tags: [] });
  await db
    .update(leads)
    .set({ tags: ['there'] })
    .where(eq(leads.id, 520));
  const { total, all } = await told();
  expect(total).toBe(1);
  expect(all).toContain(520);
  await foldLeadSets(db);
  expect(await told()).toEqual({ total: 1, all: [520] });
});
