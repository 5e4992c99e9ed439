import { and, eq, inArray, isNotNull, sql } from 'drizzle-orm';
import type { ActivityOutcome, FollowUp, FollowUpPlan } from '#contract/leads/follow-ups/follow-up.ts';
import { type ActivityType, isContact, type Lead } from '#contract/leads/lead.ts';
import type { Db } from '#server/kit/db/db.ts';
import { contactActivities, leads } from '#server/kit/db/schema.ts';
import { isOpenFollowUp, leadColumns } from '#server/leads/leads.sql.ts';
import { markRemindersRead } from '#server/notifications/notifications.sql.ts';

const { id, userBusinessId, type, description, scheduledAt, completedAt, createdBy } = contactActivities;

/** The open follow-up of a lead. */
export async function findFollowUp(db: Db, leadId: number): Promise<FollowUp | undefined> {
  const [found] = await db
    .select({ id, type, at: scheduledAt, note: description, createdBy })
    .from(contactActivities)
    .where(and(eq(userBusinessId, leadId), isOpenFollowUp));
  // The condition above excludes null.
  return found && { ...found, at: found.at as string };
}

/** The lead that a follow-up belongs to, and whether it is still open. */
export async function findFollowUpLead(db: Db, followUpId: number) {
  const [found] = await db
    .select({ leadId: userBusinessId, completedAt, type, note: description })
    .from(contactActivities)
    .where(and(eq(id, followUpId), isNotNull(scheduledAt)));
  return found;
}

/** Plans the next step of locked leads; an open follow-up is changed, not added to. */
export async function setFollowUps(
  db: Db,
  locked: Lead[],
  plan: FollowUpPlan,
  viewerId: number,
  now: Date,
): Promise<Lead[]> {
  const leadIds = locked.map((lead) => lead.id);
  const updatedAt = now.toISOString();
  const planned = {
    type: plan.type,
    scheduledAt: plan.at,
    description: plan.note,
    updatedAt,
    // A user who plans for a time that is over needs no reminder of it.
    remindedAt: Date.parse(plan.at) > now.getTime() ? null : updatedAt,
  };
  const changed = await db
    .update(contactActivities)
    .set(planned)
    .where(and(inArray(userBusinessId, leadIds), isOpenFollowUp))
    .returning({ leadId: userBusinessId });
  const changedIds = new Set(changed.map(({ leadId }) => leadId));
  const added = leadIds.filter((leadId) => !changedIds.has(leadId));
  if (added.length) {
    const row = { ...planned, createdBy: viewerId, createdAt: updatedAt };
    await db.insert(contactActivities).values(added.map((leadId) => ({ ...row, userBusinessId: leadId })));
  }
  return setNextStep(db, leadIds, { nextStepAt: plan.at, nextStepType: plan.type });
}

interface Completion {
  followUpId: number;
  outcome: ActivityOutcome | undefined;
  description: string;
  /** Where the contact differs from what was planned. */
  actual?: { type: ActivityType; createdBy: number };
  now: Date;
}

/** Turns the open follow-up of a locked lead into an activity. */
export async function completeFollowUp(db: Db, lead: Lead, completion: Completion) {
  const { followUpId, outcome, description, actual, now } = completion;
  const at = now.toISOString();
  const [completed] = await db
    .update(contactActivities)
    .set({ completedAt: at, createdAt: at, updatedAt: at, description, outcome: outcome ?? null, ...actual })
    .where(and(eq(id, followUpId), isOpenFollowUp))
    .returning({ type });
  if (!completed) return undefined;
  const contact = isContact(completed.type) && { lastContactedAt: at };
  const [changed] = await setNextStep(db, [lead.id], { nextStepAt: null, nextStepType: null, ...contact });
  return changed;
}

/** Deletes the open follow-ups of locked leads; a lead without one is returned as it is. */
export async function deleteFollowUps(db: Db, locked: Lead[]): Promise<Lead[]> {
  const planned = locked.filter((lead) => lead.nextStepAt !== null).map((lead) => lead.id);
  if (!planned.length) return locked;
  await db.delete(contactActivities).where(and(inArray(userBusinessId, planned), isOpenFollowUp));
  const changed = await setNextStep(db, planned, { nextStepAt: null, nextStepType: null });
  return [...changed, ...locked.filter((lead) => lead.nextStepAt === null)];
}

/** Deletes the open follow-up of a locked lead. */
export async function deleteFollowUp(db: Db, lead: Lead, followUpId: number): Promise<Lead | undefined> {
  const deleted = await db
    .delete(contactActivities)
    .where(and(eq(id, followUpId), isOpenFollowUp))
    .returning({ id });
  if (!deleted.length) return undefined;
  const [changed] = await setNextStep(db, [lead.id], { nextStepAt: null, nextStepType: null });
  return changed;
}

async function setNextStep(db: Db, leadIds: number[], set: Record<string, unknown>): Promise<Lead[]> {
  await markRemindersRead(db, leadIds);
  return db
    .update(leads)
    .set({ ...set, updatedAt: sql`now()` })
    .where(inArray(leads.id, leadIds))
    .returning(leadColumns);
}
