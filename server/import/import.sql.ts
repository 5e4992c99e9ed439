import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { ImportRow } from '#contract/import/csv-row.ts';
import type { Db } from '#server/kit/db/db.ts';

export interface NewLeadRow {
  row: ImportRow;
  userId: number;
}

/** The same business has the same one in every file, so that it is stored once. */
export function placeIdOf({ name, address }: ImportRow): string {
  const alike = [name, address ?? ''].map((text) => text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' '));
  return `import:${createHash('sha256').update(alike.join('\n')).digest('base64url').slice(0, 32)}`;
}

interface Holder {
  id: number;
  username: string;
  role: string;
}

/** The active users of these names, and the importer, who stay so until the transaction ends. */
export async function holdUsers(tx: Db, usernames: string[], importerId: number): Promise<Holder[]> {
  const { rows } = await tx.execute<Holder & Record<string, unknown>>(sql`
    select id, username, role from users
    where active and (id = ${importerId} or lower(username) in (
      select lower(name) from json_array_elements_text(${JSON.stringify(usernames)}::json) as name))
    order by id for share`);
  return rows;
}

/** Stores the businesses that are new, and what is new about the others; what somebody typed stays. */
export async function storeBusinesses(tx: Db, rows: ImportRow[]): Promise<void> {
  const byPlace = new Map<string, Record<string, string | null>>();
  for (const row of rows) {
    const { name, address, town, phone, website } = row;
    const placeId = placeIdOf(row);
    const before = byPlace.get(placeId);
    byPlace.set(placeId, {
      place_id: placeId,
      name,
      address,
      town: town ?? before?.town ?? null,
      phone: phone ?? before?.phone ?? null,
      website: website ?? before?.website ?? null,
    });
  }
  await tx.execute(sql`
    insert into businesses as stored (place_id, name, formatted_address, town, phone, website, imported)
    select place_id, name, address, town, phone, website, true
    from json_to_recordset(${JSON.stringify([...byPlace.values()])}::json)
      as given (place_id text, name text, address text, town text, phone text, website text)
    order by place_id -- always in the same order, so that two who store the same wait instead of deadlocking
    on conflict (place_id) do update set
      town = coalesce(excluded.town, stored.town),
      phone = case when stored.phone_typed then stored.phone else coalesce(excluded.phone, stored.phone) end,
      website = case when stored.website_typed then stored.website else coalesce(excluded.website, stored.website) end,
      updated_at = now()
    where excluded.town is distinct from stored.town and excluded.town is not null
      or not stored.phone_typed and excluded.phone is distinct from stored.phone and excluded.phone is not null
      or not stored.website_typed and excluded.website is distinct from stored.website and excluded.website is not null`);
}

/**
 * Makes leads of stored businesses, with their first history rows, and says how many each user has got. Whoever was
 * given the business before, by an earlier import of the same file, is not given it again, even when they have handed
 * it on since.
 */
export async function insertLeads(tx: Db, rows: NewLeadRow[], importerId: number): Promise<Map<number, number>> {
  const given = rows.map(({ row, userId }, nth) => ({
    nth,
    place_id: placeIdOf(row),
    user_id: userId,
    tags: row.tags,
    custom_fields: row.customFields,
  }));
  const { rows: created } = await tx.execute<{ user_id: number; leads: number }>(sql`
    with given as (
      select * from json_to_recordset(${JSON.stringify(given)}::json)
        as row (nth integer, place_id text, user_id integer, tags text[], custom_fields jsonb)
    ), created as (
      insert into user_businesses (user_id, business_id, tags, custom_fields)
      select given.user_id, b.id, given.tags, given.custom_fields
      from given join businesses b on b.place_id = given.place_id
      where not exists (
        select from user_businesses earlier join assignment_history h on h.user_business_id = earlier.id
        where earlier.business_id = b.id and h.initial and h.new_user_id = given.user_id)
      order by given.nth -- of two rows for the same lead the first counts
      on conflict on constraint user_businesses_one_per_user do nothing
      returning id, user_id
    ), history as (
      insert into assignment_history (user_business_id, new_user_id, changed_by, initial)
      select id, user_id, ${importerId}, true from created
    )
    select user_id, count(*)::integer as leads from created group by user_id`);
  return new Map(created.map(({ user_id, leads }) => [user_id, leads]));
}
