import { type SQL, sql } from 'drizzle-orm';
import { categoryOf, findType, nearestType } from '#server/places/find-type.ts';
import type { PlacesQuery } from '#server/places/places.ts';

/** A way in which a place can be what is looked for. */
export interface Match {
  matches: SQL;
  /** Among those that match: the lowest first. */
  rank: SQL;
  /** The lowest rank, where it is known beforehand: nothing further away can be better. */
  bestRank?: number;
  /** What people are told when some were found this way. */
  notice?: string;
  /** Not asked when anything was found before. */
  lastResort?: boolean;
}

const MAX_WORDS = 8;

/**
 * The ways to match, the best first: a later one is tried only when the earlier ones found too few. All at once would
 * read every name around London for each bakery, and mix the bakers' shops with streets called Bakery Lane.
 */
export function matchesOf({ businessType, method }: PlacesQuery): Match[] {
  if (method === 'findPlace') return [...byWords(businessType), ...alike(businessType)];
  const type = findType(businessType);
  const known = byCategory([type?.overture, type?.google, categoryOf(businessType)]);
  if (type) return [known, ...byWords(businessType)];
  return [known, ...byWords(businessType), ...asMeant(businessType), ...alike(businessType)];
}

function asMeant(typed: string): Match[] {
  const type = nearestType(typed);
  if (!type) return [];
  return [{ ...byCategory([type.overture, type.google]), notice: `Results for "${type.label}" are included.` }];
}

function byCategory(names: (string | null | undefined)[]): Match {
  const wanted = [...new Set(names.filter((name) => typeof name === 'string'))];
  const list = sql`array[${sql.join(
    wanted.map((category) => sql`${category}`),
    sql`, `,
  )}]::text[]`;
  return {
    matches: sql`places.categories && ${list}`,
    rank: sql`case when places.categories[1] = any(${list}) then 0 else 1 end`,
    bestRank: 0,
  };
}

/** Every word is somewhere in the name. The index knows names by three letters in a row: shorter words are not asked. */
function byWords(typed: string): Match[] {
  if (!/[\p{L}\p{N}]{3}/u.test(typed)) return [];
  const words = typed.split(/\s+/).filter(Boolean).slice(0, MAX_WORDS);
  const each = words.map((word) => sql`places.name ilike ${containing(word)}`);
  return [{ matches: sql.join(each, sql` and `), rank: likeness(typed), bestRank: -1 }];
}

/** Misspelt, or with a word too many: six in ten of all threes of letters are in the name, which is the default. */
function alike(typed: string): Match[] {
  if (!/[\p{L}\p{N}]/u.test(typed)) return [];
  return [{ matches: sql`${typed} <% places.name`, rank: likeness(typed), lastResort: true }];
}

const likeness = (typed: string) => sql`-word_similarity(${typed}, places.name)`;

/** A pattern for texts that hold these letters, whatever they are. */
export const containing = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
