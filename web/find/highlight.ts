import { toPhoneDigits } from '#contract/find/find-query.ts';
import type { MatchedField } from '#contract/find/lead-match.ts';

export interface TextPart {
  text: string;
  marked: boolean;
}

/** The text in parts, those marked that the query found. */
export function splitMatches(text: string, query: string, field: MatchedField): TextPart[] {
  const digits = field === 'phone' ? toPhoneDigits(query) : null;
  if (digits) return mark(text, [findDigits(text, digits)]);
  if (field === 'postcode') return mark(text, [{ start: 0, end: text.length }]);
  const whole = findAll(text, escapePattern(query.trim()));
  return mark(text, whole.length ? whole : findAll(text, findWords(query)));
}

interface Range {
  start: number;
  end: number;
}

/** The beginnings of words: the server looks for notes and activities by word. */
const findWords = (query: string) =>
  query
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .map((word) => `(?<![\\p{L}\\p{N}])${escapePattern(word)}`)
    .join('|');

const escapePattern = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

function findAll(text: string, pattern: string): Range[] {
  if (!pattern) return [];
  return [...text.matchAll(new RegExp(pattern, 'giu'))].map(({ index, 0: { length } }) => ({
    start: index,
    end: index + length,
  }));
}

/** The digits in a number of any notation. */
function findDigits(text: string, digits: string): Range {
  const positions = [...text.matchAll(/[0-9]/g)].map(({ index }) => index);
  const at = text.replace(/[^0-9]/g, '').indexOf(digits);
  const [start, last] = [positions[at], positions[at + digits.length - 1]];
  return start === undefined || last === undefined ? { start: 0, end: 0 } : { start, end: last + 1 };
}

function mark(text: string, ranges: Range[]): TextPart[] {
  const parts: TextPart[] = [];
  let at = 0;
  for (const { start, end } of ranges) {
    parts.push({ text: text.slice(at, start), marked: false }, { text: text.slice(start, end), marked: true });
    at = end;
  }
  parts.push({ text: text.slice(at), marked: false });
  return parts.filter(({ text }) => text !== '');
}
