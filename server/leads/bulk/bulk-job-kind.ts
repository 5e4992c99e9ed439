import type { BulkAction, BulkJob, StoredBulkAction } from '#contract/leads/bulk/bulk-job.ts';
import { audit } from '#server/audit/audit.ts';
import { recordBatch } from '#server/change-log/record-changes.ts';
import { defineJob } from '#server/jobs/job-kind.ts';
import { type JobRecord, type LockedJob, requireJobViewer, toJob } from '#server/jobs/jobs.sql.ts';
import type { Clock } from '#server/kit/clock.ts';
import { applyToPermitted } from './apply-to-permitted.ts';
import { CHANGE_KIND, prepareAction, requireApplicable } from './bulk-actions.ts';

export const BULK = 'bulk';

/** Only the first different reasons are kept. */
const MAX_REASONS = 3;

/** A bulk action, on leads that were chosen when it was started. All its steps are one batch of changes. */
export const bulkJobKind = (clock: Clock) =>
  defineJob<StoredBulkAction>({
    kind: BULK,
    canCancel: true,
    step: async (tx, job) => {
      const now = clock();
      const viewer = await requireJobViewer(tx, job);
      const { ids, action } = nextStep(job);
      await requireApplicable(tx, action, now);
      const batch = { id: job.id, kind: CHANGE_KIND[job.input.verb], source: 'bulk', userId: viewer.id, now } as const;
      const { results } = await recordBatch(tx, batch, (log) => {
        const context = { viewer, ip: job.ip ?? '', now, log, merged: true };
        return applyToPermitted(tx, { ids, viewer }, prepareAction(tx, action, context));
      });
      const done = job.done + ids.length;
      return {
        done,
        success: job.success + results.success,
        failed: job.failed + results.failed,
        reasons: [...new Set([...job.reasons, ...results.errors.map(({ message }) => message)])].slice(0, MAX_REASONS),
        end: done >= job.total,
      };
    },
    onEnd: async (tx, { userId, ip, input: { verb }, success, failed }) =>
      audit(tx, { event: 'bulk_action', actorId: userId, ip: ip ?? '', details: { verb, success, failed } }),
  });

type LockedBulkJob = LockedJob & { input: StoredBulkAction };

/** The leads of a distribution are in the order of its users; a step has those of one. */
function nextStep({ input, done, nextIds }: LockedBulkJob): { ids: number[]; action: BulkAction } {
  if (input.verb !== 'distribute') return { ids: nextIds, action: input };
  let end = 0;
  for (const { userId, share } of input.shares) {
    end += share;
    if (done < end) return { ids: nextIds.slice(0, end - done), action: { verb: 'reassign', newUserId: userId } };
  }
  throw new Error(`No user gets lead ${done} of a distribution`);
}

/** As the API shows it. */
export const toBulkJob = (job: JobRecord): BulkJob => ({
  ...toJob(job),
  verb: (job.input as StoredBulkAction).verb, // only bulkJobRoutes starts jobs of this kind
});
