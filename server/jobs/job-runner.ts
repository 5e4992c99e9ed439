import { setTimeout as wait } from 'node:timers/promises';
import { Refusal } from '#contract/errors.ts';
import type { Db } from '#server/kit/db/db.ts';
import { classifyFault } from '#server/kit/db/faults.ts';
import { toRefusal, UNEXPECTED } from '#server/kit/http/errors.ts';
import type { Logger } from '#server/kit/log.ts';
import type { JobKind, Step } from './job-kind.ts';
import { createLane } from './job-lane.ts';
import {
  deleteJob,
  findJob,
  type JobRecord,
  type LockedJob,
  lockJob,
  lockNextJob,
  pauseJob,
  updateJob,
} from './jobs.sql.ts';

/** A short step of another process, and one that may take half a minute. */
const MIN_PAUSE_MS = 200;
const MIN_LONG_PAUSE_MS = 1_000;
const POLL_MS = 100;
/** Of one step, over about half an hour. */
const MAX_TRIES = 10;

interface Options {
  db: Db;
  log: Logger;
  kinds: JobKind[];
}

export type JobRunner = ReturnType<typeof createJobRunner>;

/**
 * Runs jobs, one step of each in turn, and those with long steps beside them. A step is one transaction, which holds the
 * row of its job: every process runs this, none does a step that another one does, and what a killed process left is
 * continued by any other.
 */
export function createJobRunner({ db, log, kinds }: Options) {
  const byName = new Map(kinds.map((kind) => [kind.kind, kind]));
  const repeated = kinds.filter(({ everyMs }) => everyMs !== undefined).map(({ kind }) => kind);
  const inTurn = createLane({
    ...{ db, log, repeated, runNextStep, minPauseMs: MIN_PAUSE_MS },
    kinds: kinds.filter(({ longSteps }) => !longSteps).map(({ kind }) => kind),
  });
  const besides = new Map(
    kinds
      .filter(({ longSteps }) => longSteps)
      .map(({ kind }) => [
        kind,
        createLane({ db, log, kinds: [kind], repeated: [], runNextStep, minPauseMs: MIN_LONG_PAUSE_MS }),
      ]),
  );
  const lanes = [inTurn, ...besides.values()];

  /** False if no job is due. A job that fails does not stop the others. */
  async function runNextStep(names: string[]): Promise<boolean> {
    const current: { job?: LockedJob | undefined } = {};
    try {
      await db.transaction(async (tx) => {
        current.job = await lockNextJob(tx, names);
        if (current.job) await runStep(tx, current.job);
      });
    } catch (error) {
      const { job } = current;
      // No job can go on while there is no room; none of them is to blame.
      if (!job || classifyFault(error).kind === 'full') throw error;
      if (!(error instanceof Refusal)) {
        log.warn({ err: error, kind: job.kind, tries: job.tries + 1 }, 'a step of a job failed, will try again');
      }
      await db.transaction((tx) => recordFailure(tx, job, error));
    }
    return current.job !== undefined;
  }

  async function runStep(tx: Db, job: LockedJob) {
    const kind = kindOf(job);
    const { end, pauseMs, ...progress } = (await kind.step(tx, job as never)) as Step<unknown>;
    if (!end) await updateJob(tx, job.id, progress, pauseMs);
    else if (kind.everyMs) await updateJob(tx, job.id, { ...progress, input: {} }, kind.everyMs);
    else await endJob(tx, { ...job, ...progress, state: 'done' });
  }

  /** Pauses the job whose step failed, or ends it with a reason for its user. What is repeated never ends. */
  async function recordFailure(tx: Db, failed: LockedJob, error: unknown) {
    const job = await lockJob(tx, failed);
    if (job?.updatedAt !== failed.updatedAt) return; // another process has gone on with it
    const isRepeated = repeated.includes(job.kind);
    if (error instanceof Refusal && !isRepeated)
      return endJob(tx, { ...job, state: 'stopped', message: error.message }, error);
    if (isRepeated || job.tries + 1 < MAX_TRIES) return pauseJob(tx, { ...job, lastError: describeFailure(error) });
    const { message } = toRefusal(error) ?? UNEXPECTED;
    return endJob(tx, { ...job, state: 'stopped', message: `It failed ${MAX_TRIES} times. ${message}` }, error);
  }

  /** Ends a job in its state, unless it has ended. The row of the product's own is deleted: no user reads its result. */
  async function endJob(tx: Db, job: JobRecord, reason?: unknown): Promise<void> {
    const { input, done, success, failed, reasons, state, message } = job;
    // A refusal is a result.
    const lastError = reason === undefined || reason instanceof Refusal ? null : describeFailure(reason);
    const ended =
      job.userId === null
        ? await deleteJob(tx, job.id)
        : await updateJob(tx, job.id, { input, done, success, failed, reasons, state, message, lastError });
    if (ended) await kindOf(job).onEnd?.(tx, job as never, reason);
  }

  /** Ends a job of this user, after the step that is running. Undefined if there is none. */
  async function cancelJob(tx: Db, id: string, userId: number): Promise<JobRecord | undefined> {
    const job = await lockJob(tx, { id, userId });
    if (!job) return undefined;
    if (!kindOf(job).canCancel) throw new Refusal('not_cancellable', 'This goes on to its end');
    await endJob(tx, { ...job, state: 'cancelled' });
    // Read again: the first read may have waited for a step, and not seen its changes.
    return lockJob(tx, { id, userId });
  }

  function kindOf({ kind }: Pick<JobRecord, 'kind'>): JobKind {
    const found = byName.get(kind);
    if (!found) throw new Error(`No code for jobs of the kind ${kind}`);
    return found;
  }

  /** Runs what is due, of this kind or of all. */
  async function run(kind?: string): Promise<void> {
    await Promise.all(kind === undefined ? lanes.map((lane) => lane.run()) : [(besides.get(kind) ?? inTurn).run()]);
  }

  /** The job once it has ended, or as it is when the time is over, or nothing can go on here now. */
  async function waitForEnd(job: { id: string; userId: number }, limitMs: number) {
    const end = Date.now() + limitMs;
    let over = false;
    void run((await findJob(db, job))?.kind).then(() => {
      over = true;
    });
    for (;;) {
      const [last, current] = [over || Date.now() > end, await findJob(db, job)];
      if (last || current?.state !== 'running') return current;
      await wait(POLL_MS);
    }
  }

  return {
    run,
    waitForEnd,
    cancelJob,
    /** From now on without being asked, the repeated ones included. */
    start: () => {
      for (const lane of lanes) lane.start();
    },
    stop: async () => {
      await Promise.all(lanes.map((lane) => lane.stop()));
    },
  };
}

/** For administrators. What else an error says may be contents, which only the log has. */
const describeFailure = (error: unknown) =>
  toRefusal(error)?.message ?? 'An unexpected error; the log has the details.';
