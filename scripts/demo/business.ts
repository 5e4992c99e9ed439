import { areaOf } from '#contract/districts/district.ts';
import { toTypeColumns } from '#server/business-types/classify-business.ts';
import { findDistrictOf } from '#server/places/district-area.ts';
import { mapsSearchUrl } from '#server/places/places.ts';
import { type SamplePlace, samplePlaces } from '#server/places/sample/sample.ts';
import type { businesses } from '#server/schema/leads.ts';
import type { Random } from './random.ts';
import { TERRITORIES } from './team.ts';

/** Invented businesses in the real towns of each territory, in random order; their numbers and websites exist nowhere. */
export function placesByUser({ shuffle }: Random): Map<string, SamplePlace[]> {
  const open = [...samplePlaces()].filter(({ businessStatus }) => businessStatus === 'OPERATIONAL');
  const inAreas = (areas: string[]) => open.filter(({ postcode }) => areas.includes(areaOf(postcode)));
  return new Map(Object.entries(TERRITORIES).map(([username, areas]) => [username, shuffle(inAreas(areas))]));
}

export function demoBusiness(
  place: SamplePlace,
  imported: boolean,
  { chance }: Random,
): typeof businesses.$inferInsert {
  const { sourceId, name, town, phone, website, latitude, longitude, rating, userRatingsTotal, priceLevel } = place;
  const formattedAddress = `${place.address}, ${town} ${place.postcode}, UK`;
  const contact = {
    // A search finds the others as the leads that they are.
    placeId: imported ? `demo-${sourceId}` : sourceId,
    name,
    formattedAddress,
    vicinity: town,
    town,
    phone,
    website,
    imported,
  };
  // A spreadsheet has no ratings, and not always coordinates: then its postcode says about where the business is.
  if (imported)
    return {
      ...contact,
      ...toTypeColumns({ types: [], name }),
      ...(chance(0.5) ? { latitude, longitude } : findPosition(formattedAddress)),
    };
  const googleMapsUrl = mapsSearchUrl(name, formattedAddress);
  const details = { latitude, longitude, rating, userRatingsTotal, priceLevel, googleMapsUrl, types: place.categories };
  return { ...contact, ...details, ...toTypeColumns({ types: details.types, name }), businessStatus: 'OPERATIONAL' };
}

function findPosition(formattedAddress: string) {
  const district = findDistrictOf({ formattedAddress, latitude: null, longitude: null });
  return district && { latitude: district.latitude, longitude: district.longitude, positionApproximate: true };
}

const DUPLICATE = '-again';

export const isDuplicateOf = (business: { placeId: string }, other: { placeId: string } | undefined) =>
  business.placeId === `${other?.placeId}${DUPLICATE}`;

/** The same business as a spreadsheet has it. */
export const demoDuplicate = ({ website, ...business }: typeof businesses.$inferInsert) => ({
  ...business,
  placeId: `${business.placeId}${DUPLICATE}`,
  name: `${business.name} Ltd`,
  phone: business.phone?.replace(/^0/, '+44 ') ?? null,
  imported: true,
});
