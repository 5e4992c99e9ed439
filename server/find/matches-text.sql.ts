import { type SQL, sql } from 'drizzle-orm';
import {
  type FindQuery,
  isCorrectable,
  isOutwardCode,
  listTypingErrors,
  parseFindQuery,
} from '#contract/leads/find/find-query.ts';

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
  const matches = query.indexed ? matchesIndexed(query) : matchesScanned(text, query);
  if (query.phoneDigits) matches.push(contains(query.phoneDigits));
  return anyOf(matches);
}

/** Two scans of the trigram index: of a single word one finds both, the parts of names and the beginnings of words. */
function matchesIndexed({ text, words }: FindQuery): SQL[] {
  const inName = sql`strpos(${NAME}, ${text}) > 0`;
  const eachWord = and(words.map((word) => anyOf([beginsWord(word), ...inNotes(word)])));
  if (words.length > 1) return [sql`(${contains(text)} and ${inName})`, sql`(${eachWord})`];
  return [sql`(${contains(text)} and ${anyOf([inName, ...words.map(beginsWord)])})`, ...words.flatMap(inNotes)];
}

/**
 * Without three letters in a row there is no trigram, and LIKE would be planned as a scan of the whole trigram index. All
 * leads are read instead, but not their notes.
 */
function matchesScanned(text: string, { words }: FindQuery): SQL[] {
  const inName = sql`strpos(lead.search_name, search_text(${text})) > 0`;
  const hasWord = (word: string) =>
    isOutwardCode(word) ? beginsWord(word) : sql`strpos(lead.find_text, ${` ${word}`}) > 0`;
  return words.length ? [inName, sql`(${and(words.map(hasWord))})`] : [inName];
}

/** Each word begins a word, or has one typing error. */
export function isSimilarToText(text: string): SQL {
  return and(
    parseFindQuery(text).words.map((word) => (isCorrectable(word) ? beginsWordWithError(word) : beginsWord(word))),
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

function inNotes(word: string): SQL[] {
  const query = toTsquery([word]);
  return query ? [sql`lead.note_words @@ ${query}`] : [];
}

/** "ls1" is not the beginning of "ls10". */
const beginsWord = (word: string): SQL =>
  isOutwardCode(word) ? sql`lead.find_text ~ ${` ${word}[^0-9]`}` : sql`lead.find_text like ${`% ${word}%`}`;

const contains = (part: string): SQL => sql`lead.find_text like ${`%${part}%`}`;

/** A word with an error is a whole word: its beginnings would match too much. */
function beginsWordWithError(word: string): SQL {
  const meant = sql`select '% ' || word || ' %' from find_words where word = any (${sql.param(listSpellings(word))}::text[])`;
  return anyOf([beginsWord(word), sql`lead.find_text like any (array(${meant}))`]);
}

/** What was meant, if the word has one typing error. */
function listSpellings(word: string): string[] {
  const letters = [...new Set(`abcdefghijklmnopqrstuvwxyz${word}`)];
  const spellings = listTypingErrors(word).flatMap((error) => letters.map((letter) => error.replace('_', letter)));
  return [...new Set(spellings)]; // a letter less or two swapped need no letter
}

const and = (conditions: SQL[]) => sql.join(conditions, sql` and `);
const anyOf = (conditions: SQL[]) => sql`(${sql.join(conditions, sql` or `)})`;
