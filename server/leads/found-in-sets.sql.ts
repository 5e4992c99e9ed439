import { type SQL, sql } from 'drizzle-orm';
import type { LeadFilter, LeadPageQuery } from '#contract/leads/lead-filter.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { Db } from '#server/kit/db/db.ts';
import { fixed } from '#server/kit/db/fixed.ts';
import { leads } from '#server/kit/db/schema.ts';
import { ORDER_BY } from './lead-items.sql.ts';
import { along, literal, matching } from './lead-lists.sql.ts';
import { MEMBERS, NOBODY, PIECE } from './lead-sets.sql.ts';

/** More changes than this are not looked at one by one; nor are more pieces put together for one part of a name. */
const MOST_CHANGED = 2_000;
const MOST_NAMED = 4_000;

/** A walk may go so many steps for each lead that matches before it costs more than to look those up. */
const MOST_STEPS = 16;

interface FoundInSets {
  total: number;
  /** Those on the page; not all of them where it would have taken longer than to look up everything that matches. */
  ids: number[];
}

/** How many leads match any mix of words, and which are on the page, from the sets of leads that have each word. */
export async function foundInSets(db: Db, viewer: Viewer, query: LeadPageQuery): Promise<FoundInSets | undefined> {
  if (query.q && !canFind(query.q)) return undefined;
  const { words, members, room } = setOf(viewer, query);
  const before = (query.page - 1) * query.pageSize;
  const needed = before + query.pageSize;
  const { rows } = await db.execute<{ total: number | null; ids: number[] }>(sql`
    with changes as materialized (
      select lead from lead_set_changes limit ${MOST_CHANGED + 1}
    ), changed as materialized (
      select distinct lead from changes
    ), parts as materialized (
      ${partsOf(query.q)} limit ${MOST_NAMED + 1}
    ), told as materialized (
      select (select count(*) from changes) <= ${MOST_CHANGED} and (select count(*) from parts) <= ${MOST_NAMED} as told
    ), found as materialized (
      select piece, case when count(*) > 1 then ${members} else ${NOBODY} end as members, ${room} as room
      from (select piece, word, ${MEMBERS} as members from lead_sets where word in (${words})
        union all ${namedWith(query.q)}
        union all select ${EVERY_PIECE}, '', ${NOBODY}) as sets
      where (select told from told) group by piece
    ), matching_changed as materialized (
      select ${leads.id} as lead from ${leads}
      where (select told from told) and ${leads.id} = any (array(select lead from changed)) and ${matching(viewer, query)}
    ), counted as materialized (
      select (select coalesce(sum(bit_count(members)), 0) from found)
        - (select count(*) from changed join found on piece = lead / ${PIECE} where get_bit(members, lead % ${PIECE}) = 1)
        + (select count(*) from matching_changed) as total
    ), expected as materialized (
      select total, ${needed}::numeric * (select sum(room) from found) / greatest(total, 1) as expected from counted
    ), steps as (
      -- As often as leads match among those it goes along, a walk meets one. If that is too seldom it is not begun.
      select case when total > ${before} and expected <= ${MOST_STEPS} * total then 100 + 3 * expected else 0 end as steps from expected
    ), walked as ( -- not along a town: its index tells no numbers of leads without a look at each
      select ${leads.id}, ${leads.assignedAt} from ${leads} where ${along(viewer, { ...query, town: undefined })} ${ORDER_BY[query.sort]}
      limit (select steps::bigint from steps)
    ), bits as materialized (
      -- All pieces in one, and as bytes, where a bit is found at once however many there are.
      select string_agg(substr(bit_send(members), 5), '' order by piece) as bits from found
    )
    select case when (select told from told) then (select total from counted) end::int as total, array(
      select ${leads.id} from walked as ${leads}
      where case when ${leads.id} in (select lead from changed) then ${leads.id} in (select lead from matching_changed)
        else get_bit((select bits from bits), ${leads.id} # 7) = 1 end -- bytes count their bits from the other end
      ${ORDER_BY[query.sort]} limit ${query.pageSize} offset ${before}) as ids`);
  const { total, ids } = rows[0] ?? { total: null, ids: [] };
  return total === null ? undefined : { total, ids };
}

/**
 * Whether an index leads to every part of what is looked for: one without letters, or with too few that need not be at the
 * beginning of a word, would be compared with every word there is. A very long one may have been cut in two.
 */
function canFind(q: string): boolean {
  const parts = q.split(' ');
  if (parts.some((part) => part.length > LONGEST_PART) || /\p{Cc}/u.test(q)) return false;
  const [first = '', ...others] = parts;
  const enough = others.length ? /[\p{L}\p{N}]{2}$|[\p{L}\p{N}]{3}/u : /[\p{L}\p{N}]{3}/u;
  return enough.test(first) && others.every((part) => /^[\p{L}\p{N}]/u.test(part));
}

/** What is cut from a long word overlaps with the next by 50 letters; and a letter may become two when it is made small. */
const LONGEST_PART = 25;

/**
 * Where words of names are that may be what is looked for: all of it in one word or, as "of the str" in "Bank of the
 * Strand", the end of a word, whole words, and the beginning of one, from the same place of the name on.
 */
function partsOf(q = ''): SQL {
  const given = q.split(' ');
  const last = given.length - 1;
  const each = given.map((part, nth) => {
    const [before, after] = [nth === 0 ? '%' : '', nth === last ? '%' : ''];
    const words = sql`select word from lead_name_words
      where ${q ? sql`word like ${`n% ${before}`} || lower(${literal(part)}) || ${after}` : sql`false`}
      limit ${MOST_NAMED + 1}`;
    return sql`
      select piece, ${nth}::int as part, ${MEMBERS} as members,
        substr(word, 2, strpos(word, ' ') - 2)::int - ${nth}::int as place
      from lead_sets where word = any (array(${words}))`;
  });
  return sql.join(each, sql` union all `);
}

/** The sets of those whose names have all parts, each where it should be. */
function namedWith(q = ''): SQL {
  const given = q.split(' ');
  if (given.length === 1) return sql`select piece, ${NAMED}, members from parts`;
  const each = given.map((_, nth) => sql`coalesce(bit_or(members) filter (where part = ${nth}::int), ${NOBODY})`);
  return sql`select piece, ${NAMED}, ${sql.join(each, sql` & `)} from parts group by piece, place`;
}

/** In the place of all words of names that contain what is looked for. */
const NAMED = sql.raw("'n'");

/** The same as `matching` says, of sets: which are needed, and what is made of them; and among how many a walk goes. */
function setOf(viewer: Viewer, filter: LeadFilter) {
  const words: SQL[] = [];
  const withAny = (...some: SQL[]): SQL => {
    words.push(...some);
    return sql`coalesce(bit_or(members) filter (where word in (${listed(some)})), ${NOBODY})`;
  };
  const { user, q, archived, existing, status, hideClosed, tags, town } = filter;
  const own = viewer.role === 'admin' ? undefined : withAny(sql`${`u${viewer.id}`}`);
  const held = user === undefined ? undefined : withAny(sql`${`u${user}`}`);
  const inStatus = status && withAny(sql`${`s${status}`}`);
  const inTown = town ? withAny(sql`'t' || lower(${town})`) : undefined;
  const withTag = tags.length ? withAny(...tags.map((tag) => sql`${`g${tag}`}`)) : undefined;
  const ordinary = allOf([withAny(kind(archived, hideClosed ? 'open' : 'ordinary')), inStatus, withTag, inTown]);
  const members = allOf([
    own,
    held,
    q ? withAny(NAMED) : undefined,
    existing ? sql`(${withAny(kind(archived, 'customer'))} | (${ordinary}))` : ordinary,
  ]);
  // Those of the index that `along` chooses.
  const alongWith = own ?? held ?? (existing ? undefined : inStatus);
  return { words: listed(words), members, room: alongWith ? sql`bit_count(${alongWith})` : PIECE };
}

const listed = (parts: SQL[]) => sql.join(parts, sql`, `);
const allOf = (parts: (SQL | undefined)[]) =>
  sql.join(
    parts.filter((part) => part !== undefined),
    sql` & `,
  );

/** The word for leads of this kind, archived ones among them or not. */
const kind = (archived: boolean, which: keyof typeof KINDS) => sql.raw(`'${archived ? 'a' : 'k'}${KINDS[which]}'`);

const KINDS = { open: 'o', ordinary: 'n', customer: 'c' };

/** Those without any of the words as well, so that each is in its place. */
const EVERY_PIECE = fixed(sql`generate_series(0, (select max(${leads.id}) / ${PIECE} from ${leads}))`);
