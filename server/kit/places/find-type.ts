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
