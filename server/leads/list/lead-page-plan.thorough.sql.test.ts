import { eq, sql } from 'drizzle-orm';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { leadPageQuery } from '#contract/leads/lead-filter.ts';
import type { Viewer } from '#contract/users/user.ts';
import { findLeads } from '#server/find/find.sql.ts';
import { createDb } from '#server/kit/db/db.ts';
import type { Database } from '#server/kit/db/open.ts';
import { countToday, listToday } from '#server/leads/today/today.sql.ts';
import { countTeamLeads } from '#server/progress/team-leads.sql.ts';
import { leads } from '#server/schema/leads.ts';
import { freshDatabase } from '#server/testing/databases.ts';
import { countRows, listSteps, recordStatements } from '#server/testing/plans/plans.ts';
import { statusesInView, tagsInView, townsInView, typesInView } from './filter-choices.sql.ts';
import { leadPage } from './lead-page.sql.ts';

const LEADS = 30_000;
const NOW = new Date();
const TIME = { now: NOW, timeZone: 'Europe/London' };
const OWN = { team: false };
const ADMIN: Viewer = { id: 0, role: 'admin' };
const SELLER: Viewer = { id: 3, role: 'user' };

let database: Database;
beforeAll(async () => {
  database = await freshDatabase();
  await fill(database.pool);
}, 120_000);
afterAll(() => database.close());

/** Old leads are closed; towns, tags and names from common to rare; the rare ones are the oldest leads. */
async function fill(pool: pg.Pool) {
  await pool.query(`
    set statement_timeout = 0;
    insert into users (username, email, full_name, password)
    select 'seller' || n, n || '@example.test', 'Seller', 'x' from generate_series(1, 30) n;
    insert into businesses (place_id, name, formatted_address, phone, website, type, town)
    select 'p' || n, case when n > 29990 then 'Rarebit ' when n % 16 = 0 then 'Corner Bakery ' else 'Shop ' end || n,
      '1 High Street, ' || case when n > 29990 then 'Settle BD24 9AA' when n % 10 = 0 then 'Leeds LS1 4AP'
        else 'Manchester M' || n % 40 || ' 1AA' end,
      case when n < 29990 then '01632 960001' end, case when n % 400 > 0 then 'https://shop.example' end,
      case when n > 29990 then 'Zoo' when n % 10 = 0 then 'Bakery' else 'Type ' || n % 300 end,
      case when n > 29990 then 'Settle' when n % 10 = 0 then 'Leeds' else 'Town ' || n % 300 end
    from generate_series(1, ${LEADS}) n;
    insert into user_businesses (user_id, business_id, status, tags, archived, existing_customer, assigned_at,
      last_contacted_at, next_step_at, next_step_type, custom_fields, notes)
    select 1 + (n % 30), b.id,
      case when n > 8000 and n % 5 > 0 then 'closed_lost' when n % 7 = 0 then 'recontact' else 'new' end,
      case when n > 29990 then array['rare'] when n % 9 = 0 then array['common'] else array['tag ' || n % 50] end,
      n % 20 = 5, n % 12 = 7, now() - n * interval '20 minutes',
      case when n % 100 > 0 then now() - n * interval '5 minutes' end,
      case when n % 150 = 0 then now() + (n / 150 - 100) * interval '1 day' end, case when n % 150 = 0 then 'call' end,
      case when n % 300 = 0 then '{"email":"owner@example.com"}' else '{}' end::jsonb,
      case when n > 29990 then 'Likes marzipan' when n % 3 = 0 then 'Ring back about word' || n % 2000 else '' end
    from generate_series(1, ${LEADS}) n join businesses b on b.place_id = 'p' || n;
    reset statement_timeout`);
  await pool.query('vacuum analyze');
}

const record = (work: (db: Database['db']) => Promise<unknown>) => recordStatements(database, work);

/** What reads user_businesses: which indexes, whether it scans the table, and how many rows it touches. */
async function measureReads(work: (db: Database['db']) => Promise<unknown>) {
  const executed = (await listSteps(database, await record(work))).filter(
    (step) => step['Relation Name'] === 'user_businesses' || step['Index Name']?.startsWith('user_businesses'),
  );
  return {
    indexes: new Set(executed.flatMap((node) => node['Index Name'] ?? [])),
    scansTable: executed.some((node) => node['Node Type'] === 'Seq Scan'),
    maxRows: Math.max(0, ...executed.map(countRows)),
    /** By index. */
    rows: new Map(executed.map((node) => [node['Index Name'], countRows(node)])),
  };
}

const EVERY_LEAD = { hideClosed: 'false', archived: 'true', existing: 'true' };

const find = (viewer: Viewer, q: string) => (db: Database['db']) => findLeads(db, viewer, q);
const page = (viewer: Viewer, query: Record<string, string>) => (db: Database['db']) =>
  leadPage(db, viewer, leadPageQuery.parse(query), TIME);

test('a page and its total are one statement, capped or not; another one asks whether anybody objects to contact', async () => {
  const tables = async (viewer: Viewer, query: Record<string, string>) =>
    (await record(page(viewer, query))).map(({ text }) => /from (user_businesses|installation_keys)/.exec(text)?.[1]);
  const expected = ['user_businesses', 'installation_keys'];
  expect(await tables(ADMIN, { hideClosed: 'false', archived: 'true', existing: 'true' })).toEqual(expected);
  expect(await tables(SELLER, { status: 'new' })).toEqual(expected);
});

test.each<[string, Viewer, string]>([
  ['everyone', ADMIN, 'user_businesses_open_idx'],
  ['one user', SELLER, 'user_businesses_user_id_open_idx'],
])('the default list of %s is read from the index of open leads, in both orders', async (_whose, viewer, index) => {
  for (const sort of ['newest', 'oldest']) {
    const { indexes, scansTable } = await measureReads(page(viewer, { sort }));
    expect([...indexes]).toContain(index);
    expect(scansTable).toBe(false);
  }
});

/** On a connection of its own: the statements that the work prepared, and the plans of those. */
async function readPrepared(work: (db: Database['db']) => Promise<void>) {
  const pool = new pg.Pool({ ...database.pool.options, max: 1 });
  try {
    await work(createDb(pool));
    const { rows } = await pool.query(
      'select name, cardinality(parameter_types) as parameters, generic_plans > 0 as reused from pg_prepared_statements',
    );
    return await Promise.all(
      rows.map(async ({ name, parameters, reused }) => {
        const values = parameters ? `(${Array.from({ length: parameters }, () => SELLER.id)})` : '';
        const plan = await pool.query(`explain execute "${name}"${values}`);
        return { reused, plan: plan.rows.map((row) => row['QUERY PLAN']).join('\n') };
      }),
    );
  } finally {
    await pool.end();
  }
}

test.each<[string, Viewer, string]>([
  ['everyone', ADMIN, 'user_businesses_open_idx'],
  ['one user', SELLER, 'user_businesses_user_id_open_idx'],
])('the default list of %s is planned once, and counted in its index', async (_whose, viewer, index) => {
  const prepared = await readPrepared(async (db) => {
    for (const id of [1, 2, 3, 4, 5, 6, 7]) await leadPage(db, { ...viewer, id }, leadPageQuery.parse({}), TIME);
  });
  expect(prepared).toEqual([{ reused: true, plan: expect.stringContaining(`using ${index} `) }]);
  expect(prepared[0]?.plan).not.toContain('CTE matching');
});

test('a list with a filter is planned for its values, and a later page for its number', async () => {
  const prepared = await readPrepared(async (db) => {
    for (const query of [{ town: 'Settle' }, { page: '2' }, { pageSize: '11' }, { sort: 'name' }]) {
      await leadPage(db, ADMIN, leadPageQuery.parse(query), TIME);
    }
  });
  expect(prepared).toEqual([]);
});

test.each<[string, Record<string, string>]>([
  ['tag', { tags: 'rare' }],
  ['name', { q: 'rarebit' }],
  ['town', { town: 'settle' }],
  ['name that no lead has', { q: 'zqxwv' }],
])('a rare %s is looked up in an index, not found by a scan because of the LIMIT', async (_what, filter) => {
  const shownLeads: Record<string, string>[] = [{}, { hideClosed: 'false' }, { archived: 'true' }];
  for (const shown of shownLeads) {
    const reads = await measureReads(page(ADMIN, { ...filter, ...shown }));
    expect({ ...shown, scansTable: reads.scansTable }).toEqual({ ...shown, scansTable: false });
    expect(reads.maxRows).toBeLessThan(500);
  }
});

test.each<[string, string, string[]]>([
  ['words of name and town', 'rarebit settle', ['find_text', 'note_words']],
  ['a postcode', 'bd249aa', ['find_text']],
  ['an outward code', 'bd24', ['find_text']],
  ['a word of a note', 'marzipan', ['find_text', 'note_words']],
  ['a name and a word of a note', 'rarebit marzipan', ['find_text', 'note_words']],
  ['words with typing errors', 'rarebti setle', ['find_text']],
])('%s are looked up in the indexes, in the list and the palette', async (_what, q, used) => {
  for (const search of [page(ADMIN, { q, ...EVERY_LEAD }), find(ADMIN, q)]) {
    const { indexes, scansTable, maxRows } = await measureReads(search);
    expect({ scansTable, few: maxRows < 1_100 }).toEqual({ scansTable: false, few: true });
    for (const index of used) expect([...indexes]).toContain(`user_businesses_${index}_idx`);
  }
  expect((await page(ADMIN, { q, ...EVERY_LEAD })(database.db)).total).toBe(10);
});

test.each(['rarebit', 'shop ring', 'shpo rign', 'zz'])(
  '%s is compared with all leads of a user with few',
  async (q) => {
    for (const search of [page(SELLER, { q, ...EVERY_LEAD }), find(SELLER, q)]) {
      const { indexes, scansTable, maxRows } = await measureReads(search);
      expect({ scansTable, few: maxRows <= 1_000 }).toEqual({ scansTable: false, few: true });
      for (const index of ['find_text', 'note_words'])
        expect([...indexes]).not.toContain(`user_businesses_${index}_idx`);
    }
  },
);

test.each(['ring marzipan', 'settle shop'])('of %s, only the rare word is looked up', async (q) => {
  for (const search of [page(ADMIN, { q, ...EVERY_LEAD }), find(ADMIN, q)]) {
    const { scansTable, maxRows } = await measureReads(search);
    expect({ scansTable, few: maxRows < 500 }).toEqual({ scansTable: false, few: true });
  }
});

test('common words are not looked up: leads are read until there are enough', async () => {
  const { indexes, maxRows } = await measureReads(find(ADMIN, 'ring back'));
  expect([...indexes]).not.toContain('user_businesses_note_words_idx');
  expect(maxRows).toBeLessThan(1_600);
});

test.each(['zz', 'ze'])('two letters that no lead has (%s) are looked up in the trigram index', async (q) => {
  for (const search of [page(ADMIN, { q, ...EVERY_LEAD }), find(ADMIN, q)]) {
    const { indexes, scansTable, maxRows } = await measureReads(search);
    expect([...indexes]).toContain('user_businesses_find_text_idx');
    expect({ scansTable, few: maxRows < 500 }).toEqual({ scansTable: false, few: true });
  }
});

test.each(['&', 'p 2'])('a text without two letters in a row (%s) does not use the trigram index', async (q) => {
  expect([...(await measureReads(page(ADMIN, { q }))).indexes]).not.toContain('user_businesses_find_text_idx');
});

test('a status is counted by an index-only scan', async () => {
  const { indexes, maxRows } = await measureReads(page(ADMIN, { status: 'recontact' }));
  expect([...indexes]).toContain('user_businesses_status_idx');
  expect(maxRows).toBeLessThan(3_000);
});

test('the order by status does not scan the index by status, whose entries need the table after a bulk change', async () => {
  const { indexes } = await measureReads(page(ADMIN, { sort: 'status' }));
  expect([...indexes]).not.toContain('user_businesses_status_idx');
  expect([...indexes]).toContain('user_businesses_open_idx');
});

test('a list of more than 10,000 reads that many for its total, and a few in list order for its page', async () => {
  const statement = page(ADMIN, { hideClosed: 'false', archived: 'true', existing: 'true', q: 'shop' });
  const { maxRows } = await measureReads(statement);
  expect(
    (await leadPage(database.db, ADMIN, leadPageQuery.parse({ hideClosed: 'false', q: 'shop' }), TIME)).totalCapped,
  ).toBe(true);
  expect(maxRows).toBeLessThan(11_500);
});

test.each<[string, string]>([
  ['name', 'name'],
  ['town', 'town'],
  ['status', 'status'],
  ['last-contact', 'last_contact'],
  ['follow-up', 'next_step'],
])('a list of more than 10,000 by %s finds its page in an index, in both orders', async (sort, index) => {
  for (const order of [sort, `${sort}-desc`]) {
    const { indexes, maxRows } = await measureReads(page(ADMIN, { ...EVERY_LEAD, sort: order }));
    expect([...indexes]).toContain(`user_businesses_sort_${index}_idx`);
    expect(maxRows).toBeLessThan(11_500);
  }
});

test.each<[string, Record<string, string>]>([
  // Contacted longest ago.
  ['last_contact', { status: 'closed_lost', hideClosed: 'false', sort: 'last-contact-desc' }],
  // The other towns come after Leeds.
  ['town', { district: 'M', hideClosed: 'false', sort: 'town' }],
  // New ones are first.
  ['status', { contactedTo: '28d', hideClosed: 'false', sort: 'status' }],
])('a scan by %s passes over the entries of leads that the filter excludes', async (index, filter) => {
  const { rows } = await measureReads(page(ADMIN, filter));
  expect(rows.get(`user_businesses_sort_${index}_idx`)).toBeLessThan(60);
});

test('names that contain the same words are sorted, because they may all be at the end of the order', async () => {
  const list = page(ADMIN, { q: 'shop', ...EVERY_LEAD, sort: 'name' });
  expect((await measureReads(list)).indexes).not.toContain('user_businesses_sort_name_idx');
  const { items, totalCapped } = await list(database.db);
  expect([items[0]?.business.name, totalCapped]).toEqual(['Shop 1', true]);
});

test.each<[string, Record<string, string>, string]>([
  ['missing phone', { hasPhone: 'false' }, 'facts'],
  ['e-mail', { hasEmail: 'true' }, 'facts'],
  ['type', { types: 'Zoo' }, 'type'],
  ['pair of types', { types: 'Zoo,Castle' }, 'type'],
  ['missing website', { hasWebsite: 'false' }, 'facts'],
  ['missing contact', { contacted: 'never' }, 'sort_last_contact'],
  ['day of contact', { contactedFrom: '3d', contactedTo: '3d' }, 'sort_last_contact'],
  ['planned follow-up', { followUp: 'any' }, 'sort_next_step'],
  ['overdue follow-up', { followUp: 'overdue' }, 'sort_next_step'],
  ['day of assignment', { assignedFrom: '5d', assignedTo: '4d' }, 'assigned_at'],
])('a rare %s is looked up in an index', async (_what, filter, index) => {
  const { indexes, scansTable, maxRows } = await measureReads(page(ADMIN, { ...filter, ...EVERY_LEAD, sort: 'name' }));
  expect([...indexes]).toContain(`user_businesses_${index}_idx`);
  expect(scansTable).toBe(false);
  expect(maxRows).toBeLessThan(500);
});

test.each(['BD24', 'BD'])('the leads of a rare district, %s, are looked up in an index', async (district) => {
  const { indexes, scansTable, maxRows } = await measureReads(page(ADMIN, { district, ...EVERY_LEAD }));
  expect([...indexes]).toContain('user_businesses_district_idx');
  expect(scansTable).toBe(false);
  expect(maxRows).toBeLessThan(500);
});

test('the options of an admin are found without reading all leads', async () => {
  const towns = await measureReads((db) => townsInView(db, ADMIN, OWN));
  expect({ ...towns, few: towns.maxRows < 400 }).toMatchObject({ scansTable: false, few: true });
  const types = await measureReads((db) => typesInView(db, ADMIN, OWN));
  expect({ ...types, few: types.maxRows < 400 }).toMatchObject({ scansTable: false, few: true });
  expect(await typesInView(database.db, ADMIN, OWN)).toContain('Zoo');
  const tags = await measureReads((db) => tagsInView(db, ADMIN, OWN));
  expect({ ...tags, few: tags.maxRows <= 5_000 }).toMatchObject({ scansTable: false, few: true });
  expect(await tagsInView(database.db, ADMIN, OWN)).toContain('rare');
  const statuses = await measureReads((db) => statusesInView(db, ADMIN, OWN));
  expect(statuses.maxRows).toBeLessThan(100);
});

test('a lead inserted while its business is being changed has the new name, town and district', async () => {
  const { db } = database;
  const [lead] = await db.select().from(leads).limit(1);
  const businessId = lead?.businessId ?? 0;
  const userId = lead?.userId === 1 ? 2 : 1;
  let inserting: Promise<unknown> | undefined;
  await db.transaction(async (tx) => {
    await tx.execute(
      sql`update businesses set name = 'Renamed', town = 'Hull', formatted_address = 'Hull HU1 2AA' where id = ${businessId}`,
    );
    inserting = db.insert(leads).values({ userId, businessId }).execute();
    await expect
      .poll(async () => (await tx.execute(sql`select from pg_locks where not granted`)).rows.length)
      .toBeGreaterThan(0);
  });
  await inserting;
  const named = await db
    .select({ name: leads.businessName, town: leads.town, district: leads.district })
    .from(leads)
    .where(eq(leads.businessId, businessId));
  expect(named).toEqual([1, 2].map(() => ({ name: 'Renamed', town: 'Hull', district: 'HU1' })));
});

test('of a common text, the palette ranks the newest leads', async () => {
  await database.pool.query(
    `update user_businesses set assigned_at = now() + interval '1 day' where business_name = 'Shop 29989'`,
  );
  const { leads: found } = await findLeads(database.db, ADMIN, 'shop');
  expect(found[0]?.name).toBe('Shop 29989');
});

test('the leads of the team that need attention are counted from the indexes alone', async () => {
  const now = new Date();
  const times = { now, contactedSince: now, createdBefore: now };
  const { indexes, scansTable } = await measureReads((db) => countTeamLeads(db, times));
  expect(scansTable).toBe(false);
  expect([...indexes]).toEqual(
    expect.arrayContaining(['next_step', 'uncontacted', 'quiet'].map((name) => `user_businesses_${name}_idx`)),
  );
});

test('Today reads the first leads of each section from its index, and counts a section from its index alone', async () => {
  // One in four of the seller's leads is new; the others get a follow-up, or were contacted up to 60 days ago.
  await database.pool.query(`update user_businesses set
      next_step_at = case when id / 30 % 4 = 1 then now() + (id / 120 % 40 - 20) * interval '1 day' end,
      next_step_type = case when id / 30 % 4 = 1 then 'call' end,
      last_contacted_at = case when id / 30 % 4 > 1 then now() - id / 120 % 60 * interval '1 day' end
    where user_id = ${SELLER.id}`);
  await database.pool.query('vacuum analyze user_businesses');
  const day = 24 * 60 * 60_000;
  const after = (days: number) => new Date(NOW.getTime() + days * day);
  const times = { now: NOW, endOfDay: after(1), endOfWeek: after(6) };
  const indexes = new Set(['next_step', 'new', 'quiet'].map((name) => `user_businesses_${name}_idx`));

  const counted = await measureReads((db) => countToday(db, SELLER.id, times));
  expect(counted.indexes).toEqual(indexes);
  expect(counted.scansTable).toBe(false);
  const counts = await countToday(database.db, SELLER.id, times);
  for (const section of ['overdue', 'new', 'quiet'] as const) expect(counts.get(section)).toBeGreaterThan(5);
  const listed = await measureReads((db) => listToday(db, SELLER.id, times));
  expect(listed.scansTable).toBe(false);
  expect(listed.maxRows).toBeLessThanOrEqual(5 * 50);
});

test('a rare value of an own field, and one of several rare ones, is looked up in the index of values', async () => {
  await database.pool.query(`
    update user_businesses set own_fields = jsonb_build_object(
      '1', case when id > 29990 then 'Rarebit Ltd' else 'Supplier ' || id % 300 end, '2', id % 1000,
      '3', jsonb_build_array((id % 4)::text, case when id > 29990 then '99' else '5' end),
      '4', case when id > 29990 then '9' else '8' end)
    where id % 3 > 0`);
  await database.pool.query('vacuum analyze user_businesses');
  for (const own of [
    '[[1,"is","Rarebit Ltd"]]',
    '[[1,"is",["Rarebit Ltd","Another Ltd"]]]',
    '[[2,"from",7],[2,"to",7]]',
    '[[3,"has","99"]]',
    '[[3,"has","99"],[2,"not_empty"]]',
  ]) {
    const { indexes, scansTable, maxRows } = await measureReads(page(ADMIN, { own, ...EVERY_LEAD }));
    expect({ own, indexes: [...indexes], scansTable, few: maxRows < 500 }).toEqual({
      ...{ own, scansTable: false, few: true },
      indexes: expect.arrayContaining(['user_businesses_own_fields_idx']),
    });
  }
  await database.pool.query(`insert into own_fields (id, name, type, choices, position)
    values (4, 'Supplier', 'choice', '[{"id":"9","label":"Zwieback Ltd","retired":false}]', 1)`);
  const found = await measureReads(find(ADMIN, 'zwieback'));
  expect([...found.indexes]).toContain('user_businesses_own_fields_idx');
  expect({ scansTable: found.scansTable, few: found.maxRows < 500 }).toEqual({ scansTable: false, few: true });
});
