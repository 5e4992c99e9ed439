import { sql } from 'drizzle-orm';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { leadPageQuery } from '#contract/leads/lead-filter.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { Database } from '#server/kit/db/open.ts';
import { freshDatabase } from '#server/test-database.ts';
import { leadPage } from './lead-page.sql.ts';
import { foldLeadSets } from './lead-sets.sql.ts';

// Plans are judged by the rows they read, not by their time: on any machine the same.

const LEADS = 30_000;
/** A walk's steps, and as many again that a filter's words bring up; the whole table is far more. */
const MOST_ROWS = 6_000;

let database: Database;
beforeAll(async () => {
  database = await freshDatabase();
  await fill(database.pool);
  await foldLeadSets(database.db);
  await database.pool.query('vacuum analyze lead_sets, lead_name_words');
}, 60_000);
afterAll(() => database.close());

/** Towns, tags and names from common to rare, spread evenly and independently of each other. */
async function fill(pool: pg.Pool) {
  await pool.query(`
    insert into users (username, email, full_name, password)
    select 'seller' || n, n || '@example.test', 'Seller', 'x' from generate_series(1, 30) n;
    insert into businesses (place_id, name, town)
    select 'p' || n, case when n % 16 = 0 then 'Corner Bakery ' when n % 5000 = 7 then 'Rarebit ' else 'Shop ' end || n,
      case when n % 10 = 0 then 'Leeds' when n % 3000 = 1 then 'Settle' else 'Town ' || n % 300 end
    from generate_series(1, ${LEADS}) n;
    insert into user_businesses (user_id, business_id, status, tags, archived, existing_customer, assigned_at)
    select 1 + (n % 30), b.id, case n / 7 % 25 when 0 then 'recontact' when 1 then 'closed_won' when 2 then 'closed_lost' else 'new' end,
      case when n % 9 = 0 then array['common'] when n % 4000 = 3 then array['rare']
        when n % 75 = 17 then array['some']
        when n % 9 < 5 then array['most'] else '{}' end,
      n % 20 = 5, n % 12 = 7, now() - n * interval '20 minutes'
    from generate_series(1, ${LEADS}) n join businesses b on b.place_id = 'p' || n;
    analyze`);
}

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: Plan[];
}

const every = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(every)];

/** What the statements of one page did, as the database tells it. */
async function plansOf(viewer: Viewer, query: Record<string, string>): Promise<Plan[]> {
  const statements = await statementsOf(() => leadPage(database.db, viewer, leadPageQuery.parse(query)));
  const plans: Plan[] = [];
  for (const { text, values } of statements) {
    const { rows } = await database.pool.query(`explain (analyze, format json) ${text}`, values);
    plans.push(...every(rows[0]['QUERY PLAN'][0].Plan));
  }
  return plans;
}

async function statementsOf(work: () => Promise<unknown>) {
  const asked: { text: string; values: unknown[] }[] = [];
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const [config, values] = args as [{ text: string } | string, unknown[]];
    asked.push({ text: typeof config === 'string' ? config : config.text, values });
    return (query as (...all: unknown[]) => unknown).apply(this, args);
  } as typeof query;
  await work().finally(() => {
    pg.Client.prototype.query = query;
  });
  return asked;
}

const readRows = (plan: Plan) =>
  plan['Actual Loops'] *
  (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Index Recheck'] ?? 0));

const ADMIN: Viewer = { id: 0, role: 'admin' };

type Shape = Record<string, string>;
const combined = (...dimensions: Shape[][]) =>
  dimensions.reduce<Shape[]>(
    (begun, choices) => begun.flatMap((shape) => choices.map((choice) => ({ ...shape, ...choice }))),
    [{}],
  );
const who: Shape[] = [{}, { user: '3' }];
const status: Shape[] = [{}, { status: 'recontact' }];
const tags: Shape[] = [{}, { tags: 'common' }, { tags: 'rare' }];
const town: Shape[] = [{}, { town: 'Leeds' }, { town: 'settle' }];
const q: Shape[] = [{}, { q: 'bakery' }, { q: 'rarebit' }];
const shapes = combined(who, status, tags, town, q);

test.each<[string, Shape[]]>([
  ['on the first page', shapes],
  ['with a mix of tags', combined(who, status, [{ tags: 'common,rare' }], town, q)],
  ['with tags of which one has very many', combined([{ tags: 'most,rare' }, { tags: 'rare,most' }], town, q)],
  ['with a name that nothing has', combined(who, status, tags, town, [{ q: 'zqxwv' }])],
  ['with closed ones', combined(who, [{ hideClosed: 'false' }], tags, town, q)],
  ['with archived ones and customers', shapes.map((shape) => ({ ...shape, archived: 'true', existing: 'true' }))],
  ['oldest first', combined(who, tags, town, q, [{ sort: 'oldest' }])],
  ['on a later page', combined(who, tags, town, q, [{ page: '20' }])],
])('no page reads the whole table, whatever is filtered, %s', async (_where, asked) => {
  const wrong: string[] = [];
  for (const shape of asked) {
    const viewer: Viewer = shape.user ? { id: Number(shape.user), role: 'user' } : ADMIN;
    const plans = await plansOf(viewer, shape);
    const scanned = plans.filter(
      (plan) => plan['Node Type'] === 'Seq Scan' && /^(user_)?businesses$/.test(plan['Relation Name'] ?? ''),
    );
    const most = Math.max(...plans.map(readRows));
    if (scanned.length || most > MOST_ROWS) {
      wrong.push(`${JSON.stringify(shape)}: ${most} rows, ${scanned.length} scans`);
    }
  }
  expect(wrong).toEqual([]);
});

test('for a page of one tag no more is read than a few weeks of it', async () => {
  for (const query of combined(
    [{ tags: 'some', hideClosed: 'false' }],
    [{}, { sort: 'oldest' }],
    [{}, { page: '3' }],
  )) {
    const { items, total } = await leadPage(database.db, ADMIN, leadPageQuery.parse(query));
    const skipped = sql.raw(String((Number(query.page ?? 1) - 1) * 10));
    const { rows } = await database.db.execute<{ id: number }>(sql`
      select id from user_businesses where tags = '{some}' and not archived and not existing_customer
      order by assigned_at ${sql.raw(query.sort ? 'asc' : 'desc')} limit 10 offset ${skipped}`);
    expect(items.map(({ userBusiness }) => userBusiness.id)).toEqual(rows.map(({ id }) => id));
    expect(total).toBeGreaterThan(250);
    expect(Math.max(...(await plansOf(ADMIN, query)).map(readRows))).toBeLessThan(query.page ? 100 : 50);
  }
});

test('a part of a name with too few letters for sets is counted as far as 10,000, and the page is theirs', async () => {
  const everything = { hideClosed: 'false', archived: 'true', existing: 'true' };
  const named = (q: string) => leadPage(database.db, ADMIN, leadPageQuery.parse({ ...everything, q }));
  const many = await named('P 2');
  expect(many).toMatchObject({ total: 10_000, totalCapped: true });
  expect(many.items.map(({ business }) => business.name)).toEqual(Array(10).fill(expect.stringMatching(/^Shop 2/)));
  expect(await named('hop')).toMatchObject({ total: 28_119, totalCapped: false });
  expect(await named('hop 29999')).toMatchObject({ total: 1, totalCapped: false });
});

test('the last page of very many is found in sets, too', async () => {
  const query = { hideClosed: 'false', archived: 'true', existing: 'true', q: 'hop', sort: 'oldest', page: '2812' };
  const { items, total } = await leadPage(database.db, ADMIN, leadPageQuery.parse(query));
  expect(total).toBe(28_119);
  const { rows } = await database.db.execute<{ id: number }>(sql`
    select id from user_businesses where business_name like 'Shop%' order by assigned_at, id offset 28110`);
  expect(items.map(({ userBusiness }) => userBusiness.id)).toEqual(rows.map(({ id }) => id));
  expect(items).toHaveLength(9);
});

test('the shapes are not empty: what is common fills pages, what is rare is found', async () => {
  const totals = async (query: Record<string, string>) =>
    (await leadPage(database.db, ADMIN, leadPageQuery.parse(query))).total;
  expect(await totals({ town: 'leeds', tags: 'common', q: 'bakery' })).toBeGreaterThan(10);
  expect(await totals({ tags: 'rare' })).toBeGreaterThan(2);
  const { rows } = await database.db.execute(sql`select count(*)::int as count from user_businesses`);
  expect(rows).toEqual([{ count: LEADS }]);
});
