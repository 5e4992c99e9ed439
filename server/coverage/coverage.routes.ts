import { setTimeout } from 'node:timers/promises';
import * as calls from '#contract/coverage/coverage.calls.ts';
import { type CoverageFigures, canSeeCoverage } from '#contract/coverage/coverage.calls.ts';
import { Refusal } from '#contract/errors.ts';
import type { App, Deps } from '#server/deps.ts';
import { readDistrictSearches } from '#server/districts/district-searches.sql.ts';
import { serve } from '#server/kit/http/serve.ts';
import { findDistrict } from '#server/places/uk-districts.ts';
import { requireUser } from '#server/users/account-rules.ts';
import { STEPS } from './count-figures.sql.ts';
import { readFigures, readRefresh, requestRefresh } from './coverage.sql.ts';
import { COVERAGE, findCounting, startCounting } from './coverage-job.ts';

/** Figures are counted again when they are this many times older than counting them took: at most a thirtieth of the time. */
const MAX_AGE_IN_REFRESHES = 30;
/** A small team's figures are counted within this, so that they are always current. */
const WAIT_MS = 150;

const NONE: CoverageFigures = { known: 0, leads: 0, contacted: 0, won: 0, customers: 0 };

export function coverageRoutes(app: App, { db, guard, clock, jobs }: Deps) {
  serve(app, guard, calls.getCoverage, async ({ viewer, query: { type, userId } }) => {
    if (!canSeeCoverage(viewer, userId)) throw new Refusal('forbidden', 'You can see your own coverage only');
    if (userId !== undefined) await requireUser(db, userId);
    await refreshIfOld();
    const [figures, searches, { refreshedAt }, counting] = [
      await readFigures(db, type, userId),
      await readDistrictSearches(db, type),
      await readRefresh(db),
      await findCounting(db),
    ];
    const known = new Map(figures.filter(({ district }) => findDistrict(district)).map((row) => [row.district, row]));
    const codes = [...new Set([...known.keys(), ...searches.keys()])].sort();
    return {
      districts: codes.map((district) => ({
        ...NONE,
        ...known.get(district),
        district,
        searchedAt: searches.get(district) ?? null,
      })),
      elsewhere: sum(figures.filter(({ district }) => !known.has(district))),
      refreshedAt: refreshedAt?.toISOString() ?? null,
      refreshing: counting ?? (refreshedAt ? null : { done: 0, total: STEPS }),
    };
  });

  serve(app, guard, calls.refreshCoverage, async () => {
    if (!(await findCounting(db)) && !(await requestRefresh(db, clock()))) {
      return { message: 'The figures were counted less than a minute ago' };
    }
    await count();
    return { message: 'The figures are being counted' };
  });

  async function count() {
    await startCounting(db);
    await atMost(WAIT_MS, jobs.run(COVERAGE));
  }

  async function refreshIfOld() {
    const { refreshedAt, tookMs } = await readRefresh(db);
    const ageMs = refreshedAt ? clock().getTime() - refreshedAt.getTime() : Number.POSITIVE_INFINITY;
    if (ageMs > tookMs * MAX_AGE_IN_REFRESHES) await count();
  }
}

const atMost = (ms: number, work: Promise<void>) => Promise.race([work, setTimeout(ms, undefined, { ref: false })]);

const sum = (rows: CoverageFigures[]): CoverageFigures =>
  rows.reduce(
    (total, row) => ({
      known: total.known + row.known,
      leads: total.leads + row.leads,
      contacted: total.contacted + row.contacted,
      won: total.won + row.won,
      customers: total.customers + row.customers,
    }),
    NONE,
  );
