import { sql } from 'drizzle-orm';
import { type ErrorCode, Refusal } from '#contract/errors.ts';
import { defineJob, type Step } from '#server/jobs/job-kind.ts';
import { startOwnJob } from '#server/jobs/jobs.sql.ts';
import type { Clock } from '#server/kit/clock.ts';
import type { Db } from '#server/kit/db/db.ts';
import { MonthlyCapReached } from '#server/places/refusals.ts';
import type { Places } from '#server/places/search-places.ts';
import { SweepHalted } from './call-recorder.ts';
import { DistrictCutOff, OutdatedResponses, searchDistrict, storeDistrict } from './search-district.ts';
import * as stored from './sweeps.sql.ts';

export const SWEEP = 'sweep';

interface SweepJobOptions {
  /** For what is kept although its step fails: the responses of the provider. */
  db: Db;
  places: Places;
  clock: Clock;
  /** Aborted when the process stops. */
  closing: AbortSignal;
}

/** How often the next district was tried, and the failed districts in a row before it. */
interface Tries {
  faults?: number;
  quotaRetries?: number;
  failedInARow?: number;
}

/** A provider that refuses because of its own quota is asked again this often. */
const QUOTA_RETRIES = 3;
const FAULT_RETRY_MS = 2_000;
/** After so many districts in a row a provider counts as down. */
const MAX_FAILED_IN_A_ROW = 3;
/** No district would fare better. */
const FATAL: ErrorCode[] = ['api_key_missing', 'request_denied'];

/** Ends the run with a message; the sweep can be continued. */
class RunStopped extends Error {}

/** Has the id of its sweep, whose row says how it ended. */
export const startSweepJob = async (tx: Db, sweepId: string) => {
  if (await startOwnJob(tx, { id: sweepId, kind: SWEEP })) return;
  throw new Refusal('sweep_running', 'Another sweep is running. Wait until it has ended, or pause it.');
};

/**
 * Searches the districts that are left, one a step: several sweeps would share the provider's limits, and end no earlier.
 * While a step waits for the provider, its transaction only holds the job, so that no other process makes the same calls.
 */
export const sweepJob = (options: SweepJobOptions) =>
  defineJob<Tries>({
    kind: SWEEP,
    longSteps: true,
    step: async (tx, { id, input }) => {
      const sweep = await stored.findRunning(tx, id);
      if (!sweep) return { end: true };
      try {
        return await searchNext(tx, sweep, input, options);
      } catch (error) {
        if (!(error instanceof RunStopped)) throw error;
        await stored.endRun(tx, id, { state: 'stopped', message: error.message });
        return { end: true };
      }
    },
    onEnd: async (tx, { id, state, message }) => {
      if (state === 'stopped') await stored.endRun(tx, id, { state, message });
    },
  });

async function searchNext(
  tx: Db,
  sweep: stored.SweepRecord,
  tries: Tries,
  options: SweepJobOptions,
): Promise<Step<Tries>> {
  const { places, clock } = options;
  if (sweep.stopRequested) return endRequested(tx, sweep);
  const district = await stored.findNextDistrict(tx, sweep.id);
  if (!district) {
    await stored.endRun(tx, sweep.id, { state: 'done', message: await describeFailed(tx, sweep) });
    return { end: true };
  }
  if (sweep.provider !== places.provider) throw await stopWith(tx, sweep, OTHER_PROVIDER);
  const searched = await searchWhileHeld(tx, sweep, district, options);

  // Locked from here on: a request to pause that comes later finds a job that waits.
  const run = await stored.touchRun(tx, sweep.id);
  if (!run) return { end: true };
  const fault =
    'fault' in searched
      ? searched.fault
      : await storeDistrict(tx, { sweep, code: district, found: searched.found, now: clock() });
  const next = fault ? await decideAfter(tx, fault, { sweep, district, tries }) : {};
  return run.stopRequested ? endRequested(tx, sweep) : { input: {}, ...next };
}

/** Paused or cancelled, as was asked for. */
async function endRequested(tx: Db, { id }: stored.SweepRecord): Promise<Step<Tries>> {
  await stored.endRun(tx, id, { state: 'stopped', message: null });
  return { end: true };
}

/**
 * Searches a district while the transaction holds the job, and returns what was found, or why not. Before each call, the
 * connection of the transaction is asked whether the sweep may go on: a process that has lost the job makes no further one.
 */
async function searchWhileHeld(
  tx: Db,
  sweep: stored.SweepRecord,
  district: string,
  { db, places, closing }: SweepJobOptions,
) {
  await tx.execute(sql`set local idle_in_transaction_session_timeout = '2min'`);
  let asked: Promise<unknown> = Promise.resolve();
  let over = false;
  // One after the other: calls may be made at once, and a connection does one query at a time.
  const mayGoOn = () => {
    const answer = asked.then(() => !over && !closing.aborted && stored.mayGoOn(tx, sweep.id));
    asked = answer.catch(() => {});
    return answer;
  };
  try {
    const requireCallsLeft = () => requireCallsLeftToday(db, sweep, places);
    return { found: await searchDistrict(db, { sweep, code: district }, { places, mayGoOn, requireCallsLeft }) };
  } catch (error) {
    return { fault: error };
  } finally {
    over = true;
    await asked;
  }
}

interface Failed {
  sweep: stored.SweepRecord;
  district: string;
  tries: Tries;
}

/** Searches the district again after a fault, as the provider's rules say, or goes on with the next one. */
async function decideAfter(tx: Db, fault: unknown, { sweep, district, tries }: Failed): Promise<Step<Tries>> {
  if (fault instanceof SweepHalted || fault instanceof OutdatedResponses) return { input: tries };
  if (!(fault instanceof Refusal)) throw fault;
  if (fault instanceof MonthlyCapReached) throw await stopWith(tx, sweep, 'Stopped at the cap', CAP_ADVICE);
  if (FATAL.includes(fault.code)) throw await stopWith(tx, sweep, fault.message);
  const { faults = 0, quotaRetries = 0, failedInARow = 0 } = tries;
  if (fault.code === 'over_query_limit') {
    if (quotaRetries === QUOTA_RETRIES) throw await stopWith(tx, sweep, fault.message);
    const pauseMs = (fault.details.retryAfter ?? 0) * 1_000;
    return { input: { ...tries, quotaRetries: quotaRetries + 1 }, pauseMs };
  }
  if (faults === 0 && fault.code !== 'invalid_request') {
    return { input: { ...tries, faults: 1 }, pauseMs: FAULT_RETRY_MS };
  }
  await stored.updateDistrict(tx, { sweepId: sweep.id, district }, { state: 'failed', error: fault.message });
  const inARow = fault instanceof DistrictCutOff ? 0 : failedInARow + 1;
  if (inARow === MAX_FAILED_IN_A_ROW) throw await stopWith(tx, sweep, fault.message);
  return { input: { failedInARow: inARow } };
}

const CAP_ADVICE = 'Continue next month, or after the cap is raised.';
const OTHER_PROVIDER = 'The places provider was changed';

/** A public service is asked no more often in a day than it wishes. */
async function requireCallsLeftToday(db: Db, sweep: stored.SweepRecord, { cost: { callsPerDay } }: Places) {
  if (callsPerDay === null || (await stored.countRecentCalls(db, sweep.provider)) < callsPerDay) return;
  throw await stopWith(
    db,
    sweep,
    `Stopped at the ${callsPerDay} calls a day that the public service allows`,
    'Continue tomorrow.',
  );
}

async function describeFailed(tx: Db, { id }: stored.SweepRecord): Promise<string | null> {
  const { total, done, failed } = await stored.countDistricts(tx, id);
  return failed ? `${done} of ${total} districts done, ${failed} failed. Continue to repeat them.` : null;
}

/** "Stopped at the cap: 12 of 46 districts done. Continue next month, or after the cap is raised." */
async function stopWith(db: Db, { id }: stored.SweepRecord, reason: string, advice = '') {
  const { total, done } = await stored.countDistricts(db, id);
  const text = `${reason.replace(/\.$/, '')}: ${done} of ${total} districts done. ${advice}`;
  return new RunStopped(text.trim());
}
