import { sql } from 'drizzle-orm';
import type { MatchKeys } from '#contract/duplicates/match-score.ts';
import type { Db } from '#server/kit/db/db.ts';
import { matchKeys } from './find-matches.sql.ts';

/** Bounds the work of one step. */
const STEP = 200;
/** E-mail addresses belong to leads, and changing one does not mark its business: all are compared again once a day. */
const RENEWAL = sql.raw(`interval '1 day'`);

type KeysRow = MatchKeys & { business_id: number; emails: string[] };

/** Compares some changed businesses with all others and stores the pairs. Returns how many it compared. */
export async function compareBusinesses(db: Db): Promise<number> {
  if (!(await isAnyDue(db))) return 0;
  return db.transaction(async (tx) => {
    const { rows } = await tx.execute<KeysRow>(sql`
      with next as (
        select * from business_comparisons order by compared_at nulls first, business_id limit ${STEP}
        for update skip locked
      )
      select k.business_id, k.name, k.phone, k.host, k.postcode, k.town, array(
        select distinct search_text(l.custom_fields ->> 'email') from user_businesses l
        where l.business_id = k.business_id and l.custom_fields ->> 'email' <> '') as emails
      from next join business_match_keys k on k.business_id = next.business_id
      where next.compared_at is null or next.compared_at < now() - ${RENEWAL}`);
    const matches = await matchKeys(
      tx,
      rows.map(({ business_id: businessId, ...keys }) => ({ businessId, ...keys })),
    );
    const ids = rows.map((row) => row.business_id);
    const pairs = matches.flatMap((found, at) =>
      found.map(({ businessId, score, reasons }) => ({
        business_id: Math.min(businessId, ids[at] as number),
        other_id: Math.max(businessId, ids[at] as number),
        score,
        reasons,
      })),
    );
    await storePairs(tx, ids, pairs);
    await tx.execute(
      sql`update business_comparisons set compared_at = now() where business_id = any (${sql.param(ids)}::int[])`,
    );
    return rows.length;
  });
}

/** Called when nothing is left to compare. */
export const markComplete = (db: Db) => db.execute(sql`update duplicate_scan set completed_at = now()`);

async function isAnyDue(db: Db): Promise<boolean> {
  const { rows } = await db.execute<{ due: boolean }>(sql`
    select compared_at is null or compared_at < now() - ${RENEWAL} as due
    from business_comparisons order by compared_at nulls first, business_id limit 1`);
  return rows[0]?.due ?? false;
}

interface Pair {
  business_id: number;
  other_id: number;
  score: number;
  reasons: string[];
}

/** What people decided about a pair stays; an open one that is no longer likely goes. */
async function storePairs(tx: Db, compared: number[], pairs: Pair[]) {
  await tx.execute(sql`
    with found as (
      select distinct on (business_id, other_id) * from json_to_recordset(${JSON.stringify(pairs)}::json)
        as pair (business_id integer, other_id integer, score real, reasons text[])
      order by business_id, other_id, score desc
    ), unlikely as (
      delete from duplicate_pairs p
      where p.state = 'open'
        and (p.business_id = any (${sql.param(compared)}::int[]) or p.other_id = any (${sql.param(compared)}::int[]))
        and not exists (select from found f where f.business_id = p.business_id and f.other_id = p.other_id)
    )
    insert into duplicate_pairs as stored (business_id, other_id, score, reasons)
    select business_id, other_id, score, reasons from found
    on conflict (business_id, other_id) do update set score = excluded.score, reasons = excluded.reasons
    where stored.state = 'open' and (stored.score, stored.reasons) is distinct from (excluded.score, excluded.reasons)`);
}
