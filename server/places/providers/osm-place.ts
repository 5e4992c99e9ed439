import { z } from 'zod';
import type { IsOpen } from '#server/places/opening-hours.ts';
import { mapsSearchUrl, type Place } from '#server/places/places.ts';
import * as sanitize from '#server/places/sanitize.ts';
import { parseUkPhone } from '#server/places/uk-phone.ts';

const MAIN_KEYS = ['shop', 'amenity', 'office', 'craft', 'healthcare', 'leisure', 'tourism', 'club', 'landuse'];
const LETTER = { node: 'n', way: 'w', relation: 'r' } as const;

const point = z.object({ lat: sanitize.latitude, lon: sanitize.longitude });
const tags = z.record(z.string(), z.string());
const base = { id: z.number().int().positive(), tags: tags.refine(({ name }) => Boolean(name?.trim())) };

export const element = z.union([
  z.object({ ...base, type: z.literal('node'), ...point.shape }),
  z
    .object({ ...base, type: z.enum(['way', 'relation']), center: point })
    .transform(({ center, ...rest }) => ({ ...rest, ...center })),
]);

/** An OpenStreetMap element as a place, with the text that keywords are searched in. */
export function toPlace(found: z.output<typeof element>, isOpen: IsOpen): Place & { searchText: string } {
  const { tags } = found;
  const first = (...keys: string[]) => keys.map((key) => tags[key]).find(Boolean);
  const street = [tags['addr:housenumber'], tags['addr:street']].filter(Boolean).join(' ');
  const town = sanitize.truncate(first('addr:city', 'addr:town', 'addr:village'), 100);
  const vicinity = sanitize.truncate([street, town].filter(Boolean).join(', '), sanitize.MAX_LENGTH.address);
  const postcode = tags['addr:postcode'];
  const formattedAddress =
    vicinity && sanitize.truncate(`${vicinity}${postcode ? ` ${postcode}` : ''}, UK`, sanitize.MAX_LENGTH.address);
  const phone = parseUkPhone(first('phone', 'contact:phone', 'mobile', 'contact:mobile'));
  const name = sanitize.truncate(tags.name, sanitize.MAX_LENGTH.name) ?? '';
  return {
    placeId: `osm-${LETTER[found.type]}${found.id}`,
    name,
    formattedAddress,
    vicinity,
    town,
    phone: phone?.national ?? null,
    internationalPhone: phone?.international ?? null,
    website: sanitize.parseWebsite(first('website', 'contact:website', 'url')?.split(';')[0]),
    googleMapsUrl: mapsSearchUrl(name, formattedAddress),
    rating: null,
    userRatingsTotal: null,
    priceLevel: null,
    businessStatus: null,
    openNow: isOpen(tags.opening_hours ?? null),
    types: MAIN_KEYS.flatMap((key) => (tags[key] ? [`${key}=${tags[key]}`] : [])),
    latitude: found.lat,
    longitude: found.lon,
    icon: null,
    photoReferences: [],
    ownerName: sanitize.truncate(tags.operator, sanitize.MAX_LENGTH.name),
    searchText: [name, tags.cuisine, tags.brand, tags.description, tags.operator].join(' ').toLowerCase(),
  };
}
