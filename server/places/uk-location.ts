import { UK_PLACES, type UkPlace } from '#contract/search/uk-places.ts';

const POSTCODE = /^([A-Z]{1,2}[0-9][A-Z0-9]?)\s*([0-9][A-Z]{2})?$/i;
const COUNTRY = /,?\s*\b(uk|united kingdom|great britain|england|scotland|wales|northern ireland)\.?\s*$/i;

const normalize = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();

const BY_NAME = new Map<string, UkPlace>();
for (const place of UK_PLACES) BY_NAME.set(normalize(place.name), place);
for (const place of UK_PLACES) {
  for (const alias of place.aliases) if (!BY_NAME.has(normalize(alias))) BY_NAME.set(normalize(alias), place);
}

/** "near Leeds" is Leeds: every search is around its location. */
export const withoutNear = (location: string) => location.replace(/^\s*(?:near|around)\s+(?=\S)/i, '');

/** A place of the built-in list, by its name or an alias, alone or before a comma ("Leeds, West Yorkshire"). */
export function findUkPlace(location: string): UkPlace | undefined {
  const bare = location.replace(COUNTRY, '');
  return (
    BY_NAME.get(normalize(location)) ?? BY_NAME.get(normalize(bare)) ?? BY_NAME.get(normalize(bare.split(',')[0] ?? ''))
  );
}

/** A complete postcode or an outward code. */
export function parsePostcode(location: string): { compact: string; outward: string; complete: boolean } | null {
  const [, out, inward] = POSTCODE.exec(location.replace(COUNTRY, '').trim()) ?? [];
  if (!out) return null;
  const outward = out.toUpperCase();
  return { compact: `${outward}${inward?.toUpperCase() ?? ''}`, outward, complete: inward !== undefined };
}
