import { Refusal } from '#contract/errors.ts';
import type { UpsertBody, UpsertItem, UpsertResult } from '#contract/import/upsert.ts';
import type { Lead } from '#contract/leads/lead.ts';
import { canSeeLead } from '#contract/leads/lead-policy.ts';
import type { Viewer } from '#contract/users/user.ts';
import { findStoredPlaces } from '#server/import/check/check-import.sql.ts';
import type { Db } from '#server/kit/db/db.ts';
import type { AddingContext } from '#server/leads/adding/add-lead.ts';
import { changeItem } from './change-item.ts';
import { createItem, requireMayCreate, toRow } from './create-item.ts';
import { linkExternal } from './external-ids.sql.ts';
import { findItem, pickLead } from './find-item.ts';
import type { FindSimilar } from './look-alikes.ts';
import { listLeadUuids } from './looks-like.sql.ts';

export interface UpsertContext extends AddingContext, Pick<UpsertBody, 'source' | 'onDuplicate'> {
  /** The active users among those who are named. */
  activeUsers: ReadonlySet<number>;
  findSimilar: FindSimilar;
}

type Done = Omit<UpsertResult, 'index' | 'lead'> & { lead: Lead | null };

/** Changes the lead that an item names, or makes it. */
export async function upsertItem(tx: Db, item: UpsertItem, context: UpsertContext): Promise<Done> {
  const { viewer, source, activeUsers } = context;
  if (item.externalId !== undefined && !source) throw sourceMissing();
  const found = await findItem(tx, item, context);
  if (found.lead) return change(tx, found.lead, item, context);
  requireMayCreate(item, context);
  const holderId = item.holderId ?? viewer.id;
  if (!activeUsers.has(holderId)) {
    throw new Refusal('invalid_target', 'The chosen user does not exist or is inactive');
  }
  const row = toRow(item, source);
  const businessId = found.businessId ?? (await findStoredPlaces(tx, [row.placeId])).get(row.placeId);
  const looksLike = await context.findSimilar(tx, { item, row, businessId, holderId });
  if (!looksLike || context.onDuplicate === 'create') return create(businessId);
  if (context.onDuplicate === 'skip') {
    const leadUuid = await findVisibleLead(tx, looksLike.businessId, viewer);
    return { outcome: 'skipped', lead: null, looksLike: { ...looksLike, leadUuid }, ignored: [] };
  }
  const used = await pickLead(tx, looksLike.businessId, item, viewer);
  return used ? change(tx, used, item, context) : create(looksLike.businessId);

  async function create(onBusiness: number | undefined): Promise<Done> {
    const made = await createItem(tx, { item, row, businessId: onBusiness, holderId }, context);
    await link(tx, made.lead, item, context);
    return { outcome: 'created', ...made };
  }
}

async function change(tx: Db, found: Lead, item: UpsertItem, context: UpsertContext): Promise<Done> {
  const { lead, isChanged, ignored } = await changeItem(tx, found, item, context);
  await link(tx, lead, item, context);
  return { outcome: isChanged ? 'changed' : 'unchanged', lead, ignored };
}

async function link(tx: Db, lead: Lead, { externalId }: UpsertItem, { source }: UpsertContext) {
  if (source && externalId !== undefined) await linkExternal(tx, source, externalId, lead.id);
}

async function findVisibleLead(tx: Db, businessId: number, viewer: Viewer): Promise<string | null> {
  const held = await listLeadUuids(tx, businessId);
  return held.find((lead) => canSeeLead(viewer, lead))?.uuid ?? null;
}

const sourceMissing = () => {
  const message = 'Please send the source of the external ids';
  return new Refusal('validation_failed', message, { errors: [{ path: 'source', message }] });
};
