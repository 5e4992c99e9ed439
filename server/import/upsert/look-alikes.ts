import type { ImportRow } from '#contract/import/csv-row.ts';
import type { UpsertItem, UpsertResult } from '#contract/import/upsert.ts';
import { findHolders, findStoredPlaces } from '#server/import/check/check-import.sql.ts';
import { createFileIndex } from '#server/import/check/file-look-alikes.ts';
import { findLookAlikes } from '#server/import/check/find-look-alikes.ts';
import { toPlaceId } from '#server/import/run/import-rows.sql.ts';
import type { Db } from '#server/kit/db/db.ts';
import { toRow } from './create-item.ts';
import { describeBusiness } from './looks-like.sql.ts';

type LookAlike = Omit<NonNullable<UpsertResult['looksLike']>, 'leadUuid'>;
type Row = ImportRow & { placeId: string };

/** What new items look like, as an import finds it: stored businesses, with one query, and items before. */
export async function findSimilar(tx: Db, unknown: UpsertItem[], source: string | undefined) {
  const named = unknown.filter(({ name }) => name !== undefined);
  const matches = await findLookAlikes(
    tx,
    named.map((item) => toRow(item, source)),
  );
  const stored = new Map(named.map((item, nth) => [item, matches[nth]]));
  const before = createFileIndex();
  let nth = 0;

  /** The stored business that the item may be: its own while others hold it, or one that it is like. */
  return async (
    part: Db,
    {
      item,
      row,
      businessId,
      holderId,
    }: { item: UpsertItem; row: Row; businessId: number | undefined; holderId: number },
  ): Promise<LookAlike | undefined> => {
    if (businessId !== undefined) {
      const holders = (await findHolders(part, [businessId])).get(businessId) ?? [];
      return holders.some(({ userId }) => userId !== holderId) ? describeBusiness(part, businessId) : undefined;
    }
    if (!row.name) return undefined;
    const asImported = toPlaceId({ ...row, placeId: null });
    const same = row.address ? (await findStoredPlaces(part, [asImported])).get(asImported) : undefined;
    if (same !== undefined) return describeBusiness(part, same);
    nth += 1;
    const earlier = before.add({ row: nth, placeId: row.placeId, values: row });
    const match = stored.get(item);
    if (match) return { businessId: match.businessId, name: match.name, town: match.town, reasons: match.reasons };
    // One that was refused made no business.
    const made = earlier && (await findStoredPlaces(part, [earlier.placeId])).get(earlier.placeId);
    return made === undefined || !earlier
      ? undefined
      : { businessId: made, name: earlier.name, town: earlier.town, reasons: earlier.reasons };
  };
}

export type FindSimilar = Awaited<ReturnType<typeof findSimilar>>;
