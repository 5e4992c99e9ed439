import { z } from 'zod';
import { MORE_MATCH } from '#contract/search/search.ts';
import type { Clock } from '#server/kit/clock.ts';
import { distanceFrom } from '#server/places/geo.ts';
import { SOURCE_LIMIT, STOPPED_EARLY } from '#server/places/notices.ts';
import { openingHoursAt } from '#server/places/opening-hours.ts';
import type { Place, PlacesProvider, PlacesQuery } from '#server/places/places.ts';
import {
  invalidRequest,
  locationNotFound,
  providerFailed,
  quotaExceeded,
  requestDenied,
} from '#server/places/refusals.ts';
import * as sanitize from '#server/places/sanitize.ts';
import { element, toPlace } from './osm-place.ts';
import { buildOverpassQuery, MAX_ELEMENTS } from './overpass-query.ts';
import type { ProviderHttp } from './provider-http.ts';
import { createQueue } from './rate-limit.ts';

export const OSM = 'OpenStreetMap';
const RETRY_SECONDS = 30;
/** The public service is for about a hundred queries a day; a team that needs more runs its own. */
const PUBLIC_OVERPASS = 'overpass-api.de';
const PUBLIC_CALLS_PER_DAY = 100;

const overpassResponse = z.object({ elements: z.array(z.unknown()), remark: sanitize.nullIfInvalid(z.string()) });
const nominatimResponse = z.array(
  z.object({ lat: z.coerce.number().pipe(sanitize.latitude), lon: z.coerce.number().pipe(sanitize.longitude) }),
);

interface Parts {
  /** Both are rate-limited. */
  overpass: ProviderHttp;
  nominatim: ProviderHttp;
  overpassUrl: string;
  nominatimUrl: string;
  clock: Clock;
  timeZone: string;
}

/** OpenStreetMap through Overpass and Nominatim: no key, but rate limits. */
export function osmProvider(parts: Parts): PlacesProvider {
  const enqueue = createQueue();
  return {
    id: 'osm',
    cacheable: true,
    cost: {
      paid: false,
      callsPerSearch: 1,
      secondsPerSearch: 2,
      callsPerDay: new URL(parts.overpassUrl).hostname === PUBLIC_OVERPASS ? PUBLIC_CALLS_PER_DAY : null,
    },
    requireReady: () => {},

    async locate(location, signal) {
      const query = new URLSearchParams({
        q: location,
        format: 'jsonv2',
        countrycodes: 'gb',
        addressdetails: '1',
        limit: '5',
      });
      const response = await enqueue(() => parts.nominatim(`${parts.nominatimUrl}/search?${query}`, {}, { signal }));
      if (response.status !== 200) throw toRefusal(response.status);
      const read = nominatimResponse.safeParse(response.json);
      if (!read.success) throw providerFailed(OSM);
      const [found] = read.data;
      return found ? { latitude: found.lat, longitude: found.lon } : null;
    },

    async search(query, context) {
      const { centre } = query;
      if (!centre) throw locationNotFound(query.location);
      const body = new URLSearchParams({ data: buildOverpassQuery(query, centre) }).toString();
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const response = await enqueue(() =>
        parts.overpass(parts.overpassUrl, { method: 'POST', headers, body }, context),
      );
      if (response.status !== 200) throw toRefusal(response.status);
      const read = overpassResponse.safeParse(response.json);
      if (!read.success) throw providerFailed(OSM);
      const cutOff = /^runtime error/i.test(read.data.remark ?? '');
      if (cutOff && !read.data.elements.length) throw providerFailed(OSM);
      const isOpen = openingHoursAt(parts.clock(), parts.timeZone);
      const all = sanitize.parseValid(element, read.data.elements).map((item) => toPlace(item, isOpen));
      const matching = sortByDistance(
        query,
        all.filter((place) => matches(query, place)),
      );
      return {
        places: matching.slice(0, query.maxResults),
        sample: false,
        attributions: [{ text: '© OpenStreetMap contributors', url: 'https://www.openstreetmap.org/copyright' }],
        notices: buildNotices(query, { matching: matching.length, returned: read.data.elements.length, cutOff }),
      };
    },
  };
}

function matches({ centre, radiusMetres, openNow, keyword }: PlacesQuery, place: Place & { searchText: string }) {
  if ((distanceFrom(centre, place) ?? 0) > radiusMetres) return false;
  if (openNow && place.openNow !== true) return false;
  return (keyword ?? '')
    .toLowerCase()
    .split(/\s+/)
    .every((word) => place.searchText.includes(word));
}

function sortByDistance({ centre }: PlacesQuery, found: (Place & { searchText: string })[]): Place[] {
  const byId = new Map(found.map(({ searchText: _, ...place }) => [place.placeId, place]));
  return [...byId.values()].sort((a, b) => (distanceFrom(centre, a) ?? 0) - (distanceFrom(centre, b) ?? 0));
}

interface Counts {
  matching: number;
  /** Before they were filtered. */
  returned: number;
  cutOff: boolean;
}

function buildNotices(
  { sortBy, minPrice, maxPrice, maxResults }: PlacesQuery,
  { matching, returned, cutOff }: Counts,
): string[] {
  const unsorted = sortBy === 'rating' || sortBy === 'prominence';
  return [
    ...(matching > maxResults ? [MORE_MATCH] : returned >= MAX_ELEMENTS ? [SOURCE_LIMIT] : []),
    ...(unsorted ? ['OpenStreetMap has no ratings: the nearest come first.'] : []),
    ...(minPrice !== null || maxPrice !== null ? ['OpenStreetMap has no prices: they were not looked at.'] : []),
    ...(cutOff ? [STOPPED_EARLY] : []),
  ];
}

function toRefusal(status: number) {
  if (status === 400) return invalidRequest('please check the search parameters.');
  if (status === 403 || status === 406) return requestDenied(OSM);
  if (status === 429) return quotaExceeded(RETRY_SECONDS);
  return providerFailed(OSM);
}
