import { sql } from 'drizzle-orm';
import type { Db } from '#server/kit/db/db.ts';
import { readCompared } from './duplicates.sql.ts';
import { matchKeys } from './find-matches.sql.ts';
import { refreshKeysNear } from './refresh-keys.sql.ts';

/**
 * Compares these businesses with all others before the background job does, and stores the pairs that it would. What
 * is known about a pair stays.
 */
export async function storeMatches(db: Db, businessIds: number[]): Promise<void> {
  if (!businessIds.length) return;
  await refreshKeysNear(db, businessIds);
  const compared = await readCompared(db, businessIds);
  const matches = await matchKeys(db, compared);
  const pairs = compared.flatMap(({ businessId }, at) =>
    (matches[at] ?? []).map(({ businessId: other, score, reasons }) => ({
      business_id: Math.min(businessId, other),
      other_id: Math.max(businessId, other),
      score,
      reasons,
    })),
  );
  if (!pairs.length) return;
  await db.execute(sql`
    insert into duplicate_pairs (business_id, other_id, score, reasons)
    select distinct on (business_id, other_id) * from json_to_recordset(${JSON.stringify(pairs)}::json)
      as pair (business_id integer, other_id integer, score real, reasons text[])
    order by business_id, other_id, score desc
    on conflict (business_id, other_id) do nothing`);
}
