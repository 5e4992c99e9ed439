import { parseFindQuery, toPhoneDigits } from '#contract/leads/find/find-query.ts';
import { foldWithPositions } from '#contract/leads/find/fold-text.ts';
import type { MatchedField } from '#contract/leads/find/lead-match.ts';

interface TextPart {
  text: string;
  marked: boolean;
}

/** The text in parts, those marked that the query found. */
export function splitMatches(text: string, query: string, field: MatchedField): TextPart[] {
  const digits = field === 'phone' ? toPhoneDigits(query) : null;
  if (digits) return mark(text, [findDigits(text, digits)]);
  if (field === 'postcode') return mark(text, [{ start: 0, end: text.length }]);
  const literal = [...text.matchAll(new RegExp(escapePattern(query.trim()), 'giu'))].filter(([found]) => found);
  if (literal.length)
    return mark(
      text,
      literal.map(({ index, 0: { length } }) => ({ start: index, end: index + length })),
    );
  return mark(text, findFolded(text, query));
}

interface Range {
  start: number;
  end: number;
}

const escapePattern = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** The whole query without accents and signs, or else the words that begin with one of its words. */
function findFolded(text: string, query: string): Range[] {
  const { text: whole, words } = parseFindQuery(query);
  const { folded, positions } = foldWithPositions(text);
  if (!whole) return [];
  const starts = folded.includes(whole) ? [whole] : words.map((word) => ` ${word}`);
  const ranges = starts.flatMap((part) =>
    findAll(folded, part).map((at) => toRange(text, positions, { start: at, end: at + part.length })),
  );
  return withoutOverlap(ranges);
}

function findAll(text: string, part: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) found.push(at);
  return found;
}

/** In the original text, without the signs around the match. */
function toRange(text: string, positions: number[], { start, end }: Range): Range {
  const range = { start: positions[start] ?? 0, end: positions[end] ?? text.length };
  const [before = ''] = /^[\p{P}\p{Z}]+/u.exec(text.slice(range.start, range.end)) ?? [];
  const [after = ''] = /[\p{P}\p{Z}]+$/u.exec(text.slice(range.start, range.end)) ?? [];
  return { start: range.start + before.length, end: range.end - after.length };
}

const withoutOverlap = (ranges: Range[]): Range[] =>
  [...ranges]
    .sort((a, b) => a.start - b.start || b.end - a.end)
    .filter(({ start }, nth, sorted) => sorted.slice(0, nth).every(({ end }) => end <= start));

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
