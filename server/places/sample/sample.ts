import { BUSINESS_TYPE_GROUPS, BUSINESS_TYPES } from '#contract/search/business-types.ts';
import { UK_PLACES, type UkPlace } from '#contract/search/uk-places.ts';
import { categoryOf, findType } from '#server/places/find-type.ts';
import { metresBetween } from '#server/places/geo.ts';
import * as words from './sample-words.ts';

export interface SamplePlace {
  sourceId: string;
  name: string;
  categories: string[];
  address: string;
  town: string;
  postcode: string;
  phone: string | null;
  website: string | null;
  email: string | null;
  latitude: number;
  longitude: number;
  rating: number | null;
  userRatingsTotal: number | null;
  priceLevel: number | null;
  businessStatus: string;
  openingHours: string | null;
}

const HOURS: Record<string, string[]> = {
  'Food and drink': ['Mo-Su 08:00-17:00', 'Tu-Su 12:00-15:00, 17:30-22:30', 'Mo-Th 11:00-23:00; Fr,Sa 11:00-01:00'],
  Lodging: ['24/7'],
  Entertainment: ['Mo-Su 10:00-23:00'],
};
const SHOP_HOURS = ['Mo-Sa 09:00-17:30', 'Mo-Fr 08:30-17:00', 'Mo-Fr 09:00-18:00; Sa 10:00-16:00'];
const PRICED = ['Food and drink', 'Lodging', 'Entertainment'];
const OF_EACH_MUCH_TRIED = 24;
const POSTCODE_LETTERS = 'ABDEFGHJLNPQRSTUWXYZ';

const groupOf = new Map(
  Object.entries(BUSINESS_TYPE_GROUPS).flatMap(([group, labels]) => labels.map((label) => [label, group] as const)),
);

/** The invented businesses, the same ones every time: towns in the order of the list, each from its own seed. */
export function* samplePlaces(): Generator<SamplePlace> {
  const towns = UK_PLACES.filter(({ kind }) => kind === 'city' || kind === 'town');
  const areas = words.POSTCODE_AREAS.flatMap((line) => {
    const [area = '', ...town] = line.split(' ');
    const at = towns.find(({ name }) => name === town.join(' '));
    return at ? [{ area, at }] : [];
  });
  let number = 0;
  for (const [seed, town] of towns.entries()) {
    const nearest = areas.reduce((a, b) => (metresBetween(town, a.at) <= metresBetween(town, b.at) ? a : b));
    const taken = new Set<string>();
    for (const label of typesIn(town, seed)) {
      number += 1;
      yield business({ town, label, area: nearest.area, number, taken });
    }
  }
}

function typesIn({ name, kind }: UkPlace, seed: number): string[] {
  const many = name === 'London' ? 220 : words.BIG_CITIES.includes(name) ? 110 : kind === 'city' ? 36 : 18;
  // Two in three are of the common kinds; the rest walk through the whole list, on from where the last town stopped.
  const mixed = Array.from({ length: many }, (_, index) =>
    index % 3 === 2
      ? at(BUSINESS_TYPES, seed * 13 + Math.floor(index / 3))
      : at(words.COMMON_TYPES, seed * 5 + index - Math.floor(index / 3)),
  );
  const big = name === 'London' || words.BIG_CITIES.includes(name);
  return big
    ? [...mixed, ...words.MUCH_TRIED.flatMap((label) => Array<string>(OF_EACH_MUCH_TRIED).fill(label))]
    : mixed;
}

interface Wanted {
  town: UkPlace;
  label: string;
  area: string;
  number: number;
  taken: Set<string>;
}

function business({ town, label, area, number, taken }: Wanted): SamplePlace {
  const random = mulberry(number);
  const pick = <T>(list: readonly T[]) => at(list, Math.floor(random() * list.length));
  const chance = (share: number) => random() < share;
  const group = groupOf.get(label) ?? '';
  const street = pick(words.STREETS);
  const name = freeName(taken, () =>
    pick([
      `${pick(words.SURNAMES)}'s ${label}`,
      `${pick(words.FLOURISHES)} ${label}`,
      `${pick(words.SURNAMES)} & ${pick(words.SURNAMES)} ${label}`,
      `${street.replace(/^The /, '')} ${label}`,
      `${town.name} ${pick(words.FLOURISHES)} ${label}`,
    ]),
  );
  const digits = Array.from({ length: 2 }, () => at([...POSTCODE_LETTERS], Math.floor(random() * 20))).join('');
  const postcode = `${area}${1 + Math.floor(random() * 18)} ${Math.floor(random() * 10)}${digits}`;
  const site = `${name
    .toLowerCase()
    .replace(/'/g, '')
    .replace(/[^a-z0-9]+/g, '-')}-${number}.example`;
  const rated = chance(0.88);
  const hasSite = chance(0.74);
  const fallback = words.DRAMA_NUMBERS[town.name] ?? words.DRAMA_ELSEWHERE;
  const far = town.kind === 'city' ? 0.028 : 0.014;
  return {
    sourceId: `sample-${String(number).padStart(5, '0')}`,
    name,
    categories: categoriesOf(label),
    address: `${1 + Math.floor(random() * 180)} ${street}`,
    town: town.name,
    postcode,
    phone: chance(0.93) ? `${fallback}${String(number % 1000).padStart(3, '0')}` : null,
    website: hasSite ? `https://${site}` : null,
    email: hasSite && chance(0.5) ? `hello@${site}` : null,
    latitude: round(town.latitude + (random() + random() - 1) * far),
    longitude: round(town.longitude + (random() + random() - 1) * far * 1.6),
    rating: rated ? Math.round((3 + random() * 2) * 10) / 10 : null,
    userRatingsTotal: rated ? 1 + Math.floor(random() ** 3 * 900) : null,
    priceLevel: PRICED.includes(group) && chance(0.8) ? 1 + Math.floor(random() ** 2 * 4) : null,
    businessStatus: chance(0.965) ? 'OPERATIONAL' : chance(0.6) ? 'CLOSED_TEMPORARILY' : 'CLOSED_PERMANENTLY',
    openingHours: chance(0.9) ? pick(HOURS[group] ?? SHOP_HOURS) : null,
  };
}

/** The kind itself first, then the wider ones under which it should be found too. */
function categoriesOf(label: string): string[] {
  const category = findType(label)?.overture ?? categoryOf(label);
  const wider = /_(restaurant|store|shop|school)$/.exec(category)?.[1];
  return [...new Set([category, categoryOf(label), ...(wider ? [wider] : [])])];
}

function freeName(taken: Set<string>, make: () => string): string {
  let name = make();
  for (let tries = 0; taken.has(name) && tries < 8; tries += 1) name = make();
  taken.add(name);
  return name;
}

const round = (degrees: number) => Math.round(degrees * 10_000) / 10_000;

function at<T>(list: readonly T[], index: number): T {
  return list[index % list.length] as T; // none of the lists is empty
}

/** A small generator of pseudo-random numbers (mulberry32): the same seed gives the same business for ever. */
export function mulberry(seed: number) {
  let state = Math.imul(seed, 0x9e3779b1) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
