import { z } from 'zod';
import * as clean from '#server/places/clean.ts';
import type { Place } from '#server/places/places.ts';

export const foundItem = z.object({
  place_id: clean.placeId,
  name: clean.name,
  formatted_address: clean.maybe(z.string()),
  vicinity: clean.maybe(z.string()),
  geometry: clean.maybe(z.object({ location: z.object({ lat: clean.latitude, lng: clean.longitude }) })),
  business_status: clean.maybe(z.string()),
  opening_hours: clean.maybe(z.object({ open_now: clean.maybe(z.boolean()) })),
  rating: clean.maybe(clean.rating),
  user_ratings_total: clean.maybe(clean.count),
  price_level: clean.maybe(z.number().int().min(0).max(4)),
  types: clean.maybe(z.array(z.string())),
  icon: clean.maybe(z.string()),
});

export const detailFields =
  'formatted_address,vicinity,formatted_phone_number,international_phone_number,website,url,opening_hours';

export const details = z.object({
  formatted_address: clean.maybe(z.string()),
  vicinity: clean.maybe(z.string()),
  formatted_phone_number: clean.maybe(z.string()),
  international_phone_number: clean.maybe(z.string()),
  website: clean.maybe(z.string()),
  url: clean.maybe(z.string()),
  opening_hours: clean.maybe(z.object({ open_now: clean.maybe(z.boolean()) })),
});

// "United Kingdom" at the end is the same country in fewer letters.
const address = (value: string | null | undefined) =>
  clean.cut(value?.replace(/, United Kingdom$/, ', UK'), clean.LENGTH.address);

export function asPlace(found: z.output<typeof foundItem>): Place {
  return {
    placeId: found.place_id,
    name: clean.cut(found.name, clean.LENGTH.name) ?? found.place_id,
    formattedAddress: address(found.formatted_address),
    vicinity: clean.cut(found.vicinity, clean.LENGTH.address),
    town: null,
    phone: null,
    internationalPhone: null,
    website: null,
    googleMapsUrl: null,
    rating: found.rating ?? null,
    userRatingsTotal: found.user_ratings_total ?? null,
    priceLevel: found.price_level ?? null,
    businessStatus: clean.cut(found.business_status, clean.LENGTH.status),
    openNow: found.opening_hours?.open_now ?? null,
    types: clean.types(found.types),
    latitude: found.geometry?.location.lat ?? null,
    longitude: found.geometry?.location.lng ?? null,
    icon: clean.website(found.icon),
    photoReferences: [],
    ownerName: null,
  };
}

export function withDetails(place: Place, more: z.output<typeof details>): Place {
  return {
    ...place,
    formattedAddress: place.formattedAddress ?? address(more.formatted_address),
    vicinity: place.vicinity ?? clean.cut(more.vicinity, clean.LENGTH.address),
    phone: clean.cut(more.formatted_phone_number, clean.LENGTH.phone),
    internationalPhone: clean.cut(more.international_phone_number, clean.LENGTH.phone),
    website: clean.website(more.website),
    googleMapsUrl: clean.website(more.url),
    openNow: place.openNow ?? more.opening_hours?.open_now ?? null,
  };
}
