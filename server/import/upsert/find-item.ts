import { eq } from 'drizzle-orm';
import { Refusal } from '#contract/errors.ts';
import type { UpsertItem } from '#contract/import/upsert.ts';
import type { Lead } from '#contract/leads/lead.ts';
import { canChangeLead } from '#contract/leads/lead-policy.ts';
import type { Viewer } from '#contract/users/user.ts';
import { findStoredPlaces } from '#server/import/check/check-import.sql.ts';
import type { Db } from '#server/kit/db/db.ts';
import { leadColumns, lockLead } from '#server/leads/leads.sql.ts';
import { findJoinedLead } from '#server/leads/merged-rows.sql.ts';
import { leads } from '#server/schema/leads.ts';
import { findExternal } from './external-ids.sql.ts';

export interface Sent {
  viewer: Viewer;
  source?: string | undefined;
}

/** The lead that an item names, locked; or the business without one for its holder. */
export async function findItem(
  tx: Db,
  item: UpsertItem,
  { viewer, source }: Sent,
): Promise<{ lead?: Lead | undefined; businessId?: number | undefined }> {
  const { externalId, uuid, placeId } = item;
  const named = source && externalId !== undefined ? await findExternal(tx, source, externalId) : undefined;
  const lead =
    (named !== undefined && (await lockLead(tx, { id: named }))) ||
    (uuid !== undefined && (await findByUuid(tx, uuid)));
  if (lead) return { lead };
  if (placeId === undefined) return {};
  const businessId = (await findStoredPlaces(tx, [placeId])).get(placeId);
  return businessId === undefined ? {} : { businessId, lead: await pickLead(tx, businessId, item, viewer) };
}

/** One that a merge joined into another is that one. */
async function findByUuid(tx: Db, uuid: string): Promise<Lead | undefined> {
  const lead = await lockLead(tx, { uuid });
  if (lead) return lead;
  const joined = await findJoinedLead(tx, { uuid });
  return joined && lockLead(tx, { uuid: joined.uuid });
}

/** The lead on a business that is meant: that of the holder who is named, or the user's own, or the only one. */
export async function pickLead(
  tx: Db,
  businessId: number,
  { holderId }: Pick<UpsertItem, 'holderId'>,
  viewer: Viewer,
): Promise<Lead | undefined> {
  const held = await tx
    .select(leadColumns)
    .from(leads)
    .where(eq(leads.businessId, businessId))
    .orderBy(leads.id)
    .for('update');
  if (holderId !== undefined) return held.find(({ userId }) => userId === holderId);
  const own = held.find(({ userId }) => userId === viewer.id);
  const [only, ...others] = held.filter((lead) => canChangeLead(viewer, lead));
  if (own || !others.length) return own ?? only;
  throw new Refusal('already_assigned', 'Several users work this business. Please name one of them in holderId.');
}
