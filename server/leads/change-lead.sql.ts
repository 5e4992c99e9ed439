import { and, eq, sql } from 'drizzle-orm';
import type { ActivityType, CustomFields, Lead, LeadStatus } from '#contract/leads/lead.ts';
import { isContact, isContacted, MOST_TAGS } from '#contract/leads/lead.ts';
import type { Db } from '#server/kit/db/db.ts';
import { contactActivities, contactCredits, leadNoteRevisions, leads } from '#server/kit/db/schema.ts';
import { activityColumns, leadColumns } from './leads.sql.ts';

const KEPT_REVISIONS = 20;

async function change(db: Db, leadId: number, set: Record<string, unknown>): Promise<Lead> {
  const [lead] = await db
    .update(leads)
    .set({ ...set, updatedAt: sql`now()` })
    .where(eq(leads.id, leadId))
    .returning(leadColumns);
  if (!lead) throw new Error(`Lead ${leadId} went while it was locked`);
  return lead;
}

/** Once viewed it stays so; seeing it again changes nothing. */
export async function setViewed(db: Db, lead: Lead): Promise<Lead> {
  return lead.viewed ? lead : change(db, lead.id, { viewed: true });
}

/**
 * Moves a lead. The first move into a contacted status earns its holder a credit, which is theirs whatever becomes of
 * the lead; while the lead is marked as an existing customer it is not counted.
 */
export async function setStatus(db: Db, lead: Lead, status: LeadStatus, now: Date): Promise<Lead> {
  if (lead.status === status) return lead;
  if (!isContacted(status)) return change(db, lead.id, { status });
  const creditedAt = now.toISOString();
  const [first] = await db
    .update(leads)
    .set({ creditedAt, lastContactedAt: creditedAt })
    // The row's own value decides, not the one read earlier: two moves at once must not earn the credit twice.
    .where(and(eq(leads.id, lead.id), sql`${leads.creditedAt} is null`))
    .returning({ userId: leads.userId, existingCustomer: leads.existingCustomer });
  if (first) {
    const counted = !first.existingCustomer;
    await db
      .insert(contactCredits)
      .values({ leadId: lead.id, userId: first.userId, creditedAt, counted })
      .onConflictDoNothing();
  }
  return change(db, lead.id, { status });
}

/** Only the keys that were sent change; an empty one goes. */
export async function mergeCustomFields(db: Db, leadId: number, fields: CustomFields): Promise<Lead> {
  const sent = Object.entries(fields).filter(([, value]) => value !== undefined);
  const cleared = sent.filter(([, value]) => value === '').map(([key]) => key);
  const merged = JSON.stringify(Object.fromEntries(sent));
  return change(db, leadId, {
    customFields: sql`(${leads.customFields} || ${merged}::jsonb) - ${sql.param(cleared)}::text[]`,
  });
}

/** Replaces the notes and keeps what they were, the last twenty times. */
export async function setNotes(db: Db, lead: Lead, notes: string, viewerId: number): Promise<Lead> {
  if (lead.notes === notes) return lead;
  const { id, userBusinessId } = leadNoteRevisions;
  await db.insert(leadNoteRevisions).values({
    userBusinessId: lead.id,
    notes: lead.notes,
    notesVersion: lead.notesVersion,
    replacedBy: viewerId,
  });
  const kept = db
    .select({ id })
    .from(leadNoteRevisions)
    .where(eq(userBusinessId, lead.id))
    .orderBy(sql`${id} desc`)
    .limit(KEPT_REVISIONS);
  await db.delete(leadNoteRevisions).where(and(eq(userBusinessId, lead.id), sql`${id} not in ${kept}`));
  return change(db, lead.id, { notes, notesVersion: sql`${leads.notesVersion} + 1` });
}

/** Adds a tag at the end, unless it is there already in any case. Undefined when the lead has as many as it may. */
export async function appendTag(db: Db, lead: Lead, tag: string): Promise<Lead | undefined> {
  if (lead.tags.some((present) => present.toLowerCase() === tag.toLowerCase())) return lead;
  if (lead.tags.length >= MOST_TAGS) return undefined;
  return change(db, lead.id, { tags: sql`array_append(${leads.tags}, ${tag})` });
}

export async function dropTag(db: Db, leadId: number, tag: string): Promise<Lead> {
  return change(db, leadId, { tags: sql`array_remove(${leads.tags}, ${tag})` });
}

export async function setArchived(db: Db, lead: Lead, archived: boolean): Promise<Lead> {
  if (lead.archived === archived) return lead;
  return change(db, lead.id, { archived, archivedAt: archived ? sql`now()` : null });
}

/** An existing customer's credit is not counted for as long as the mark stands. */
export async function setExistingCustomer(db: Db, lead: Lead, marked: boolean): Promise<Lead> {
  if (lead.existingCustomer === marked) return lead;
  await db.update(contactCredits).set({ counted: !marked }).where(eq(contactCredits.leadId, lead.id));
  return change(db, lead.id, { existingCustomer: marked, existingCustomerAt: marked ? sql`now()` : null });
}

export async function removeLead(db: Db, leadId: number): Promise<void> {
  await db.delete(leads).where(eq(leads.id, leadId));
}

export async function insertActivity(
  db: Db,
  leadId: number,
  { type, notes, createdBy, now }: { type: ActivityType; notes: string; createdBy: number; now: Date },
) {
  const at = now.toISOString();
  const [activity] = await db
    .insert(contactActivities)
    .values({
      userBusinessId: leadId,
      type,
      description: notes,
      createdBy,
      completedAt: at,
      createdAt: at,
      updatedAt: at,
    })
    .returning(activityColumns);
  if (!activity) throw new Error('The activity was not written');
  if (isContact(type)) await change(db, leadId, { lastContactedAt: at });
  return activity;
}

export async function findActivity(db: Db, activityId: number) {
  const [activity] = await db
    .select({ leadId: contactActivities.userBusinessId })
    .from(contactActivities)
    .where(eq(contactActivities.id, activityId));
  return activity;
}

/** Whether it was still there. */
export async function removeActivity(db: Db, activityId: number): Promise<boolean> {
  const gone = await db
    .delete(contactActivities)
    .where(eq(contactActivities.id, activityId))
    .returning({ id: contactActivities.id });
  return gone.length > 0;
}
