/** An outward code ("LS1") or a whole postcode ("LS1 4AB"), as people type it. */
const POSTCODE = /^([a-z]{1,2}[0-9][a-z0-9]?)\s*([0-9][a-z]{2})?$/i;
const PHONE = /^[+(]?[0-9][0-9\s().\-/+]*$/;
const MIN_PHONE_DIGITS = 4;
/** From here on a number is taken for a whole one, which may be stored with +44, with 0, or with both. */
const WHOLE_PHONE_DIGITS = 9;

/**
 * The digits to look for in a stored phone number, or null if this is no phone number. Of a whole number the country code
 * and the leading 0 are left out, so that every notation of it is found.
 */
export function toPhoneDigits(query: string): string | null {
  const trimmed = query.trim();
  const digits = trimmed.replace(/\D/g, '');
  if (!PHONE.test(trimmed) || digits.length < MIN_PHONE_DIGITS) return null;
  return digits.length < WHOLE_PHONE_DIGITS ? digits : digits.replace(/^(?:00)?(?:440?|0)/, '');
}

/** The two halves of a postcode in upper case, or null if this is none. */
export function parsePostcode(query: string): { outward: string; inward: string | null } | null {
  const [, outward, inward] = POSTCODE.exec(query.trim()) ?? [];
  return outward ? { outward: outward.toUpperCase(), inward: inward?.toUpperCase() ?? null } : null;
}
