import type { ImportRow } from '#contract/import/csv-row.ts';
import type { UpsertItem, UpsertResult } from '#contract/import/upsert.ts';
import { findHolders, findStoredPlaces } from '#server/import/check/check-import.sql.ts';
import { createFileIndex } from '#server/import/check/file-look-alikes.ts';
import { findLookAlikes } from '#server/import/check/find-look-alikes.ts';
import { toPlaceId } from '#server/import/run/import-rows.sql.ts';
import type { Db } from '#server/kit/db/db.ts';
import { type NewItem, toRow } from './create-items.ts';
import { describeBusiness } from './looks-like.sql.ts';

type LookAlike = Omit<NonNullable<UpsertResult['looksLike']>, 'leadUuid'>;
type Row = NewItem['row'];
export type FindSimilar = Awaited<ReturnType<typeof findSimilar>>['find'];

/** What new items look like, as an import finds it: stored businesses, with one query, and items before. */
export async function findSimilar(tx: Db, unknown: UpsertItem[], source: string | undefined) {
  const named = unknown.filter(({ name }) => name !== undefined);
  const rows = named.map((item) => toRow(item, source));
  const matches = await findLookAlikes(tx, rows);
  const stored = new Map(named.map((item, nth) => [item, matches[nth]]));
  const places = await findStoredPlaces(
    tx,
    rows.flatMap((row) => [row.placeId, asImported(row)]),
  );
  const isStored = (row: Row) => places.has(row.placeId) || places.has(asImported(row));
  /** The rows of items whose business is not stored yet. */
  const fresh = new Map(
    named.flatMap((item, nth): [UpsertItem, Row][] => {
      const row = rows[nth];
      return row && !isStored(row) ? [[item, row]] : [];
    }),
  );
  const before = createFileIndex();
  let nth = 0;

  /** An item before that the row may repeat. Asked again for the same place, it answers the same. */
  function findEarlier(row: Row) {
    nth += 1;
    return before.add({ row: nth, placeId: row.placeId, values: row });
  }

  return {
    fresh,
    isLikeAny: (item: UpsertItem, row: Row) => [findEarlier(row), stored.get(item)].some(Boolean),

    /** The stored business that the item may be: its own while others hold it, or one that it is like. */
    async find(part: Db, { item, row, businessId, holderId }: NewItem): Promise<LookAlike | undefined> {
      if (businessId !== undefined) {
        const holders = (await findHolders(part, [businessId])).get(businessId) ?? [];
        return holders.some(({ userId }) => userId !== holderId) ? describeBusiness(part, businessId) : undefined;
      }
      if (!row.name) return undefined;
      const same = row.address ? (await findStoredPlaces(part, [asImported(row)])).get(asImported(row)) : undefined;
      if (same !== undefined) return describeBusiness(part, same);
      const earlier = findEarlier(row);
      const match = stored.get(item);
      if (match) return { businessId: match.businessId, name: match.name, town: match.town, reasons: match.reasons };
      // One that was refused made no business.
      const made = earlier && (await findStoredPlaces(part, [earlier.placeId])).get(earlier.placeId);
      return made === undefined || !earlier
        ? undefined
        : { businessId: made, name: earlier.name, town: earlier.town, reasons: earlier.reasons };
    },
  };
}

const asImported = (row: ImportRow) => toPlaceId({ ...row, placeId: null });
