import { eq, sql } from 'drizzle-orm';
import { Refusal } from '#contract/errors.ts';
import { type CustomFields, isReservedTag, type Lead, type LeadStatus } from '#contract/leads/lead.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { Db } from '#server/kit/db/db.ts';
import { businesses, leads } from '#server/kit/db/schema.ts';
import { requireCurrentRole } from '#server/users/account-rules.ts';
import { recordHandOvers, requireTarget } from './hand-over.ts';
import { leadColumns } from './leads.sql.ts';

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
}

export const reservedTag = () => new Refusal('reserved_tag', 'The tag "Imported" is reserved');

/** Makes a business a lead of a user, with its first history row and the notice to its holder. */
export async function assignBusiness(tx: Db, given: NewLead, viewer: Viewer, ip: string): Promise<Lead> {
  if (given.tags.some(isReservedTag)) throw reservedTag();
  await requireCurrentRole(tx, viewer);
  await requireBusiness(tx, given.businessId);
  const holder = await requireTarget(tx, given.userId);
  const fields = Object.entries(given.customFields ?? {}).filter(([, value]) => value);
  const uuid = await unusedUuid(tx, given.uuid);
  const [lead] = await tx
    .insert(leads)
    .values({
      userId: holder.id,
      businessId: given.businessId,
      status: given.status,
      viewed: given.viewed,
      archived: given.archived,
      archivedAt: given.archived ? sql`now()` : null,
      tags: distinct(given.tags),
      notes: given.notes ?? '',
      customFields: Object.fromEntries(fields) as Record<string, string>,
      ...(uuid && { uuid }),
    })
    .returning(leadColumns);
  if (!lead) throw new Error('The lead was not written');
  await recordHandOvers(tx, [{ lead }], { viewer, ip });
  return lead;
}

async function requireBusiness(tx: Db, businessId: number) {
  const [business] = await tx
    .select({ id: businesses.id })
    .from(businesses)
    .where(eq(businesses.id, businessId))
    .for('share');
  if (!business) throw new Refusal('not_found', 'This business no longer exists');
}

/** A client's uuid is taken when it is a valid, unused one. */
async function unusedUuid(tx: Db, given: unknown): Promise<string | undefined> {
  if (typeof given !== 'string' || !UUID.test(given)) return undefined;
  const uuid = given.toLowerCase();
  // Two who bring the same one at once go one after the other, so that the second sees it taken.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${uuid}, 0))`);
  return (await tx.$count(leads, eq(leads.uuid, uuid))) === 0 ? uuid : undefined;
}

/** Without repeats, in any case; the first spelling stays. */
export const distinct = (tags: string[]) =>
  [...new Map(tags.toReversed().map((tag) => [tag.toLowerCase(), tag])).values()].toReversed();
