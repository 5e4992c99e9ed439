// How texts are compared: without case, accents, apostrophes and punctuation. The database has the same function,
// fold_text; a test compares the two.

const MARKS_AND_APOSTROPHES = /[\u0300-\u036f'`\u00b4\u02b9\u02bb\u02bc\u2018\u2019\u201b\u2032]/gu;
const SEPARATORS =
  /[\t\n\v\f\r\u0020-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00a9\u00ab-\u00b4\u00b6-\u00b9\u00bb-\u00bf\u00d7\u00f7\u2000-\u206f\u2e00-\u2e7f\u3000-\u303f]+/gu;

/** Letters that do not decompose into a plain one and a mark. */
const PLAIN_LETTERS: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  ŧ: 't',
  ς: 'σ',
};

/** "Crème & Co's" becomes "creme cos". */
export const foldText = (text: string): string => foldCharacters(text).replace(SEPARATORS, ' ').trim();

const foldCharacters = (text: string): string =>
  Array.from(text.normalize('NFD').replace(MARKS_AND_APOSTROPHES, ''), (character) => {
    const lower = character.toLowerCase();
    return PLAIN_LETTERS[lower] ?? lower;
  }).join('');

interface FoldedText {
  /** With a space before the first word. */
  folded: string;
  /** Where each character of the folded text begins in the original one, and where the original one ends. */
  positions: number[];
}

/** The folded text with the positions that its characters have in the original. */
export function foldWithPositions(text: string): FoldedText {
  let folded = ' ';
  const positions = [0];
  let at = 0;
  for (const character of text) {
    const plain = foldCharacters(character).replace(SEPARATORS, ' ');
    if (plain && !(plain === ' ' && folded.endsWith(' '))) {
      folded += plain;
      for (let nth = 0; nth < plain.length; nth += 1) positions.push(at);
    }
    at += character.length;
  }
  positions.push(at);
  return { folded, positions };
}
