import { and, eq, sql } from 'drizzle-orm';
import type { Db } from '#server/kit/db/db.ts';
import { businesses, contactActivities, contactCredits, type LogUndo, leads } from '#server/kit/db/schema.ts';
import { activityColumns, isOpenFollowUp } from '#server/leads/leads.sql.ts';

const { id, userBusinessId, type, description, createdBy, createdAt, updatedAt, undo } = contactActivities;

/** The open follow-up of a lead, as undoing restores it. */
export async function findPlanned(db: Db, leadId: number) {
  const [row] = await db
    .select({ id, type, description, createdBy, createdAt })
    .from(contactActivities)
    .where(and(eq(userBusinessId, leadId), isOpenFollowUp));
  return row;
}

/** When the lead earned its credit. */
export async function readCreditedAt(db: Db, leadId: number): Promise<string | null> {
  const [lead] = await db.select({ creditedAt: leads.creditedAt }).from(leads).where(eq(leads.id, leadId));
  return lead?.creditedAt ?? null;
}

/** Marks the phone number of a business as wrong; undefined where it has none. */
export async function markPhoneWrong(db: Db, businessId: number): Promise<LogUndo['wrongPhone']> {
  const [business] = await db
    .select({ phone: businesses.phone, wrongPhone: businesses.wrongPhone })
    .from(businesses)
    .where(eq(businesses.id, businessId))
    .for('no key update');
  if (!business?.phone) return undefined;
  await db
    .update(businesses)
    .set({ wrongPhone: business.phone, updatedAt: sql`now()` })
    .where(eq(businesses.id, businessId));
  return { marked: business.phone, before: business.wrongPhone };
}

export async function saveUndo(db: Db, activityId: number, record: LogUndo) {
  const [activity] = await db
    .update(contactActivities)
    .set({ undo: record })
    .where(eq(id, activityId))
    .returning(activityColumns);
  if (!activity) throw new Error(`Activity ${activityId} was deleted while its lead was locked`);
  return activity;
}

/** The logged contact; undefined where the activity was added in another way. */
export async function findLogged(db: Db, activityId: number) {
  const [row] = await db
    .select({ createdBy, loggedAt: createdAt, undo })
    .from(contactActivities)
    .where(eq(id, activityId));
  return row?.undo ? { ...row, undo: row.undo } : undefined;
}

/** Deletes the follow-up that was planned along with a contact. False where it was changed since. */
export async function deletePlanned(db: Db, plannedId: number, loggedAt: string): Promise<boolean> {
  const deleted = await db
    .delete(contactActivities)
    .where(and(eq(id, plannedId), isOpenFollowUp, eq(updatedAt, loggedAt)))
    .returning({ id });
  return deleted.length > 0;
}

/** Removes the activity of a contact; one that was a follow-up is planned again. */
export async function removeActivity(db: Db, activityId: number, followUp: LogUndo['followUp']) {
  if (!followUp) {
    await db.delete(contactActivities).where(eq(id, activityId));
    return;
  }
  await db
    .update(contactActivities)
    .set({ ...followUp, completedAt: null, outcome: null, undo: null, updatedAt: sql`now()` })
    .where(eq(id, activityId));
}

/** The credit goes back with the contact that earned it. */
export async function deleteCredit(db: Db, leadId: number) {
  await db.delete(contactCredits).where(eq(contactCredits.leadId, leadId));
  await db.update(leads).set({ creditedAt: null }).where(eq(leads.id, leadId));
}

/** A mark that was made again since, or a number that was corrected, stays. */
export async function unmarkPhone(db: Db, businessId: number, { marked, before }: NonNullable<LogUndo['wrongPhone']>) {
  await db
    .update(businesses)
    .set({ wrongPhone: before, updatedAt: sql`now()` })
    .where(and(eq(businesses.id, businessId), eq(businesses.wrongPhone, marked)));
}
