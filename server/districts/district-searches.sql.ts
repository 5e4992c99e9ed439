import { sql } from 'drizzle-orm';
import type { Db } from '#server/kit/db/db.ts';
import { findType } from '#server/places/find-type.ts';
import { TYPE_NAMES } from '#server/places/type-names.ts';

interface DistrictSearch {
  districts: string[];
  /** As it was typed. */
  businessType: string;
  now: Date;
}

/** Records that these districts were searched for a type; a text that is no type counts as a search of the district. */
export async function recordDistrictSearch(db: Db, { districts, businessType, now }: DistrictSearch): Promise<void> {
  if (!districts.length) return;
  // In one order, so that two searches wait for each other instead of deadlocking.
  await db.execute(sql`
    insert into district_searches as stored (district, business_type, searched_at)
    select district, ${findLabel(businessType)}, ${now.toISOString()}::timestamptz
    from unnest(${sql.param([...districts].sort())}::text[]) district
    on conflict (district, business_type) do update set searched_at = excluded.searched_at
    where stored.searched_at < excluded.searched_at`);
}

/** When each district was last searched: for one type, or for any. */
export async function readDistrictSearches(db: Db, type: string | undefined): Promise<Map<string, string>> {
  const { rows } = await db.execute<{ district: string; searched_at: string }>(sql`
    select district, max(searched_at) as searched_at from district_searches
    where ${type === undefined ? sql`true` : sql`business_type = ${type}`} group by district`);
  return new Map(rows.map(({ district, searched_at }) => [district, new Date(searched_at).toISOString()]));
}

/** Its own label first: two types share the name of a source. */
function findLabel(typed: string): string {
  const type = TYPE_NAMES.find(({ label }) => label.toLowerCase() === typed.toLowerCase()) ?? findType(typed);
  return type?.label ?? '';
}
