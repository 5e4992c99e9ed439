import { sql } from 'drizzle-orm';
import { type ErrorCode, Refusal } from '#contract/errors.ts';
import { recordDistrictSearch } from '#server/districts/district-searches.sql.ts';
import { storeMatches } from '#server/duplicates/store-matches.sql.ts';
import type { Clock } from '#server/kit/clock.ts';
import type { Db } from '#server/kit/db/db.ts';
import { findDistrictOf, findDistrictRadius } from '#server/places/district-area.ts';
import { mayMatchMore, STOPPED_EARLY } from '#server/places/notices.ts';
import type { FoundPlaces, Place } from '#server/places/places.ts';
import type { Places } from '#server/places/search-places.ts';
import { findDistrict, type UkDistrict } from '#server/places/uk-districts.ts';
import { sweepDistricts, sweepResults } from '#server/schema/sweeps.ts';
import { storePlaces } from '#server/search/search.sql.ts';
import { createCallRecorder, deleteResponses, type RecorderContext } from './call-recorder.ts';
import { SweepHalted } from './sweep-halted.ts';
import { type SweepRecord, touchRun, updateDistrict } from './sweeps.sql.ts';

interface Context extends RecorderContext {
  places: Places;
  clock: Clock;
  /** The codes of all districts of the sweep. */
  chosen: ReadonlySet<string>;
}

/**
 * Searches one district, and commits its results and its progress in one transaction. What the provider cut off is kept,
 * but the district is not done.
 */
export async function searchDistrict(sweep: SweepRecord, code: string, context: Context) {
  const { db, places } = context;
  const district = findDistrict(code);
  if (!district) throw new Error(`${code} is no district`);
  const searched = { sweepId: sweep.id, district: code };
  const { recorder, replayed, onlyReplayed } = createCallRecorder(sweep, code, context);
  const { businessType, keyword } = sweep;
  const radiusMetres = findDistrictRadius(district);
  let found: FoundPlaces;
  try {
    found = await places.searchDistrict({ businessType, keyword, district, radiusMetres }, recorder);
  } catch (error) {
    if (!(error instanceof Refusal) || !FAULTS.includes(error.code)) throw error;
    // Page tokens are outdated after a while, which providers call an invalid request.
    const outdated = onlyReplayed() || (replayed() && error.code === 'invalid_request');
    if (!outdated) throw error;
    await deleteResponses(db, searched);
    throw new OutdatedResponses();
  }
  const { stopRequested, businessIds } = await db.transaction((tx) =>
    commitDistrict(tx, { sweep, district, found }, context),
  );
  await storeMatches(db, businessIds);
  if (found.notices.includes(STOPPED_EARLY)) throw new DistrictCutOff();
  return { stopRequested };
}

const FAULTS: ErrorCode[] = ['provider_error', 'invalid_request'];

/** The kept responses of an earlier run cannot be used: the search makes all of its calls again. */
export class OutdatedResponses extends Error {}

/** The provider returned only some of the results. */
export class DistrictCutOff extends Refusal {
  constructor() {
    super('provider_error', STOPPED_EARLY);
  }
}

interface Searched {
  sweep: SweepRecord;
  district: UkDistrict;
  found: FoundPlaces;
}

/** Returns whether the run is to stop, and the businesses that no district before had. */
async function commitDistrict(
  tx: Db,
  { sweep, district, found }: Searched,
  { chosen, clock }: Context,
): Promise<{ stopRequested: boolean; businessIds: number[] }> {
  const run = await touchRun(tx, sweep);
  if (!run) throw new SweepHalted();
  const stored = await storePlaces(tx, found.places);
  const rows = new Map<number, typeof sweepResults.$inferInsert>();
  for (const place of found.places) {
    const businessId = stored.get(place.placeId)?.id;
    if (businessId === undefined) continue;
    const own = findDistrictOf(place)?.code ?? district.code;
    const leftOut = findReason(place, chosen.has(own));
    rows.set(businessId, { sweepId: sweep.id, businessId, district: own, leftOut });
  }
  const added = rows.size
    ? await tx
        .insert(sweepResults)
        .values([...rows.values()])
        .onConflictDoNothing()
        .returning({ id: sweepResults.businessId })
    : [];
  const searched = { sweepId: sweep.id, district: district.code };
  const complete = !found.notices.includes(STOPPED_EARLY);
  await updateDistrict(tx, searched, {
    ...{ state: complete ? 'done' : 'waiting', error: null, found: found.places.length },
    // A district that was cut off before has added some already.
    added: sql`${sweepDistricts.added} + ${added.length}`,
    more: mayMatchMore(found.notices),
  });
  await deleteResponses(tx, searched);
  if (complete) {
    await recordDistrictSearch(tx, { districts: [district.code], businessType: sweep.businessType, now: clock() });
  }
  return { stopRequested: run.stopRequested !== null, businessIds: added.map(({ id }) => id) };
}

function findReason({ businessStatus }: Place, inside: boolean): 'outside' | 'closed' | null {
  if (!inside) return 'outside';
  return businessStatus === 'CLOSED_PERMANENTLY' ? 'closed' : null;
}
