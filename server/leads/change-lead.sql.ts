import { and, eq, inArray, sql } from 'drizzle-orm';
import type { ActivityType, CustomFields, Lead, LeadStatus } from '#contract/leads/lead.ts';
import { isContact, isContacted, MAX_TAGS } from '#contract/leads/lead.ts';
import type { Db } from '#server/kit/db/db.ts';
import { contactActivities, contactCredits, leadNoteRevisions, leads } from '#server/kit/db/schema.ts';
import { activityColumns, leadColumns } from './leads.sql.ts';

const KEPT_REVISIONS = 20;

async function change(db: Db, leadId: number, set: Record<string, unknown>): Promise<Lead> {
  const [lead] = await changeAll(db, [leadId], set);
  if (!lead) throw new Error(`Lead ${leadId} went while it was locked`);
  return lead;
}

async function changeAll(db: Db, leadIds: number[], set: Record<string, unknown>): Promise<Lead[]> {
  if (!leadIds.length) return [];
  return db
    .update(leads)
    .set({ ...set, updatedAt: sql`now()` })
    .where(inArray(leads.id, leadIds))
    .returning(leadColumns);
}

/** Once viewed it stays so; seeing it again changes nothing. */
export async function setViewed(db: Db, lead: Lead): Promise<Lead> {
  return lead.viewed ? lead : change(db, lead.id, { viewed: true });
}

/**
 * Moves locked leads. The first move of a lead into a contacted status earns its holder a credit, which stays with them
 * after the lead is reassigned or deleted; while the lead is marked as an existing customer it is not counted.
 */
export async function setStatus(db: Db, locked: Lead[], status: LeadStatus, now: Date): Promise<Lead[]> {
  const [unchanged, moving] = partition(locked, (lead) => lead.status === status);
  const ids = moving.map(({ id }) => id);
  const moved = isContacted(status) ? await moveAndCredit(db, ids, status, now) : await changeAll(db, ids, { status });
  return [...unchanged, ...moved];
}

/** Moves the leads, and credits those that have no credit yet. */
async function moveAndCredit(db: Db, ids: number[], status: LeadStatus, now: Date): Promise<Lead[]> {
  if (!ids.length) return [];
  const contactedAt = now.toISOString();
  const firstContact = sql`${leads.creditedAt} is null`;
  const moved = await db
    .update(leads)
    .set({
      status,
      // The row's own value decides, not the one read earlier: two moves at once must not earn the credit twice.
      creditedAt: sql`coalesce(${leads.creditedAt}, ${contactedAt}::timestamptz)`,
      lastContactedAt: sql`case when ${firstContact} then ${contactedAt}::timestamptz else ${leads.lastContactedAt} end`,
      updatedAt: sql`now()`,
    })
    .where(inArray(leads.id, ids))
    .returning({ ...leadColumns, creditedAt: leads.creditedAt });
  const credits = moved
    .filter(({ creditedAt }) => creditedAt === contactedAt)
    .map(({ id, userId, existingCustomer }) => ({
      leadId: id,
      userId,
      creditedAt: contactedAt,
      counted: !existingCustomer,
    }));
  if (credits.length) await db.insert(contactCredits).values(credits).onConflictDoNothing();
  return moved.map(({ creditedAt: _, ...lead }) => lead);
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
  if (lead.tags.length >= MAX_TAGS) return undefined;
  return change(db, lead.id, { tags: sql`array_append(${leads.tags}, ${tag})` });
}

export async function dropTag(db: Db, leadId: number, tag: string): Promise<Lead> {
  return change(db, leadId, { tags: sql`array_remove(${leads.tags}, ${tag})` });
}

export async function setArchived(db: Db, locked: Lead[], archived: boolean): Promise<Lead[]> {
  const [unchanged, moving] = partition(locked, (lead) => lead.archived === archived);
  const ids = moving.map(({ id }) => id);
  return [...unchanged, ...(await changeAll(db, ids, { archived, archivedAt: archived ? sql`now()` : null }))];
}

/** An existing customer's credit is not counted for as long as the mark stands. */
export async function setExistingCustomer(db: Db, lead: Lead, marked: boolean): Promise<Lead> {
  if (lead.existingCustomer === marked) return lead;
  await db.update(contactCredits).set({ counted: !marked }).where(eq(contactCredits.leadId, lead.id));
  return change(db, lead.id, { existingCustomer: marked, existingCustomerAt: marked ? sql`now()` : null });
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

function partition(given: Lead[], belongs: (lead: Lead) => boolean): [Lead[], Lead[]] {
  return [given.filter(belongs), given.filter((lead) => !belongs(lead))];
}
