import { z } from 'zod';
import type { Place } from '#server/places/places.ts';
import * as sanitize from '#server/places/sanitize.ts';

export const foundItem = z.object({
  place_id: sanitize.placeId,
  name: sanitize.name,
  formatted_address: sanitize.nullIfInvalid(z.string()),
  vicinity: sanitize.nullIfInvalid(z.string()),
  geometry: sanitize.nullIfInvalid(
    z.object({ location: z.object({ lat: sanitize.latitude, lng: sanitize.longitude }) }),
  ),
  business_status: sanitize.nullIfInvalid(z.string()),
  opening_hours: sanitize.nullIfInvalid(z.object({ open_now: sanitize.nullIfInvalid(z.boolean()) })),
  rating: sanitize.nullIfInvalid(sanitize.rating),
  user_ratings_total: sanitize.nullIfInvalid(sanitize.count),
  price_level: sanitize.nullIfInvalid(z.number().int().min(0).max(4)),
  types: sanitize.nullIfInvalid(z.array(z.string())),
  icon: sanitize.nullIfInvalid(z.string()),
});

export const detailFields =
  'formatted_address,vicinity,formatted_phone_number,international_phone_number,website,url,opening_hours';

export const details = z.object({
  formatted_address: sanitize.nullIfInvalid(z.string()),
  vicinity: sanitize.nullIfInvalid(z.string()),
  formatted_phone_number: sanitize.nullIfInvalid(z.string()),
  international_phone_number: sanitize.nullIfInvalid(z.string()),
  website: sanitize.nullIfInvalid(z.string()),
  url: sanitize.nullIfInvalid(z.string()),
  opening_hours: sanitize.nullIfInvalid(z.object({ open_now: sanitize.nullIfInvalid(z.boolean()) })),
});

// The other providers end addresses in "UK".
const address = (value: string | null | undefined) =>
  sanitize.truncate(value?.replace(/, United Kingdom$/, ', UK'), sanitize.MAX_LENGTH.address);

export function toPlace(found: z.output<typeof foundItem>): Place {
  return {
    placeId: found.place_id,
    name: sanitize.truncate(found.name, sanitize.MAX_LENGTH.name) ?? found.place_id,
    formattedAddress: address(found.formatted_address),
    vicinity: sanitize.truncate(found.vicinity, sanitize.MAX_LENGTH.address),
    town: null,
    phone: null,
    internationalPhone: null,
    website: null,
    googleMapsUrl: null,
    rating: found.rating ?? null,
    userRatingsTotal: found.user_ratings_total ?? null,
    priceLevel: found.price_level ?? null,
    businessStatus: sanitize.truncate(found.business_status, sanitize.MAX_LENGTH.status),
    openNow: found.opening_hours?.open_now ?? null,
    types: sanitize.parseTypes(found.types),
    latitude: found.geometry?.location.lat ?? null,
    longitude: found.geometry?.location.lng ?? null,
    icon: sanitize.parseWebsite(found.icon),
    photoReferences: [],
    ownerName: null,
  };
}

export function withDetails(place: Place, more: z.output<typeof details>): Place {
  return {
    ...place,
    formattedAddress: place.formattedAddress ?? address(more.formatted_address),
    vicinity: place.vicinity ?? sanitize.truncate(more.vicinity, sanitize.MAX_LENGTH.address),
    phone: sanitize.truncate(more.formatted_phone_number, sanitize.MAX_LENGTH.phone),
    internationalPhone: sanitize.truncate(more.international_phone_number, sanitize.MAX_LENGTH.phone),
    website: sanitize.parseWebsite(more.website),
    googleMapsUrl: sanitize.parseWebsite(more.url),
    openNow: place.openNow ?? more.opening_hours?.open_now ?? null,
  };
}
