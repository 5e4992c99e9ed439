import { BUSINESS_TYPES } from '#contract/search/business-types.ts';
import { UK_PLACES } from '#contract/search/uk-places.ts';
import { findType, toCategory } from '#server/places/find-type.ts';
import { metresBetween } from '#server/places/geo.ts';
import { mulberry } from '#server/places/sample/sample.ts';
import {
  BIG_CITIES,
  COMMON_TYPES,
  NAME_PREFIXES,
  POSTCODE_AREAS,
  STREETS,
  SURNAMES,
} from '#server/places/sample/sample-data.ts';
import { type OverturePlace, overtureFile, wkbPoint } from '#server/testing/parquet.ts';

const ROW_GROUP = 20_000;

interface Area {
  town: string;
  postcode: string;
  latitude: number;
  longitude: number;
  /** In degrees of latitude. */
  spread: number;
}

export const towns = UK_PLACES.filter(({ kind }) => kind === 'city' || kind === 'town');
const VILLAGES = ['Upper', 'Lower', 'Great', 'Little', 'Market', 'Long', 'West', 'East'];

const areas = POSTCODE_AREAS.flatMap((line) => {
  const [letters = '', ...town] = line.split(' ');
  const middle = towns.find(({ name }) => name === town.join(' '));
  return middle ? [{ letters, middle }] : [];
});
/** The letters with which the postcodes of a town begin: those of the nearest town that gave them their name. */
export const postcodeLetters = towns.map((town) => {
  const near = areas.toSorted((a, b) => metresBetween(town, a.middle) - metresBetween(town, b.middle));
  return near[0]?.letters ?? '';
});

/** Villages that no list has, near each town: a search for one has to find it in the places themselves. */
export const VILLAGE_NAMES = towns.map(({ name }, at) => `${VILLAGES[at % VILLAGES.length]} ${name}by`);

/** A country of so many places, the same ones every time; a seventh of them in London, as in life. */
export function* generatedPlaces(count: number): Generator<OverturePlace> {
  for (let number = 1; number <= count; number += 1) yield placeOf(number);
}

/** Writes them to a GeoParquet file, never holding more than a row group. */
export async function writePlacesFile(file: string, count: number): Promise<void> {
  const parquet = overtureFile(file);
  let group: OverturePlace[] = [];
  for (const place of generatedPlaces(count)) {
    group.push(place);
    if (group.length < ROW_GROUP) continue;
    await parquet.write(group);
    group = [];
  }
  if (group.length) await parquet.write(group);
  await parquet.end();
}

function placeOf(number: number): OverturePlace {
  const random = mulberry(number);
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T;
  const area = areaOf(random);
  const label = random() < 0.6 ? pick(COMMON_TYPES) : pick(BUSINESS_TYPES);
  const category = findType(label)?.overture ?? toCategory(label);
  const name = pick([
    `${pick(SURNAMES)}'s ${label}`,
    `${pick(NAME_PREFIXES)} ${label}`,
    `${pick(SURNAMES)} & ${pick(SURNAMES)}`,
    `${area.town} ${label}`,
    `${pick(STREETS)} ${label}`,
  ]);
  // Around the middle, dense there and thin outside.
  const latitude = area.latitude + (random() + random() + random() - 1.5) * area.spread;
  const longitude = area.longitude + (random() + random() + random() - 1.5) * area.spread * 1.6;
  const site = `https://shop-${number}.example`;
  return {
    id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
    geometry: wkbPoint(longitude, latitude),
    bbox: { xmin: longitude, xmax: longitude, ymin: latitude, ymax: latitude },
    names: { primary: name },
    basic_category: category,
    taxonomy: { primary: category, hierarchy: [pick(['food_and_drink', 'retail', 'services']), category] },
    confidence: 0.5 + random() / 2,
    operating_status: random() < 0.98 ? 'open' : 'temporarily_closed',
    websites: random() < 0.6 ? [site] : null,
    emails: random() < 0.3 ? [`hello@shop-${number}.example`] : null,
    phones: random() < 0.8 ? [`+441632${String(960_000 + (number % 1_000)).padStart(6, '0')}`] : null,
    addresses: [
      {
        freeform: `${1 + Math.floor(random() * 200)} ${pick(STREETS)}`,
        locality: area.town,
        postcode: `${area.postcode} ${Math.floor(random() * 10)}${pick(['AB', 'DE', 'FG', 'HJ'])}`,
        country: 'GB',
      },
    ],
  };
}

function areaOf(random: () => number): Area {
  const share = random();
  const nth = Math.floor(random() * towns.length);
  const named = share < 0.15 ? 'London' : share < 0.45 ? BIG_CITIES[nth % BIG_CITIES.length] : undefined;
  const at = named ? towns.findIndex(({ name }) => name === named) : nth;
  const { name, latitude, longitude } = towns[at] as (typeof towns)[number];
  const postcode = `${postcodeLetters[at]}${1 + Math.floor(random() * 20)}`;
  if (named) return { town: name, postcode, latitude, longitude, spread: named === 'London' ? 0.2 : 0.08 };
  if (share < 0.85) return { town: name, postcode, latitude, longitude, spread: 0.04 };
  return { town: VILLAGE_NAMES[at] as string, postcode, latitude: latitude + 0.15, longitude, spread: 0.05 };
}
