import { eq, inArray, type SQL, sql } from 'drizzle-orm';
import type { MergeChoice, MergeField, MergeRecord } from '#contract/duplicates/merge.ts';
import type { Lead } from '#contract/leads/lead.ts';
import type { StoredFollowUp } from '#server/change-log/change-values.ts';
import type { Db } from '#server/kit/db/db.ts';
import { leadColumns } from '#server/leads/leads.sql.ts';
import { businesses, contactActivities, leadNoteRevisions, leads } from '#server/schema/leads.ts';
import type { JoinedLead } from './join-leads.ts';

const { id, name, formattedAddress, vicinity, town, phone, phoneTyped, website, websiteTyped, type, typeGuessed } =
  businesses;
const { latitude, longitude, updatedAt, mergedInto } = businesses;

export const recordColumns = {
  id,
  name,
  address: sql<string | null>`coalesce(${formattedAddress}, ${vicinity})`,
  town,
  phone,
  phoneTyped,
  website,
  websiteTyped,
  type,
  typeGuessed,
  latitude,
  longitude,
  updatedAt,
  mergedInto,
};

export type BusinessRow = Awaited<ReturnType<typeof lockBusinesses>>[number];

export const lockLeads = (tx: Db, businessIds: number[]): Promise<Lead[]> =>
  tx.select(leadColumns).from(leads).where(inArray(leads.businessId, businessIds)).orderBy(leads.id).for('update');

export const countLeads = (tx: Db, businessIds: number[]) => tx.$count(leads, inArray(leads.businessId, businessIds));

export const lockBusinesses = (tx: Db, businessIds: number[]) =>
  tx.select(recordColumns).from(businesses).where(inArray(id, businessIds)).orderBy(id).for('update');

export const toMergeRecord = ({ latitude: lat, longitude: lon, mergedInto: _, ...row }: BusinessRow): MergeRecord => ({
  ...row,
  position: lat === null || lon === null ? null : `${lat.toFixed(4)}, ${lon.toFixed(4)}`,
});

/** The columns that each choice is about. */
const COLUMNS: Record<MergeField, string[]> = {
  name: ['name'],
  address: ['formatted_address', 'vicinity'],
  town: ['town'],
  phone: ['phone', 'international_phone', 'phone_typed', 'wrong_phone'],
  website: ['website', 'website_typed'],
  type: ['type', 'type_guessed'],
  position: ['latitude', 'longitude', 'position_approximate'],
};

/** Gives the kept business the chosen values, with one statement. One with an imported part is imported. */
export async function writeBusiness(tx: Db, keptId: number, businessIds: number[], choice: MergeChoice) {
  const sets: SQL[] = [];
  for (const [field, columns] of Object.entries(COLUMNS) as [MergeField, string[]][]) {
    if (choice[field] === keptId) continue;
    for (const column of columns) {
      sets.push(
        sql`${sql.raw(column)} = (select source.${sql.raw(column)} from businesses source where source.id = ${choice[field]})`,
      );
    }
  }
  await tx.execute(sql`
    update businesses set ${sql.join([...sets, sql`updated_at = now()`], sql`, `)},
      imported = (select bool_or(source.imported) from businesses source where source.id = any (${sql.param(businessIds)}::int[]))
    where id = ${keptId}`);
}

interface Join {
  other: JoinedLead;
  droppedFollowUp: StoredFollowUp | undefined;
  /** The lead whose notes the joined ones replace. */
  notesBefore: Lead;
  /** What does not fit in the notes. */
  olderNotes: string[];
  viewerId: number;
  /** The name of the program through which they merge. */
  program: string | null;
  now: Date;
}

/** Writes the joined lead, moves what belongs to the other one to it, and deletes the other. */
export async function joinLead(tx: Db, joined: JoinedLead, join: Join) {
  const { other, droppedFollowUp, notesBefore, olderNotes, viewerId, program, now } = join;
  if (droppedFollowUp) await tx.delete(contactActivities).where(eq(contactActivities.id, droppedFollowUp.id));
  if (joined.notesVersion !== notesBefore.notesVersion) {
    const { id: userBusinessId, notes, notesVersion } = notesBefore;
    await tx.insert(leadNoteRevisions).values({ userBusinessId, notes, notesVersion, replacedBy: viewerId });
  }
  const [to, from] = [joined.id, other.id];
  if (olderNotes.length) {
    const at = now.toISOString();
    const author = { createdBy: viewerId, program };
    const activity = { userBusinessId: to, type: 'note', ...author, completedAt: at, createdAt: at } as const;
    await tx.insert(contactActivities).values(olderNotes.map((description) => ({ ...activity, description })));
  }
  await tx.execute(sql`update contact_activities set user_business_id = ${to} where user_business_id = ${from}`);
  await tx.execute(sql`update lead_comments set user_business_id = ${to} where user_business_id = ${from}`);
  await tx.execute(sql`update assignment_history set user_business_id = ${to} where user_business_id = ${from}`);
  await tx.execute(sql`update external_ids set user_business_id = ${to} where user_business_id = ${from}`);
  await tx.execute(sql`update changes set lead_id = ${to}, moved_from = ${from} where lead_id = ${from}`);
  await tx.execute(sql`
    update notifications set related_user_business_id = ${to} where related_user_business_id = ${from}`);
  await tx.execute(sql`
    update notifications set lead_ids = array_replace(lead_ids, ${from}, ${to})
    where user_id = ${joined.userId} and ${from} = any (lead_ids)`);
  // Otherwise deleted with the lead, and undoing an earlier merge needs them.
  await tx.execute(sql`update merged_rows set lead_id = ${to} where lead_id = ${from}`);
  // A lead has one credit. A second one outlives its lead, as after any deletion: a merge takes none away.
  await tx.execute(sql`
    update contact_credits set lead_id = ${to}
    where lead_id = ${from} and not exists (select from contact_credits where lead_id = ${to})`);
  await tx.delete(leads).where(eq(leads.id, from));
  const { id: leadId, uuid: _, businessId: __, businessName: ___, followUp: ____, ...columns } = joined;
  await tx
    .update(leads)
    .set({ ...columns, updatedAt: sql`now()` })
    .where(eq(leads.id, leadId));
  await tx.execute(sql`
    update user_businesses lead set credited_at = c.credited_at from contact_credits c
    where lead.id = ${to} and c.lead_id = lead.id`);
}

export const moveLead = (tx: Db, leadId: number, businessId: number) =>
  tx.update(leads).set({ businessId, updatedAt: sql`now()` }).where(eq(leads.id, leadId));

/** Businesses that were merged into one of these before now lead to the kept one too. */
export const markMerged = (tx: Db, keptId: number, merged: number[]) =>
  tx.execute(sql`
    update businesses set merged_into = ${keptId}, updated_at = now()
    where id = any (${sql.param(merged)}::int[]) or merged_into = any (${sql.param(merged)}::int[])`);

/** The pairs of the merged businesses are decided. What is no duplicate of one of them is none of the kept one. */
export async function settlePairs(tx: Db, keptId: number, businessIds: number[], viewerId: number) {
  const ids = sql`${sql.param(businessIds)}::int[]`;
  await tx.execute(sql`
    update duplicate_pairs set state = 'merged', decided_by = ${viewerId}, decided_at = now()
    where business_id = any (${ids}) and other_id = any (${ids})`);
  await tx.execute(sql`
    with dismissed as (
      select case when business_id = any (${ids}) then other_id else business_id end as other, score, reasons,
        decided_by, decided_at
      from duplicate_pairs
      where state = 'dismissed' and (business_id = any (${ids})) <> (other_id = any (${ids}))
    )
    insert into duplicate_pairs as stored (business_id, other_id, score, reasons, state, decided_by, decided_at)
    select distinct on (other) least(other, ${keptId}), greatest(other, ${keptId}), score, reasons, 'dismissed',
      decided_by, decided_at
    from dismissed order by other
    on conflict (business_id, other_id) do update set state = 'dismissed', decided_by = excluded.decided_by,
      decided_at = excluded.decided_at
    where stored.state = 'open'`);
}
