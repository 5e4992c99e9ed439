import type { businesses } from '#server/kit/db/schema.ts';
import { mapsSearchUrl } from '#server/places/places.ts';
import { type SamplePlace, samplePlaces } from '#server/places/sample/sample.ts';
import type { Random } from './random.ts';

/** Few enough that each has many leads in the town filter and on the map. */
const TOWNS = [
  'Bath',
  'Brighton',
  'Bristol',
  'Cambridge',
  'Chester',
  'Exeter',
  'Harrogate',
  'Leeds',
  'Norwich',
  'York',
];

/** Invented businesses in real towns, in random order; their phone numbers and websites exist nowhere. */
export const demoPlaces = ({ shuffle }: Random): SamplePlace[] =>
  shuffle(
    [...samplePlaces()].filter(({ town, businessStatus }) => TOWNS.includes(town) && businessStatus === 'OPERATIONAL'),
  );

export function demoBusiness(
  place: SamplePlace,
  imported: boolean,
  { chance }: Random,
): typeof businesses.$inferInsert {
  const { sourceId, name, town, phone, website, latitude, longitude, rating, userRatingsTotal, priceLevel } = place;
  const formattedAddress = `${place.address}, ${town} ${place.postcode}, UK`;
  const contact = {
    placeId: `demo-${sourceId}`,
    name,
    formattedAddress,
    vicinity: town,
    town,
    phone,
    website,
    imported,
  };
  // A spreadsheet has no ratings, and not always coordinates.
  if (imported) return { ...contact, ...(chance(0.5) && { latitude, longitude }) };
  const googleMapsUrl = mapsSearchUrl(name, formattedAddress);
  const details = { latitude, longitude, rating, userRatingsTotal, priceLevel, googleMapsUrl, types: place.categories };
  return { ...contact, ...details, businessStatus: 'OPERATIONAL' };
}

/** The same business as a spreadsheet has it. */
export const demoDuplicate = ({ website, ...business }: typeof businesses.$inferInsert) => ({
  ...business,
  placeId: `${business.placeId}-again`,
  name: `${business.name} Ltd`,
  phone: business.phone?.replace(/^0/, '+44 ') ?? null,
  imported: true,
});
