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

/** The same as `matching` says, of sets: of every piece that may have members, which they are. */
export function setOf(viewer: Viewer, filter: LeadFilter): SQL {
  const { user, q, archived, existing, status, hideClosed, tags, town } = filter;
  const words: SQL[] = [];
  const having = (...some: SQL[]) => {
    words.push(...some);
    return membersOf(sql`word in (${sql.join(some, sql`, `)})`);
  };
  const ordinary = [
    having(kind(archived, hideClosed ? 'open' : 'ordinary')),
    ...(status ? [having(sql`${`s${status}`}`)] : []),
    ...(tags.length ? [having(...tags.map((tag) => sql`${`g${tag}`}`))] : []),
    ...(town ? [having(sql`'t' || lower(${town})`)] : []),
  ];
  const holders = [viewer.role === 'admin' ? undefined : viewer.id, user].filter((id) => id !== undefined);
  const members = all([
    ...holders.map((id) => having(sql`${`u${id}`}`)),
    ...(q ? [membersOf(sql`word = ${NAME}`)] : []),
    existing ? sql`(${having(kind(archived, 'customer'))} | ${all(ordinary)})` : all(ordinary),
  ]);
  return sql`
    select piece, ${members} as members from (
      select piece, word, ${MEMBERS} as members from lead_sets where word in (${sql.join(words, sql`, `)})
      ${q ? sql`union all select piece, ${NAME}, members from (${named(q)}) as named` : sql``}) as said
    group by piece`;
}

const all = (sets: SQL[]) => sql`(${sql.join(sets, sql` & `)})`;
const membersOf = (which: SQL) => sql`coalesce(bit_or(members) filter (where ${which}), ${NOBODY})`;

/** Not a word that a lead has, but those whose names have all parts, each where it should be. */
const NAME = sql.raw("'name'");

function named(q: string): SQL {
  const given = q.split(' ');
  if (given.length === 1) return sql`select piece, members from parts`;
  const each = given.map((_, nth) => membersOf(sql`part = ${nth}::int`));
  return sql`select piece, ${all(each)} as members from parts group by piece, place`;
}

/** The word for leads of this kind, archived ones among them or not. */
const kind = (archived: boolean, which: keyof typeof KINDS) => sql.raw(`'${archived ? 'a' : 'k'}${KINDS[which]}'`);

const KINDS = { open: 'o', ordinary: 'n', customer: 'c' };
