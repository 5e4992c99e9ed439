import { eq, sql } from 'drizzle-orm';
import { Refusal } from '#contract/errors.ts';
import type { Details } from '#contract/leads/fields/detail-fields.ts';
import type { LeadOrigin } from '#contract/leads/fields/lead-origin.ts';
import { type CustomFields, isReservedTag, type Lead, type LeadStatus } from '#contract/leads/lead.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { ChangeLog } from '#server/change-log/record-changes.ts';
import type { Db } from '#server/kit/db/db.ts';
import { businesses, leads } from '#server/schema/leads.ts';
import { requireCurrentRole } from '#server/users/account-rules.ts';
import { createLeads } from './create-leads.ts';
import { findLead } from './leads.sql.ts';
import { requireTarget } from './reassignment-target.ts';
import { recordAssignments } from './record-assignments.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export interface NewLead {
  userId: number;
  businessId: number;
  uuid?: unknown;
  status: LeadStatus;
  viewed: boolean;
  archived: boolean;
  tags: string[];
  notes?: string | null | undefined;
  customFields?: CustomFields | null | undefined;
  batch?: string | undefined;
}

export const reservedTag = () => new Refusal('reserved_tag', 'The tag "Imported" is reserved');

/** Makes a business a lead of a user, with its first history row and a notification to the holder. */
export async function assignBusiness(
  tx: Db,
  newLead: NewLead,
  { viewer, ip, log, origin }: { viewer: Viewer; ip: string; log: ChangeLog; origin: LeadOrigin },
): Promise<Lead> {
  if (newLead.tags.some(isReservedTag)) throw reservedTag();
  await requireCurrentRole(tx, viewer);
  const businessId = await requireBusiness(tx, newLead.businessId);
  const holder = await requireTarget(tx, newLead.userId);
  const fields = Object.entries(newLead.customFields ?? {}).filter(([, value]) => value);
  const [created] = await createLeads(
    tx,
    [
      {
        userId: holder.id,
        business: { id: businessId },
        uuid: await unusedUuid(tx, newLead.uuid),
        status: newLead.status,
        viewed: newLead.viewed,
        archived: newLead.archived,
        tags: uniqueTags(newLead.tags),
        notes: newLead.notes ?? '',
        customFields: Object.fromEntries(fields) as Details,
      },
    ],
    { origin, log },
  );
  const lead = created && (await findLead(tx, { id: created.id }));
  if (!lead) throw new Error('The lead was not written');
  const notices = { batch: log.batchId, merged: newLead.batch !== undefined };
  await recordAssignments(tx, [{ lead }], { viewer, ip, notices });
  return lead;
}

/** The id of the business, or of the one that it was merged into. Locked until the transaction ends. */
export async function requireBusiness(
  tx: Db,
  businessId: number,
  lock: 'share' | 'no key update' = 'share',
): Promise<number> {
  const [business] = await tx
    .select({ id: businesses.id, mergedInto: businesses.mergedInto })
    .from(businesses)
    .where(eq(businesses.id, businessId))
    .for(lock);
  if (!business) throw new Refusal('not_found', 'This business no longer exists');
  // Locked too, so that it is not merged away itself before the lead is there.
  return business.mergedInto === null ? business.id : requireBusiness(tx, business.mergedInto, lock);
}

/** The client's uuid, if it is valid and unused. */
async function unusedUuid(tx: Db, requested: unknown): Promise<string | undefined> {
  if (typeof requested !== 'string' || !UUID.test(requested)) return undefined;
  const uuid = requested.toLowerCase();
  // Concurrent requests with the same uuid wait for each other, so that the second sees it used.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${uuid}, 0))`);
  return (await tx.$count(leads, eq(leads.uuid, uuid))) === 0 ? uuid : undefined;
}

/** Without case-insensitive duplicates; the first spelling is kept. */
export const uniqueTags = (tags: string[]) =>
  [...new Map(tags.toReversed().map((tag) => [tag.toLowerCase(), tag])).values()].toReversed();
