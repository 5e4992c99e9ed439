import { sql } from 'drizzle-orm';
import { type Assigned, type AssignmentChoice, countShares } from '#contract/leads/sharing/assignment.ts';
import type { TimeRange } from '#contract/progress/calendar.ts';
import type { PlacedRow } from '#server/import/run/import-rows.ts';
import type { Db } from '#server/kit/db/db.ts';
import { prepareAssignment, readHolders } from '#server/leads/sharing/prepare-assignment.ts';

interface TargetRow extends PlacedRow {
  /** Of a business that is stored already. */
  businessId: number | undefined;
}

/** Decides who gets the rows that name no user, batch by batch of one file. */
export async function createRowSharing(db: Db, choice: AssignmentChoice, month: TimeRange) {
  const { assign, nameOf } = await prepareAssignment(db, choice, { month });
  /** The holders of each business by rows before, named or not. */
  const holdersInFile = new Map<string, number[]>();
  const decided = new Map<number, Assigned>();
  const counted: Assigned[] = [];

  return {
    /** The users of the rows that name none, by row. */
    async assign(rows: (TargetRow & { userId?: number })[]): Promise<Map<number, number>> {
      const holders = await readHolders(
        db,
        rows.flatMap(({ businessId }) => businessId ?? []),
      );
      const districts = await readDistricts(
        db,
        rows.map(({ values }) => values.address ?? ''),
      );
      decided.clear();
      for (const [nth, { row, values, businessId, placeId, userId }] of rows.entries()) {
        const business = String(businessId ?? placeId);
        const inFile = holdersInFile.get(business) ?? [];
        const held = [...inFile, ...(holders.get(businessId ?? 0) ?? [])];
        const assigned = values.username ? undefined : assign({ district: districts[nth] ?? null, holders: held });
        if (assigned) decided.set(row, assigned);
        const holder = assigned?.userId ?? userId;
        if (holder !== undefined) holdersInFile.set(business, [...inFile, holder]);
      }
      return new Map([...decided].map(([row, { userId }]) => [row, userId]));
    },
    /** Counts a row of the last batch: as a new lead, or as one that was there. */
    count(row: number, as: 'new' | 'held') {
      const assigned = decided.get(row);
      if (assigned) counted.push(as === 'held' ? { ...assigned, outcome: 'held' } : assigned);
    },
    shares: () => countShares(counted, nameOf),
  };
}

/** The districts of addresses, as the database reads them. */
async function readDistricts(db: Db, addresses: string[]): Promise<(string | null)[]> {
  const { rows } = await db.execute<{ district: string | null }>(sql`
    select postcode_district(address) as district
    from json_array_elements_text(${JSON.stringify(addresses)}::json) with ordinality as source (address, position)
    order by position`);
  return rows.map(({ district }) => district);
}
