import { type SQL, sql } from 'drizzle-orm';
import type { LeadFilter } from '#contract/leads/lead-filter.ts';
import type { Viewer } from '#contract/users/user.ts';
import { literal } from './lead-lists.sql.ts';
import { MEMBERS, NOBODY, PIECE } from './lead-sets.sql.ts';

// What a filter asks for, in terms of sets of leads.

/**
 * Whether an index leads to every part of what is looked for: one without letters, or with too few that need not be at the
 * beginning of a word, would be compared with every word there is. A very long one may have been cut in two.
 */
export function canFind(q: string): boolean {
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
export function partsOf(q = '', most: number): SQL {
  const given = q.split(' ');
  const last = given.length - 1;
  const each = given.map((part, nth) => {
    const [before, after] = [nth === 0 ? '%' : '', nth === last ? '%' : ''];
    const words = sql`select word from lead_name_words
      where ${q ? sql`word like ${`n% ${before}`} || lower(${literal(part)}) || ${after}` : sql`false`}
      limit ${most}`;
    return sql`
      select piece, ${nth}::int as part, ${MEMBERS} as members,
        substr(word, 2, strpos(word, ' ') - 2)::int - ${nth}::int as place
      from lead_sets where word = any (array(${words}))`;
  });
  return sql`${sql.join(each, sql` union all `)} limit ${most}`;
}

/** The sets of those whose names have all parts, each where it should be. */
export function namedWith(q = ''): SQL {
  const given = q.split(' ');
  if (given.length === 1) return sql`select piece, ${NAMED}, members from parts`;
  const each = given.map((_, nth) => sql`coalesce(bit_or(members) filter (where part = ${nth}::int), ${NOBODY})`);
  return sql`select piece, ${NAMED}, ${sql.join(each, sql` & `)} from parts group by piece, place`;
}

/** In the place of all words of names that contain what is looked for. */
const NAMED = sql.raw("'n'");

/** The same as `matching` says, of sets: which are needed, and what is made of them; and among how many a walk goes. */
export function setOf(viewer: Viewer, filter: LeadFilter) {
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
