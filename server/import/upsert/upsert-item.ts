import { Refusal } from '#contract/errors.ts';
import type { UpsertBody, UpsertItem, UpsertResult } from '#contract/import/upsert.ts';
import type { Lead } from '#contract/leads/lead.ts';
import { canSeeLead } from '#contract/leads/lead-policy.ts';
import type { Viewer } from '#contract/users/user.ts';
import { findStoredPlaces } from '#server/import/check/check-import.sql.ts';
import type { Db } from '#server/kit/db/db.ts';
import { changeItem } from './change-item.ts';
import { type CreateContext, createItems, type NewItem, requireMayCreate, toRow } from './create-items.ts';
import { linkExternal } from './external-ids.sql.ts';
import { findItem, pickLead } from './find-item.ts';
import type { FindSimilar } from './look-alikes.ts';
import { listLeadUuids } from './looks-like.sql.ts';

export interface UpsertContext extends CreateContext, Pick<UpsertBody, 'onDuplicate'> {
  findSimilar: FindSimilar;
}

export type Done = Omit<UpsertResult, 'index' | 'lead'> & { lead: Lead | null };

/** Changes the lead that an item names, or makes it. */
export async function upsertItem(tx: Db, item: UpsertItem, context: UpsertContext): Promise<Done> {
  const { viewer, source } = context;
  if (item.externalId !== undefined && !source) throw sourceMissing();
  const found = await findItem(tx, item, context);
  if (found.lead) return change(tx, found.lead, item, context);
  const holderId = item.holderId ?? viewer.id;
  requireMayCreate({ holderId }, context);
  const row = toRow(item, source);
  const businessId = found.businessId ?? (await findStoredPlaces(tx, [row.placeId])).get(row.placeId);
  const looksLike = await context.findSimilar(tx, { item, row, businessId, holderId });
  const create = (onBusiness: number | undefined) =>
    createOne(tx, { item, row, businessId: onBusiness, holderId }, context);
  if (!looksLike || context.onDuplicate === 'create') return create(businessId);
  if (context.onDuplicate === 'skip') {
    const leadUuid = await findVisibleLead(tx, looksLike.businessId, viewer);
    return { outcome: 'skipped', lead: null, looksLike: { ...looksLike, leadUuid }, ignored: [] };
  }
  const used = await pickLead(tx, looksLike.businessId, item, viewer);
  return used ? change(tx, used, item, context) : create(looksLike.businessId);
}

/** Makes the leads of items that are new, with a few statements for all of them. */
export async function createAll(tx: Db, items: NewItem[], context: CreateContext): Promise<Done[]> {
  const made = await createItems(tx, items, context);
  return made.map((each) => ({ outcome: 'created', ...each }));
}

async function createOne(tx: Db, item: NewItem, context: CreateContext): Promise<Done> {
  const [done] = await createAll(tx, [item], context);
  if (!done) throw new Error('The lead was not written');
  return done;
}

async function change(tx: Db, found: Lead, item: UpsertItem, context: UpsertContext): Promise<Done> {
  const { lead, isChanged, ignored } = await changeItem(tx, found, item, context);
  await linkExternal(tx, context.source, [{ leadId: lead.id, externalId: item.externalId }]);
  return { outcome: isChanged ? 'changed' : 'unchanged', lead, ignored };
}

async function findVisibleLead(tx: Db, businessId: number, viewer: Viewer): Promise<string | null> {
  const held = await listLeadUuids(tx, businessId);
  return held.find((lead) => canSeeLead(viewer, lead))?.uuid ?? null;
}

const sourceMissing = () => {
  const message = 'Please send the source of the external ids';
  return new Refusal('validation_failed', message, { errors: [{ path: 'source', message }] });
};
