import { type SQL, sql } from 'drizzle-orm';
import { findSimilarType, findType, toCategory } from '#server/places/find-type.ts';
import type { PlacesQuery } from '#server/places/places.ts';

/** One condition by which places match a search. */
export interface Match {
  matches: SQL;
  /** Orders the matching places, lowest first. */
  rank: SQL;
  /** The lowest possible rank, where it is known: a nearby place with it cannot be beaten. */
  bestRank?: number;
  /** Shown when this condition found places. */
  notice?: string;
  /** Skipped when an earlier condition found places. */
  onlyIfNothingFound?: boolean;
}

const MAX_WORDS = 8;

/**
 * The conditions, best first: a later one is tried only when the earlier ones found too few. One query for all would
 * read every name around London, and mix bakeries with shops in Bakery Lane.
 */
export function buildMatches({ businessType, method }: PlacesQuery): Match[] {
  if (method === 'findPlace') return [...byWords(businessType), ...bySimilarName(businessType)];
  const type = findType(businessType);
  const category = byCategory([type?.overture, type?.google, toCategory(businessType)]);
  if (type) return [category, ...byWords(businessType)];
  return [category, ...byWords(businessType), ...bySimilarType(businessType), ...bySimilarName(businessType)];
}

function bySimilarType(typed: string): Match[] {
  const type = findSimilarType(typed);
  if (!type) return [];
  return [{ ...byCategory([type.overture, type.google]), notice: `Results for "${type.label}" are included.` }];
}

function byCategory(names: (string | null | undefined)[]): Match {
  const categories = [...new Set(names.filter((name) => typeof name === 'string'))];
  const list = sql`array[${sql.join(
    categories.map((category) => sql`${category}`),
    sql`, `,
  )}]::text[]`;
  return {
    matches: sql`places.categories && ${list}`,
    rank: sql`case when places.categories[1] = any(${list}) then 0 else 1 end`,
    bestRank: 0,
  };
}

/** Every word is part of the name. The trigram index needs three consecutive letters. */
function byWords(typed: string): Match[] {
  if (!/[\p{L}\p{N}]{3}/u.test(typed)) return [];
  const words = typed.split(/\s+/).filter(Boolean).slice(0, MAX_WORDS);
  const each = words.map((word) => sql`places.name ilike ${toLikePattern(word)}`);
  return [{ matches: sql.join(each, sql` and `), rank: nameDistance(typed), bestRank: -1 }];
}

/** For misspelt names: at least 60% of the trigrams are in the name (pg_trgm.word_similarity_threshold). */
function bySimilarName(typed: string): Match[] {
  if (!/[\p{L}\p{N}]/u.test(typed)) return [];
  return [{ matches: sql`${typed} <% places.name`, rank: nameDistance(typed), onlyIfNothingFound: true }];
}

const nameDistance = (typed: string) => sql`-word_similarity(${typed}, places.name)`;

/** A LIKE pattern for texts that contain this one. */
export const toLikePattern = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
