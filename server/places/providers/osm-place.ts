import { z } from 'zod';
import * as clean from '#server/places/clean.ts';
import { mapsSearchUrl } from '#server/places/maps-url.ts';
import type { IsOpen } from '#server/places/opening-hours.ts';
import type { Place } from '#server/places/places.ts';
import { parseUkPhone } from '#server/places/uk-phone.ts';

const MAIN_KEYS = ['shop', 'amenity', 'office', 'craft', 'healthcare', 'leisure', 'tourism', 'club', 'landuse'];
const LETTER = { node: 'n', way: 'w', relation: 'r' } as const;

const point = z.object({ lat: clean.latitude, lon: clean.longitude });
const tags = z.record(z.string(), z.string());
const base = { id: z.number().int().positive(), tags: tags.refine((given) => Boolean(given.name?.trim())) };

export const element = z.union([
  z.object({ ...base, type: z.literal('node'), ...point.shape }),
  z
    .object({ ...base, type: z.enum(['way', 'relation']), center: point })
    .transform(({ center, ...rest }) => ({ ...rest, ...center })),
]);

/** A thing on the map as a place, with the words that a keyword may be found in. */
export function asPlace(found: z.output<typeof element>, isOpen: IsOpen): Place & { words: string } {
  const { tags } = found;
  const first = (...keys: string[]) => keys.map((key) => tags[key]).find(Boolean);
  const street = [tags['addr:housenumber'], tags['addr:street']].filter(Boolean).join(' ');
  const town = clean.cut(first('addr:city', 'addr:town', 'addr:village'), 100);
  const vicinity = clean.cut([street, town].filter(Boolean).join(', '), clean.LENGTH.address);
  const postcode = tags['addr:postcode'];
  const formattedAddress =
    vicinity && clean.cut(`${vicinity}${postcode ? ` ${postcode}` : ''}, UK`, clean.LENGTH.address);
  const phone = parseUkPhone(first('phone', 'contact:phone', 'mobile', 'contact:mobile'));
  const name = clean.cut(tags.name, clean.LENGTH.name) ?? '';
  return {
    placeId: `osm-${LETTER[found.type]}${found.id}`,
    name,
    formattedAddress,
    vicinity,
    town,
    phone: phone?.national ?? null,
    internationalPhone: phone?.international ?? null,
    website: clean.website(first('website', 'contact:website', 'url')?.split(';')[0]),
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
    ownerName: clean.cut(tags.operator, clean.LENGTH.name),
    words: [name, tags.cuisine, tags.brand, tags.description, tags.operator].join(' ').toLowerCase(),
  };
}
