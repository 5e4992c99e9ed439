import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Refusal } from '#contract/errors.ts';
import type { Step } from '#server/jobs/job-kind.ts';
import { STOPPED_EARLY } from '#server/places/notices.ts';
import { providerTimeout, quotaExceeded } from '#server/places/refusals.ts';
import type { Places } from '#server/places/search-places.ts';
import { findDistrict, type UkDistrict } from '#server/places/uk-districts.ts';
import { sweeps } from '#server/schema/sweeps.ts';
import { type TestApp, testApp } from '#server/testing/test-app.ts';
import { sweepJob } from './sweep-job.ts';
import { findSweep, insertSweep } from './sweeps.sql.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

/** A sweep over two districts with a provider that throws these errors, one for each search, and then finds nothing. */
const runWith = (...errors: Refusal[]) =>
  runOver(['LS1', 'LS2'], () => {
    const error = errors.shift();
    if (error) throw error;
    return [];
  });

/** A sweep over these districts with a provider that finds nothing and has these notices. */
async function runOver(codes: string[], search: () => string[]) {
  const id = randomUUID();
  const districts = codes.map((code) => findDistrict(code) as UkDistrict);
  const values = { id, businessType: 'Bakery', places: codes, provider: 'osm', state: 'running' } as const;
  await insertSweep(t.db, values, districts);
  const searched: string[] = [];
  const places = {
    provider: 'osm',
    cost: { paid: false, callsPerSearch: 1, secondsPerSearch: 1, callsPerDay: null },
    searchDistrict: async ({ district }: { district: UkDistrict }) => {
      searched.push(district.code);
      return { places: [], attributions: [], notices: search(), sample: false };
    },
  } as unknown as Places;
  const waits: number[] = [];
  const { signal: closing } = new AbortController();
  const { step } = sweepJob({ db: t.db, places, clock: () => new Date(), closing });
  for (let done: Step<unknown> = { input: {} }; !done.end; ) {
    const { input } = done;
    done = await t.db.transaction((tx) => step(tx, { id, input } as never));
    if (done.pauseMs) waits.push(done.pauseMs);
  }
  const sweep = await findSweep(t.db, id);
  await t.db.delete(sweeps);
  return { sweep, searched, waits };
}

test('a quota of the provider is waited for as long as it says, three times', async () => {
  const { sweep, searched, waits } = await runWith(quotaExceeded(30), quotaExceeded(60));
  expect(sweep).toMatchObject({ state: 'done', districts: { done: 2 } });
  expect(searched).toEqual(['LS1', 'LS1', 'LS1', 'LS2']);
  expect(waits).toEqual([30_000, 60_000]);

  const stopped = await runWith(quotaExceeded(30), quotaExceeded(30), quotaExceeded(30), quotaExceeded(30));
  expect(stopped.waits).toEqual([30_000, 30_000, 30_000]);
  expect(stopped.sweep).toMatchObject({ state: 'stopped', districts: { done: 0, failed: 0 }, canContinue: true });
  expect(stopped.sweep?.message).toMatch(/OVER_QUERY_LIMIT.*: 0 of 2 districts done/);
});

test('a time-out is tried once more, then the district has failed', async () => {
  const { sweep, searched, waits } = await runWith(providerTimeout('OpenStreetMap'), providerTimeout('OpenStreetMap'));
  expect(sweep).toMatchObject({ state: 'done', districts: { done: 1, failed: 1 }, canContinue: true });
  expect(searched).toEqual(['LS1', 'LS1', 'LS2']);
  expect(waits).toEqual([2_000]);
});

test('districts that are cut off, one after the other, do not stop a sweep: the provider is not down', async () => {
  const { sweep, searched } = await runOver(['LS1', 'LS2', 'LS3', 'LS4'], () => [STOPPED_EARLY]);
  expect(sweep).toMatchObject({ state: 'done', districts: { done: 0, failed: 4 }, canContinue: true });
  expect(searched).toEqual(['LS1', 'LS1', 'LS2', 'LS2', 'LS3', 'LS3', 'LS4', 'LS4']);
});
