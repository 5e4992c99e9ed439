import type { SweepAssignment } from '#contract/sweeps/sweep.ts';
import { recordBatch } from '#server/change-log/record-changes.ts';
import { defineJob } from '#server/jobs/job-kind.ts';
import { requireJobViewer } from '#server/jobs/jobs.sql.ts';
import type { Clock } from '#server/kit/clock.ts';
import type { Env } from '#server/kit/env.ts';
import { assignResults, compareNext } from './assign-results.ts';

export const ASSIGN_RESULTS = 'assign-results';

export interface ResultsToAssign {
  sweepId: string;
  assignment: SweepAssignment;
  businessIds?: number[] | undefined;
}

/** Assigns what the first step has left, as the same batch. */
export const assignResultsJob = (clock: Clock, { timeZone }: Pick<Env, 'timeZone'>) =>
  defineJob<ResultsToAssign>({
    kind: ASSIGN_RESULTS,
    canCancel: true,
    step: async (tx, { id, userId, ip, input, total }) => {
      const viewer = await requireJobViewer(tx, { userId });
      const { sweepId, assignment, businessIds } = input;
      const now = clock();
      const compared = await compareNext(tx, sweepId, businessIds);
      const batch = { id, kind: 'assign', source: 'assignment', userId: viewer.id, now } as const;
      const { assigned, left } = await recordBatch(tx, batch, (log) =>
        assignResults(tx, sweepId, { assignment, businessIds, compared, viewer, ip: ip ?? '', log, now, timeZone }),
      );
      return { done: Math.max(0, total - left), success: assigned, end: left === 0 };
    },
  });
