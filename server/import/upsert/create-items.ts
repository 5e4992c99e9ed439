import { createHash } from 'node:crypto';
import { Refusal } from '#contract/errors.ts';
import { type ImportRow, isPlaceId } from '#contract/import/csv-row.ts';
import type { UpsertBody, UpsertItem } from '#contract/import/upsert.ts';
import { canAddFor, requireMayAdd } from '#contract/leads/adding/adding-policy.ts';
import type { Details } from '#contract/leads/fields/detail-fields.ts';
import { isReservedTag, type Lead } from '#contract/leads/lead.ts';
import { findMissingToWin } from '#contract/leads/own-fields/own-field.ts';
import { parseTown } from '#contract/leads/town.ts';
import { findStoredPlaces } from '#server/import/check/check-import.sql.ts';
import { completeRow } from '#server/import/complete-row.ts';
import { upsertBusinesses } from '#server/import/run/import-rows.sql.ts';
import type { Db } from '#server/kit/db/db.ts';
import {
  type AddingContext,
  makeLeads,
  readOwnValues,
  requirePermission,
  requireUnassigned,
} from '#server/leads/adding/add-lead.ts';
import { readDistrict } from '#server/leads/adding/adding.sql.ts';
import { requireBusiness, reservedTag, uniqueTags } from '#server/leads/assign-business.ts';
import { listFields } from '#server/own-fields/own-fields.sql.ts';
import { findDistrictOf } from '#server/places/district-area.ts';
import { changeBusiness } from './change-item.ts';
import { linkExternal } from './external-ids.sql.ts';

/** The item as a row of a file, for what decides about rows. */
export function toRow(item: UpsertItem, source: string | undefined): ImportRow & { placeId: string } {
  const { name = '', address = '', town = '', phone, website, businessType, position } = item;
  const row: ImportRow = {
    name,
    address: address || null,
    town: town || parseTown(address),
    phone: phone || null,
    website: website || null,
    customFields: readDetails(item),
    ownFields: {},
    username: '',
    tags: [],
    notes: '',
    placeId: null,
    position: position ? { ...position, approximate: false } : null,
    businessType: businessType || null,
  };
  return { ...completeRow(row), placeId: item.placeId ?? toPlaceId(item, source) };
}

/** Derived from what names the lead, so that one that was deleted does not store its business twice. */
function toPlaceId({ externalId, uuid }: UpsertItem, source = ''): string {
  const name = externalId === undefined ? `${uuid}` : `${source}\n${externalId}`;
  return `program:${createHash('sha256').update(name).digest('base64url').slice(0, 32)}`;
}

const readDetails = ({ customFields = {} }: UpsertItem): Details =>
  Object.fromEntries(Object.entries(customFields).filter(([, value]) => value));

export interface CreateContext extends AddingContext, Pick<UpsertBody, 'source'> {
  /** The active users among those who are named. */
  activeUsers: ReadonlySet<number>;
}

export interface NewItem {
  item: UpsertItem;
  row: ImportRow & { placeId: string };
  /** The business that gets the lead; a new one without it. */
  businessId: number | undefined;
  holderId: number;
}

/** Refuses before anything is said of what the item looks like. */
export function requireMayCreate({ holderId }: Pick<NewItem, 'holderId'>, context: CreateContext) {
  const { viewer, rules, activeUsers } = context;
  requireMayAdd(viewer, rules);
  if (!canAddFor(viewer, holderId)) throw new Refusal('forbidden', 'You can add businesses for yourself only');
  if (activeUsers.has(holderId)) return;
  throw new Refusal('invalid_target', 'The chosen user does not exist or is inactive');
}

/** Makes leads, and their businesses where those are new: all of them, or none where one is refused. */
export async function createItems(tx: Db, items: NewItem[], context: CreateContext) {
  const { source, log } = context;
  const values = [];
  for (const [besides, each] of items.entries()) values.push(await prepare(tx, each, { ...context, besides }));
  const businessIds = await lockBusinesses(tx, items, context);
  const made = values.map((each, nth) => ({ ...each, businessId: businessIds[nth] as number })); // one for each
  const leads = await makeLeads(tx, made, context);
  const named = leads.map(({ id }, nth) => ({ leadId: id, externalId: items[nth]?.item.externalId }));
  await linkExternal(tx, source, named);
  const created: { lead: Lead; ignored: string[] }[] = [];
  for (const [nth, lead] of leads.entries()) {
    const { item, businessId } = items[nth] as NewItem; // a lead for each
    const changed = businessId === undefined ? undefined : await changeBusiness(tx, lead.businessId, item, log);
    created.push({ lead, ignored: changed?.ignored ?? [] });
  }
  return created;
}

/** What the lead begins with. Refuses before anything is written. */
async function prepare(tx: Db, each: NewItem, context: CreateContext & { besides: number }) {
  const { item, row, businessId, holderId } = each;
  const { uuid, status = 'new', tags = [], notes = '' } = item;
  requireMayCreate(each, context);
  if (tags.some(isReservedTag)) throw reservedTag();
  if (businessId === undefined) requireNewBusiness(item);
  const district = businessId === undefined ? findDistrict(row) : await readDistrict(tx, businessId);
  await requirePermission(tx, { holderId, district, besides: context.besides }, context);
  const ownFields = await readOwnValues(tx, item);
  if (status === 'closed_won') {
    const missing = findMissingToWin(await listFields(tx), ownFields);
    if (missing) throw new Refusal('field_required', missing);
  }
  const customFields = readDetails(item);
  return { userId: holderId, uuid, status, notes, ownFields, tags: uniqueTags(tags), customFields };
}

/** The business of each item, stored where it is new. */
async function lockBusinesses(tx: Db, items: NewItem[], { viewer, log }: CreateContext): Promise<number[]> {
  const rows = items.flatMap(({ row, businessId }) => (businessId === undefined ? [row] : []));
  if (rows.length) await upsertBusinesses(tx, rows, log); // it locks all of them
  const places = rows.map(({ placeId }) => placeId);
  const stored = places.length ? await findStoredPlaces(tx, places) : new Map<string, number>();
  const ids: number[] = [];
  for (const { businessId: known, row } of items) {
    const id = known === undefined ? stored.get(row.placeId) : await requireBusiness(tx, known, 'no key update');
    if (id === undefined) throw new Error('The business was not written');
    if (viewer.role !== 'admin') await requireUnassigned(tx, id);
    ids.push(id);
  }
  return ids;
}

function requireNewBusiness({ name, placeId }: UpsertItem) {
  if (placeId !== undefined && !isPlaceId(placeId)) throw new Refusal('not_found', 'No business has this place id');
  if (name !== undefined) return;
  const message = 'Please send the name: this lead is new';
  throw new Refusal('validation_failed', message, { errors: [{ path: 'name', message }] });
}

const findDistrict = ({ address, position }: ImportRow): string | null =>
  findDistrictOf({
    formattedAddress: address,
    latitude: position?.latitude ?? null,
    longitude: position?.longitude ?? null,
  })?.code ?? null;
