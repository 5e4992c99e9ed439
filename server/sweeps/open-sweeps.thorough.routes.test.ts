import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import * as calls from '#contract/sweeps/sweeps.calls.ts';
import type { Database } from '#server/kit/db/open.ts';
import { districtSearches } from '#server/schema/coverage.ts';
import { businesses } from '#server/schema/leads.ts';
import { sweepDistricts, sweepResponses, sweeps } from '#server/schema/sweeps.ts';
import { freshDatabase } from '#server/testing/databases.ts';
import type { FakeService } from '#server/testing/fake-providers/fake-service.ts';
import { fakeGoogleLegacy } from '#server/testing/fake-providers/google-legacy.ts';
import { fakeOpenServices } from '#server/testing/fake-providers/osm.ts';
import { clearPlacesTables } from '#server/testing/places.ts';
import { continueToEnd, runSweepToEnd, startSweep, waitForSweep, withId } from '#server/testing/sweeps.ts';
import { type TestApp, testApp } from '#server/testing/test-app.ts';

let database: Database;
let open: FakeService;
let legacy: FakeService;
beforeAll(async () => {
  database = await freshDatabase();
  [open, legacy] = await Promise.all([fakeOpenServices(), fakeGoogleLegacy()]);
});
afterAll(async () => {
  await open.close();
  await legacy.close();
  await database.close();
});
beforeEach(async () => {
  await clearPlacesTables(database.db);
  await database.db.delete(sweeps);
});
afterEach(() => {
  open.overrideResponses(() => undefined);
  open.reset();
});

async function withApp(env: Record<string, string>, work: (t: TestApp) => Promise<void>) {
  const t = await testApp({ database, env: { ...env, POSTCODES_URL: open.url } });
  await work(t);
  await t.close();
}
const osm = () => ({ PLACES_PROVIDER: 'osm', OVERPASS_URL: `${open.url}/api/interpreter`, NOMINATIM_URL: open.url });
const bakeries = (...places: string[]) => ({ businessType: 'Bakery', places });

test('Overpass is asked once for each district, no faster than its rule, and nothing else is asked', async () => {
  const times: number[] = [];
  let began = 0;
  open.overrideResponses(() => void times.push(Date.now()) as undefined);
  await withApp(osm(), async (t) => {
    const admin = await t.user('admin');
    const { body } = await t.request(admin, calls.estimateSweep, { body: { places: ['WF'] } });
    expect(body).toMatchObject({ provider: 'osm', calls: 17, paidCalls: 0, quota: null, daily: null, seconds: 34 });
    began = Date.now();
    const sweep = await runSweepToEnd(t, admin, bakeries('LS1', 'LS2', 'LS3'));
    expect(sweep).toMatchObject({ state: 'done', calls: 3, districts: { done: 3 } });
    const results = await t.request(admin, calls.listSweepResults, withId(sweep.id));
    expect(results.body.counts.new).toBe(70);
  });
  expect(open.requests.map(({ path }) => path)).toEqual(Array(3).fill('/api/interpreter'));
  // Two intervals after the first: a busy machine delays calls, but none comes early.
  expect((times.at(-1) ?? 0) - began).toBeGreaterThanOrEqual(2 * 1_100);
});

/** Answers with the first of the bakeries of the fake, as Overpass does when it runs out of time. */
const cutOff = {
  body: {
    version: 0.6,
    elements: [{ type: 'node', id: 900_000_001, lat: 53.7965, lon: -1.5478, tags: { shop: 'bakery', name: 'First' } }],
    remark: 'runtime error: Query timed out in "query" at line 2 after 9 seconds.',
  },
};
const readSearched = async () =>
  (await database.db.select({ district: districtSearches.district }).from(districtSearches)).map(
    ({ district }) => district,
  );

test('a district of which Overpass returned only a part is asked again, and its results are counted once', async () => {
  open.next(cutOff);
  await withApp(osm(), async (t) => {
    const admin = await t.user('admin');
    const sweep = await runSweepToEnd(t, admin, bakeries('LS1'));
    expect(sweep).toMatchObject({ state: 'done', calls: 2, results: 70, districts: { done: 1, failed: 0 } });
    const results = await t.request(admin, calls.listSweepResults, withId(sweep.id));
    expect(results.body.counts.new).toBe(70);
  });
});

test('a result that looks like a lead from another source is not new', async () => {
  await withApp(osm(), async (t) => {
    const admin = await t.user('admin');
    const address = { formattedAddress: '2 Mill Lane, Leeds LS1 2AB', phone: '0113 496 0001' };
    const lead = await t.lead(admin, {}, { name: 'Corner Bakery 2', ...address });
    const sweep = await runSweepToEnd(t, admin, bakeries('LS1'));
    const { items } = (await t.request(admin, calls.listSweepResults, withId(sweep.id))).body;
    expect(items.find(({ name }) => name === 'Corner Bakery 2')).toMatchObject({
      status: 'similar',
      looksLike: { leadUuid: lead.uuid },
    });
    await t.db.delete(businesses).where(eq(businesses.id, lead.businessId));
  });
});

test('a district that stays cut off has failed: what was found is kept, and it can be repeated', async () => {
  await database.db.delete(districtSearches);
  open.next(cutOff, cutOff);
  await withApp(osm(), async (t) => {
    const admin = await t.user('admin');
    const sweep = await runSweepToEnd(t, admin, bakeries('LS1'));
    expect(sweep).toMatchObject({
      ...{ state: 'done', canContinue: true, calls: 2, results: 1, districts: { done: 0, failed: 1 } },
      message: '0 of 1 districts done, 1 failed. Continue to repeat them.',
    });
    const districts = await t.request(admin, calls.listSweepDistricts, withId(sweep.id));
    expect(districts.body.items).toMatchObject([
      { code: 'LS1', found: 1, error: expect.stringMatching(/stopped early/) },
    ]);
    const kept = await t.request(admin, calls.listSweepResults, withId(sweep.id));
    expect(kept.body.counts.new).toBe(1);
    expect(await readSearched()).toEqual([]);

    expect(await continueToEnd(t, admin, sweep.id)).toMatchObject({ state: 'done', calls: 3, results: 70, found: 70 });
    expect(await readSearched()).toEqual(['LS1']);
  });
});

const down = { status: 503, body: '<html>Service Unavailable</html>' };
/** So many calls to Overpass, each for another district. */
function expectNoneRepeated(count: number) {
  expect(open.requests).toHaveLength(count);
  expect(new Set(open.requests.map(({ body }) => body)).size).toBe(count);
}

test('a fault in the middle fails its district, and only that one is asked again', async () => {
  // The call and its repetition, and both once more.
  open.overrideResponses(() => (open.requests.length > 1 && open.requests.length <= 5 ? down : undefined));
  await withApp(osm(), async (t) => {
    const admin = await t.user('admin');
    const sweep = await runSweepToEnd(t, admin, bakeries('LS1', 'LS2', 'LS3'));
    expect(sweep).toMatchObject({ state: 'done', calls: 6, districts: { total: 3, done: 2, failed: 1 } });
    const [, failed] = open.requests.splice(0);
    const done = await continueToEnd(t, admin, sweep.id);
    expect(done).toMatchObject({ state: 'done', calls: 7, results: 70, districts: { done: 3, failed: 0 } });
    expect(open.requests.map(({ body }) => body)).toEqual([failed?.body]);
  });
});

test('a sweep that is paused in the middle of a call goes on after it: nothing is repeated or lost', async () => {
  await withApp(osm(), async (t) => {
    const admin = await t.user('admin');
    let release = () => {};
    open.overrideResponses(() => {
      if (open.requests.length === 1) release = open.hold(); // the next request
      return undefined;
    });
    const id = await startSweep(t, admin, bakeries('LS1', 'LS2', 'LS3'));
    await expect.poll(() => open.requests.length, { timeout: 10_000, interval: 5 }).toBe(2);
    expect((await t.request(admin, calls.pauseSweep, withId(id))).body).toMatchObject({ stopping: true });
    release();
    const paused = await waitForSweep(t, admin, id);
    expect(paused).toMatchObject({ state: 'paused', calls: 2, canContinue: true, districts: { done: 2 } });
    const done = await continueToEnd(t, admin, id);
    expect(done).toMatchObject({ state: 'done', calls: 3, results: 70, districts: { done: 3 } });
    const { counts } = (await t.request(admin, calls.listSweepResults, withId(id))).body;
    expect(counts.new).toBe(70);
  });
  expectNoneRepeated(3);
  expect(await database.db.$count(sweepResponses)).toBe(0);
});

test('a district with as many results as Overpass returns is marked: more may match', async () => {
  const { tags, ...point } = cutOff.body.elements[0] as (typeof cutOff.body.elements)[0];
  const elements = Array.from({ length: 400 }, (_, nth) => ({ ...point, tags, id: 800_000_000 + nth }));
  open.next({ body: { version: 0.6, elements } });
  await withApp(osm(), async (t) => {
    const admin = await t.user('admin');
    const sweep = await runSweepToEnd(t, admin, bakeries('LS1', 'LS2'));
    const { body } = await t.request(admin, calls.listSweepDistricts, withId(sweep.id));
    expect(body.items).toMatchObject([
      { code: 'LS1', state: 'done', found: 400, more: true },
      { code: 'LS2', state: 'done', more: false },
    ]);
  });
});

describe('on the public Overpass', () => {
  const PUBLIC = 'https://overpass-api.de';
  const env = () => ({ ...osm(), OVERPASS_URL: `${PUBLIC}/api/interpreter` });

  // The limit depends on the host, which no test may call: what is meant for it goes to the fake.
  beforeEach(() => {
    const { fetch } = globalThis;
    vi.spyOn(globalThis, 'fetch').mockImplementation((url, init) => fetch(String(url).replace(PUBLIC, open.url), init));
  });
  afterEach(() => void vi.restoreAllMocks());

  /** An earlier sweep with so many calls in the last 24 hours, and some before. */
  async function insertEarlierCalls(recent: number) {
    const earlier = { id: '6f9619ff-8b86-4d01-b42d-00cf4fc964ff', businessType: 'Pub', places: ['LS1'] };
    await database.db.insert(sweeps).values({ ...earlier, provider: 'osm', state: 'done' });
    const district = { sweepId: earlier.id, position: 0, state: 'done' } as const;
    await database.db.insert(sweepDistricts).values([
      { ...district, district: 'LS1', calls: recent, calledAt: hoursAgo(1) },
      { ...district, district: 'LS2', calls: 50, calledAt: hoursAgo(25) },
    ]);
  }
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();

  test('a sweep makes no call once a hundred were made in a day', async () => {
    await insertEarlierCalls(100);
    await withApp(env(), async (t) => {
      const admin = await t.user('admin');
      const { body } = await t.request(admin, calls.estimateSweep, { body: { places: ['LS1'] } });
      expect(body.daily).toEqual({ limit: 100, left: 0 });
      expect(await runSweepToEnd(t, admin, bakeries('LS1'))).toMatchObject({
        ...{ state: 'stopped', calls: 0, canContinue: true },
        message:
          'Stopped at the 100 calls a day that the public service allows: 0 of 1 districts done. Continue tomorrow.',
      });
    });
    expect(open.requests).toEqual([]);
  });

  test('a sweep stops in the middle at the hundredth call, and goes on a day later with the districts left', async () => {
    await insertEarlierCalls(98);
    await withApp(env(), async (t) => {
      const admin = await t.user('admin');
      const stopped = await runSweepToEnd(t, admin, bakeries('LS1', 'LS2', 'LS3'));
      expect(stopped).toMatchObject({ state: 'stopped', calls: 2, districts: { total: 3, done: 2, failed: 0 } });
      expect(stopped.message).toMatch(/^Stopped at the 100 calls a day .*: 2 of 3 districts done/);
      expect(await continueToEnd(t, admin, stopped.id)).toMatchObject({ state: 'stopped', calls: 2 });
      expect(open.requests).toHaveLength(2);

      await t.db.update(sweepDistricts).set({ calledAt: hoursAgo(25) });
      expect(await continueToEnd(t, admin, stopped.id)).toMatchObject({ state: 'done', calls: 3, results: 70 });
    });
    expectNoneRepeated(3);
  });

  test('the repetition of a call that failed counts, too', async () => {
    await insertEarlierCalls(99);
    open.overrideResponses(() => down);
    await withApp(env(), async (t) => {
      const admin = await t.user('admin');
      const stopped = await runSweepToEnd(t, admin, bakeries('LS1'));
      expect(stopped).toMatchObject({ state: 'stopped', calls: 1, districts: { done: 0, failed: 0 } });
    });
    expect(open.requests).toHaveLength(1);
  });
});

test("Google's older service is asked for the details of each result, within the cap", async () => {
  const env = {
    PLACES_PROVIDER: 'google-legacy',
    GOOGLE_MAPS_API_KEY: 'secret-key',
    GOOGLE_MAPS_URL: legacy.url,
    PLACES_MONTHLY_REQUEST_CAP: '30',
  };
  await withApp(env, async (t) => {
    const admin = await t.user('admin');
    const { body } = await t.request(admin, calls.estimateSweep, { body: { places: ['LS1'] } });
    expect(body).toMatchObject({ calls: 63, paidCalls: 63, quota: { left: 30 } });
    const stopped = await runSweepToEnd(t, admin, bakeries('LS1'));
    expect(stopped).toMatchObject({ state: 'stopped', calls: 30, results: 0 });
    expect(stopped.message).toMatch(/^Stopped at the cap: 0 of 1 districts done/);
  });
  const before = legacy.requests.length;
  await withApp({ ...env, PLACES_MONTHLY_REQUEST_CAP: '900' }, async (t) => {
    const admin = await t.user('admin');
    const [{ id } = { id: '' }] = (await t.request(admin, calls.listSweeps)).body.items;
    await t.request(admin, calls.continueSweep, withId(id));
    await expect
      .poll(async () => (await t.request(admin, calls.getSweep, withId(id))).body.state, { timeout: 30_000 })
      .toBe('done');
    const districts = await t.request(admin, calls.listSweepDistricts, withId(id));
    expect(districts.body.items).toMatchObject([{ more: true }]); // 70 match, and Google returns 60
    const { items } = (await t.request(admin, calls.listSweepResults, withId(id))).body;
    expect(items.filter(({ phone }) => phone === null)).toEqual([]);
  });
  const details = legacy.requests
    .filter(({ path }) => path.includes('details'))
    .map(({ query }) => query.get('place_id'));
  expect(new Set(details).size).toBe(details.length);
  expect(legacy.requests.length).toBeGreaterThan(before);
}, 60_000);
