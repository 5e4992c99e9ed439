import { createHash } from 'node:crypto';
import { Refusal } from '#contract/errors.ts';
import { type ImportRow, isPlaceId } from '#contract/import/csv-row.ts';
import type { UpsertItem } from '#contract/import/upsert.ts';
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
  makeLead,
  readOwnValues,
  requirePermission,
  requireUnassigned,
} from '#server/leads/adding/add-lead.ts';
import { readDistrict } from '#server/leads/adding/adding.sql.ts';
import { requireBusiness, reservedTag, uniqueTags } from '#server/leads/assign-business.ts';
import { listFields } from '#server/own-fields/own-fields.sql.ts';
import { findDistrictOf } from '#server/places/district-area.ts';
import { changeBusiness } from './change-item.ts';

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

/** Refuses before anything is said of what the item looks like. */
export function requireMayCreate(item: UpsertItem, { viewer, rules }: AddingContext) {
  requireMayAdd(viewer, rules);
  if (!canAddFor(viewer, item.holderId ?? viewer.id)) {
    throw new Refusal('forbidden', 'You can add businesses for yourself only');
  }
}

interface New {
  item: UpsertItem;
  row: ImportRow & { placeId: string };
  /** The business that gets the lead; a new one without it. */
  businessId: number | undefined;
  holderId: number;
}

/** Makes a lead, and its business where that is new. */
export async function createItem(tx: Db, { item, row, businessId: known, holderId }: New, context: AddingContext) {
  const { viewer, log } = context;
  if (item.tags?.some(isReservedTag)) throw reservedTag();
  if (known === undefined) requireNewBusiness(item);
  const district = known === undefined ? findDistrict(row) : await readDistrict(tx, known);
  await requirePermission(tx, { holderId, district }, context);
  if (known === undefined) await upsertBusinesses(tx, [row], log);
  const stored = known ?? (await findStoredPlaces(tx, [row.placeId])).get(row.placeId);
  if (stored === undefined) throw new Error('The business was not written');
  const businessId = await requireBusiness(tx, stored, 'no key update');
  if (viewer.role !== 'admin') await requireUnassigned(tx, businessId);
  const ownFields = await readOwnValues(tx, item);
  if (item.status === 'closed_won') {
    const missing = findMissingToWin(await listFields(tx), ownFields);
    if (missing) throw new Refusal('field_required', missing);
  }
  const { uuid, status = 'new', tags = [], notes = '' } = item;
  const lead: Lead = await makeLead(
    tx,
    {
      ...{ userId: holderId, businessId, uuid, status, notes, ownFields },
      tags: uniqueTags(tags),
      customFields: readDetails(item),
    },
    context,
  );
  const { ignored } = known === undefined ? { ignored: [] } : await changeBusiness(tx, businessId, item, log);
  return { lead, ignored };
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
