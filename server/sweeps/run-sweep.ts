import { eq } from 'drizzle-orm';
import { type ErrorCode, Refusal } from '#contract/errors.ts';
import type { Clock } from '#server/kit/clock.ts';
import { type Db, requireFreeSpace } from '#server/kit/db/db.ts';
import { classifyFault } from '#server/kit/db/faults.ts';
import type { Logger } from '#server/kit/log.ts';
import { MonthlyCapReached } from '#server/places/refusals.ts';
import type { Places } from '#server/places/search-places.ts';
import { sweepDistricts } from '#server/schema/sweeps.ts';
import { DistrictCutOff, OutdatedResponses, searchDistrict } from './search-district.ts';
import { SweepHalted } from './sweep-halted.ts';
import * as stored from './sweeps.sql.ts';

export interface RunContext {
  db: Db;
  places: Places;
  clock: Clock;
  log: Logger;
  /** Aborted when the sweep is paused or cancelled in this process, or the process stops. */
  signal: AbortSignal;
  /** Rejects when the signal is aborted. */
  wait: (ms: number, signal: AbortSignal) => Promise<void>;
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

/** Searches the districts that are left, one after the other. How it ended is in the sweep's row. */
export async function runSweep(sweep: stored.SweepRecord, context: RunContext) {
  const { db, log } = context;
  try {
    await searchDistricts(sweep, context);
    const { total, done, failed } = await stored.countDistricts(db, sweep.id);
    const message = failed ? `${done} of ${total} districts done, ${failed} failed. Continue to repeat them.` : null;
    await stored.endRun(db, sweep, { state: 'done', message });
  } catch (error) {
    const reason =
      classifyFault(error).kind === 'full' ? await stopWith(db, sweep, 'No space is left', FULL_ADVICE) : error;
    if (!(reason instanceof RunStopped || reason instanceof SweepHalted)) log.error({ err: reason }, 'a sweep stopped');
    const message = reason instanceof RunStopped ? reason.message : stored.INTERRUPTED;
    await stored.endRun(db, sweep, { state: 'stopped', message });
  }
}

async function searchDistricts(sweep: stored.SweepRecord, context: RunContext) {
  const { db, signal } = context;
  const districts = await db
    .select({ code: sweepDistricts.district })
    .from(sweepDistricts)
    .where(eq(sweepDistricts.sweepId, sweep.id));
  const chosen = new Set(districts.map(({ code }) => code));
  const districtContext = { ...context, chosen, requireCallsLeft: () => requireCallsLeft(sweep, context) };
  let failedInARow = 0;
  for (;;) {
    signal.throwIfAborted();
    requireFreeSpace(db);
    const code = await stored.findNextDistrict(db, sweep.id);
    if (!code) return;
    try {
      const { stopRequested } = await searchPatiently(sweep, code, districtContext);
      failedInARow = 0;
      if (stopRequested) throw new SweepHalted();
    } catch (error) {
      if (!(error instanceof Refusal) || error instanceof SweepHalted) throw error;
      await failDistrict(sweep, code, error, db);
      failedInARow = error instanceof DistrictCutOff ? 0 : failedInARow + 1;
      if (failedInARow === MAX_FAILED_IN_A_ROW) throw await stopWith(db, sweep, error.message);
    }
  }
}

type DistrictContext = RunContext & { chosen: ReadonlySet<string>; requireCallsLeft: () => Promise<void> };

/** Searches a district, and again after a fault as the provider's rules say. Throws a refusal if the district failed. */
async function searchPatiently(sweep: stored.SweepRecord, code: string, context: DistrictContext) {
  const { db, wait, signal } = context;
  let quotaRetries = 0;
  let faults = 0;
  for (;;) {
    try {
      return await searchDistrict(sweep, code, context);
    } catch (error) {
      if (error instanceof OutdatedResponses) continue;
      if (!(error instanceof Refusal) || error instanceof SweepHalted) throw error;
      if (error instanceof MonthlyCapReached) throw await stopWith(db, sweep, 'Stopped at the cap', CAP_ADVICE);
      if (FATAL.includes(error.code)) throw await stopWith(db, sweep, error.message);
      if (error.code === 'over_query_limit') {
        quotaRetries += 1;
        if (quotaRetries > QUOTA_RETRIES) throw await stopWith(db, sweep, error.message);
        await wait((error.details.retryAfter ?? 0) * 1_000, signal);
        continue;
      }
      faults += 1;
      if (faults > 1 || error.code === 'invalid_request') throw error;
      await wait(FAULT_RETRY_MS, signal);
    }
  }
}

const FULL_ADVICE = 'Continue when there is room again.';
const CAP_ADVICE = 'Continue next month, or after the cap is raised.';

/** A public service is asked no more often in a day than it wishes. */
async function requireCallsLeft(sweep: stored.SweepRecord, { db, places }: RunContext) {
  const { callsPerDay } = places.terms;
  if (callsPerDay === null || (await stored.countRecentCalls(db, sweep.provider)) < callsPerDay) return;
  throw await stopWith(
    db,
    sweep,
    `Stopped at the ${callsPerDay} calls a day that the public service allows`,
    'Continue tomorrow.',
  );
}

async function failDistrict(sweep: stored.SweepRecord, district: string, { message }: Refusal, db: Db) {
  await db.transaction(async (tx) => {
    if (!(await stored.touchRun(tx, sweep))) throw new SweepHalted();
    await stored.updateDistrict(tx, { sweepId: sweep.id, district }, { state: 'failed', error: message });
  });
}

/** "Stopped at the cap: 12 of 46 districts done. Continue next month, or after the cap is raised." */
async function stopWith(db: Db, sweep: stored.SweepRecord, reason: string, advice = '') {
  const { total, done } = await stored.countDistricts(db, sweep.id);
  const text = `${reason.replace(/\.$/, '')}: ${done} of ${total} districts done. ${advice}`;
  return new RunStopped(text.trim());
}
