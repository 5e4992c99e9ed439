import { TYPE_NAMES, type TypeNames } from './type-names.ts';

const normalize = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();
/** "bakeries" as "bakery". */
export const singular = (text: string) =>
  text
    .replace(/ies$/, 'y')
    .replace(/(ch|sh|x|ss)es$/, '$1')
    .replace(/([^s])s$/, '$1');

const BY_NAME = new Map<string, TypeNames>();
for (const type of TYPE_NAMES) {
  for (const name of [type.label, type.google, type.overture]) {
    const key = name && singular(normalize(name));
    if (key && !BY_NAME.has(key)) BY_NAME.set(key, type);
  }
}

/** A business type by its label or by a source's name for it, in the singular or plural. */
export const findType = (typed: string): TypeNames | undefined => BY_NAME.get(singular(normalize(typed)));

/** A category in the spelling of the sources: "Coffee Roasters" is coffee_roaster. */
export const toCategory = (typed: string) => singular(normalize(typed)).replaceAll(' ', '_');

/** A type that a person wrote, as the sources of places write it, so that coverage knows it. */
export const toStoredType = (typed: string) => findType(typed)?.google ?? toCategory(typed);

const MIN_LENGTH = 5;
const LONG = 8;

/** The most similar type, for misspelt words: within an edit distance of 1, for long words 2. */
export function findSimilarType(typed: string): TypeNames | undefined {
  const word = singular(normalize(typed));
  if (word.length < MIN_LENGTH) return undefined;
  const maxDistance = word.length < LONG ? 1 : 2;
  let nearest: { type: TypeNames; distance: number } | undefined;
  for (const [name, type] of BY_NAME) {
    if (Math.abs(name.length - word.length) > maxDistance) continue;
    const distance = editDistance(word, name);
    if (distance <= maxDistance && distance < (nearest?.distance ?? Number.POSITIVE_INFINITY))
      nearest = { type, distance };
  }
  return nearest?.type;
}

/** Damerau–Levenshtein: insertions, deletions, substitutions and swaps of adjacent letters. */
function editDistance(a: string, b: string): number {
  let [twoAbove, above] = [[] as number[], Array.from({ length: b.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= a.length; row += 1) {
    const line = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1] ? 0 : 1;
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      line.push(
        Math.min(
          (above[column] ?? 0) + 1,
          (line[column - 1] ?? 0) + 1,
          (above[column - 1] ?? 0) + same,
          swapped ? (twoAbove[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    [twoAbove, above] = [above, line];
  }
  return above[b.length] ?? 0;
}
