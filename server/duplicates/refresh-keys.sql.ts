import { sql } from 'drizzle-orm';
import type { Db } from '#server/kit/db/db.ts';
import { toMatchKeys, toNameKeys } from './match-keys.ts';

/** Bounds the work of one step, and of a lookup that finds changed businesses. */
const STEP = 1_000;
/** A business has the time at which its transaction began; one that took this long is still found. */
const OVERLAP = '10 minutes';

type ChangedBusiness = {
  id: number;
  name: string;
  address: string | null;
  town: string | null;
  phone: string | null;
  website: string | null;
  updated_at: string;
};

const COLUMNS = sql`
  b.id, b.name, coalesce(b.formatted_address, b.vicinity) as address, b.town, coalesce(b.phone, b.international_phone) as phone,
  b.website, b.updated_at`;
const IS_OUTDATED = sql`
  b.merged_into is null and not exists (
    select from business_match_keys k where k.business_id = b.id and k.business_updated_at = b.updated_at)`;

/** Before the rows of a file are compared, so that every stored business is found. After an import, it takes a while. */
export async function refreshAllKeys(db: Db, signal?: AbortSignal): Promise<void> {
  while (!(await refreshKeys(db)).done) signal?.throwIfAborted();
}

/**
 * Before these businesses are compared: one step at most, however many an import has just changed. Those in the same
 * districts come first, because they may look like them; the background job does the rest.
 */
export async function refreshKeysNear(db: Db, businessIds: number[]): Promise<void> {
  const { rows } = await db.execute<ChangedBusiness>(sql`
    select ${COLUMNS} from businesses b
    where b.district in (select district from businesses where id = any (${sql.param(businessIds)}::int[]))
      and ${IS_OUTDATED}
    limit ${STEP}`);
  await writeKeys(db, rows);
  if (rows.length < STEP) await refreshKeys(db, STEP - rows.length);
}

/** Brings the keys of some changed businesses up to date. Returns how many; fewer than a step means all. */
export async function refreshKeys(db: Db, step = STEP): Promise<{ refreshed: number; done: boolean }> {
  const { rows } = await db.execute<ChangedBusiness>(sql`
    select ${COLUMNS} from businesses b
    where (b.updated_at, b.id) > (coalesce((select keys_at from duplicate_scan), '-infinity'), coalesce((select keys_id from duplicate_scan), 0))
    order by b.updated_at, b.id limit ${step}`);
  const last = rows.at(-1);
  const late = rows.length < step ? await readLateBusinesses(db, step - rows.length) : [];
  const refreshed = rows.length + late.length;
  await writeKeys(db, [...rows, ...late]);
  if (last) await moveCursor(db, last);
  return { refreshed, done: refreshed < step };
}

/** Businesses whose transaction committed after later ones had been refreshed. */
async function readLateBusinesses(db: Db, limit: number): Promise<ChangedBusiness[]> {
  const { rows } = await db.execute<ChangedBusiness>(sql`
    select ${COLUMNS} from businesses b
    where b.updated_at > (select keys_at from duplicate_scan) - interval '${sql.raw(OVERLAP)}'
      and (b.updated_at, b.id) <= ((select keys_at from duplicate_scan), (select keys_id from duplicate_scan))
      and ${IS_OUTDATED}
    limit ${limit}`);
  return rows;
}

/** For businesses that were changed in this transaction, such as by a merge. */
export async function refreshKeysOf(db: Db, businessIds: number[]): Promise<void> {
  for (const table of [sql`business_match_keys`, sql`business_comparisons`]) {
    await db.execute(sql`delete from ${table} where business_id = any (${sql.param(businessIds)}::int[])`);
  }
  const { rows } = await db.execute<ChangedBusiness>(sql`
    select ${COLUMNS} from businesses b
    where b.id = any (${sql.param(businessIds)}::int[]) and b.merged_into is null`);
  await writeKeys(db, rows);
}

async function writeKeys(db: Db, changed: ChangedBusiness[]): Promise<void> {
  if (!changed.length) return;
  const source = changed.map(({ id, updated_at, ...business }) => {
    const keys = toMatchKeys(business);
    return { id, updated_at, ...keys, name_keys: toNameKeys(keys) };
  });
  // Locked in the order of ids, because every process does this.
  await db.execute(sql`
    with written as (
      insert into business_match_keys as stored (business_id, name, phone, host, postcode, town, name_keys, business_updated_at)
      select distinct on (b.id) b.id, k.name, k.phone, k.host, k.postcode, k.town, k.name_keys, k.updated_at
      from json_to_recordset(${JSON.stringify(source)}::json) as k (id integer, name text, phone text, host text,
        postcode text, town text, name_keys text[], updated_at timestamptz)
      join businesses b on b.id = k.id and b.merged_into is null
      order by b.id
      on conflict (business_id) do update set
        name = excluded.name, phone = excluded.phone, host = excluded.host, postcode = excluded.postcode,
        town = excluded.town, name_keys = excluded.name_keys, business_updated_at = excluded.business_updated_at
      where stored.business_updated_at < excluded.business_updated_at
      returning business_id
    )
    insert into business_comparisons (business_id) select business_id from written order by business_id
    on conflict (business_id) do update set compared_at = null`);
}

const moveCursor = (db: Db, { updated_at, id }: ChangedBusiness) =>
  db.execute(sql`
    insert into duplicate_scan as scan (keys_at, keys_id) values (${updated_at}::timestamptz, ${id})
    on conflict (id) do update set keys_at = excluded.keys_at, keys_id = excluded.keys_id
    where (scan.keys_at, scan.keys_id) < (excluded.keys_at, excluded.keys_id)`);
