import { BUSINESS_TYPE_GROUPS, BUSINESS_TYPES } from '#contract/business-types/business-types.ts';
import { metresBetween } from '#contract/geo.ts';
import { UK_PLACES, type UkPlace } from '#contract/search/uk-places.ts';
import { findType, toCategory } from '#server/places/find-type.ts';
import { UK_DISTRICTS } from '#server/places/uk-districts.ts';
import * as data from './sample-data.ts';

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
const OF_EACH_POPULAR_TYPE = 24;
const DISTRICT_METRES = 4_000;
const POSTCODE_LETTERS = 'ABDEFGHJLNPQRSTUWXYZ';

const groupByLabel = new Map(
  Object.entries(BUSINESS_TYPE_GROUPS).flatMap(([group, labels]) => labels.map((label) => [label, group] as const)),
);

/** The invented businesses, the same on every call. */
export function* samplePlaces(): Generator<SamplePlace> {
  const towns = UK_PLACES.filter(({ kind }) => kind === 'city' || kind === 'town');
  let number = 0;
  for (const [seed, town] of towns.entries()) {
    const districts = districtsNear(town);
    const taken = new Set<string>();
    for (const label of typesIn(town, seed)) {
      number += 1;
      yield business({ town, label, districts, number, taken });
    }
  }
}

/** The postcode districts whose centres are in the town; the nearest one where there is none. */
function districtsNear(town: UkPlace): string[] {
  const near = UK_DISTRICTS.filter(({ latitude }) => Math.abs(latitude - town.latitude) < 0.3) // cheaper than the distance
    .map((district) => ({ code: district.code, metres: metresBetween(town, district) }))
    .sort((a, b) => a.metres - b.metres);
  const inTown = near.filter(({ metres }) => metres < DISTRICT_METRES);
  return (inTown.length ? inTown : near.slice(0, 1)).map(({ code }) => code);
}

function typesIn({ name, kind }: UkPlace, seed: number): string[] {
  const count = name === 'London' ? 220 : data.BIG_CITIES.includes(name) ? 110 : kind === 'city' ? 36 : 18;
  // Two of three are common types; the others go through the whole list, continued from town to town.
  const mixed = Array.from({ length: count }, (_, index) =>
    index % 3 === 2
      ? at(BUSINESS_TYPES, seed * 13 + Math.floor(index / 3))
      : at(data.COMMON_TYPES, seed * 5 + index - Math.floor(index / 3)),
  );
  const big = name === 'London' || data.BIG_CITIES.includes(name);
  return big
    ? [...mixed, ...data.POPULAR_TYPES.flatMap((label) => Array<string>(OF_EACH_POPULAR_TYPE).fill(label))]
    : mixed;
}

interface BusinessOptions {
  town: UkPlace;
  label: string;
  districts: string[];
  number: number;
  taken: Set<string>;
}

function business({ town, label, districts, number, taken }: BusinessOptions): SamplePlace {
  const random = mulberry(number);
  const pick = <T>(list: readonly T[]) => at(list, Math.floor(random() * list.length));
  const chance = (share: number) => random() < share;
  const group = groupByLabel.get(label) ?? '';
  const street = pick(data.STREETS);
  const name = pickUnusedName(taken, () =>
    pick([
      `${pick(data.SURNAMES)}'s ${label}`,
      `${pick(data.NAME_PREFIXES)} ${label}`,
      `${pick(data.SURNAMES)} & ${pick(data.SURNAMES)} ${label}`,
      `${street.replace(/^The /, '')} ${label}`,
      `${town.name} ${pick(data.NAME_PREFIXES)} ${label}`,
    ]),
  );
  const digits = Array.from({ length: 2 }, () => at([...POSTCODE_LETTERS], Math.floor(random() * 20))).join('');
  const postcode = `${pick(districts)} ${Math.floor(random() * 10)}${digits}`;
  const site = `${name
    .toLowerCase()
    .replace(/'/g, '')
    .replace(/[^a-z0-9]+/g, '-')}-${number}.example`;
  const rated = chance(0.88);
  const hasSite = chance(0.74);
  const phonePrefix = data.DRAMA_NUMBERS[town.name] ?? data.DRAMA_ELSEWHERE;
  const spread = town.kind === 'city' ? 0.028 : 0.014;
  return {
    sourceId: `sample-${String(number).padStart(5, '0')}`,
    name,
    categories: toCategories(label),
    address: `${1 + Math.floor(random() * 180)} ${street}`,
    town: town.name,
    postcode,
    phone: chance(0.93) ? `${phonePrefix}${String(number % 1000).padStart(3, '0')}` : null,
    website: hasSite ? `https://${site}` : null,
    email: hasSite && chance(0.5) ? `hello@${site}` : null,
    latitude: round(town.latitude + (random() + random() - 1) * spread),
    longitude: round(town.longitude + (random() + random() - 1) * spread * 1.6),
    rating: rated ? Math.round((3 + random() * 2) * 10) / 10 : null,
    userRatingsTotal: rated ? 1 + Math.floor(random() ** 3 * 900) : null,
    priceLevel: PRICED.includes(group) && chance(0.8) ? 1 + Math.floor(random() ** 2 * 4) : null,
    businessStatus: chance(0.965) ? 'OPERATIONAL' : chance(0.6) ? 'CLOSED_TEMPORARILY' : 'CLOSED_PERMANENTLY',
    openingHours: chance(0.9) ? pick(HOURS[group] ?? SHOP_HOURS) : null,
  };
}

/** The type's own category first, then broader ones. */
function toCategories(label: string): string[] {
  const category = findType(label)?.overture ?? toCategory(label);
  const wider = /_(restaurant|store|shop|school)$/.exec(category)?.[1];
  return [...new Set([category, toCategory(label), ...(wider ? [wider] : [])])];
}

function pickUnusedName(taken: Set<string>, make: () => string): string {
  let name = make();
  for (let tries = 0; taken.has(name) && tries < 8; tries += 1) name = make();
  taken.add(name);
  return name;
}

const round = (degrees: number) => Math.round(degrees * 10_000) / 10_000;

function at<T>(list: readonly T[], index: number): T {
  return list[index % list.length] as T; // none of the lists is empty
}

/** The mulberry32 pseudo-random generator: the same seed gives the same business. */
export function mulberry(seed: number) {
  let state = Math.imul(seed, 0x9e3779b1) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
