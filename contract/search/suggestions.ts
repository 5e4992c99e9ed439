export const SUGGEST_FROM = 2;
export const MAX_LOCATIONS = 10;
export const MAX_BUSINESS_TYPES = 20;

/** What a box suggests for what is typed: matches at the beginning first, then those inside, each by the alphabet. */
export function suggest(names: readonly string[], typed: string, most: number): string[] {
  const wanted = typed.trim().toLowerCase();
  if (wanted.length < SUGGEST_FROM) return [];
  const begins = (name: string) => name.toLowerCase().startsWith(wanted);
  return names
    .filter((name) => name.toLowerCase().includes(wanted))
    .sort((a, b) => Number(begins(b)) - Number(begins(a)) || a.localeCompare(b, 'en-GB'))
    .slice(0, most);
}
