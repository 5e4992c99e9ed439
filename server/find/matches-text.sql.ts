import { type SQL, sql } from 'drizzle-orm';
import {
  type FindQuery,
  isCorrectable,
  isOutwardCode,
  listTypingErrors,
  parseFindQuery,
} from '#contract/leads/find/find-query.ts';
import { IS_FOUND_BY_WORDS } from './own-texts.sql.ts';

// The alias of user_businesses is `lead`. Words are folded, so that they have no characters with a meaning in a pattern.

/** The shortest words that are looked up in notes: of a single letter, the index has too many. */
const MIN_NOTE_WORD = 2;

const NAME = sql`split_part(lead.find_text, E'\n', 1)`;

/**
 * The name contains the text, or each word begins a word of name, town, postcode, phone, contact person, e-mail, notes or a
 * text of the team's own fields, or the phone number contains the digits. Which words are looked up in the indexes (without
 * `lookedUp`, all that can be) decides how long it takes, not what matches.
 */
export function matchesText(text: string, lookedUp?: string[]): SQL {
  const query = parseFindQuery(text);
  const compared = query.indexed ? compareWords(query) : compareLetters(text, query);
  const matches = [sql`(${and([...(lookedUp ?? query.lookedUp).map(lookUp), anyOf(compared)])})`];
  if (query.phoneDigits) matches.push(contains(query.phoneDigits));
  return anyOf(matches);
}

/** What the indexes find by a word. */
const lookUp = (word: string): SQL => (word.length > 2 ? hasLetters(word) : containsPair(word));

/** Whether a lead has the letters of a word, maybe within another word. */
export const hasLetters = (word: string): SQL => anyOf([contains(word), ...(word.length > 2 ? inAnyNotes(word) : [])]);

// The comparison of leads that were found. The indexes cannot be used for it, because they have no strpos.

function compareWords({ text, words }: FindQuery): SQL[] {
  const hasWord = (word: string) => anyOf([beginsWord(word), ...inNotes(word)]);
  return [sql`strpos(${NAME}, ${text}) > 0`, sql`(${and(words.map(hasWord))})`];
}

/** One or two letters are not looked for in notes and own fields. */
function compareLetters(text: string, { words }: FindQuery): SQL[] {
  const inName = sql`strpos(lead.search_name, search_text(${text})) > 0`;
  const hasWord = (word: string) =>
    isOutwardCode(word) ? beginsWord(word) : sql`strpos(lead.find_text, ${` ${word}`}) > 0`;
  return words.length ? [inName, sql`(${and(words.map(hasWord))})`] : [inName];
}

/** Each word begins a word, or has one typing error. */
export function isSimilarToText(text: string, lookedUp?: string[]): SQL {
  const { words } = parseFindQuery(text);
  return and(
    words.map((word) => {
      const matches = isCorrectable(word) ? beginsWordWithError(word) : beginsWord(word);
      const compared = sql`${matches} is true`; // for which the indexes cannot be used
      return lookedUp && !lookedUp.includes(word) ? compared : matches;
    }),
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

/** In the notes, or in a field of the team's own that is shown. */
function inNotes(word: string): SQL[] {
  const query = toTsquery([word]);
  return query ? [sql`lead.note_words @@ ${query}`, sql`lead.note_words @@ ${inOwnFields(word)}`] : [];
}

/** The same, or in a field that is archived: for the index, so that the planner knows how many leads have the word. */
function inAnyNotes(word: string): SQL[] {
  const query = toTsquery([word]);
  return query ? [sql`lead.note_words @@ (${query} || ${`'/${word}':*`}::tsquery)`] : [];
}

/** `'12/acme':* | '15/acme':*`. Null without a field that is shown: nothing matches. */
const inOwnFields = (word: string) => sql`(
  select string_agg('''' || field.id || ${`/${word}':*`}::text, ' | ')::tsquery from own_fields field where ${IS_FOUND_BY_WORDS})`;

/** "ls1" is not the beginning of "ls10". */
const beginsWord = (word: string): SQL =>
  isOutwardCode(word) ? sql`lead.find_text ~ ${` ${word}[^0-9]`}` : sql`lead.find_text like ${`% ${word}%`}`;

const contains = (part: string): SQL => sql`lead.find_text like ${`%${part}%`}`;

/**
 * The index has parts of three letters: the pair, and what may come after it. Leads with other letters than these have an
 * index of their own.
 */
function containsPair(pair: string): SQL {
  const parts = [...'abcdefghijklmnopqrstuvwxyz0123456789 '].map((next) => `%${pair}${next}%`);
  return sql`(lead.find_text like any (${sql.param(parts)}::text[]) or lead.find_text ~ '[^\\u0001-\\u007f]')`;
}

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
