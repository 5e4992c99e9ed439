const POSTCODE = /\b[A-Z]{1,2}[0-9][A-Z0-9]? ?[0-9][A-Z]{2}\b/gi;
const COUNTRY = /,\s*(?:UK|United Kingdom)\.?\s*$/i;
const MAX_ADDRESS_LENGTH = 1_000;
const MAX_TOWN_LENGTH = 100;

/** The town of a UK address: the part before its postcode, or before ", UK". */
export function parseTown(address: string | null | undefined): string | null {
  const text = (address ?? '').slice(0, MAX_ADDRESS_LENGTH).replace(/\s+/g, ' ').trim();
  const postcode = [...text.matchAll(POSTCODE)].at(-1);
  const candidates = [
    postcode && lastPart(text.slice(0, postcode.index)),
    COUNTRY.test(text) && lastPart(text.replace(COUNTRY, '')),
  ];
  return candidates.find((part): part is string => Boolean(part) && isTown(part as string)) ?? null;
}

function lastPart(text: string): string {
  const parts = text.split(',').map((part) => part.trim());
  return parts.findLast(Boolean) ?? '';
}

function isTown(part: string): boolean {
  if (part.length <= 2 || part.length > MAX_TOWN_LENGTH) return false;
  return part.search(POSTCODE) === -1 && !/^[A-Z]{1,2}[0-9][A-Z0-9]?$/i.test(part);
}
