import { asc, eq, inArray } from 'drizzle-orm';
import { type AssignmentChoice, countShares } from '#contract/leads/sharing/assignment.ts';
import type { TimeRange } from '#contract/progress/calendar.ts';
import type { Db } from '#server/kit/db/db.ts';
import { businesses, leads } from '#server/schema/leads.ts';
import { prepareAssignment, readHolders } from './prepare-assignment.ts';

/** Who gets which of these leads. One that an owner of its district holds stays, and is only counted. */
export async function planByTerritory(db: Db, ids: number[], choice: AssignmentChoice, month: TimeRange) {
  const { assign, nameOf } = await prepareAssignment(db, choice, { month });
  const found = await db
    .select({ id: leads.id, businessId: leads.businessId, district: businesses.district })
    .from(leads)
    .innerJoin(businesses, eq(businesses.id, leads.businessId))
    .where(inArray(leads.id, ids))
    .orderBy(asc(leads.id));
  const holders = await readHolders(db, [...new Set(found.map(({ businessId }) => businessId))]);
  const assigned = found.map(({ businessId, district }) => {
    const held = holders.get(businessId) ?? [];
    const chosen = assign({ district, holders: held });
    // The next lead on the same business is not given to a second owner.
    holders.set(businessId, [...held, chosen.userId]);
    return chosen;
  });
  const given = new Map<number, number[]>();
  for (const [nth, { id }] of found.entries()) {
    const { userId, outcome } = assigned[nth] ?? {};
    if (userId === undefined || outcome === 'held') continue;
    const leadIds = given.get(userId) ?? [];
    leadIds.push(id);
    given.set(userId, leadIds);
  }
  return {
    shares: countShares(assigned, nameOf),
    given: [...given].map(([userId, leadIds]) => ({ userId, leadIds })),
  };
}
