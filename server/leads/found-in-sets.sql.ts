import { sql } from 'drizzle-orm';
import type { LeadPageQuery } from '#contract/leads/lead-filter.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { Db } from '#server/kit/db/db.ts';
import { fixed } from '#server/kit/db/fixed.ts';
import { leads } from '#server/kit/db/schema.ts';
import { canFind, partsOf, setOf } from './filter-sets.sql.ts';
import { leadsAlong } from './lead-counts.sql.ts';
import { matching, trailOf, walkAlong } from './lead-lists.sql.ts';
import { NOBODY, PIECE } from './lead-sets.sql.ts';

/** More changes than this are not looked at one by one; nor are more pieces put together for one part of a name. */
const MOST_CHANGED = 2_000;
const MOST_NAMED = 4_000;

/** As many steps of a walk as it costs to take all members of a piece out of the database, and to look at one of them. */
const STEPS_A_PIECE = 50;
const STEPS_A_MEMBER = 7;
/** More than this are not taken out, however far the page is from the first: memory would grow with them. */
const MOST_TAKEN = 10_000;

export interface FoundInSets {
  total: number;
  /** Those on the page, as far as a walk has met them. */
  ids: number[];
  /** In place of a walk that would go too far: all that match. */
  all?: number[];
}

/** How many leads match any mix of words, and which are on the page, from the sets of leads that have each word. */
export async function foundInSets(db: Db, viewer: Viewer, query: LeadPageQuery): Promise<FoundInSets | undefined> {
  if (query.q && !canFind(query.q)) return undefined;
  const { walk, order } = walkAlong(trailOf(viewer, query), query.sort);
  const before = (query.page - 1) * query.pageSize;
  const needed = before + query.pageSize;
  const { rows } = await db.execute<Answer>(sql`
    with changes as materialized (
      select lead from lead_set_changes limit ${MOST_CHANGED + 1}
    ), changed as materialized (
      select distinct lead from changes
    ), parts as materialized (
      ${partsOf(query.q, MOST_NAMED + 1)}
    ), told as materialized (
      select (select count(*) from changes) <= ${MOST_CHANGED} and (select count(*) from parts) <= ${MOST_NAMED} as told
    ), matching_changed as materialized (
      select ${leads.id} as lead from ${leads}
      where (select told from told) and ${leads.id} = any (array(select lead from changed)) and ${matching(viewer, query)}
    ), corrections as materialized (
      select lead / ${PIECE} as piece, lead_members(lead % ${PIECE}, 1) as gone,
        lead_members(lead % ${PIECE}, 1) filter (where lead in (select lead from matching_changed)) as come
      from changed group by lead / ${PIECE}
    ), found as materialized (
      select piece, members, bit_count(members) as leads from (
        select piece, case when gone is null then members else coalesce(members, ${NOBODY}) & ~gone | come end as members
        from (${setOf(viewer, query)}) as pieces full join corrections using (piece)) as corrected
      where (select told from told)
    ), counted as materialized (
      select coalesce(sum(leads), 0) as total from found
    ), expected as materialized (
      -- As often as leads match among those that it goes along, a walk meets one.
      select total, ${needed}::numeric * (${leadsAlong(viewer, query)}) / greatest(total, 1) as steps from counted
    ), ways as materialized (
      select total > ${before} and not too_far as walks, total > ${before} and too_far as takes_all, 100 + 3 * steps as most_steps
      from (select total, steps, total <= ${MOST_TAKEN}
          and steps > ${STEPS_A_PIECE} * (select count(*) from found) + ${STEPS_A_MEMBER} * total as too_far
        from expected) as costs
    ), walked as (
      ${walk}
      limit (select case when walks then most_steps else 0 end::bigint from ways)
    )
    select case when told then (select total from counted) end::int as total,
      array(
        select ${leads.id} from walked as ${leads}
        where get_bit(bits, ${leads.id} # 7) = 1 -- bytes count their bits from the other end
        ${order} limit ${query.pageSize} offset ${before}) as ids,
      case when takes_all then ${IN_WRITING} end as written
    from told, ways, ${BITS}`);
  const [found] = rows;
  if (!found || found.total === null) return undefined;
  const { total, ids, written } = found;
  return { total, ids, all: written === null ? undefined : membersOf(written) };
}

interface Answer extends Record<string, unknown> {
  total: number | null;
  ids: number[];
  written: string | null;
}

/** All pieces in one, those without a match as well, and as bytes: so a bit is found at once however many there are. */
const BITS = fixed(sql`lateral (
  select string_agg(substr(bit_send(coalesce(members, ${NOBODY})), 5), '' order by piece) as bits
  from generate_series(0, (select max(${leads.id}) / ${PIECE} from ${leads})) as piece left join found using (piece)
  where walks or takes_all offset 0) as bits`);

/** Four leads to a character, and one for so many of whom none matches: as a rule of nearly all, which need not be sent. */
const NOBODY_HERE = '-';
const STRETCH = 256;
const IN_WRITING = sql.raw(`replace(encode(bits, 'hex'), '${'0'.repeat(STRETCH / 4)}', '${NOBODY_HERE}')`);

function membersOf(written: string): number[] {
  const members: number[] = [];
  let first = 0;
  for (let at = 0; at < written.length; at += 1) {
    const character = written[at] ?? '';
    if (character !== '0' && character !== NOBODY_HERE) {
      const four = Number.parseInt(character, 16);
      members.push(...[0, 1, 2, 3].filter((nth) => four & (8 >> nth)).map((nth) => first + nth));
    }
    first += character === NOBODY_HERE ? STRETCH : 4;
  }
  return members;
}
