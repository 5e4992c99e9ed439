import { singular } from '#server/places/find-type.ts';
import { TYPE_NAMES, type TypeNames } from '#server/places/type-names.ts';
import { NAME_WORDS } from './name-words.ts';

interface Business {
  /** What its source or a person calls its type, the best first: "pizza_restaurant", "shop=bakery", "Bakery". */
  types: readonly string[];
  name: string;
}

/** A type of the search's list, by its label, and whether only words say so. */
export interface BusinessType {
  type: string;
  guessed: boolean;
}

/** The type of a business by the types of its source, or guessed from the words of its type or name; null where nothing says it. */
export function classifyBusiness({ types, name }: Business): BusinessType | null {
  const known = types.flatMap((type) => findLabel(type, name) ?? []);
  const type = known.find((label) => !BROAD.has(label)) ?? known[0];
  if (type) return { type, guessed: false };
  const guess = [...types, name].map(guessFromWords).find((label) => label !== undefined);
  return guess === undefined ? null : { type: guess, guessed: true };
}

/** As the columns of a business. An unknown type is an open one, which a later source may still say. */
export function toTypeColumns(business: Business) {
  const { type, guessed } = classifyBusiness(business) ?? { type: null, guessed: true };
  return { type, typeGuessed: guessed };
}

/** Of several types of a source, another one says more. */
const BROAD = new Set(['Restaurant', 'Fast food', 'Takeaway', 'Company office']);

/** Names of sources that no type of the search is searched by, or that several are. */
const ALIASES = new Map([
  ['consultant', 'Business consultant'],
  ['corporate_office', 'Company office'],
  ['fitness_center', 'Gym'],
  ['general_contractor', 'Builder'],
  ['hair_care', 'Hairdresser'],
  ['meal_delivery', 'Takeaway'],
  ['office=it', 'IT support company'],
]);
/** Say too little: the first type that is searched by them would be wrong for most. */
const TOO_WIDE = ['educational_institution', 'sports_school', 'transportation_service', 'amusement_center'];

/** "Smith's Fish & Chips" as smiths, fish, and, chips. */
const toWords = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/['’`]/g, '')
    .replaceAll('&', ' and ')
    .split(/[^a-z0-9]+/)
    .filter(Boolean);

/** One spelling for "Car dealers" and "car_dealer". A filter of OpenStreetMap, "shop=bakery", stays as it is. */
const toKey = (text: string) => (text.includes('=') ? text.toLowerCase() : singular(toWords(text).join('_')));

/** The labels with each name: by the label, then by what the name of Overture, of Google and of OpenStreetMap says. */
const LABELS_BY_NAME: Map<string, string[]>[] = [
  (type: TypeNames) => [type.label],
  (type: TypeNames) => [type.overture],
  (type: TypeNames) => [type.google],
  (type: TypeNames) => (type.osm ?? '').split(';').filter((filter) => !filter.includes('&')),
].map((toNames) => {
  const labels = new Map<string, string[]>();
  for (const type of TYPE_NAMES) {
    for (const name of toNames(type)) {
      if (name) labels.set(toKey(name), [...(labels.get(toKey(name)) ?? []), type.label]);
    }
  }
  return labels;
});

/** Of several labels with the same name of a source, the one that the name of the business says. */
function findLabel(type: string, name: string): string | undefined {
  const key = toKey(type);
  if (TOO_WIDE.includes(key)) return undefined;
  const alias = ALIASES.get(key);
  if (alias) return alias;
  for (const labels of LABELS_BY_NAME) {
    const found = labels.get(key);
    if (!found) continue;
    const guess = found.length > 1 ? guessFromWords(name) : undefined;
    return guess && found.includes(guess) ? guess : found[0];
  }
  return undefined;
}

/** Labels that are other things as well: "The Phone Doctor", "Head Office". */
const NOT_IN_NAMES = new Set(['Doctor', 'Company office', 'Tourist attraction', 'Manufacturer']);
/** Also parts of places: "Church Farm", "Bank House". Only as the last word they say what a business is. */
const LAST_ONLY = new Set([
  'bank',
  'bar',
  'church',
  'hospital',
  'market',
  'spa',
  'french',
  'greek',
  'law',
  'news',
  'print',
]);
/** "Church Street Dental" is no church. */
const STREETS = new Set(
  'street st road rd lane ln avenue ave square place court way row hill gate terrace drive crescent house hall'.split(
    ' ',
  ),
);
const LEGAL_FORMS = new Set(['ltd', 'limited', 'llp', 'plc', 'co', 'company', 'uk', 'and', 'sons', 'son']);

const PHRASES = new Map([
  ...TYPE_NAMES.filter(({ label }) => !NOT_IN_NAMES.has(label)).map(
    ({ label }) => [toWords(label).join(' '), label] as const,
  ),
  ...NAME_WORDS,
]);
const MAX_WORDS = Math.max(...[...PHRASES.keys()].map((phrase) => phrase.split(' ').length));

/** By the longest phrase in it, and of those the last: "Corner Bakery Cafe" is a cafe. */
function guessFromWords(text: string): string | undefined {
  const words = toWords(text);
  while (words.length > 1 && LEGAL_FORMS.has(words.at(-1) ?? '')) words.pop();
  for (let length = Math.min(MAX_WORDS, words.length); length > 0; length -= 1) {
    for (let start = words.length - length; start >= 0; start -= 1) {
      const end = start + length;
      const phrase = words.slice(start, end).join(' ');
      if (STREETS.has(words[end] ?? '') || (LAST_ONLY.has(phrase) && end < words.length)) continue;
      const label = PHRASES.get(phrase) ?? PHRASES.get(singular(phrase));
      if (label) return label;
    }
  }
  return undefined;
}
