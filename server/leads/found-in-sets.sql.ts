import { type SQL, sql } from 'drizzle-orm';
import type { LeadPageQuery } from '#contract/leads/lead-filter.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { Db } from '#server/kit/db/db.ts';
import { fixed } from '#server/kit/db/fixed.ts';
import { leads } from '#server/kit/db/schema.ts';
import { canFind, namedWith, partsOf, setOf } from './filter-sets.sql.ts';
import { ORDER_BY } from './lead-items.sql.ts';
import { along, matching } from './lead-lists.sql.ts';
import { MEMBERS, NOBODY, PIECE } from './lead-sets.sql.ts';

/** More changes than this are not looked at one by one; nor are more pieces put together for one part of a name. */
const MOST_CHANGED = 2_000;
const MOST_NAMED = 4_000;

/** As many steps of a walk as it costs to take all members of a piece out of the database, and to look at one of them. */
const STEPS_A_PIECE = 45;
const STEPS_A_MEMBER = 7;

/** So many leads beside each other are sent if one of them matches. */
const STRETCH = 512;

export interface FoundInSets {
  total: number;
  /** Those on the page, as far as a walk has met them. */
  ids: number[];
  /** In place of a walk that would go too far: all that match, and perhaps some that did until a moment ago. */
  all?: number[];
}

/** How many leads match any mix of words, and which are on the page, from the sets of leads that have each word. */
export async function foundInSets(db: Db, viewer: Viewer, query: LeadPageQuery): Promise<FoundInSets | undefined> {
  if (query.q && !canFind(query.q)) return undefined;
  const { words, members, room } = setOf(viewer, query);
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
    ), found as materialized (
      select *, bit_count(members) as leads
      from (select piece, case when count(*) > 1 then ${members} else ${NOBODY} end as members, ${room} as room
        from (select piece, word, ${MEMBERS} as members from lead_sets where word in (${words})
          union all ${namedWith(query.q)}
          union all select ${EVERY_PIECE}, '', ${NOBODY}) as sets
        where (select told from told) group by piece) as pieces
    ), matching_changed as materialized (
      select ${leads.id} as lead from ${leads}
      where (select told from told) and ${leads.id} = any (array(select lead from changed)) and ${matching(viewer, query)}
    ), counted as materialized (
      select (select coalesce(sum(leads), 0) from found)
        - (select count(*) from changed join found on piece = lead / ${PIECE} where get_bit(members, lead % ${PIECE}) = 1)
        + (select count(*) from matching_changed) as total
    ), ways as materialized (
      select total > ${before} and expected <= most as walks, total > ${before} and expected > most as takes_all, expected
      from (select total, ${STEPS_A_PIECE} * pieces + ${STEPS_A_MEMBER} * total as most,
          ${needed}::numeric * room / greatest(total, 1) as expected -- so many steps, as matches are among what it goes along
        from counted, (select count(*) as pieces, sum(room) as room from found) as sums) as costs
    ), walked as ( -- not along a town: its index tells no numbers of leads without a look at each
      select ${leads.id}, ${leads.assignedAt} from ${leads} where ${along(viewer, { ...query, town: undefined })} ${ORDER_BY[query.sort]}
      limit (select case when walks then 100 + 3 * expected else 0 end::bigint from ways)
    ), bits as materialized (
      -- All pieces in one, and as bytes, where a bit is found at once however many there are.
      select string_agg(${bytesOf(sql`members`)}, '' order by piece) as bits from found
    ), stretches as (
      select int4send(piece * ${PIECE} + first) || ${bytesOf(sql`members`)} as stretch
      from (select piece, first, substring(members from first + 1 for ${STRETCH}::int) as members
        from found, generate_series(0, ${PIECE} - 1, ${STRETCH}::int) as first
        where (select takes_all from ways) offset 0) as cut
      where bit_count(members) > 0
    )
    select case when told then (select total from counted) end::int as total,
      array(
        select ${leads.id} from walked as ${leads}
        where case when ${leads.id} in (select lead from changed) then ${leads.id} in (select lead from matching_changed)
          else get_bit((select bits from bits), ${leads.id} # 7) = 1 end -- bytes count their bits from the other end
        ${ORDER_BY[query.sort]} limit ${query.pageSize} offset ${before}) as ids,
      case when takes_all then coalesce((select string_agg(stretch, '') from stretches), '') end as stretches,
      array(select lead from matching_changed) as "matchingChanged"
    from told, ways`);
  const [found] = rows;
  if (!found || found.total === null) return undefined;
  const { total, ids, stretches, matchingChanged } = found;
  return { total, ids, all: stretches ? [...membersOf(stretches), ...matchingChanged] : undefined };
}

interface Answer extends Record<string, unknown> {
  total: number | null;
  ids: number[];
  stretches: Buffer | null;
  matchingChanged: number[];
}

const bytesOf = (members: SQL) => sql`substr(bit_send(${members}), 5)`;

/** Each stretch is the number of its first lead, in four bytes, and a bit for every lead of it. */
function membersOf(stretches: Buffer): number[] {
  const members: number[] = [];
  for (let at = 0; at < stretches.length; at += 4 + STRETCH / 8) {
    const first = stretches.readInt32BE(at);
    for (let nth = 0; nth < STRETCH; nth += 1) {
      const byte = stretches[at + 4 + (nth >> 3)] ?? 0;
      if (byte === 0) nth |= 7;
      else if (byte & (0x80 >> (nth & 7))) members.push(first + nth);
    }
  }
  return members;
}

/** Those without any of the words as well, so that each is in its place. */
const EVERY_PIECE = fixed(sql`generate_series(0, (select max(${leads.id}) / ${PIECE} from ${leads}))`);
