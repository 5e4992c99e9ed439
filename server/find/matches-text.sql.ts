import { type SQL, sql } from 'drizzle-orm';
import {
  type FindQuery,
  isCorrectable,
  isOutwardCode,
  listTypingErrors,
  parseFindQuery,
} from '#contract/find/find-query.ts';

// The alias of user_businesses is `lead`. Words are folded, so that they have no characters with a meaning in a pattern.

/** The shortest words that are looked up in notes: of a single letter, the index has too many. */
const MIN_NOTE_WORD = 2;

const NAME = sql`split_part(lead.find_text, E'\n', 1)`;

/**
 * The name contains the text, or each word begins a word of name, town, postcode, phone, contact person, e-mail or notes,
 * or the phone number contains the digits.
 */
export function matchesText(text: string): SQL {
  const query = parseFindQuery(text);
  const matches = [nameContains(text, query)];
  if (query.words.length) matches.push(and(query.words.map((word) => hasWord(word, query))));
  if (query.phoneDigits) matches.push(contains(query.phoneDigits));
  return anyOf(matches);
}

/** Each word begins a word, or has one typing error. */
export function isSimilarToText(text: string): SQL {
  return and(
    parseFindQuery(text).words.map((word) =>
      isCorrectable(word) ? sql`lead.find_text like any (${sql.param(listPatterns(word))}::text[])` : beginsWord(word),
    ),
  );
}

export const hasCorrectableWord = (text: string): boolean => parseFindQuery(text).words.some(isCorrectable);

/** Whether the name contains the text, or has all its words: such leads come first. */
export function isInName(text: string): SQL {
  const { words, text: folded } = parseFindQuery(text);
  const inName = sql`strpos(${NAME}, ${folded}) > 0`;
  if (!words.length) return inName;
  return anyOf([inName, sql`${NAME} like all (${sql.param(words.map((word) => `% ${word}%`))}::text[])`]);
}

/** Every word, each as a beginning: `'blue':* & 'door':*`. Undefined where the text has none. */
export function toTsquery(words: string[]): SQL | undefined {
  const found = words.filter(({ length }) => length >= MIN_NOTE_WORD);
  if (!found.length) return undefined;
  return sql`to_tsquery('simple', ${found.map((word) => `'${word}':*`).join(' & ')})`;
}

/** Without three letters in a row there is no trigram, and LIKE would be planned as a scan of the whole trigram index. */
function nameContains(text: string, query: FindQuery): SQL {
  if (!query.indexed) return sql`strpos(lead.search_name, search_text(${text})) > 0`;
  return sql`(${contains(query.text)} and strpos(${NAME}, ${query.text}) > 0)`;
}

/** Notes are left out where all leads are read, which is when the index is of no use. */
function hasWord(word: string, { indexed }: FindQuery): SQL {
  const inNotes = indexed && toTsquery([word]);
  return inNotes ? anyOf([beginsWord(word), sql`lead.note_words @@ ${inNotes}`]) : beginsWord(word);
}

/** "ls1" is not the beginning of "ls10". */
const beginsWord = (word: string): SQL =>
  isOutwardCode(word) ? sql`lead.find_text ~ ${` ${word}[^0-9]`}` : sql`lead.find_text like ${`% ${word}%`}`;

const contains = (part: string): SQL => sql`lead.find_text like ${`%${part}%`}`;

/** A word with an error is a whole word: its beginnings would match too much. */
const listPatterns = (word: string) => [`% ${word}%`, ...listTypingErrors(word).map((pattern) => `% ${pattern} %`)];

const and = (conditions: SQL[]) => sql.join(conditions, sql` and `);
const anyOf = (conditions: SQL[]) => sql`(${sql.join(conditions, sql` or `)})`;
