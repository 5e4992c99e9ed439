import { type Assigned, countShares, type Share } from '#contract/leads/sharing/assignment.ts';
import type { TimeRange } from '#contract/progress/calendar.ts';
import type { Db } from '#server/kit/db/db.ts';
import { type PreparedAssignment, prepareAssignment } from '#server/leads/sharing/prepare-assignment.ts';
import { listNewBusinesses, readDistricts } from './sweep-results.sql.ts';

/** Who gets each business. New results have no holders. */
export async function chooseHolders(
  db: Db,
  sweepId: string,
  ids: number[],
  prepared: PreparedAssignment,
): Promise<Map<number, number>> {
  const assigned = await assignNew(db, sweepId, ids, prepared);
  return new Map(ids.map((id, nth) => [id, assigned[nth]?.userId ?? 0]));
}

interface Preview {
  fallbackUserId: number;
  businessIds?: number[] | undefined;
  month: TimeRange;
}

/** Who would get how many of the new results. */
export async function previewOwners(db: Db, sweepId: string, preview: Preview): Promise<Share[]> {
  const { fallbackUserId, businessIds, month } = preview;
  const prepared = await prepareAssignment(db, { way: 'territory', fallbackUserId }, { month });
  const ids = await listNewBusinesses(db, sweepId, businessIds);
  return countShares(await assignNew(db, sweepId, ids, prepared), prepared.nameOf);
}

async function assignNew(db: Db, sweepId: string, ids: number[], { assign }: PreparedAssignment): Promise<Assigned[]> {
  const districts = await readDistricts(db, sweepId, ids);
  return ids.map((id) => assign({ district: districts.get(id) ?? null, holders: [] }));
}
