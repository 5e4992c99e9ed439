import { TYPE_NAMES, type TypeNames } from './type-names.ts';

const plain = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();
const singular = (text: string) =>
  text
    .replace(/ies$/, 'y')
    .replace(/(ch|sh|x|ss)es$/, '$1')
    .replace(/([^s])s$/, '$1');

const BY_NAME = new Map<string, TypeNames>();
for (const type of TYPE_NAMES) {
  for (const name of [type.label, type.google, type.overture]) {
    const key = name && singular(plain(name));
    if (key && !BY_NAME.has(key)) BY_NAME.set(key, type);
  }
}

/** The kind of business that somebody means, by its label or a source's own name for it, in the singular or plural. */
export const findType = (typed: string): TypeNames | undefined => BY_NAME.get(singular(plain(typed)));

/** How the sources would spell a category: "Coffee Roasters" is coffee_roaster. */
export const categoryOf = (typed: string) => singular(plain(typed)).replaceAll(' ', '_');

const LEAST_LETTERS = 5;
const LONG = 8;

/** The kind that is written most like it, for words that are misspelt: one letter wrong, in long words two. */
export function nearestType(typed: string): TypeNames | undefined {
  const wanted = singular(plain(typed));
  if (wanted.length < LEAST_LETTERS) return undefined;
  const most = wanted.length < LONG ? 1 : 2;
  let nearest: { type: TypeNames; wrong: number } | undefined;
  for (const [name, type] of BY_NAME) {
    if (Math.abs(name.length - wanted.length) > most) continue;
    const wrong = lettersWrong(wanted, name);
    if (wrong <= most && wrong < (nearest?.wrong ?? Number.POSITIVE_INFINITY)) nearest = { type, wrong };
  }
  return nearest?.type;
}

/** How many letters must be put in, left out, replaced or swapped with the next to make one word of the other. */
function lettersWrong(a: string, b: string): number {
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
