import { eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as calls from '#contract/sweeps/sweeps.calls.ts';
import { wakeJob } from '#server/jobs/jobs.sql.ts';
import type { Database } from '#server/kit/db/open.ts';
import { jobs } from '#server/schema/jobs.ts';
import { placesUsage } from '#server/schema/places.ts';
import { sweepResponses, sweeps } from '#server/schema/sweeps.ts';
import { freshDatabase } from '#server/testing/databases.ts';
import type { FakeService } from '#server/testing/fake-providers/fake-service.ts';
import { fakeGoogle, fault } from '#server/testing/fake-providers/google.ts';
import { clearPlacesTables } from '#server/testing/places.ts';
import { continueToEnd, runSweepToEnd, startSweep, waitForSweep, withId } from '#server/testing/sweeps.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

// The fake has 70 bakeries around LS1, and returns the same pages to every search.
const PAGES = 3;

let database: Database;
let fake: FakeService;
let t: TestApp;
let admin: TestUser;
const startApp = (variables: Record<string, string> = {}) =>
  testApp({
    database,
    env: {
      PLACES_PROVIDER: 'google',
      GOOGLE_MAPS_API_KEY: 'secret-key',
      GOOGLE_PLACES_URL: fake.url,
      GOOGLE_MAPS_URL: fake.url,
      POSTCODES_URL: fake.url,
      ...variables,
    },
  });
beforeAll(async () => {
  database = await freshDatabase();
  fake = await fakeGoogle();
  t = await startApp();
  admin = await t.user('admin');
});
afterAll(async () => {
  await t.close();
  await fake.close();
  await database.close();
});
beforeEach(async () => {
  await clearPlacesTables(t.db);
  await t.db.delete(sweeps);
});
afterEach(() => {
  fake.overrideResponses(() => undefined);
  fake.reset();
});

const bakeries = (...places: string[]) => ({ businessType: 'Bakery', places });
const readUsage = async () => (await t.db.select().from(placesUsage))[0]?.calls ?? 0;
/** The searched centre and the page of each request. */
const listRequests = () =>
  fake.requests.map(({ body }) => {
    const { locationRestriction, pageToken } = JSON.parse(body);
    return `${locationRestriction.rectangle.low.latitude} ${pageToken ?? ''}`;
  });
const countRepeated = () => fake.requests.length - new Set(listRequests()).size;

/** Each call was counted once, in the month and in its district, and none was made twice. */
async function expectPaidOnce(expected: number) {
  expect(countRepeated()).toBe(0);
  expect(fake.requests).toHaveLength(expected);
  expect(await readUsage()).toBe(expected);
  const { rows } = await t.db.execute(sql`select sum(calls)::int as calls from sweep_districts`);
  expect(rows).toEqual([{ calls: expected }]);
  expect(await t.db.$count(sweepResponses)).toBe(0);
}

test('the estimate says how many calls are paid, and what is left of the cap', async () => {
  await t.db.insert(placesUsage).values({ month: new Date().toISOString().slice(0, 7), calls: 870 });
  const { body } = await t.request(admin, calls.estimateSweep, { body: { places: ['WF'] } });
  expect(body).toMatchObject({
    provider: 'google',
    districts: 17,
    calls: 51,
    paidCalls: 51,
    quota: { cap: 900, used: 870, left: 30 },
    daily: null,
  });
  expect(fake.requests).toEqual([]);
});

test('all pages of each district are paid once, and neighbours find the same businesses', async () => {
  const sweep = await runSweepToEnd(t, admin, bakeries('LS1', 'LS2'));
  expect(sweep).toMatchObject({ state: 'done', calls: 2 * PAGES, districts: { done: 2 } });
  expect(sweep.found).toBeGreaterThan(sweep.results);
  await expectPaidOnce(2 * PAGES);
  const { body } = await t.request(admin, calls.listSweepResults, withId(sweep.id));
  expect(new Set(body.items.map(({ businessId }) => businessId)).size).toBe(body.items.length);
  expect(body.counts.closed).toBe(1);
  // 70 match, and Google returns 60.
  const districts = await t.request(admin, calls.listSweepDistricts, withId(sweep.id));
  expect(districts.body.items).toMatchObject([{ more: true }, { more: true }]);
});

test('a sweep stops at the cap in the middle of a district, and goes on after the cap is raised', async () => {
  const capped = await startApp({ PLACES_MONTHLY_REQUEST_CAP: '5' });
  const stopped = await runSweepToEnd(capped, admin, bakeries('LS1', 'LS2', 'LS3'));
  expect(stopped).toMatchObject({
    state: 'stopped',
    canContinue: true,
    message: 'Stopped at the cap: 1 of 3 districts done. Continue next month, or after the cap is raised.',
    calls: 5,
    districts: { total: 3, done: 1, failed: 0 },
  });
  expect(await readUsage()).toBe(5);
  // Nothing changes while the cap is the same.
  expect(await continueToEnd(capped, admin, stopped.id)).toMatchObject({ state: 'stopped', calls: 5 });
  await capped.close();

  const done = await continueToEnd(t, admin, stopped.id);
  expect(done).toMatchObject({ state: 'done', message: null, calls: 3 * PAGES, districts: { done: 3 } });
  await expectPaidOnce(3 * PAGES);
});

test('with a cap of 0 no call is made', async () => {
  const capped = await startApp({ PLACES_MONTHLY_REQUEST_CAP: '0' });
  const stopped = await runSweepToEnd(capped, admin, bakeries('LS1'));
  expect(stopped.message).toMatch(/^Stopped at the cap: 0 of 1 districts done/);
  expect(fake.requests).toEqual([]);
  await capped.close();
});

test('page tokens that are outdated when a sweep goes on start the district again', async () => {
  const capped = await startApp({ PLACES_MONTHLY_REQUEST_CAP: '1' });
  const { id } = await runSweepToEnd(capped, admin, bakeries('LS1'));
  await capped.close();
  let refused = 0;
  fake.overrideResponses(({ body }) => {
    if (!JSON.parse(body).pageToken || refused) return undefined;
    refused += 1;
    return fault(400, 'INVALID_ARGUMENT', 'The page token is expired.');
  });
  expect(await continueToEnd(t, admin, id)).toMatchObject({ state: 'done', districts: { done: 1 } });
  expect(refused).toBe(1);
});

test('a district with fewer matches than Google returns is not marked', async () => {
  const sweep = await runSweepToEnd(t, admin, { ...bakeries('LS1'), keyword: 'mill' });
  const { body } = await t.request(admin, calls.listSweepDistricts, withId(sweep.id));
  expect(body.items).toMatchObject([{ state: 'done', more: false }]);
});

describe('a fault in the middle', () => {
  const down = { status: 503, body: '<html>Service Unavailable</html>' };
  /** Fails the second page of the second district as often. */
  const failSecondPage = (times: number) => {
    let failed = 0;
    fake.overrideResponses(({ body }) => {
      const { pageToken } = JSON.parse(body);
      if (!pageToken || failed === times || fake.requests.length <= PAGES + 1) return undefined;
      failed += 1;
      return down;
    });
  };

  test('is retried, without paying the page before again', async () => {
    failSecondPage(2); // the call and its repetition
    const sweep = await runSweepToEnd(t, admin, bakeries('LS1', 'LS2'));
    expect(sweep).toMatchObject({ state: 'done', districts: { done: 2, failed: 0 }, calls: 2 * PAGES + 2 });
    expect(countRepeated()).toBe(2);
    expect(await readUsage()).toBe(2 * PAGES + 2);
  });

  test('that stays fails the district; the others are searched, and it can be repeated', async () => {
    failSecondPage(4);
    const sweep = await runSweepToEnd(t, admin, bakeries('LS1', 'LS2', 'LS3'));
    expect(sweep).toMatchObject({
      state: 'done',
      canContinue: true,
      message: '2 of 3 districts done, 1 failed. Continue to repeat them.',
      districts: { total: 3, done: 2, failed: 1 },
    });
    const { body } = await t.request(admin, calls.listSweepDistricts, {
      ...withId(sweep.id),
      query: { state: 'failed' },
    });
    expect(body.items).toMatchObject([{ code: 'LS2', error: 'The Places API of Google failed. Please try again.' }]);

    fake.requests.length = 0;
    expect(await continueToEnd(t, admin, sweep.id)).toMatchObject({ state: 'done', districts: { done: 3, failed: 0 } });
    expect(fake.requests).toHaveLength(PAGES - 1); // the first page is kept
  });

  test('in district after district stops the sweep', async () => {
    fake.overrideResponses(() => down);
    const sweep = await runSweepToEnd(t, admin, bakeries('LS'));
    expect(sweep).toMatchObject({ state: 'stopped', canContinue: true, districts: { total: 29, done: 0, failed: 3 } });
    expect(sweep.message).toBe('The Places API of Google failed. Please try again: 0 of 29 districts done.');
  });

  test('of the key stops the sweep at once; without a key none starts', async () => {
    const refused = await startApp({ GOOGLE_MAPS_API_KEY: 'disabled-key' });
    const sweep = await runSweepToEnd(refused, admin, bakeries('LS1', 'LS2'));
    expect(sweep).toMatchObject({ state: 'stopped', calls: 1, districts: { done: 0, failed: 0 } });
    expect(sweep.message).toMatch(/REQUEST_DENIED\): 0 of 2 districts done/);
    await refused.close();

    const keyless = await startApp({ GOOGLE_MAPS_API_KEY: '' });
    const started = await keyless.request(admin, calls.startSweep, { body: bakeries('LS1') });
    expect(started).toMatchObject({ status: 503, body: { code: 'api_key_missing' } });
    const { body } = await keyless.request(admin, calls.estimateSweep, { body: { places: ['LS1'] } });
    expect(body.notReady).toMatch(/API key/);
    await keyless.close();
  });
});

describe('a sweep in the middle of a call', () => {
  /** Starts a sweep, and waits until the fake has the request for the second page, to which it does not respond. */
  async function startAndHold(app: TestApp) {
    let release = () => {};
    fake.overrideResponses(({ body }) => {
      if (JSON.parse(body).pageToken) return undefined;
      release = fake.hold(); // the next request
      return undefined;
    });
    const id = await startSweep(app, admin, bakeries('LS1', 'LS2'));
    await expect.poll(() => fake.requests.length, { timeout: 10_000, interval: 5 }).toBe(2);
    return { id, release: () => release() };
  }

  test('is paused after the call, and continued without paying for it again', async () => {
    const { id, release } = await startAndHold(t);
    const pausing = await t.request(admin, calls.pauseSweep, withId(id));
    expect(pausing.body).toMatchObject({ state: 'running', stopping: true });
    fake.overrideResponses(() => undefined);
    release();
    expect(await waitForSweep(t, admin, id)).toMatchObject({
      ...{ state: 'paused', message: null, canContinue: true, stopping: false },
      districts: { done: 0 },
    });
    expect(fake.requests).toHaveLength(2);
    expect(await continueToEnd(t, admin, id)).toMatchObject({ state: 'done', districts: { done: 2 } });
    await expectPaidOnce(2 * PAGES);
  });

  test('is cancelled from another process, which can neither run it nor start another', async () => {
    const other = await startApp();
    const { id, release } = await startAndHold(t);
    const second = await other.request(admin, calls.startSweep, { body: bakeries('WF') });
    expect(second).toMatchObject({ status: 409, body: { code: 'sweep_running' } });
    const continued = await other.request(admin, calls.continueSweep, withId(id));
    expect(continued).toMatchObject({ status: 409, body: { code: 'sweep_not_ready' } });
    expect((await other.request(admin, calls.cancelSweep, withId(id))).body).toMatchObject({ stopping: true });
    fake.overrideResponses(() => undefined);
    release();
    // The process that runs it reads the request before its next call.
    expect(await waitForSweep(other, admin, id)).toMatchObject({ state: 'cancelled', canContinue: false });
    expect(fake.requests).toHaveLength(2);
    await other.close();
  });

  test('is left by a shutdown, and another process goes on with it without paying again', async () => {
    const stopping = await startApp();
    const { id, release } = await startAndHold(stopping);
    const closed = stopping.close();
    fake.overrideResponses(() => undefined);
    release();
    await closed;
    expect((await t.request(admin, calls.getSweep, withId(id))).body).toMatchObject({ state: 'running', calls: 2 });
    expect(await waitForSweep(t, admin, id)).toMatchObject({ state: 'done', districts: { done: 2 } });
    await expectPaidOnce(2 * PAGES);
  });

  test('makes no further call once the connection is lost that holds its job, and goes on without paying again', async () => {
    const { id, release } = await startAndHold(t);
    await t.db.execute(sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and state = 'idle in transaction'`);
    fake.overrideResponses(() => undefined);
    release();
    const readTries = async () => (await t.db.select().from(jobs).where(eq(jobs.id, id)))[0]?.tries;
    await expect.poll(readTries, { timeout: 20_000 }).toBe(1);
    expect(fake.requests).toHaveLength(2);
    const { body } = await t.request(admin, calls.getSweep, withId(id));
    expect(body).toMatchObject({ state: 'running', calls: 2, districts: { done: 0, failed: 0 } });
    await wakeJob(t.db, id);
    expect(await waitForSweep(t, admin, id)).toMatchObject({ state: 'done', districts: { done: 2 } });
    await expectPaidOnce(2 * PAGES);
  });

  test('is run by one of several processes', async () => {
    const others = [await startApp(), await startApp()];
    const { id, release } = await startAndHold(t);
    await Promise.all(others.map(({ app }) => app.jobs.run()));
    expect(fake.requests, 'its step is under way').toHaveLength(2);
    fake.overrideResponses(() => undefined);
    release();
    const waiting = [t, ...others].map((app) => waitForSweep(app, admin, id));
    for (const sweep of await Promise.all(waiting))
      expect(sweep).toMatchObject({ state: 'done', districts: { done: 2 } });
    await expectPaidOnce(2 * PAGES);
    for (const other of others) await other.close();
  });

  test('that waits for its next try is paused at once', async () => {
    fake.overrideResponses(() => ({ status: 503, body: '<html>Service Unavailable</html>' }));
    const id = await startSweep(t, admin, bakeries('LS1'));
    await t.app.jobs.run();
    await t.db
      .update(jobs)
      .set({ runAt: new Date(Date.now() + 60_000).toISOString() })
      .where(eq(jobs.id, id));
    await t.request(admin, calls.pauseSweep, withId(id));
    expect(await waitForSweep(t, admin, id)).toMatchObject({ state: 'paused', stopping: false, canContinue: true });
    expect(await t.db.$count(jobs, eq(jobs.id, id))).toBe(0);
  });

  test('is continued by one of ten requests at once', async () => {
    const { id, release } = await startAndHold(t);
    await t.request(admin, calls.pauseSweep, withId(id));
    fake.overrideResponses(() => undefined);
    release();
    await waitForSweep(t, admin, id);
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => t.request(admin, calls.continueSweep, withId(id))),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await waitForSweep(t, admin, id)).toMatchObject({ state: 'done', districts: { done: 2 } });
    await expectPaidOnce(2 * PAGES);
  });
});

test('a response with characters that a database refuses is kept all the same', async () => {
  fake.overrideResponses(() => ({ status: 200, body: '{"places":[],"note":"a\\u0000b \\ud83d"}' }));
  expect(await runSweepToEnd(t, admin, bakeries('LS1'))).toMatchObject({ state: 'done', districts: { done: 1 } });
});

test('the key is neither stored nor shown', async () => {
  await runSweepToEnd(t, admin, bakeries('LS1'));
  const { rows } = await t.db.execute(sql`select sweeps::text as text from sweeps`);
  expect(JSON.stringify(rows) + t.lines.join()).not.toMatch(/secret-key/);
});
