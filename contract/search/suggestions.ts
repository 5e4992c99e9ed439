const MIN_QUERY_LENGTH = 2;
export const MAX_LOCATIONS = 10;
export const MAX_BUSINESS_TYPES = 20;

/** Matches at the start first, then those inside, each alphabetically. */
export function suggest(names: readonly string[], query: string, max: number): string[] {
  const needle = query.trim().toLowerCase();
  if (needle.length < MIN_QUERY_LENGTH) return [];
  const isPrefix = (name: string) => name.toLowerCase().startsWith(needle);
  return names
    .filter((name) => name.toLowerCase().includes(needle))
    .sort((a, b) => Number(isPrefix(b)) - Number(isPrefix(a)) || a.localeCompare(b, 'en-GB'))
    .slice(0, max);
}
