import { createHash } from 'node:crypto';
import { inArray, type SQL, sql } from 'drizzle-orm';
import type { ImportRow } from '#contract/import/csv-row.ts';
import { toTypeColumns } from '#server/business-types/classify-business.ts';
import type { ChangeLog } from '#server/change-log/record-changes.ts';
import type { Db } from '#server/kit/db/db.ts';
import { createLeads } from '#server/leads/create-leads.ts';
import { lockFieldsForValues } from '#server/own-fields/own-fields.sql.ts';
import { toStoredType } from '#server/places/find-type.ts';
import { businesses } from '#server/schema/leads.ts';

export interface NewLeadRow {
  row: ImportRow;
  userId: number;
  /** Of the business that gets the lead: the row's own, or an existing one that it looks like. */
  placeId: string;
}

/** Derived from name and address, so that importing a file again stores no business twice. */
export function toPlaceId({ name, address, placeId }: Pick<ImportRow, 'name' | 'address' | 'placeId'>): string {
  if (placeId) return placeId;
  const normalized = [name, address ?? ''].map((text) => text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' '));
  return `import:${createHash('sha256').update(normalized.join('\n')).digest('base64url').slice(0, 32)}`;
}

/** The places of these businesses, by id. */
export async function findPlaceIds(db: Db, ids: number[]): Promise<Map<number, string>> {
  if (!ids.length) return new Map();
  const rows = await db
    .select({ id: businesses.id, placeId: businesses.placeId })
    .from(businesses)
    .where(inArray(businesses.id, ids));
  return new Map(rows.map(({ id, placeId }) => [id, placeId]));
}

interface LockedUser {
  id: number;
  username: string;
  role: string;
}

/** The active users of these names and ids, locked until the transaction ends. */
export const lockUsers = (tx: Db, usernames: string[], ids: number[]) =>
  selectUsers(tx, usernames, ids, sql`for share`);

export const findUsers = (db: Db, usernames: string[], ids: number[]) => selectUsers(db, usernames, ids, sql``);

async function selectUsers(db: Db, usernames: string[], ids: number[], lock: SQL): Promise<LockedUser[]> {
  const { rows } = await db.execute<LockedUser & Record<string, unknown>>(sql`
    select id, username, role from users
    where active and (id = any (${sql.param(ids)}::int[]) or lower(username) in (
      select lower(name) from json_array_elements_text(${JSON.stringify(usernames)}::json) as name))
    order by id ${lock}`);
  return rows;
}

/** Inserts new businesses and updates the others, except for a phone or website that a user typed. */
export async function upsertBusinesses(tx: Db, rows: ImportRow[], log: ChangeLog): Promise<void> {
  const byPlace = new Map<string, SourceRow>();
  for (const row of rows) {
    const { name, address, town, phone, website } = row;
    const placeId = toPlaceId(row);
    const previous = byPlace.get(placeId);
    byPlace.set(placeId, {
      place_id: placeId,
      name,
      address,
      town: town ?? previous?.town ?? null,
      phone: phone ?? previous?.phone ?? null,
      website: website ?? previous?.website ?? null,
      types: row.businessType ? [toStoredType(row.businessType)] : (previous?.types ?? []),
      ...toSourceType(row, previous),
      ...toPositionColumns(row.position, previous),
    });
  }
  const stored = await lockBusinesses(tx, [...byPlace.keys()]);
  const { rows: written } = await tx.execute<StoredBusiness & Record<string, unknown>>(sql`
    insert into businesses as stored (
      place_id, name, formatted_address, town, phone, website, types, type, type_guessed, latitude,
      longitude, position_approximate, imported)
    select place_id, name, address, town, phone, website, types, type, type_guessed, latitude, longitude, approximate,
      true
    from json_to_recordset(${JSON.stringify([...byPlace.values()])}::json)
      as source (place_id text, name text, address text, town text, phone text, website text, types text[],
        type text, type_guessed boolean, latitude float8, longitude float8, approximate boolean)
    order by place_id -- the same order in every transaction prevents deadlocks
    on conflict (place_id) do update set
      town = coalesce(excluded.town, stored.town),
      phone = case when stored.phone_typed then stored.phone else coalesce(excluded.phone, stored.phone) end,
      website = case when stored.website_typed then stored.website else coalesce(excluded.website, stored.website) end,
      types = case when stored.types = '{}' then excluded.types else stored.types end,
      type = case when stored.type_guessed then coalesce(excluded.type, stored.type) else stored.type end,
      type_guessed = stored.type_guessed and excluded.type_guessed,
      latitude = case when ${IS_BETTER} then excluded.latitude else stored.latitude end,
      longitude = case when ${IS_BETTER} then excluded.longitude else stored.longitude end,
      position_approximate = case when ${IS_BETTER} then excluded.position_approximate else stored.position_approximate end,
      updated_at = now()
    -- The values of a merged business were chosen.
    where stored.merged_into is null and (${IS_BETTER} or stored.types = '{}' and excluded.types <> '{}'
      or stored.type_guessed and (not excluded.type_guessed or excluded.type is distinct from stored.type and excluded.type is not null)
      or excluded.town is distinct from stored.town and excluded.town is not null
      or not stored.phone_typed and excluded.phone is distinct from stored.phone and excluded.phone is not null
      or not stored.website_typed and excluded.website is distinct from stored.website and excluded.website is not null)
    returning stored.id, stored.town, stored.phone, stored.website, stored.type, stored.type_guessed`);
  for (const { id, town, phone, website, type, type_guessed: guessed } of written) {
    const before = stored.get(id);
    if (!before) continue;
    log.addBusiness(id, 'town', { before: before.town, after: town });
    // One that a user typed is not changed.
    log.addBusiness(id, 'phone', {
      before: { text: before.phone, typed: false },
      after: { text: phone, typed: false },
    });
    const sites = { before: { text: before.website, typed: false }, after: { text: website, typed: false } };
    log.addBusiness(id, 'website', sites);
    // A guess is no change that anyone made.
    const typeBefore = { label: before.type, guessed: before.type_guessed };
    if (!guessed) log.addBusiness(id, 'type', { before: typeBefore, after: { label: type, guessed } });
  }
}

/** A position where none was known, or the exact one instead of that of the district. */
const IS_BETTER = sql`(excluded.latitude is not null
  and (stored.latitude is null or stored.position_approximate and not excluded.position_approximate))`;

interface SourceRow {
  place_id: string;
  name: string;
  address: string | null;
  town: string | null;
  phone: string | null;
  website: string | null;
  types: string[];
  type: string | null;
  type_guessed: boolean;
  latitude: number | null;
  longitude: number | null;
  approximate: boolean;
}

/** A later row of the same business that says nothing of its type does not take away what an earlier one said. */
function toSourceType({ name, businessType }: ImportRow, previous: SourceRow | undefined) {
  const { type, typeGuessed } = toTypeColumns({ types: businessType ? [businessType] : [], name });
  if (typeGuessed && previous && !previous.type_guessed) return { type: previous.type, type_guessed: false };
  return { type, type_guessed: typeGuessed };
}

function toPositionColumns(position: ImportRow['position'], previous: SourceRow | undefined) {
  const { latitude = null, longitude = null, approximate = false } = position ?? {};
  if (previous && (latitude === null || (approximate && !previous.approximate && previous.latitude !== null))) {
    return { latitude: previous.latitude, longitude: previous.longitude, approximate: previous.approximate };
  }
  return { latitude, longitude, approximate };
}

interface StoredBusiness {
  id: number;
  town: string | null;
  phone: string | null;
  website: string | null;
  type: string | null;
  type_guessed: boolean;
}

/** The businesses of these places that are stored already, by id. */
async function lockBusinesses(tx: Db, placeIds: string[]): Promise<Map<number, StoredBusiness>> {
  const { rows } = await tx.execute<StoredBusiness & Record<string, unknown>>(sql`
    select id, town, phone, website, type, type_guessed from businesses
    where place_id in (select value from json_array_elements_text(${JSON.stringify(placeIds)}::json))
    order by place_id for update`);
  return new Map(rows.map((row) => [row.id, row]));
}

interface ImportContext {
  importerId: number;
  fileName: string;
  log: ChangeLog;
}

/** Inserts leads with their first history rows, and returns the number of new leads by user. */
export async function insertLeads(
  tx: Db,
  rows: NewLeadRow[],
  { importerId, fileName, log }: ImportContext,
): Promise<Map<number, number>> {
  // The imported notes are version 0: what is saved later counts as work on the lead, they do not.
  const takesValue = await lockOwnFields(tx, rows);
  const newLeads = rows.map(({ row: { tags, customFields, ownFields, notes }, userId, placeId }) => ({
    ...{ userId, business: { placeId }, tags, customFields, notes },
    ownFields: Object.fromEntries(Object.entries(ownFields).filter(([id]) => takesValue(id))),
  }));
  const origin = { kind: 'file', name: fileName } as const;
  const created = await createLeads(tx, newLeads, { origin, log, held: 'skip' });
  const ids = created.map(({ id }) => id);
  await tx.execute(sql`
    insert into assignment_history (user_business_id, new_user_id, changed_by, initial)
    select id, user_id, ${importerId}, true from user_businesses where id = any (${sql.param(ids)}::int[])`);
  const counts = new Map<number, number>();
  for (const { userId } of created) counts.set(userId, (counts.get(userId) ?? 0) + 1);
  return counts;
}

/** The fields of these rows that were neither archived nor deleted since the file was mapped, locked as they are. */
async function lockOwnFields(tx: Db, rows: NewLeadRow[]): Promise<(id: string) => boolean> {
  const ids = new Set(rows.flatMap(({ row }) => Object.keys(row.ownFields)));
  if (!ids.size) return () => false;
  const locked = await lockFieldsForValues(tx, [...ids].map(Number));
  const current = new Set(locked.flatMap(({ id, archived }) => (archived ? [] : [String(id)])));
  return (id) => current.has(id);
}
