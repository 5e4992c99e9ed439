import { isDeepStrictEqual } from 'node:util';
import { and, eq, inArray, not, sql } from 'drizzle-orm';
import { DETAIL_KEYS } from '#contract/leads/fields/detail-fields.ts';
import type { ActivityType, CustomFields, Lead, LeadStatus } from '#contract/leads/lead.ts';
import { isContact, isContacted, MAX_TAGS } from '#contract/leads/lead.ts';
import type { ActivityOutcome } from '#contract/leads/log/outcomes.ts';
import type { OwnValue } from '#contract/leads/own-fields/field-type.ts';
import { type Marked, toStoredActivity } from '#server/change-log/change-values.ts';
import type { ChangeLog } from '#server/change-log/record-changes.ts';
import type { Db } from '#server/kit/db/db.ts';
import { executePrepared } from '#server/kit/db/execute-prepared.ts';
import { anyOf } from '#server/kit/db/parameters.ts';
import { contactActivities, contactCredits, leadNoteRevisions, leads } from '#server/schema/leads.ts';
import { notBeforeLastContact, updateLastContact } from './last-contact.sql.ts';
import { activityColumns, isOpenFollowUp, leadColumns } from './leads.sql.ts';

const MAX_NOTE_REVISIONS = 20;

async function updateLead(db: Db, leadId: number, set: Record<string, unknown>): Promise<Lead> {
  const [lead] = await updateLeads(db, [leadId], set);
  if (!lead) throw new Error(`Lead ${leadId} was deleted while it was locked`);
  return lead;
}

async function updateLeads(db: Db, leadIds: number[], set: Record<string, unknown>): Promise<Lead[]> {
  if (!leadIds.length) return [];
  return db
    .update(leads)
    .set({ ...set, updatedAt: sql`now()` })
    .where(inArray(leads.id, leadIds))
    .returning(leadColumns);
}

export async function setViewed(db: Db, lead: Lead): Promise<Lead> {
  return lead.viewed ? lead : updateLead(db, lead.id, { viewed: true });
}

/**
 * Sets the status of locked leads. The first contacted status of a lead earns its holder a credit, which stays with them
 * after the lead is reassigned or deleted; while the lead is marked as an existing customer it is not counted.
 */
export async function setStatus(
  db: Db,
  locked: Lead[],
  status: LeadStatus,
  { now, log }: { now: Date; log: ChangeLog },
): Promise<Lead[]> {
  const [unchanged, changing] = partition(locked, (lead) => lead.status === status);
  if (!changing.length) return unchanged;
  const ids = changing.map(({ id }) => id);
  for (const lead of changing) log.addLead(lead.id, 'status', { before: lead.status, after: status });
  if (!isContacted(status)) return [...unchanged, ...(await updateLeads(db, ids, { status }))];
  const moved = await setContactedStatus(db, ids, status, { now, log });
  return [...unchanged, ...changing.map((lead) => ({ ...lead, status, ...moved.get(lead.id) }))];
}

/** Sets a contacted status, and credits the leads without a credit. Returns what else has changed, by lead. */
async function setContactedStatus(
  db: Db,
  ids: number[],
  status: LeadStatus,
  { now, log }: { now: Date; log: ChangeLog },
): Promise<Map<number, Pick<Lead, 'lastContactedAt' | 'updatedAt'>>> {
  const contactedAt = now.toISOString();
  const firstContact = sql`${leads.creditedAt} is null`;
  const moved = await db
    .update(leads)
    .set({
      status,
      // The row's own value decides, not the one read earlier: concurrent changes must not earn the credit twice.
      creditedAt: sql`coalesce(${leads.creditedAt}, ${contactedAt}::timestamptz)`,
      lastContactedAt: sql`case when ${firstContact} then ${notBeforeLastContact(contactedAt)} else ${leads.lastContactedAt} end`,
      updatedAt: sql`now()`,
    })
    .where(anyOf(leads.id, ids))
    .returning({
      id: leads.id,
      creditedAt: leads.creditedAt,
      lastContactedAt: leads.lastContactedAt,
      updatedAt: leads.updatedAt,
    })
    .prepare('set_contacted_status')
    .execute();
  const credited = moved.filter(({ creditedAt }) => creditedAt === contactedAt).map(({ id }) => id);
  for (const { leadId, userId, counted } of await insertCredits(db, credited)) {
    log.addLead(leadId, 'credit', { before: null, after: { userId, creditedAt: contactedAt, counted } });
  }
  return new Map(moved.map(({ id, lastContactedAt, updatedAt }) => [id, { lastContactedAt, updatedAt }]));
}

/** Credits the holders of these leads. Returns the credits that are new. */
async function insertCredits(db: Db, ids: number[]) {
  if (!ids.length) return [];
  const inserted = await executePrepared<{ leadId: number; userId: number; counted: boolean }>(
    db,
    sql`insert into contact_credits (lead_id, user_id, credited_at, counted)
      select id, user_id, credited_at, not existing_customer from user_businesses where id = any (${sql.param(ids)}::int[])
      on conflict do nothing returning lead_id as "leadId", user_id as "userId", counted`,
  );
  return inserted.rows;
}

/** Changes only the keys that were sent; an empty value removes its key. */
export async function mergeCustomFields(db: Db, lead: Lead, fields: CustomFields, log: ChangeLog): Promise<Lead> {
  const sent = Object.entries(fields).filter(([, value]) => value !== undefined);
  const cleared = sent.filter(([, value]) => value === '').map(([key]) => key);
  const merged = JSON.stringify(Object.fromEntries(sent));
  const changed = await updateLead(db, lead.id, {
    customFields: sql`(${leads.customFields} || ${merged}::jsonb) - ${sql.param(cleared)}::text[]`,
  });
  for (const field of DETAIL_KEYS) {
    const [before = null, after = null] = [lead.customFields[field], changed.customFields[field]];
    log.addLead(lead.id, field, { before, after });
  }
  return changed;
}

/** Sets values of the team's own fields of locked leads; null clears one. */
export async function setOwnValues(
  db: Db,
  locked: Lead[],
  values: ReadonlyMap<number, OwnValue | null>,
  log: ChangeLog,
): Promise<Lead[]> {
  const entries = [...values].map(([fieldId, value]): [string, OwnValue | null] => [String(fieldId), value]);
  const [unchanged, changing] = partition(locked, ({ ownFields }) =>
    entries.every(([key, value]) => isDeepStrictEqual(ownFields[key] ?? null, value)),
  );
  for (const { id, ownFields } of changing) {
    for (const [item, after] of entries) log.addLead(id, 'ownField', { item, before: ownFields[item] ?? null, after });
  }
  const set = JSON.stringify(Object.fromEntries(entries.filter(([, value]) => value !== null)));
  const cleared = entries.flatMap(([key, value]) => (value === null ? [key] : []));
  const ids = changing.map(({ id }) => id);
  const changed = await updateLeads(db, ids, {
    ownFields: sql`(${leads.ownFields} || ${set}::jsonb) - ${sql.param(cleared)}::text[]`,
  });
  return [...unchanged, ...changed];
}

/** Replaces the notes and stores the previous ones as a revision, the last twenty of them. */
export async function setNotes(
  db: Db,
  lead: Lead,
  notes: string,
  { viewerId, log }: { viewerId: number; log: ChangeLog },
): Promise<Lead> {
  if (lead.notes === notes) return lead;
  const { id, userBusinessId } = leadNoteRevisions;
  await db.insert(leadNoteRevisions).values({
    userBusinessId: lead.id,
    notes: lead.notes,
    notesVersion: lead.notesVersion,
    replacedBy: viewerId,
  });
  const newest = db
    .select({ id })
    .from(leadNoteRevisions)
    .where(eq(userBusinessId, lead.id))
    .orderBy(sql`${id} desc`)
    .limit(MAX_NOTE_REVISIONS);
  await db.delete(leadNoteRevisions).where(and(eq(userBusinessId, lead.id), sql`${id} not in ${newest}`));
  log.addLead(lead.id, 'notes', { before: lead.notesVersion, after: lead.notesVersion + 1 });
  return updateLead(db, lead.id, { notes, notesVersion: sql`${leads.notesVersion} + 1` });
}

/** Adds a tag unless the lead has it (case-insensitively). Undefined when the lead has the maximum number of tags. */
export async function addTag(db: Db, lead: Lead, tag: string, log: ChangeLog): Promise<Lead | undefined> {
  if (lead.tags.some((existing) => existing.toLowerCase() === tag.toLowerCase())) return lead;
  if (lead.tags.length >= MAX_TAGS) return undefined;
  log.addLead(lead.id, 'tag', { item: tag, before: null, after: tag });
  return updateLead(db, lead.id, { tags: sql`array_append(${leads.tags}, ${tag})` });
}

export async function removeTag(db: Db, leadId: number, tag: string, log: ChangeLog): Promise<Lead> {
  log.addLead(leadId, 'tag', { item: tag, before: tag, after: null });
  return updateLead(db, leadId, { tags: sql`array_remove(${leads.tags}, ${tag})` });
}

/** Adds a tag to locked leads that do not have it. Returns the changed leads, and those that have too many tags. */
export async function addTags(db: Db, locked: Lead[], tag: string, log: ChangeLog) {
  const [, lacking] = partition(locked, ({ tags }) => tags.some((other) => other.toLowerCase() === tag.toLowerCase()));
  const [full, changing] = partition(lacking, ({ tags }) => tags.length >= MAX_TAGS);
  for (const { id } of changing) log.addLead(id, 'tag', { item: tag, before: null, after: tag });
  const ids = changing.map(({ id }) => id);
  return { changed: await updateLeads(db, ids, { tags: sql`array_append(${leads.tags}, ${tag})` }), full };
}

/** Removes a tag from locked leads that have it, in the same letters. Returns the changed leads. */
export async function removeTags(db: Db, locked: Lead[], tag: string, log: ChangeLog): Promise<Lead[]> {
  const ids = locked.filter(({ tags }) => tags.includes(tag)).map(({ id }) => id);
  for (const id of ids) log.addLead(id, 'tag', { item: tag, before: tag, after: null });
  return updateLeads(db, ids, { tags: sql`array_remove(${leads.tags}, ${tag})` });
}

export async function setArchived(db: Db, locked: Lead[], archived: boolean, log: ChangeLog): Promise<Lead[]> {
  const [unchanged, changing] = partition(locked, (lead) => lead.archived === archived);
  const ids = changing.map(({ id }) => id);
  const changed = await updateLeads(db, ids, { archived, archivedAt: archived ? sql`now()` : null });
  const before = new Map(changing.map((lead) => [lead.id, lead.archivedAt]));
  for (const { id, archivedAt } of changed) {
    log.addLead(id, 'archived', {
      before: toMarked(!archived, before.get(id) ?? null),
      after: toMarked(archived, archivedAt),
    });
  }
  return [...unchanged, ...changed];
}

const toMarked = (marked: boolean, at: string | null): Marked => marked && (at ?? true);

/** The credit of an existing customer is not counted while the lead is marked as one. */
export async function setExistingCustomer(db: Db, lead: Lead, marked: boolean, log: ChangeLog): Promise<Lead> {
  if (lead.existingCustomer === marked) return lead;
  await db.update(contactCredits).set({ counted: !marked }).where(eq(contactCredits.leadId, lead.id));
  const set = { existingCustomer: marked, existingCustomerAt: marked ? sql`now()` : null };
  const changed = await updateLead(db, lead.id, set);
  log.addLead(lead.id, 'existingCustomer', {
    before: toMarked(lead.existingCustomer, lead.existingCustomerAt),
    after: toMarked(changed.existingCustomer, changed.existingCustomerAt),
  });
  return changed;
}

interface NewActivity {
  type: ActivityType;
  notes: string;
  outcome?: ActivityOutcome;
  createdBy: number | null;
  /** That through which its author wrote it earlier; otherwise that of the request. */
  program?: string | null | undefined;
  /** When it was done. */
  now: Date;
  log: ChangeLog;
}

export async function insertActivity(
  db: Db,
  leadId: number,
  { type, notes, outcome, createdBy, now, log, program = log.program }: NewActivity,
) {
  const at = now.toISOString();
  const [activity] = await db
    .insert(contactActivities)
    .values({
      userBusinessId: leadId,
      type,
      description: notes,
      outcome: outcome ?? null,
      createdBy,
      program,
      completedAt: at,
      createdAt: at,
      updatedAt: at,
    })
    .returning(activityColumns);
  if (!activity) throw new Error('The activity was not written');
  log.addLead(leadId, 'activity', { item: String(activity.id), before: null, after: { id: activity.id } });
  if (isContact(type)) await updateLead(db, leadId, { lastContactedAt: notBeforeLastContact(at) });
  return activity;
}

export async function findActivity(db: Db, activityId: number) {
  const [activity] = await db
    .select({ leadId: contactActivities.userBusinessId })
    .from(contactActivities)
    .where(and(eq(contactActivities.id, activityId), not(isOpenFollowUp)));
  return activity;
}

/** Deletes an activity of a locked lead. Undefined where there is no such activity. */
export async function deleteActivity(
  db: Db,
  lead: Lead,
  activityId: number,
  log: ChangeLog,
): Promise<Lead | undefined> {
  const [deleted] = await db.delete(contactActivities).where(eq(contactActivities.id, activityId)).returning();
  if (!deleted) return undefined;
  const before = { id: activityId, row: toStoredActivity(deleted) };
  log.addLead(lead.id, 'activity', { item: String(activityId), before, after: null });
  const wasLast = isContact(deleted.type) && (deleted.completedAt ?? '') >= (lead.lastContactedAt ?? '');
  if (wasLast) await updateLastContact(db, [lead.id]);
  return updateLead(db, lead.id, {});
}

function partition(locked: Lead[], matches: (lead: Lead) => boolean): [matching: Lead[], others: Lead[]] {
  return [locked.filter(matches), locked.filter((lead) => !matches(lead))];
}
