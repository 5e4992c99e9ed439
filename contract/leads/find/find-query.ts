import { foldText } from './fold-text.ts';

/** An outward code ("LS1") or a whole postcode ("LS1 4AB"), as people type it. */
const POSTCODE = /^([a-z]{1,2}[0-9][a-z0-9]?)\s*([0-9][a-z]{2})?$/i;
const PHONE = /^[+(]?[0-9][0-9\s().\-/+]*$/;
const MIN_PHONE_DIGITS = 4;
/** From here on a number is taken for a whole one, which may be stored with +44, with 0, or with both. */
const WHOLE_PHONE_DIGITS = 9;
/** Later words of a long text are not looked for. */
const MAX_WORDS = 10;
/** Shorter texts are looked for in names only: nearly every lead has a word that begins with a given letter. */
const MIN_WORD_LENGTH = 2;
/** The database looks up parts of three letters. */
const INDEXED_PART = /[\p{L}\p{N}]{3}/u;
const PAIR = /^[a-z0-9]{2}$/;
const CORRECTABLE = /^\p{L}{5,20}$/u;

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

export interface FindQuery {
  /** Folded; a name that contains it matches. */
  text: string;
  /** Folded; a lead matches where each of these begins a word of it. Empty where the text is too short for that. */
  words: string[];
  /** Part of a phone number, or null. */
  phoneDigits: string | null;
  /** Whether the text has a part that the database looks up. */
  indexed: boolean;
  /** The words with such a part or, of a text without one, those of two letters. */
  lookedUp: string[];
}

/** What a text that people typed looks for. */
export function parseFindQuery(query: string): FindQuery {
  const text = foldText(query);
  const words = [...new Set(text.split(' ').flatMap(splitPostcode))].slice(0, MAX_WORDS);
  const indexed = INDEXED_PART.test(text);
  return {
    text,
    words: words.some(({ length }) => length >= MIN_WORD_LENGTH) ? words : [],
    phoneDigits: toPhoneDigits(query),
    indexed,
    lookedUp: words.filter((word) => (indexed ? INDEXED_PART : PAIR).test(word)),
  };
}

/** Postcodes are stored with a space. */
function splitPostcode(word: string): string[] {
  const [, outward, inward] = POSTCODE.exec(word) ?? [];
  return outward && inward ? [outward, inward] : [word];
}

/** "ls1", which is not the beginning of "ls10". */
export const isOutwardCode = (word: string): boolean => parsePostcode(word)?.inward === null;

/** Whether a typing error is looked for: a short word with another letter is another word. */
export const isCorrectable = (word: string): boolean => CORRECTABLE.test(word);

/** The word with one letter more, one less, another one or two swapped; "_" is any letter, as in LIKE. */
export function listTypingErrors(word: string): string[] {
  const letters = Array.from(word);
  const replace = (at: number, count: number, ...by: string[]) => letters.toSpliced(at, count, ...by).join('');
  const errors = letters.flatMap((letter, at) => [
    replace(at, 0, '_'),
    replace(at, 1, '_'),
    replace(at, 1),
    ...(at > 0 ? [replace(at - 1, 2, letter, letters[at - 1] ?? '')] : []),
  ]);
  return [...new Set([...errors, `${word}_`])];
}
