import type { Pool } from 'pg';
import { getCoverage } from '#contract/coverage/coverage.calls.ts';
import { STEPS } from '#server/coverage/count-figures.sql.ts';
import { coverageJob } from '#server/coverage/coverage-job.ts';
import { loadSample } from '#server/places/sample/load-sample.ts';
import { UK_DISTRICTS } from '#server/places/uk-districts.ts';
import { callAll, milliseconds, toRequest } from '../measure/callers.ts';
import { withCleanup } from '../measure/cleanup.ts';
import { startDatabase, withoutTimeout } from '../measure/database.ts';
import { dropIndexes, generateLeads, STEP } from '../measure/generate-leads.ts';
import { startProduct } from '../measure/product.ts';
import type { Bench } from '../measure/results.ts';
import { formatNumber, formatTimes, markdownTable } from '../measure/statistics.ts';
import { createAdmin } from '../measure/users.ts';
import { multiplyPlaces } from './places.ts';

const ROUNDS = 20;
const LIMIT_MS = 300;

/** The figures of all districts, and counting them. */
export const coverageBench: Bench = {
  title: 'Coverage',
  run: ([leads = '1000000', places = leads]) =>
    withCleanup(async (defer) => {
      const { database, pool, env } = await startDatabase(defer);
      const { busyUserId: userId } = await generateLeads(pool, Number(leads));
      await addDistricts(pool, Number(leads));
      await loadSample(database.db);
      await multiplyPlaces(pool, Number(places));
      const steps: number[] = [];
      // As the job does, so that the calls below find current figures.
      const { step } = coverageJob(() => new Date());
      let input: unknown = {};
      for (let nth = 0; nth < STEPS; nth += 1) {
        const count = async () => {
          const { input: next } = await database.db.transaction((tx) => step(tx, { input } as never));
          input = next;
        };
        steps.push(await milliseconds(count));
      }
      const admin = await createAdmin(pool);
      const { url } = await startProduct(defer, { env });
      const rows = [[`counting, ${STEPS} steps`, formatTimes(steps, 0)]];
      for (const query of [{}, { userId }, { type: 'Restaurant' }, { type: 'Restaurant', userId }]) {
        const requests = Array.from({ length: ROUNDS }, () => toRequest(admin, getCoverage, { query }));
        const times = await callAll(url, 1, requests);
        const name = `${query.type ?? 'all types'}, ${query.userId ? 'a user with one lead in twenty' : 'the whole team'}`;
        rows.push([name, `${formatTimes(times, 1)}${Math.max(...times) > LIMIT_MS ? ' (FAIL)' : ''}`]);
      }
      const size = `${formatNumber(Number(leads))} leads, ${formatNumber(Number(places))} places; the limit is ${LIMIT_MS} ms`;
      return { text: markdownTable([size, 'median / 95% / max'], rows), ratios: {} };
    }),
};

/** Spreads the businesses evenly over all districts, and gives them types: generated ones have none. */
const addDistricts = (pool: Pool, leads: number) =>
  withoutTimeout(pool, async (client) => {
    const codes = UK_DISTRICTS.map(({ code }) => code);
    const types = ['restaurant', 'cafe', 'pub', 'bakery', 'hair_salon', 'plumbing', 'florist', 'dentist'];
    const createIndexes = await dropIndexes(client);
    for (let from = 0; from <= leads; from += STEP) {
      await client.query(
        `update businesses set formatted_address = id % 300 || ' High Street, ' || town || ' ' ||
           ($1::text[])[1 + abs(hashint4(id)) % $2] || ' 1AA', types = array[($3::text[])[1 + id % 8], 'business']
         where id > $4 and id <= $4 + $5`,
        [codes, codes.length, types, from, STEP],
      );
    }
    await createIndexes();
    await client.query('vacuum analyze businesses');
  });
