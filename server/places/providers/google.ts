import { z } from 'zod';
import * as clean from '#server/places/clean.ts';
import { findType } from '#server/places/find-type.ts';
import { boxAround } from '#server/places/geo.ts';
import { MORE_MATCH, type Place, type PlacesProvider, type PlacesQuery, type Point } from '#server/places/places.ts';
import { keyMissing, providerFailed } from '#server/places/refusals.ts';
import type { Ask } from './ask.ts';
import { gather } from './gather.ts';
import { googleFault } from './google-faults.ts';
import { googleGeocoder } from './google-geocoder.ts';

// Places API (New): https://developers.google.com/maps/documentation/places/web-service
export const GOOGLE = 'Google';
const FIELDS = [
  'id',
  'displayName',
  'formattedAddress',
  'shortFormattedAddress',
  'location',
  'types',
  'businessStatus',
  'googleMapsUri',
  'iconMaskBaseUri',
  'attributions',
  'nationalPhoneNumber',
  'internationalPhoneNumber',
  'websiteUri',
  'rating',
  'userRatingCount',
  'priceLevel',
  'currentOpeningHours.openNow',
  'regularOpeningHours.openNow',
].map((field) => `places.${field}`);
const MAX_PER_PAGE = 20;
const FIND_PLACE_MOST = 5;
const PRICES = ['FREE', 'INEXPENSIVE', 'MODERATE', 'EXPENSIVE', 'VERY_EXPENSIVE'].map((name) => `PRICE_LEVEL_${name}`);

const hours = clean.maybe(z.object({ openNow: clean.maybe(z.boolean()) }));
const item = z.object({
  id: clean.placeId,
  displayName: z.object({ text: clean.name }),
  formattedAddress: clean.maybe(z.string()),
  shortFormattedAddress: clean.maybe(z.string()),
  location: clean.maybe(z.object({ latitude: clean.latitude, longitude: clean.longitude })),
  types: clean.maybe(z.array(z.string())),
  businessStatus: clean.maybe(z.string()),
  googleMapsUri: clean.maybe(z.string()),
  iconMaskBaseUri: clean.maybe(z.string()),
  attributions: clean.maybe(z.array(z.object({ provider: z.string(), providerUri: clean.maybe(z.string()) }))),
  nationalPhoneNumber: clean.maybe(z.string()),
  internationalPhoneNumber: clean.maybe(z.string()),
  websiteUri: clean.maybe(z.string()),
  rating: clean.maybe(clean.rating),
  userRatingCount: clean.maybe(clean.count),
  priceLevel: clean.maybe(z.string()),
  currentOpeningHours: hours,
  regularOpeningHours: hours,
});
const response = z.object({ places: z.array(z.unknown()).default([]), nextPageToken: clean.maybe(z.string()) });

interface Parts {
  ask: Ask;
  key: string | undefined;
  placesUrl: string;
  mapsUrl: string;
}

export function googleProvider({ ask, key, placesUrl, mapsUrl }: Parts): PlacesProvider {
  async function post(method: string, body: object, mask: string[], signal: AbortSignal) {
    const headers = {
      'content-type': 'application/json',
      'x-goog-api-key': key ?? '',
      'x-goog-fieldmask': mask.join(','),
    };
    const reply = await ask(
      `${placesUrl}/v1/places:${method}`,
      { method: 'POST', headers, body: JSON.stringify(body) },
      signal,
    );
    if (reply.status !== 200) throw googleFault(reply);
    const read = response.safeParse(reply.json);
    if (!read.success) throw providerFailed(GOOGLE);
    return { items: clean.good(item, read.data.places), token: read.data.nextPageToken };
  }

  return {
    id: 'google',
    remembered: true,
    requireReady: () => {
      if (!key) throw keyMissing();
    },
    locate: googleGeocoder(ask, mapsUrl, key ?? ''),

    async search(query, signal) {
      const credits = new Map<string, { text: string; url?: string }>();
      const nearby = nearbyBody(query);
      const text = textBody(query);
      const { places, more } = await gather(query, async (token) => {
        const { items, token: next } = nearby
          ? await post('searchNearby', nearby, FIELDS, signal)
          : await post(
              'searchText',
              token ? { ...text, pageToken: token } : text,
              [...FIELDS, 'nextPageToken'],
              signal,
            );
        for (const { provider, providerUri } of items.flatMap(({ attributions }) => attributions ?? [])) {
          const url = clean.website(providerUri);
          credits.set(provider, { text: provider, ...(url && { url }) });
        }
        return { places: items.map(asPlace), token: nearby || query.method === 'findPlace' ? null : next };
      });
      const homeless = query.centre && places.some((place) => place.latitude === null);
      return {
        places,
        sample: false,
        attributions: [{ text: 'Google Maps', url: 'https://maps.google.com' }, ...credits.values()],
        notices: [
          ...(more ? [MORE_MATCH] : []),
          ...(homeless ? ['Some of these businesses have no premises: they serve the area.'] : []),
        ],
      };
    },
  };
}

const circle = (center: Point, radius: number) => ({ circle: { center, radius } });
const language = { languageCode: 'en', regionCode: 'GB' };

/** Nearby search knows neither keyword nor filters nor pages; whatever needs them is a text search. */
function nearbyBody(query: PlacesQuery) {
  const { centre, method, keyword, openNow, minPrice, maxPrice, maxResults, sortBy, radiusMetres } = query;
  const type = findType(query.businessType)?.google;
  const filtered = keyword || openNow || minPrice !== null || maxPrice !== null;
  if (method !== 'nearbySearch' || !centre || !type || filtered || maxResults > MAX_PER_PAGE) return null;
  return {
    includedTypes: [type],
    maxResultCount: maxResults,
    rankPreference: sortBy === 'distance' ? 'DISTANCE' : 'POPULARITY',
    locationRestriction: circle(centre, radiusMetres),
    ...language,
  };
}

function textBody(query: PlacesQuery) {
  const { businessType, keyword, location, centre, radiusMetres, method, maxResults, openNow, sortBy } = query;
  const words = [businessType, keyword].filter(Boolean).join(' ');
  const type = method === 'findPlace' ? undefined : findType(businessType)?.google;
  const pageSize = Math.min(maxResults, method === 'findPlace' ? FIND_PLACE_MOST : MAX_PER_PAGE);
  const levels = PRICES.slice(Math.max(query.minPrice ?? 0, 1), (query.maxPrice ?? 4) + 1);
  const anyPrice = (query.minPrice ?? 0) === 0 && (query.maxPrice ?? 4) === 4;
  return {
    textQuery: centre ? words : `${words} in ${location}, UK`,
    ...(type && { includedType: type }),
    ...(openNow && { openNow }),
    ...(!anyPrice && levels.length && { priceLevels: levels }),
    pageSize,
    ...(method !== 'findPlace' && { rankPreference: sortBy === 'distance' && centre ? 'DISTANCE' : 'RELEVANCE' }),
    ...language,
    includePureServiceAreaBusinesses: true,
    ...(centre &&
      (method === 'findPlace'
        ? { locationBias: circle(centre, radiusMetres) }
        : { locationRestriction: { rectangle: boxAround(centre, radiusMetres) } })),
  };
}

function asPlace(found: z.output<typeof item>): Place {
  const address = clean.cut(found.formattedAddress, clean.LENGTH.address);
  const price = PRICES.indexOf(found.priceLevel ?? '');
  const status = clean.cut(found.businessStatus, clean.LENGTH.status);
  const icon = clean.website(found.iconMaskBaseUri);
  return {
    placeId: found.id,
    name: clean.cut(found.displayName.text, clean.LENGTH.name) ?? found.id,
    formattedAddress: address && withCountry(address),
    vicinity: clean.cut(found.shortFormattedAddress, clean.LENGTH.address),
    town: null,
    phone: clean.cut(found.nationalPhoneNumber, clean.LENGTH.phone),
    internationalPhone: clean.cut(found.internationalPhoneNumber, clean.LENGTH.phone),
    website: clean.website(found.websiteUri),
    googleMapsUrl: clean.website(found.googleMapsUri),
    rating: found.rating ?? null,
    userRatingsTotal: found.userRatingCount ?? null,
    priceLevel: price === -1 ? null : price,
    businessStatus: status === 'BUSINESS_STATUS_UNSPECIFIED' ? null : status,
    openNow: found.currentOpeningHours?.openNow ?? found.regularOpeningHours?.openNow ?? null,
    types: clean.types(found.types),
    latitude: found.location?.latitude ?? null,
    longitude: found.location?.longitude ?? null,
    icon: icon && `${icon}.svg`,
    photoReferences: [],
    ownerName: null,
  };
}

/** The town of an address stands before its postcode or its country; with neither it could not be found. */
const withCountry = (address: string) =>
  /[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}$|\b(UK|United Kingdom)$/i.test(address) ? address : `${address}, UK`;
