import { type SQL, sql } from 'drizzle-orm';
import { type DuplicateMatch, MATCH_SCORE } from '#contract/duplicates/duplicate.ts';
import { type MatchKeys, scoreMatch } from '#contract/duplicates/match-score.ts';
import type { Db } from '#server/kit/db/db.ts';
import { toNameKeys } from './match-keys.ts';

export interface Compared extends MatchKeys {
  /** Of a stored business, which is not compared with itself. */
  businessId: number | null;
  /** In lower case. */
  emails: string[];
}

/** More than these are not compared: with a shared phone or website the score is low anyway, the rest are the most similar. */
const MAX_FOUND = 20;

/** Bounds the work where a town has thousands of names with the same words. */
const MAX_SIMILAR = 500;

type Found = MatchKeys & {
  position: number;
  business_id: number;
  same_email: boolean;
  phone_count: number;
  host_count: number;
  shown_name: string;
  shown_town: string | null;
};

/** The likely matches of each candidate, best first. */
export async function matchKeys(db: Db, compared: Compared[]): Promise<DuplicateMatch[][]> {
  const matches: DuplicateMatch[][] = compared.map(() => []);
  if (!compared.length) return matches;
  for (const row of await findSimilar(db, compared)) {
    const { position, business_id, same_email, phone_count, host_count, shown_name, shown_town, ...keys } = row;
    const shared = { email: same_email, phoneCount: phone_count, hostCount: host_count };
    const { score, reasons } = scoreMatch(compared[position] as Compared, keys, shared);
    if (score < MATCH_SCORE) continue;
    matches[position]?.push({ businessId: business_id, name: shown_name, town: shown_town, reasons, score });
  }
  for (const found of matches) found.sort((a, b) => b.score - a.score || a.businessId - b.businessId);
  return matches;
}

/** Every stored business that has a key in common with a candidate, found by the index of that key. */
async function findSimilar(db: Db, compared: Compared[]): Promise<Found[]> {
  const source = compared.map(({ businessId, ...keys }, position) => ({
    position,
    business_id: businessId,
    ...keys,
    name_keys: toNameKeys(keys),
  }));
  // A lateral join with a limit makes the planner use the index for every candidate, whatever its statistics are.
  const lookUp = (condition: SQL, order = sql``) => sql`
    cross join lateral (
      select k.business_id, count(*) over () as others from (
        select k.business_id from business_match_keys k
        where ${condition} and k.business_id is distinct from c.business_id ${order} limit ${MAX_FOUND}) k) k`;
  const mostSimilar = sql`order by similarity(k.name, c.name) desc`;
  const { rows } = await db.execute<Found>(sql`
    with candidate as materialized (
      select * from json_to_recordset(${JSON.stringify(source)}::json) as c (position integer, business_id integer,
        name text, phone text, host text, emails text[], postcode text, town text, name_keys text[])
    ), found (position, business_id, phone_count, host_count, same_email) as (
      select c.position, k.business_id, k.others, 0, false from candidate c ${lookUp(sql`k.phone = c.phone`)}
      union all
      select c.position, k.business_id, 0, k.others, false from candidate c ${lookUp(sql`k.host = c.host`)}
      union all
      select c.position, k.business_id, 0, 0, false
      from candidate c ${lookUp(sql`k.postcode = c.postcode`, mostSimilar)}
      union all
      select c.position, k.business_id, 0, 0, false
      from candidate c cross join lateral (
        select k.business_id from (
          select k.business_id, k.name from business_match_keys k
          where k.name_keys && c.name_keys and k.business_id is distinct from c.business_id limit ${MAX_SIMILAR}) k
        ${mostSimilar} limit ${MAX_FOUND}) k
      union all
      -- What was found before is scored again, even where a limit above leaves it out.
      select c.position, case c.business_id when p.business_id then p.other_id else p.business_id end, 0, 0, false
      from candidate c join duplicate_pairs p on p.state = 'open' and c.business_id in (p.business_id, p.other_id)
      union all
      select c.position, lead.business_id, 0, 0, true from candidate c cross join unnest(c.emails) as e (email)
      cross join lateral (
        select l.business_id from user_businesses l
        where l.custom_fields ? 'email' and search_text(l.custom_fields ->> 'email') = search_text(e.email)
          and l.business_id is distinct from c.business_id
        limit ${MAX_FOUND}) lead
    ), distinct_found as (
      -- The counts are the candidate's: how many businesses have its phone, its host.
      select position, business_id, (max(max(phone_count)) over candidate)::int as phone_count,
        (max(max(host_count)) over candidate)::int as host_count, bool_or(same_email) as same_email
      from found group by position, business_id window candidate as (partition by position)
    )
    select f.*, k.name, k.phone, k.host, k.postcode, k.town, b.name as shown_name, b.town as shown_town
    from distinct_found f
    join business_match_keys k on k.business_id = f.business_id
    join businesses b on b.id = f.business_id
    where b.merged_into is null`);
  return rows;
}
