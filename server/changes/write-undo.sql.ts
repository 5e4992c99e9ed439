import { and, isNotNull, sql } from 'drizzle-orm';
import type { Lead } from '#contract/leads/lead.ts';
import type { StoredActivity, StoredFollowUp } from '#server/change-log/change-values.ts';
import type { Db } from '#server/kit/db/db.ts';
import { anyOf, toInsertParts } from '#server/kit/db/parameters.ts';
import { contactActivities, contactCredits, leadNoteRevisions, leads } from '#server/schema/leads.ts';
import { users } from '#server/schema/users.ts';
import type { BusinessContact } from './undo.sql.ts';

/** The columns of a lead that undoing restores. */
const RESTORED = {
  status: 'text',
  archived: 'boolean',
  archivedAt: 'timestamptz',
  existingCustomer: 'boolean',
  existingCustomerAt: 'timestamptz',
  userId: 'integer',
  assignedAt: 'timestamptz',
  viewed: 'boolean',
  nextStepAt: 'timestamptz',
  nextStepType: 'text',
  notes: 'text',
  notesVersion: 'integer',
  tags: 'text[]',
  customFields: 'jsonb',
  ownFields: 'jsonb',
} as const satisfies Partial<Record<keyof Lead, string>>;

/** Writes these leads, with one statement for any number of them. */
export async function updateLeads(tx: Db, restored: Lead[]): Promise<void> {
  if (!restored.length) return;
  const columns = Object.entries(RESTORED).map(([key, type]) => {
    const name = key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    return { set: `${name} = restored."${key}"`, column: `"${key}" ${type}` };
  });
  const sets = sql.raw(columns.map(({ set }) => set).join(', '));
  const types = sql.raw(columns.map(({ column }) => column).join(', '));
  await tx.execute(sql`
    update user_businesses as lead set ${sets}, updated_at = now()
    from jsonb_to_recordset(${JSON.stringify(restored)}::jsonb) as restored (id integer, ${types})
    where lead.id = restored.id`);
}

export async function updateBusinesses(tx: Db, restored: BusinessContact[]): Promise<void> {
  if (!restored.length) return;
  await tx.execute(sql`
    update businesses as business set phone = restored.phone, phone_typed = restored."phoneTyped",
      wrong_phone = restored."wrongPhone", website = restored.website, website_typed = restored."websiteTyped",
      town = restored.town, type = restored.type, type_guessed = restored."typeGuessed", updated_at = now()
    from jsonb_to_recordset(${JSON.stringify(restored)}::jsonb) as restored (id integer, phone text,
      "phoneTyped" boolean, "wrongPhone" text, website text, "websiteTyped" boolean, town text,
      type text, "typeGuessed" boolean)
    where business.id = restored.id`);
}

export interface LeadCredit {
  leadId: number;
  userId: number;
  creditedAt: string;
  counted: boolean;
}

export async function restoreCredits(tx: Db, credits: LeadCredit[]) {
  if (!credits.length) return;
  for (const part of toInsertParts(credits)) await tx.insert(contactCredits).values(part).onConflictDoNothing();
  await tx.execute(sql`
    update user_businesses set credited_at = c.credited_at from contact_credits c
    where c.lead_id = user_businesses.id and ${anyOf(leads.id, ids(credits))}`);
}

export async function deleteCredits(tx: Db, credits: { leadId: number }[]) {
  if (!credits.length) return;
  await tx.delete(contactCredits).where(anyOf(contactCredits.leadId, ids(credits)));
  await tx
    .update(leads)
    .set({ creditedAt: null })
    .where(anyOf(leads.id, ids(credits)));
}

const ids = (rows: { leadId: number }[]) => rows.map(({ leadId }) => leadId);

/** The credit of an existing customer is not counted. */
export async function recountCredits(tx: Db, leadIds: number[]) {
  if (!leadIds.length) return;
  await tx.execute(sql`
    update contact_credits set counted = not lead.existing_customer from user_businesses lead
    where lead.id = lead_id and ${anyOf(contactCredits.leadId, leadIds)}`);
}

export async function deleteActivities(tx: Db, activityIds: number[]) {
  if (activityIds.length) await tx.delete(contactActivities).where(anyOf(contactActivities.id, activityIds));
}

export async function insertActivities(tx: Db, rows: (StoredActivity & { id: number; leadId: number })[]) {
  const author = await lockAuthors(tx, rows);
  const values = rows.map(({ leadId, ...row }) => ({
    ...row,
    userBusinessId: leadId,
    createdBy: author(row.createdBy),
  }));
  for (const part of toInsertParts(values)) await tx.insert(contactActivities).values(part);
}

/** Of those who wrote these rows, the ones whose account still exists; locked, so that none is deleted before the commit. */
async function lockAuthors(
  tx: Db,
  rows: { createdBy: number | null }[],
): Promise<(id: number | null) => number | null> {
  const ids = [...new Set(rows.flatMap(({ createdBy }) => createdBy ?? []))];
  const found = await tx.select({ id: users.id }).from(users).where(anyOf(users.id, ids)).for('key share');
  const existing = new Set(found.map(({ id }) => id));
  return (id) => (id !== null && existing.has(id) ? id : null);
}

/** Replaces the open follow-ups of these leads; null leaves a lead without one. */
export async function replaceFollowUps(tx: Db, followUps: Map<number, StoredFollowUp | null>, now: Date) {
  if (!followUps.size) return;
  const open = and(isNotNull(contactActivities.scheduledAt), sql`${contactActivities.completedAt} is null`);
  await tx.delete(contactActivities).where(and(anyOf(contactActivities.userBusinessId, [...followUps.keys()]), open));
  const rows = [...followUps].flatMap(([leadId, followUp]) => (followUp ? [{ leadId, ...followUp }] : []));
  const author = await lockAuthors(tx, rows);
  const values = rows.map(({ leadId, at, note, ...row }) => ({
    ...row,
    userBusinessId: leadId,
    createdBy: author(row.createdBy),
    scheduledAt: at,
    description: note,
    // A time that is over needs no reminder.
    remindedAt: Date.parse(at) > now.getTime() ? null : now.toISOString(),
  }));
  for (const part of toInsertParts(values)) await tx.insert(contactActivities).values(part);
}

/** Stores the current notes of these leads as revisions, as saving notes does. */
export async function insertRevisions(tx: Db, current: Lead[], replacedBy: number) {
  if (!current.length) return;
  const values = current.map((lead) => ({
    userBusinessId: lead.id,
    notes: lead.notes,
    notesVersion: lead.notesVersion,
    replacedBy,
  }));
  for (const part of toInsertParts(values)) await tx.insert(leadNoteRevisions).values(part);
}
