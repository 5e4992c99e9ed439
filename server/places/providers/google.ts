import { z } from 'zod';
import type { Point } from '#contract/geo.ts';
import { findType } from '#server/places/find-type.ts';
import { boxAround } from '#server/places/geo.ts';
import type { Place, PlacesProvider, PlacesQuery } from '#server/places/places.ts';
import { apiKeyMissing, providerFailed } from '#server/places/refusals.ts';
import * as sanitize from '#server/places/sanitize.ts';
import { collectPages } from './collect-pages.ts';
import { toGoogleRefusal } from './google-errors.ts';
import { googleGeocoder } from './google-geocoder.ts';
import type { CallContext, ProviderHttp } from './provider-http.ts';

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
/** Over all pages. */
const MAX_RESULTS = 60;
const FIND_PLACE_LIMIT = 5;
const PRICES = ['FREE', 'INEXPENSIVE', 'MODERATE', 'EXPENSIVE', 'VERY_EXPENSIVE'].map((name) => `PRICE_LEVEL_${name}`);

const hours = sanitize.nullIfInvalid(z.object({ openNow: sanitize.nullIfInvalid(z.boolean()) }));
const item = z.object({
  id: sanitize.placeId,
  displayName: z.object({ text: sanitize.name }),
  formattedAddress: sanitize.nullIfInvalid(z.string()),
  shortFormattedAddress: sanitize.nullIfInvalid(z.string()),
  location: sanitize.nullIfInvalid(z.object({ latitude: sanitize.latitude, longitude: sanitize.longitude })),
  types: sanitize.nullIfInvalid(z.array(z.string())),
  businessStatus: sanitize.nullIfInvalid(z.string()),
  googleMapsUri: sanitize.nullIfInvalid(z.string()),
  iconMaskBaseUri: sanitize.nullIfInvalid(z.string()),
  attributions: sanitize.nullIfInvalid(
    z.array(z.object({ provider: z.string(), providerUri: sanitize.nullIfInvalid(z.string()) })),
  ),
  nationalPhoneNumber: sanitize.nullIfInvalid(z.string()),
  internationalPhoneNumber: sanitize.nullIfInvalid(z.string()),
  websiteUri: sanitize.nullIfInvalid(z.string()),
  rating: sanitize.nullIfInvalid(sanitize.rating),
  userRatingCount: sanitize.nullIfInvalid(sanitize.count),
  priceLevel: sanitize.nullIfInvalid(z.string()),
  currentOpeningHours: hours,
  regularOpeningHours: hours,
});
const searchResponse = z.object({
  places: z.array(z.unknown()).default([]),
  nextPageToken: sanitize.nullIfInvalid(z.string()),
});

interface Parts {
  http: ProviderHttp;
  key: string | undefined;
  placesUrl: string;
  mapsUrl: string;
}

export function googleProvider({ http, key, placesUrl, mapsUrl }: Parts): PlacesProvider {
  async function post(method: string, body: object, mask: string[], context: CallContext) {
    const headers = {
      'content-type': 'application/json',
      'x-goog-api-key': key ?? '',
      'x-goog-fieldmask': mask.join(','),
    };
    const response = await http(
      `${placesUrl}/v1/places:${method}`,
      { method: 'POST', headers, body: JSON.stringify(body) },
      context,
    );
    if (response.status !== 200) throw toGoogleRefusal(response);
    const read = searchResponse.safeParse(response.json);
    if (!read.success) throw providerFailed(GOOGLE);
    const { places, nextPageToken } = read.data;
    return { items: sanitize.parseValid(item, places), rows: places.length, token: nextPageToken };
  }

  return {
    id: 'google',
    cacheable: true,
    cost: { paid: true, callsPerSearch: MAX_RESULTS / MAX_PER_PAGE, secondsPerSearch: 2, callsPerDay: null },
    requireReady: () => {
      if (!key) throw apiKeyMissing();
    },
    locate: googleGeocoder(http, mapsUrl, key ?? ''),

    async search(query, context) {
      const attributions = new Map<string, { text: string; url?: string }>();
      const nearby = nearbyBody(query);
      const text = textBody(query);
      const maxRows = nearby ? MAX_PER_PAGE : query.method === 'findPlace' ? FIND_PLACE_LIMIT : MAX_RESULTS;
      const { places, notices } = await collectPages(query, maxRows, async (token) => {
        const {
          items,
          rows,
          token: next,
        } = nearby
          ? await post('searchNearby', nearby, FIELDS, context)
          : await post(
              'searchText',
              token ? { ...text, pageToken: token } : text,
              [...FIELDS, 'nextPageToken'],
              context,
            );
        for (const { provider, providerUri } of items.flatMap(({ attributions }) => attributions ?? [])) {
          const url = sanitize.parseWebsite(providerUri);
          attributions.set(provider, { text: provider, ...(url && { url }) });
        }
        return { places: items.map(toPlace), rows, token: nearby || query.method === 'findPlace' ? null : next };
      });
      const withoutPremises = query.centre && places.some((place) => place.latitude === null);
      return {
        places,
        sample: false,
        attributions: [{ text: 'Google Maps', url: 'https://maps.google.com' }, ...attributions.values()],
        notices: [
          ...notices,
          ...(withoutPremises ? ['Some of these businesses have no premises: they serve the area.'] : []),
        ],
      };
    },
  };
}

const circle = (center: Point, radius: number) => ({ circle: { center, radius } });
const language = { languageCode: 'en', regionCode: 'GB' };

/** Nearby search supports no keyword, filters or pages; a query with any of them becomes a text search. */
function nearbyBody(query: PlacesQuery) {
  const { centre, method, keyword, openNow, minPrice, maxPrice, maxResults, sortBy, radiusMetres } = query;
  const type = findType(query.businessType)?.google;
  const filtered = keyword || openNow || minPrice !== null || maxPrice !== null;
  if (method !== 'nearbySearch' || !centre || !type || filtered || maxResults > MAX_PER_PAGE) return null;
  return {
    includedTypes: [type],
    // One row more than were asked for says that more match.
    maxResultCount: MAX_PER_PAGE,
    rankPreference: sortBy === 'distance' ? 'DISTANCE' : 'POPULARITY',
    locationRestriction: circle(centre, radiusMetres),
    ...language,
  };
}

function textBody(query: PlacesQuery) {
  const { businessType, keyword, location, centre, radiusMetres, method, maxResults, openNow, sortBy } = query;
  const terms = [businessType, keyword].filter(Boolean).join(' ');
  const type = method === 'findPlace' ? undefined : findType(businessType)?.google;
  const pageSize = Math.min(maxResults, method === 'findPlace' ? FIND_PLACE_LIMIT : MAX_PER_PAGE);
  const levels = PRICES.slice(Math.max(query.minPrice ?? 0, 1), (query.maxPrice ?? 4) + 1);
  const anyPrice = (query.minPrice ?? 0) === 0 && (query.maxPrice ?? 4) === 4;
  return {
    textQuery: centre ? terms : `${terms} in ${location}, UK`,
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

function toPlace(found: z.output<typeof item>): Place {
  const address = sanitize.truncate(found.formattedAddress, sanitize.MAX_LENGTH.address);
  const price = PRICES.indexOf(found.priceLevel ?? '');
  const status = sanitize.truncate(found.businessStatus, sanitize.MAX_LENGTH.status);
  const icon = sanitize.parseWebsite(found.iconMaskBaseUri);
  return {
    placeId: found.id,
    name: sanitize.truncate(found.displayName.text, sanitize.MAX_LENGTH.name) ?? found.id,
    formattedAddress: address && withCountry(address),
    vicinity: sanitize.truncate(found.shortFormattedAddress, sanitize.MAX_LENGTH.address),
    town: null,
    phone: sanitize.truncate(found.nationalPhoneNumber, sanitize.MAX_LENGTH.phone),
    internationalPhone: sanitize.truncate(found.internationalPhoneNumber, sanitize.MAX_LENGTH.phone),
    website: sanitize.parseWebsite(found.websiteUri),
    googleMapsUrl: sanitize.parseWebsite(found.googleMapsUri),
    rating: found.rating ?? null,
    userRatingsTotal: found.userRatingCount ?? null,
    priceLevel: price === -1 ? null : price,
    businessStatus: status === 'BUSINESS_STATUS_UNSPECIFIED' ? null : status,
    openNow: found.currentOpeningHours?.openNow ?? found.regularOpeningHours?.openNow ?? null,
    types: sanitize.parseTypes(found.types),
    latitude: found.location?.latitude ?? null,
    longitude: found.location?.longitude ?? null,
    icon: icon && `${icon}.svg`,
    photoReferences: [],
    ownerName: null,
  };
}

/** parseTown expects a postcode or a country at the end. */
const withCountry = (address: string) =>
  /[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}$|\b(UK|United Kingdom)$/i.test(address) ? address : `${address}, UK`;
