import { randomUUID } from 'node:crypto';
import { eq, inArray } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { searchBusinesses } from '#contract/search/search.calls.ts';
import * as calls from '#contract/sweeps/sweeps.calls.ts';
import { districtSearches } from '#server/schema/coverage.ts';
import { jobs } from '#server/schema/jobs.ts';
import { businesses, leads } from '#server/schema/leads.ts';
import { sweepDistricts, sweepResults, sweeps } from '#server/schema/sweeps.ts';
import { runSweepToEnd, startSweep, waitForSweep, withId } from '#server/testing/sweeps.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';
import { SWEEP, startSweepJob } from './sweep-job.ts';

let t: TestApp;
let admin: TestUser;
beforeAll(async () => {
  t = await testApp({ ownDatabase: true });
  admin = await t.user('admin');
});
afterAll(() => t.close());
afterEach(async () => {
  // One runs at a time: what a test that failed has left would fail all that follow.
  await t.db.delete(jobs).where(eq(jobs.kind, SWEEP));
  await t.db.update(sweeps).set({ state: 'stopped' }).where(eq(sweeps.state, 'running'));
});

const listResults = async (id: string, status?: 'new' | 'lead' | 'customer' | 'outside' | 'closed') =>
  (await t.request(admin, calls.listSweepResults, { ...withId(id), query: { ...(status && { status }) } })).body;

describe('the estimate', () => {
  test('says what a sweep on the own places costs: nothing, and seconds', async () => {
    const { body } = await t.request(admin, calls.estimateSweep, { body: { places: ['WF', 'ls', 'WF1'] } });
    expect(body).toEqual({
      provider: 'local',
      districts: 17 + 29,
      unknown: [],
      calls: 0,
      paidCalls: 0,
      quota: null,
      daily: null,
      seconds: 1,
      notReady: null,
    });
  });

  test('names the places that are unknown', async () => {
    const { body } = await t.request(admin, calls.estimateSweep, { body: { places: ['LS1', 'Narnia'] } });
    expect(body).toMatchObject({ districts: 1, unknown: ['Narnia'] });
  });

  test.each([{ places: [] }, { places: [''] }, { places: 'LS' }, {}])('refuses %j', async (body) => {
    const response = await t.request(admin, calls.estimateSweep, { body: body as never });
    expect(response).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
  });
});

test.each([
  ['businessType', { businessType: '', places: ['LS'] }],
  ['places', { businessType: 'Bakery', places: [] }],
  ['places', { businessType: 'Bakery', places: ['LS', 'Narnia'] }],
  ['places', { businessType: 'Bakery', places: Array(201).fill('LS') }],
])('a sweep without a valid %s is refused', async (path, body) => {
  const before = await t.db.$count(sweeps);
  const response = await t.request(admin, calls.startSweep, { body });
  expect(response).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
  expect(response.body.errors?.[0]?.path).toMatch(path);
  expect(await t.db.$count(sweeps)).toBe(before);
});

test('a sweep over two areas finds each business once, and leaves out leads and customers', async () => {
  const found = await t.request(admin, searchBusinesses, { body: { businessType: 'Restaurant', location: 'Leeds' } });
  const [first, second] = found.body.businesses.filter(({ businessStatus }) => businessStatus === 'OPERATIONAL');
  const holder = await t.user();
  await t.db.insert(leads).values([
    { userId: holder.id, businessId: first?.id ?? 0, archived: true },
    { userId: holder.id, businessId: second?.id ?? 0, existingCustomer: true },
  ]);

  const sweep = await runSweepToEnd(t, admin, { businessType: 'Restaurant', places: ['WF', 'LS'] });
  expect(sweep).toMatchObject({
    state: 'done',
    provider: 'local',
    places: ['WF', 'LS'],
    startedBy: 'Test admin',
    message: null,
    stopping: false,
    canContinue: false,
    calls: 0,
    districts: { total: 46, done: 46, failed: 0 },
  });
  expect(sweep.results).toBeGreaterThan(20);
  expect(sweep.found).toBeGreaterThan(sweep.results);

  const all = await listResults(sweep.id);
  expect(all).toMatchObject({ total: sweep.results, page: 1, batchId: null, counts: { lead: 1, customer: 1 } });
  expect(Object.values(all.counts).reduce((sum, count) => sum + count)).toBe(sweep.results);
  expect((await listResults(sweep.id, 'lead')).items).toMatchObject([{ businessId: first?.id, status: 'lead' }]);
  expect((await listResults(sweep.id, 'customer')).items).toMatchObject([{ businessId: second?.id }]);
  const outside = await listResults(sweep.id, 'outside');
  expect(outside.counts.outside).toBeGreaterThan(0);
  expect(outside.items.filter(({ district }) => /^(WF|LS)\d/.test(district))).toEqual([]);

  const searches = await t.db.select().from(districtSearches).where(eq(districtSearches.businessType, 'Restaurant'));
  expect(searches.map(({ district }) => district)).toEqual(expect.arrayContaining(['LS29', 'WF1', 'WF17']));
  const districts = await t.request(admin, calls.listSweepDistricts, withId(sweep.id));
  expect(districts.body).toMatchObject({ total: 46, page: 1, items: expect.objectContaining({ length: 46 }) });
  expect(districts.body.items.slice(0, 2)).toMatchObject([
    { code: 'LS1', town: '', state: 'done', error: null, more: false, calls: 0 },
    { code: 'LS2' },
  ]);
  const failed = await t.request(admin, calls.listSweepDistricts, { ...withId(sweep.id), query: { state: 'failed' } });
  expect(failed.body).toMatchObject({ items: [], total: 0 });
});

test('a business that is closed for good is left out, and one that became a lead is no longer new', async () => {
  const sweep = await runSweepToEnd(t, admin, { businessType: 'Cafe', places: ['BD'] });
  const { items } = await listResults(sweep.id, 'new');
  const [closed, taken] = items.map(({ businessId }) => businessId);
  await t.db
    .update(sweepResults)
    .set({ leftOut: 'closed' })
    .where(eq(sweepResults.businessId, closed ?? 0));
  await t.db.insert(leads).values({ userId: admin.id, businessId: taken ?? 0 });
  const after = await listResults(sweep.id, 'new');
  expect(after.total).toBe(items.length - 2);
  expect((await listResults(sweep.id, 'closed')).items).toMatchObject([{ businessId: closed, status: 'closed' }]);
});

test('businesses that were merged are one result', async () => {
  const sweep = await runSweepToEnd(t, admin, { businessType: 'Restaurant', places: ['LS'] });
  const before = await listResults(sweep.id, 'new');
  const [kept, merged] = before.items.map(({ businessId }) => businessId);
  await t.db
    .update(businesses)
    .set({ mergedInto: kept ?? 0 })
    .where(eq(businesses.id, merged ?? 0));
  expect((await listResults(sweep.id, 'new')).total).toBe(before.total - 1);
});

test('all districts of a region are swept on the own places', async () => {
  const sweep = await runSweepToEnd(t, admin, { businessType: 'Hairdresser', places: ['Yorkshire and the Humber'] });
  expect(sweep).toMatchObject({ state: 'done', districts: { total: 239, done: 239, failed: 0 } });
  expect(sweep.results).toBeGreaterThan(50);
  const { items } = (await t.request(admin, calls.listSweeps)).body;
  expect(items[0]).toEqual(sweep);
});

test('a keyword narrows a sweep', async () => {
  const sweep = await runSweepToEnd(t, admin, { businessType: 'Restaurant', keyword: 'zzzz', places: ['LS1'] });
  expect(sweep).toMatchObject({ state: 'done', keyword: 'zzzz', found: 0, results: 0 });
});

describe('a sweep that has ended', () => {
  test.each([calls.pauseSweep, calls.continueSweep, calls.cancelSweep])('refuses $path', async (call) => {
    const { id } = await runSweepToEnd(t, admin, { businessType: 'Bakery', places: ['LS1'] });
    expect(await t.request(admin, call, withId(id))).toMatchObject({ status: 409, body: { code: 'sweep_not_ready' } });
  });
});

test('a sweep that does not exist is not found', async () => {
  for (const call of [calls.getSweep, calls.listSweepDistricts, calls.listSweepResults, calls.continueSweep]) {
    expect((await t.request(admin, call, withId(randomUUID()))).status).toBe(404);
  }
});

test('a sweep whose process has ended goes on with the districts that are left', async () => {
  const id = randomUUID();
  const values = { userId: admin.id, businessType: 'Bakery', places: ['LS1', 'LS2'], provider: 'local' } as const;
  await t.db.insert(sweeps).values({ ...values, id, places: [...values.places], state: 'running' });
  await t.db.insert(sweepDistricts).values([
    { sweepId: id, district: 'LS1', position: 0, state: 'done', found: 7 },
    { sweepId: id, district: 'LS2', position: 1 },
  ]);
  await startSweepJob(t.db, id);
  expect((await t.request(admin, calls.getSweep, withId(id))).body.state, 'reading changes nothing').toBe('running');
  await t.app.jobs.run();
  const done = (await t.request(admin, calls.getSweep, withId(id))).body;
  expect(done).toMatchObject({ state: 'done', message: null, districts: { total: 2, done: 2 } });
  const [first] = await t.db.select().from(sweepDistricts).where(eq(sweepDistricts.sweepId, id));
  expect(first).toMatchObject({ district: 'LS1', found: 7 });
});

test('a sweep that another provider was started with is stopped, not searched with this one', async () => {
  const id = randomUUID();
  const values = { businessType: 'Bakery', state: 'running' } as const;
  await t.db.insert(sweeps).values({ ...values, id, places: ['LS1'], provider: 'osm' });
  await t.db.insert(sweepDistricts).values({ sweepId: id, district: 'LS1', position: 0 });
  await startSweepJob(t.db, id);
  await t.app.jobs.run();
  const stopped = (await t.request(admin, calls.getSweep, withId(id))).body;
  expect(stopped).toMatchObject({
    state: 'stopped',
    message: 'The places provider was changed: 0 of 1 districts done.',
  });
});

test('a sweep of another provider is not continued', async () => {
  const id = randomUUID();
  const values = { businessType: 'Bakery', places: ['LS1'], state: 'paused' } as const;
  await t.db.insert(sweeps).values({ ...values, id, places: [...values.places], provider: 'osm' });
  await t.db.insert(sweepDistricts).values({ sweepId: id, district: 'LS1', position: 0 });
  const response = await t.request(admin, calls.continueSweep, withId(id));
  expect(response).toMatchObject({ status: 409, body: { code: 'sweep_not_ready' } });
  expect((await t.request(admin, calls.cancelSweep, withId(id))).body).toMatchObject({ state: 'cancelled' });
});

test('a sweep stays without the name when its user is deleted', async () => {
  const leaver = await t.user('admin');
  const id = await startSweep(t, leaver, { businessType: 'Bakery', places: ['LS1'] });
  await waitForSweep(t, admin, id);
  await t.db.execute(`delete from users where id = ${leaver.id}`);
  expect((await t.request(admin, calls.getSweep, withId(id))).body).toMatchObject({ state: 'done', startedBy: null });
  expect(await t.db.$count(sweeps, inArray(sweeps.id, [id]))).toBe(1);
});
