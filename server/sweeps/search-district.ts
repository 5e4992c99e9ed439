import { sql } from 'drizzle-orm';
import { type ErrorCode, Refusal } from '#contract/errors.ts';
import { recordDistrictSearch } from '#server/districts/district-searches.sql.ts';
import { storeMatches } from '#server/duplicates/store-matches.sql.ts';
import type { Db } from '#server/kit/db/db.ts';
import { findDistrictOf, findDistrictRadius } from '#server/places/district-area.ts';
import { mayMatchMore, STOPPED_EARLY } from '#server/places/notices.ts';
import type { FoundPlaces, Place } from '#server/places/places.ts';
import type { Places } from '#server/places/search-places.ts';
import { findDistrict } from '#server/places/uk-districts.ts';
import { sweepDistricts, sweepResults } from '#server/schema/sweeps.ts';
import { storePlaces } from '#server/search/search.sql.ts';
import { createCallRecorder, deleteResponses, type RecorderContext } from './call-recorder.ts';
import { type SweepRecord, selectChosen, updateDistrict } from './sweeps.sql.ts';

interface Context extends Omit<RecorderContext, 'db'> {
  places: Places;
}

/** What the provider finds in a district. Its responses are kept until the district is stored. */
export async function searchDistrict(
  db: Db,
  { sweep, code }: { sweep: SweepRecord; code: string },
  { places, ...context }: Context,
): Promise<FoundPlaces> {
  const district = findDistrict(code);
  if (!district) throw new Error(`${code} is no district`);
  const searched = { sweepId: sweep.id, district: code };
  const { recorder, replayed, onlyReplayed } = createCallRecorder(searched, { db, ...context });
  const { businessType, keyword } = sweep;
  const radiusMetres = findDistrictRadius(district);
  try {
    return await places.searchDistrict({ businessType, keyword, district, radiusMetres }, recorder);
  } catch (error) {
    if (!(error instanceof Refusal) || !FAULTS.includes(error.code)) throw error;
    // Page tokens are outdated after a while, which providers call an invalid request.
    const outdated = onlyReplayed() || (replayed() && error.code === 'invalid_request');
    if (!outdated) throw error;
    await deleteResponses(db, searched);
    throw new OutdatedResponses();
  }
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
  code: string;
  found: FoundPlaces;
  now: Date;
}

/** Stores the results of a district. What the provider cut off is kept, but the district is not done. */
export async function storeDistrict(
  tx: Db,
  { sweep, code, found, now }: Searched,
): Promise<DistrictCutOff | undefined> {
  const stored = await storePlaces(tx, found.places);
  const districts = new Map(found.places.map((place) => [place, findDistrictOf(place)?.code ?? code]));
  const chosen = await selectChosen(tx, sweep.id, [...new Set([code, ...districts.values()])]);
  const rows = new Map<number, typeof sweepResults.$inferInsert>();
  for (const [place, district] of districts) {
    const businessId = stored.get(place.placeId)?.id;
    if (businessId === undefined) continue;
    rows.set(businessId, { sweepId: sweep.id, businessId, district, leftOut: findReason(place, chosen.has(district)) });
  }
  const added = rows.size
    ? await tx
        .insert(sweepResults)
        .values([...rows.values()])
        .onConflictDoNothing()
        .returning({ id: sweepResults.businessId })
    : [];
  const searched = { sweepId: sweep.id, district: code };
  const cutOff = found.notices.includes(STOPPED_EARLY);
  await updateDistrict(tx, searched, {
    ...{ state: cutOff ? 'waiting' : 'done', error: null, found: found.places.length },
    // A district that was cut off before has added some already.
    added: sql`${sweepDistricts.added} + ${added.length}`,
    more: mayMatchMore(found.notices),
  });
  await deleteResponses(tx, searched);
  await storeMatches(
    tx,
    added.map(({ id }) => id),
  );
  if (cutOff) return new DistrictCutOff();
  await recordDistrictSearch(tx, { districts: [code], businessType: sweep.businessType, now });
  return undefined;
}

function findReason({ businessStatus }: Place, inside: boolean): 'outside' | 'closed' | null {
  if (!inside) return 'outside';
  return businessStatus === 'CLOSED_PERMANENTLY' ? 'closed' : null;
}
