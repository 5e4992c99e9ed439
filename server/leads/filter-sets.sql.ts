import { type SQL, sql } from 'drizzle-orm';
import type { LeadFilter } from '#contract/leads/lead-filter.ts';
import type { Viewer } from '#contract/users/user.ts';
import { literal } from './lead-lists.sql.ts';
import { MEMBERS, NOBODY } from './lead-sets.sql.ts';

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
export function partsOf(q: string | undefined, most: number): SQL {
  if (!q) return sql`select where false`;
  const given = q.split(' ');
  const last = given.length - 1;
  const each = given.map((part, nth) => {
    const [before, after] = [nth === 0 ? '%' : '', nth === last ? '%' : ''];
    const words = sql`select word from lead_name_words
      where word like ${`n% ${before}`} || lower(${literal(part)}) || ${after} limit ${most}`;
    return sql`
      select piece, ${nth}::int as part, ${MEMBERS} as members,
        substr(word, 2, strpos(word, ' ') - 2)::int - ${nth}::int as place
      from lead_sets where word = any (array(${words}))`;
  });
  return sql`${sql.join(each, sql` union all `)} limit ${most}`;
}

/** The same as `matching` says, of sets. */
export function setOf(viewer: Viewer, filter: LeadFilter): SQL {
  const { user, q, archived, existing, status, hideClosed, tags, town } = filter;
  const holders = [viewer.role === 'admin' ? undefined : viewer.id, user].filter((id) => id !== undefined);
  const ordinary = [
    having(kind(archived, hideClosed ? 'open' : 'ordinary')),
    ...(status ? [having(sql`${`s${status}`}`)] : []),
    ...(tags.length ? [anyOf(tags.map((tag) => having(sql`${`g${tag}`}`)))] : []),
    ...(town ? [having(sql`'t' || lower(${town})`)] : []),
  ];
  const ofKind = existing ? [anyOf([having(kind(archived, 'customer')), allOf(ordinary)])] : ordinary;
  return allOf([...holders.map((id) => having(sql`${`u${id}`}`)), ...(q ? [named(q)] : []), ...ofKind]);
}

// A set is a query: of every piece that may have members, which they are.

const having = (word: SQL) => sql`select piece, ${MEMBERS} as members from lead_sets where word = ${word}`;

const byPiece = (pieces: SQL, members: SQL) => sql`
  select piece, ${members} as members from (${pieces}) as pieces group by piece`;

const merged = (pieces: SQL) => byPiece(pieces, sql`bit_or(members)`);
const common = (pieces: SQL, sets: number) =>
  sql`${byPiece(pieces, sql`bit_and(members)`)} having count(*) = ${sets}::int`;

/** One set alone is what it is. */
const together = (sets: SQL[], combine: (pieces: SQL, sets: number) => SQL): SQL => {
  const pieces = sql.join(sets, sql` union all `);
  return sets.length === 1 ? pieces : combine(pieces, sets.length);
};
const anyOf = (sets: SQL[]) => together(sets, merged);
const allOf = (sets: SQL[]) => together(sets, common);

/** Those whose names have all parts, each where it should be. */
function named(q: string): SQL {
  const given = q.split(' ');
  if (given.length === 1) return merged(sql`select piece, members from parts`);
  const each = given.map((_, nth) => sql`coalesce(bit_or(members) filter (where part = ${nth}::int), ${NOBODY})`);
  return merged(sql`select piece, ${sql.join(each, sql` & `)} as members from parts group by piece, place`);
}

/** The word for leads of this kind, archived ones among them or not. */
const kind = (archived: boolean, which: keyof typeof KINDS) => sql.raw(`'${archived ? 'a' : 'k'}${KINDS[which]}'`);

const KINDS = { open: 'o', ordinary: 'n', customer: 'c' };
