import { sql } from 'drizzle-orm';
import { defineJob } from '#server/jobs/job-kind.ts';
import { findOwnJob, insertOwnJobs } from '#server/jobs/jobs.sql.ts';
import type { Clock } from '#server/kit/clock.ts';
import type { Db } from '#server/kit/db/db.ts';
import { countFigures, STEPS } from './count-figures.sql.ts';
import { finishRefresh } from './coverage.sql.ts';

export const COVERAGE = 'coverage';

interface Counting {
  startedAt?: string;
  nextStep?: number;
}

/** Counts the coverage, one part of the postcodes in a step. */
export const coverageJob = (clock: Clock) =>
  defineJob<Counting>({
    kind: COVERAGE,
    step: async (tx, { input: { startedAt = clock().toISOString(), nextStep = 0 } }) => {
      // What has no postcode is one step, however much that is. Less than the driver's limit, after which it would go on unseen.
      await tx.execute(sql`set local statement_timeout = '60s'`);
      await countFigures(tx, nextStep);
      if (nextStep + 1 < STEPS) return { input: { startedAt, nextStep: nextStep + 1 } };
      await finishRefresh(tx, { startedAt: new Date(startedAt), now: clock() });
      return { end: true };
    },
  });

/** Unless it is running. */
export const startCounting = (db: Db) => insertOwnJobs(db, [COVERAGE]);

/** How far counting is; undefined while it does not run. */
export async function findCounting(db: Db): Promise<{ done: number; total: number } | undefined> {
  const job = await findOwnJob(db, COVERAGE);
  return job && { done: (job.input as Counting).nextStep ?? 0, total: STEPS };
}
