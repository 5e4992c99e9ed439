import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

interface UkPhone {
  national: string;
  international: string;
}

/** The first UK number in a text, in both formats. Null where there is none. */
export function parseUkPhone(text: string | null | undefined): UkPhone | null {
  const [first = ''] = (text ?? '').split(/[;,]/);
  const phone = parsePhoneNumberFromString(first, 'GB');
  // isPossible, not isValid: the latter rejects the numbers reserved for drama, which the sample uses.
  if (phone?.countryCallingCode !== '44' || !phone.isPossible()) return null;
  return { national: phone.formatNational(), international: phone.formatInternational() };
}
