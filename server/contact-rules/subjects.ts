import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import type { ObjectionSubject } from '#contract/contact-rules/objection.ts';
import { hmac } from '#server/kit/secrets.ts';

/** What an objection is stored for, normalised, and as people read it. */
export interface Subject {
  kind: ObjectionSubject;
  key: string;
  value: string;
}

/** By what a business is contacted, as it is stored with it. */
export interface Contactable {
  placeId: string;
  phone: string | null;
  email?: string | undefined;
}

/** Without the key of the installation, the hash of a number could be found by trying all numbers. */
export const hashSubject = (installationKey: string, { kind, key }: Pick<Subject, 'kind' | 'key'>) =>
  hmac(installationKey, `${kind} ${key}`);

export function listSubjects({ placeId, phone, email }: Contactable): Omit<Subject, 'value'>[] {
  return [
    ...toNumberKeys(phone).map((key) => ({ kind: 'number' as const, key })),
    ...[toEmailKey(email)].flatMap((key) => (key ? [{ kind: 'email' as const, key }] : [])),
    { kind: 'business', key: placeId },
  ];
}

const MAX_KNOWN = 20_000;
const known = new Map<string, string | null>();

/** The numbers of a text in E.164. A number that is none of any country is known by its digits. */
export function toNumberKeys(text: string | null): string[] {
  return (text ?? '').split(/[;,]/).flatMap((part) => toNumberKey(part.trim()) ?? []);
}

/** Parsing takes 0.1 ms, and the same numbers are listed again and again. */
function toNumberKey(text: string): string | null {
  const before = known.get(text);
  if (before !== undefined) return before;
  const key = parseNumber(text);
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(text, key);
  return key;
}

function parseNumber(text: string): string | null {
  const phone = parsePhoneNumberFromString(text, 'GB');
  // isPossible, not isValid: the latter rejects the numbers that are reserved for drama.
  if (phone?.isPossible()) return phone.number;
  const digits = text.replace(/\D/g, '');
  return digits.length >= 5 ? digits : null;
}

export function toEmailKey(text: string | undefined): string | null {
  const address = (text ?? '').trim().toLowerCase();
  return /^[^\s@]+@[^\s@]+$/.test(address) ? address : null;
}
