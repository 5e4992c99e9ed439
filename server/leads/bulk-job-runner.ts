import { Refusal } from '#contract/errors.ts';
import type { BulkAction } from '#contract/leads/bulk-job.ts';
import { audit } from '#server/audit/audit.ts';
import { recordBatch } from '#server/change-log/record-changes.ts';
import type { Clock } from '#server/kit/clock.ts';
import type { Db } from '#server/kit/db/db.ts';
import { classifyFault } from '#server/kit/db/faults.ts';
import { toRefusal, UNEXPECTED } from '#server/kit/http/errors.ts';
import type { Logger } from '#server/kit/log.ts';
import { createPeriodicJob } from '#server/kit/periodic-job.ts';
import { applyToPermitted } from './bulk.ts';
import { CHANGE_KIND, prepareAction, requireApplicable } from './bulk-actions.ts';
import { type BulkJobRecord, findJobViewer, lockNextJob, lockOwnJob, pauseJob, updateJob } from './bulk-jobs.sql.ts';

/** How soon a job goes on whose process has ended. */
const INTERVAL_MS = 5_000;
/** Of one step, over about half an hour. */
const MAX_TRIES = 10;
/** Only the first different reasons are kept. */
const MAX_REASONS = 3;

interface Options {
  db: Db;
  clock: Clock;
  log: Logger;
}

/** Runs bulk jobs, one step of each in turn. Every process runs it, and continues the jobs of one that has ended. */
export const createBulkJobRunner = (options: Options) =>
  createPeriodicJob({
    intervalMs: INTERVAL_MS,
    work: async (stopping) => {
      while (!stopping() && (await runNextStep(options)));
    },
    onError: (error) => options.log.warn({ err: error }, 'a bulk action was interrupted, will go on'),
  });

type LockedJob = NonNullable<Awaited<ReturnType<typeof lockNextJob>>>;

/** False if there is no job to run. A job that fails does not stop the others. */
async function runNextStep({ db, clock, log }: Options): Promise<boolean> {
  const current: { job?: LockedJob | undefined } = {};
  try {
    await db.transaction(async (tx) => {
      current.job = await lockNextJob(tx);
      if (current.job) await runStep(tx, current.job, clock());
    });
  } catch (error) {
    const { job } = current;
    // No job can go on while there is no room; none of them is to blame.
    if (!job || classifyFault(error).kind === 'full') throw error;
    if (!(error instanceof Refusal)) log.warn({ err: error, tries: job.tries + 1 }, 'a step of a bulk action failed');
    await db.transaction((tx) => recordFailure(tx, job, error));
  }
  return current.job !== undefined;
}

/** Pauses the job whose step failed, or ends it with a reason for its user. */
async function recordFailure(tx: Db, { id, userId, done }: LockedJob, error: unknown) {
  const job = await lockOwnJob(tx, id, userId);
  if (job?.done !== done) return; // another process has gone on with it
  if (error instanceof Refusal) return endJob(tx, { ...job, state: 'stopped', message: error.message });
  if (job.tries + 1 < MAX_TRIES) return pauseJob(tx, job);
  const { message } = toRefusal(error) ?? UNEXPECTED;
  return endJob(tx, { ...job, state: 'stopped', message: `It failed ${MAX_TRIES} times. ${message}` });
}

/** Applies the action to the next leads and saves the progress, in one transaction. */
async function runStep(tx: Db, job: LockedJob, now: Date) {
  const viewer = await findJobViewer(tx, job.userId);
  if (!viewer) throw new Refusal('account_inactive', 'The account is no longer active');
  const { ids, action } = nextStep(job);
  await requireApplicable(tx, action, now);
  const batch = { id: job.id, kind: CHANGE_KIND[job.action.verb], source: 'bulk', userId: viewer.id, now } as const;
  const { results } = await recordBatch(tx, batch, (log) =>
    applyToPermitted(tx, { ids, viewer }, prepareAction(tx, action, { viewer, ip: job.ip, now, log, merged: true })),
  );
  const progress = {
    done: job.done + ids.length,
    success: job.success + results.success,
    failed: job.failed + results.failed,
    reasons: [...new Set([...job.reasons, ...results.errors.map(({ message }) => message)])].slice(0, MAX_REASONS),
  };
  if (progress.done < job.total) await updateJob(tx, job.id, progress);
  else await endJob(tx, { ...job, ...progress, state: 'done' });
}

/** The leads of a distribution are in the order of its users; a step has those of one. */
function nextStep({ action, done, nextIds }: LockedJob): { ids: number[]; action: BulkAction } {
  if (action.verb !== 'distribute') return { ids: nextIds, action };
  let end = 0;
  for (const { userId, share } of action.shares) {
    end += share;
    if (done < end) return { ids: nextIds.slice(0, end - done), action: { verb: 'reassign', newUserId: userId } };
  }
  throw new Error(`No user gets lead ${done} of a distribution`);
}

/** Ends a job in its state, unless it has ended, and audits it. */
export async function endJob(tx: Db, job: BulkJobRecord): Promise<void> {
  const { id, userId, ip, action, done, success, failed, reasons, state, message } = job;
  if (!(await updateJob(tx, id, { done, success, failed, reasons, state, message }))) return;
  await audit(tx, { event: 'bulk_action', actorId: userId, ip, details: { verb: action.verb, success, failed } });
}
