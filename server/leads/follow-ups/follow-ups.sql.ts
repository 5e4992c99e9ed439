import { and, eq, inArray, isNotNull, sql } from 'drizzle-orm';
import type { FollowUp, FollowUpPlan } from '#contract/leads/follow-ups/follow-up.ts';
import { type ActivityType, isContact, type Lead } from '#contract/leads/lead.ts';
import type { ActivityOutcome } from '#contract/leads/log/outcomes.ts';
import type { StoredFollowUp } from '#server/change-log/change-values.ts';
import type { ChangeLog } from '#server/change-log/record-changes.ts';
import type { Db } from '#server/kit/db/db.ts';
import { notBeforeLastContact } from '#server/leads/last-contact.sql.ts';
import { isOpenFollowUp, leadColumns } from '#server/leads/leads.sql.ts';
import { markRemindersRead } from '#server/notifications/notifications.sql.ts';
import { contactActivities, leads } from '#server/schema/leads.ts';

const { id, userBusinessId, type, description, scheduledAt, completedAt, createdBy, program } = contactActivities;

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
    .select({ leadId: userBusinessId, completedAt, type })
    .from(contactActivities)
    .where(and(eq(id, followUpId), isNotNull(scheduledAt)));
  return found;
}

/** Plans the next step of locked leads; an open follow-up is changed, not added to. */
export async function setFollowUps(
  db: Db,
  locked: Lead[],
  plan: FollowUpPlan,
  { viewerId, now, log }: { viewerId: number; now: Date; log: ChangeLog },
): Promise<Lead[]> {
  const leadIds = locked.map((lead) => lead.id);
  const before = await readFollowUps(db, locked);
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
    .returning(followUpColumns);
  const changedIds = new Set(changed.map(({ leadId }) => leadId));
  const row = { ...planned, createdBy: viewerId, program: log.program, createdAt: updatedAt };
  const added = leadIds.filter((leadId) => !changedIds.has(leadId));
  const inserted = added.length
    ? await db
        .insert(contactActivities)
        .values(added.map((leadId) => ({ ...row, userBusinessId: leadId })))
        .returning(followUpColumns)
    : [];
  for (const { leadId, ...after } of [...changed, ...inserted]) {
    log.addLead(leadId, 'followUp', { before: before.get(leadId) ?? null, after: toStored(after) });
  }
  return setNextStep(db, leadIds, { nextStepAt: plan.at, nextStepType: plan.type });
}

interface Completion {
  followUpId: number;
  /** What it becomes; its type and author are those of the plan where they are left out. */
  activity: { outcome?: ActivityOutcome | undefined; description: string; type?: ActivityType; createdBy?: number };
  now: Date;
  log: ChangeLog;
}

/** Turns the open follow-up of a locked lead into an activity. */
export async function completeFollowUp(db: Db, lead: Lead, { followUpId, activity, now, log }: Completion) {
  const at = now.toISOString();
  const before = await readFollowUps(db, [lead]);
  if (before.get(lead.id)?.id !== followUpId) return undefined;
  const [completed] = await db
    .update(contactActivities)
    .set({
      ...activity,
      program: log.program,
      outcome: activity.outcome ?? null,
      completedAt: at,
      createdAt: at,
      updatedAt: at,
    })
    .where(and(eq(id, followUpId), isOpenFollowUp))
    .returning({ type });
  if (!completed) return undefined;
  log.addLead(lead.id, 'activity', { item: String(followUpId), before: null, after: { id: followUpId } });
  logRemoved(log, before);
  const contact = isContact(completed.type) && { lastContactedAt: notBeforeLastContact(at) };
  const [changed] = await setNextStep(db, [lead.id], { nextStepAt: null, nextStepType: null, ...contact });
  return changed;
}

/** Deletes the open follow-ups of locked leads; a lead without one is returned as it is. */
export async function deleteFollowUps(db: Db, locked: Lead[], log: ChangeLog): Promise<Lead[]> {
  const planned = locked.filter((lead) => lead.nextStepAt !== null).map((lead) => lead.id);
  if (!planned.length) return locked;
  logRemoved(log, await readFollowUps(db, locked));
  await db.delete(contactActivities).where(and(inArray(userBusinessId, planned), isOpenFollowUp));
  const changed = await setNextStep(db, planned, { nextStepAt: null, nextStepType: null });
  return [...changed, ...locked.filter((lead) => lead.nextStepAt === null)];
}

/** Deletes the open follow-up of a locked lead. */
export async function deleteFollowUp(
  db: Db,
  lead: Lead,
  followUpId: number,
  log: ChangeLog,
): Promise<Lead | undefined> {
  const before = await readFollowUps(db, [lead]);
  const deleted = await db
    .delete(contactActivities)
    .where(and(eq(id, followUpId), isOpenFollowUp))
    .returning({ id });
  if (!deleted.length) return undefined;
  logRemoved(log, before);
  const [changed] = await setNextStep(db, [lead.id], { nextStepAt: null, nextStepType: null });
  return changed;
}

const followUpColumns = {
  leadId: userBusinessId,
  id,
  type,
  at: scheduledAt,
  note: description,
  createdBy,
  program,
  createdAt: contactActivities.createdAt,
};

/** The open follow-ups of these leads as the change log stores them, by lead. */
export async function readFollowUps(db: Db, ofLeads: Lead[]): Promise<Map<number, StoredFollowUp>> {
  const planned = ofLeads.filter(({ nextStepAt }) => nextStepAt !== null).map((lead) => lead.id);
  if (!planned.length) return new Map();
  const rows = await db
    .select(followUpColumns)
    .from(contactActivities)
    .where(and(inArray(userBusinessId, planned), isOpenFollowUp));
  return new Map(rows.map(({ leadId, ...row }) => [leadId, toStored(row)]));
}

/** An open follow-up always has a time. */
const toStored = <T extends { at: string | null }>(row: T) => ({ ...row, at: row.at as string });

function logRemoved(log: ChangeLog, before: Map<number, StoredFollowUp>) {
  for (const [leadId, followUp] of before) log.addLead(leadId, 'followUp', { before: followUp, after: null });
}

async function setNextStep(db: Db, leadIds: number[], set: Record<string, unknown>): Promise<Lead[]> {
  await markRemindersRead(db, leadIds);
  return db
    .update(leads)
    .set({ ...set, updatedAt: sql`now()` })
    .where(inArray(leads.id, leadIds))
    .returning(leadColumns);
}
