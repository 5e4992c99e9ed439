import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type CoverageFigures, getCoverage, refreshCoverage } from '#contract/coverage/coverage.calls.ts';
import { isContacted, leadStatus } from '#contract/leads/lead.ts';
import { searchBusinesses } from '#contract/search/search.calls.ts';
import { toCategory } from '#server/places/find-type.ts';
import { TYPE_NAMES } from '#server/places/type-names.ts';
import { findDistrict } from '#server/places/uk-districts.ts';
import { coverageFigures } from '#server/schema/coverage.ts';
import { jobs } from '#server/schema/jobs.ts';
import { businesses, leads } from '#server/schema/leads.ts';
import { places } from '#server/schema/places.ts';
import { testDatabase } from '#server/testing/databases.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';
import { STEPS } from './count-figures.sql.ts';
import { requestRefresh } from './coverage.sql.ts';
import { findCounting, startCounting } from './coverage-job.ts';

// The figures are compared with a model: the same places and leads, counted one by one in JavaScript.

const NOW = '2026-06-17T09:30:00.000Z';
const PLACES = 800;
const BUSINESSES = 600;

let t: TestApp;
let admin: TestUser;
let manager: TestUser;
let holder: TestUser;
beforeAll(async () => {
  t = await testApp({ ownDatabase: true, now: NOW });
  [admin, manager, holder] = [await t.user('admin'), await t.user('manager'), await t.user()];
});
afterAll(() => t.close());
beforeEach(async () => {
  await t.app.jobs.run(); // one that a call started
  await t.db.execute(sql`truncate businesses, places, coverage_figures, coverage_refresh, district_searches cascade`);
});

async function count() {
  await startCounting(t.db);
  await t.app.jobs.run();
}

/** The same numbers in every run, so that a failure can be repeated. */
function createRandom(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
const random = createRandom(20_261_117);
const pick = <T>(options: readonly T[]): T => options[random(options.length)] as T;

/** In the first and the last step, at the edge of two, without a postcode, and of no known district. */
const DISTRICTS = ['AB10', 'LS1', 'LS10', 'L1', 'SW1A', 'ZE3', 'B1', 'M4', null, 'ZZ9'];
const CATEGORIES = [
  ['bakery'],
  ['cafe', 'coffee_shop'],
  ['gift_shop'],
  ['grocery_store', 'supermarket'],
  ['unheard_of'],
  [],
];
const TYPES = [undefined, 'Bakery', 'Cafe', 'Coffee shop', 'Gift shop', 'Card shop', 'Supermarket', 'Plumber'];

/** What the lead says, where it says one. */
const KNOWN_TYPES = [null, null, 'Bakery', 'Plumber'];

const toPostcode = (district: string | null) => district && `${district} ${random(10)}AA`;

async function generate() {
  const placeRows = Array.from({ length: PLACES }, (_, nth) => ({
    ...{ source: 'csv', sourceId: `csv-${nth}`, name: `Place ${nth}`, latitude: 53, longitude: -1 },
    ...{ categories: pick(CATEGORIES), postcode: toPostcode(pick(DISTRICTS)) },
  }));
  await t.db.insert(places).values(placeRows);
  const stored = await t.db
    .insert(businesses)
    .values(
      Array.from({ length: BUSINESSES }, (_, nth) => ({
        ...{ placeId: `coverage-${nth}`, name: `Shop ${nth}`, types: pick(CATEGORIES), type: pick(KNOWN_TYPES) },
        formattedAddress: `${nth} High Street, ${toPostcode(pick(DISTRICTS)) ?? 'Leeds'}, UK`,
      })),
    )
    .returning({ id: businesses.id });
  // Some businesses are held by two users, some by none.
  const held = stored.flatMap(({ id }) => [holder, manager].filter(() => random(3) > 0).map((user) => ({ user, id })));
  await t.db.insert(leads).values(
    held.map(({ user, id }) => ({
      ...{ userId: user.id, businessId: id, status: pick(leadStatus.options), archived: random(6) === 0 },
      ...{ existingCustomer: random(5) === 0, lastContactedAt: random(3) === 0 ? NOW : null },
    })),
  );
}

const NONE: CoverageFigures = { known: 0, leads: 0, contacted: 0, won: 0, customers: 0 };

const readRows = async () => ({
  placeRows: await t.db.select().from(places),
  leadRows: await t.db.select().from(leads).innerJoin(businesses, eq(businesses.id, leads.businessId)),
});

/** The figures of each known district with any, and of everything else under ''. */
function countModel({ placeRows, leadRows }: Rows, type: string | undefined, userId: number | undefined) {
  const figures = new Map<string, CoverageFigures>([['', NONE]]);
  const names = TYPE_NAMES.filter(({ label }) => label === type).flatMap(({ label, google, overture }) => [
    ...[google, overture, toCategory(label)],
  ]);
  const isOfType = (categories: string[]) => type === undefined || categories.some((name) => names.includes(name));
  const count = (text: string | null, counted: Partial<CoverageFigures>) => {
    const district = /([A-Z]{1,2}[0-9][A-Z0-9]?) [0-9][A-Z]{2}/.exec(text ?? '')?.[1] ?? '';
    const key = findDistrict(district) ? district : '';
    const sum = { ...(figures.get(key) ?? NONE) };
    for (const name of Object.keys(NONE) as (keyof CoverageFigures)[]) sum[name] += counted[name] ?? 0;
    figures.set(key, sum);
  };
  for (const { categories, postcode } of placeRows) if (isOfType(categories)) count(postcode, { known: 1 });
  for (const { user_businesses: lead, businesses: business } of leadRows) {
    const ofType = business.type && type ? business.type === type : isOfType(business.types);
    if (lead.archived || !ofType) continue;
    if (userId !== undefined && lead.userId !== userId) continue;
    const contacted = lead.lastContactedAt !== null || isContacted(lead.status);
    count(business.formattedAddress, {
      ...{ leads: 1, contacted: Number(contacted), won: Number(lead.status === 'closed_won') },
      customers: Number(lead.existingCustomer),
    });
  }
  return figures;
}
type Rows = Awaited<ReturnType<typeof readRows>>;

async function expectModel(what: string) {
  await count();
  const rows = await readRows();
  for (const type of TYPES) {
    for (const userId of [undefined, holder.id, manager.id, admin.id]) {
      const { status, body } = await t.request(admin, getCoverage, { query: { type, userId } });
      expect(status).toBe(200);
      const model = countModel(rows, type, userId);
      const found = new Map(
        [{ district: '', searchedAt: null, ...body.elsewhere }, ...body.districts].map(
          ({ district, searchedAt: _, ...figures }) => [district, figures],
        ),
      );
      expect({ what, type, userId, figures: found }).toEqual({ what, type, userId, figures: model });
      expect(body).toMatchObject({ refreshedAt: NOW, refreshing: null });
    }
  }
}

test('the figures are those of the model for every type and user, also after random changes', async () => {
  await generate();
  await expectModel('as inserted');
  const some = () => sql`id % ${2 + random(5)} = 0`;
  for (const change of [
    () =>
      sql`update user_businesses set status = ${pick(leadStatus.options)}, last_contacted_at = null where ${some()}`,
    () => sql`update user_businesses set archived = not archived where ${some()}`,
    () => sql`update businesses set formatted_address = 'Moved to London SW1A 2AA' where ${some()}`,
    () => sql`update places set postcode = null, categories = '{bakery}' where ${some()}`,
    () => sql`delete from user_businesses where ${some()}`,
    () => sql`delete from places where ${some()}`,
  ]) {
    await t.db.execute(change());
    await expectModel('after a change');
  }
  await t.db.execute(sql`truncate businesses, places cascade`);
  await expectModel('when nothing is left');
  expect(await t.db.$count(coverageFigures)).toBe(0);
}, 120_000);

test('managers see the team and each user, users only themselves', async () => {
  for (const userId of [undefined, holder.id]) {
    expect((await t.request(manager, getCoverage, { query: { userId } })).status).toBe(200);
  }
  expect((await t.request(holder, getCoverage, { query: { userId: holder.id } })).status).toBe(200);
  for (const userId of [undefined, manager.id]) {
    const refused = await t.request(holder, getCoverage, { query: { userId } });
    expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  }
});

test.each([{ type: 'Dragons' }, { userId: 'me' }, { userId: '2147483648' }])('%o is refused', async (query) => {
  expect(await t.request(admin, getCoverage, { query })).toMatchObject({
    status: 400,
    body: { code: 'validation_failed' },
  });
});

test('a search records when the district was searched, for its type', async () => {
  const body = { businessType: 'bakeries', location: 'LS1', radius: 100 };
  expect((await t.request(holder, searchBusinesses, { body })).status).toBe(200);
  const searched = async (type?: string) => {
    const { body } = await t.request(admin, getCoverage, { query: { type } });
    return body.districts
      .filter(({ searchedAt }) => searchedAt)
      .map(({ district, searchedAt }) => [district, searchedAt]);
  };
  expect(await searched()).toEqual([['LS1', NOW]]);
  expect(await searched('Bakery')).toEqual([['LS1', NOW]]);
  expect(await searched('Cafe')).toEqual([]);

  await t.request(holder, searchBusinesses, { body: { ...body, businessType: 'zither repairs', location: 'M4' } });
  expect(await searched(), 'a text that is no type').toEqual([
    ['LS1', NOW],
    ['M4', NOW],
  ]);
  expect(await searched('Bakery')).toEqual([['LS1', NOW]]);
});

test('counting is continued after a restart, and says when it began', async () => {
  const at = (seconds: number) => new Date(Date.parse(NOW) + seconds * 1_000).toISOString();
  await generate();
  const input = { startedAt: at(-2), nextStep: STEPS - 1 };
  await t.db.insert(jobs).values({ id: randomUUID(), kind: 'coverage', input });
  expect(await findCounting(t.db)).toEqual({ done: STEPS - 1, total: STEPS });
  await t.app.jobs.run();
  expect(await findCounting(t.db)).toBeUndefined();
  const { rows } = await t.db.execute(
    sql`select refreshed_at = ${at(-2)}::timestamptz as same, took_ms from coverage_refresh`,
  );
  expect(rows).toEqual([{ same: true, took_ms: 2_000 }]);
});

test('while another process counts, a run leaves it to that', async () => {
  await startCounting(t.db);
  await t.db.transaction(async (tx) => {
    await tx.execute(sql`select from jobs where kind = 'coverage' for update`);
    await t.app.jobs.run();
  });
  expect(await findCounting(t.db)).toEqual({ done: 0, total: STEPS });
  await t.app.jobs.run();
  expect((await t.request(admin, getCoverage)).body.refreshedAt).toBe(NOW);
});

test('a user who does not exist is 404 to those who may see everyone, and 403 to users', async () => {
  const query = { userId: 2_147_483_647 };
  for (const viewer of [manager, admin]) {
    expect(await t.request(viewer, getCoverage, { query })).toMatchObject({
      status: 404,
      body: { code: 'not_found', message: 'This user no longer exists' },
    });
  }
  expect((await t.request(holder, getCoverage, { query })).status).toBe(403);
});

describe('Refresh', () => {
  const refresh = (viewer = manager) => t.request(viewer, refreshCoverage);
  const countedLeads = async () =>
    (
      await t.db.execute<{ leads: number }>(sql`select coalesce(sum(leads), 0)::int as leads from coverage_figures
      where business_type = '' and user_id = 0`)
    ).rows[0]?.leads;
  const addLead = () => t.lead(holder, {}, { formattedAddress: '1 High Street, Leeds LS1 4AP' });

  test('counts again, for managers and admins only', async () => {
    await count();
    await addLead();
    expect(await refresh(holder)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    expect(await countedLeads()).toBe(0);
    expect(await refresh()).toMatchObject({ status: 200 });
    await expect.poll(countedLeads).toBe(1);
    const { body } = await t.request(holder, getCoverage, { query: { userId: holder.id } });
    expect(body.districts).toMatchObject([{ district: 'LS1', leads: 1, contacted: 0 }]);
  });

  test('a second one within a minute is answered without counting', async () => {
    await refresh();
    await expect.poll(() => findCounting(t.db)).toBeUndefined();
    await addLead();
    expect(await refresh(admin)).toMatchObject({
      status: 200,
      body: { message: 'The figures were counted less than a minute ago' },
    });
    expect(await findCounting(t.db)).toBeUndefined();
    expect(await countedLeads()).toBe(0);
    await t.db.execute(sql`update coverage_refresh set requested_at = requested_at - interval '1 minute'`);
    expect((await refresh()).body.message).toBe('The figures are being counted');
    await expect.poll(countedLeads).toBe(1);
  });

  test('of several at once in different processes one counts', async () => {
    const requested = await Promise.all([1, 2, 3].map(() => requestRefresh(t.db, new Date(NOW))));
    expect(requested.filter(Boolean)).toHaveLength(1);
  });

  test('the limit of a step is below that of the driver', async () => {
    await t.db.execute(sql`create table step_limits (ms integer)`);
    await t.db.execute(sql`create function store_limit() returns trigger language plpgsql as $$ begin
      insert into step_limits values (extract(epoch from current_setting('statement_timeout')::interval) * 1000);
      return new; end $$`);
    await t.db.execute(sql`
      create trigger store_limit before insert on coverage_refresh for each row execute function store_limit()`);
    await count();
    const { rows } = await t.db.execute<{ ms: number }>(sql`select ms from step_limits`);
    expect(rows).toHaveLength(1);
    expect(rows[0]?.ms).toBeGreaterThan(15_000);
    expect(rows[0]?.ms).toBeLessThan((await testDatabase()).pool.options.query_timeout ?? 0);
    await t.db.execute(sql`drop table step_limits; drop function store_limit cascade`);
  });
});
