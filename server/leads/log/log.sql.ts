import { eq, sql } from 'drizzle-orm';
import type { ChangeLog } from '#server/change-log/record-changes.ts';
import type { Db } from '#server/kit/db/db.ts';
import { activityColumns } from '#server/leads/leads.sql.ts';
import { businesses, contactActivities } from '#server/schema/leads.ts';

/** Marks the phone number of a business as wrong, if it has one. */
export async function markPhoneWrong(db: Db, businessId: number, log: ChangeLog) {
  const [business] = await db
    .select({ phone: businesses.phone, wrongPhone: businesses.wrongPhone })
    .from(businesses)
    .where(eq(businesses.id, businessId))
    .for('no key update');
  if (!business?.phone) return;
  log.addBusiness(businessId, 'wrongPhone', { before: business.wrongPhone, after: business.phone });
  await db
    .update(businesses)
    .set({ wrongPhone: business.phone, updatedAt: sql`now()` })
    .where(eq(businesses.id, businessId));
}

export async function readActivity(db: Db, activityId: number) {
  const [activity] = await db
    .select(activityColumns)
    .from(contactActivities)
    .where(eq(contactActivities.id, activityId));
  if (!activity) throw new Error(`Activity ${activityId} was deleted while its lead was locked`);
  return activity;
}
