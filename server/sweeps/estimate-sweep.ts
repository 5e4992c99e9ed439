import { Refusal } from '#contract/errors.ts';
import type { SweepEstimate } from '#contract/sweeps/sweep.ts';
import type { Db } from '#server/kit/db/db.ts';
import type { Places } from '#server/places/search-places.ts';
import { resolvePlaces } from './resolve-places.ts';
import { countRecentCalls } from './sweeps.sql.ts';

/** What a sweep over these places would cost. */
export async function estimateSweep(db: Db, places: Places, chosen: string[]): Promise<SweepEstimate> {
  const { districts, unknown } = resolvePlaces(chosen);
  const { paid, callsPerSearch, secondsPerSearch, callsPerDay } = places.cost;
  const calls = districts.length * callsPerSearch;
  const quota = await places.readPaidCalls();
  const callsToday = callsPerDay === null ? 0 : await countRecentCalls(db, places.provider);
  return {
    provider: places.provider,
    districts: districts.length,
    unknown,
    calls,
    paidCalls: paid ? calls : 0,
    quota: quota && { ...quota, left: Math.max(0, quota.cap - quota.used) },
    daily: callsPerDay === null ? null : { limit: callsPerDay, left: Math.max(0, callsPerDay - callsToday) },
    seconds: Math.ceil(districts.length * secondsPerSearch),
    notReady: describeNotReady(places),
  };
}

function describeNotReady(places: Places): string | null {
  try {
    places.requireReady();
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
}
