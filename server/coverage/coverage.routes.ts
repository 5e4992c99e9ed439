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
import type { CoverageJob } from './coverage-job.ts';

/** Figures are counted again when they are this many times older than counting them took: at most a thirtieth of the time. */
const MAX_AGE_IN_REFRESHES = 30;
/** A small team's figures are counted within this, so that they are always current. */
const WAIT_MS = 150;

const NONE: CoverageFigures = { known: 0, leads: 0, contacted: 0, won: 0, customers: 0 };

export function coverageRoutes(app: App, { db, guard, clock, job }: Deps & { job: CoverageJob }) {
  serve(app, guard, calls.getCoverage, async ({ viewer, query: { type, userId } }) => {
    if (!canSeeCoverage(viewer, userId)) throw new Refusal('forbidden', 'You can see your own coverage only');
    if (userId !== undefined) await requireUser(db, userId);
    await refreshIfOld();
    const [figures, searches, { refreshedAt, startedAt, nextStep }] = [
      await readFigures(db, type, userId),
      await readDistrictSearches(db, type),
      await readRefresh(db),
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
      // Another process may be at it, and the first step is not yet written while it runs.
      refreshing: startedAt || !refreshedAt || job.isRunning() ? { done: nextStep, total: STEPS } : null,
    };
  });

  serve(app, guard, calls.refreshCoverage, async () => {
    if (!job.isRunning() && !(await requestRefresh(db, clock()))) {
      return { message: 'The figures were counted less than a minute ago' };
    }
    await atMost(WAIT_MS, job.run());
    return { message: 'The figures are being counted' };
  });

  async function refreshIfOld() {
    const { refreshedAt, tookMs, startedAt } = await readRefresh(db);
    const ageMs = refreshedAt ? clock().getTime() - refreshedAt.getTime() : Number.POSITIVE_INFINITY;
    if (startedAt || ageMs > tookMs * MAX_AGE_IN_REFRESHES) await atMost(WAIT_MS, job.run());
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
