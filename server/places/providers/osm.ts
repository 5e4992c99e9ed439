import { z } from 'zod';
import type { Clock } from '#server/kit/clock.ts';
import * as clean from '#server/places/clean.ts';
import { distanceFrom } from '#server/places/geo.ts';
import { openAt } from '#server/places/opening-hours.ts';
import { MORE_MATCH, type Place, type PlacesProvider, type PlacesQuery } from '#server/places/places.ts';
import { badRequest, denied, locationUnknown, providerFailed, quotaUsed } from '#server/places/refusals.ts';
import { oneAtATime } from '#server/places/turns.ts';
import type { Ask } from './ask.ts';
import { asPlace, element } from './osm-place.ts';
import { overpassQuery } from './overpass-query.ts';

export const OSM = 'OpenStreetMap';
const RETRY_SECONDS = 30;

const response = z.object({ elements: z.array(z.unknown()), remark: clean.maybe(z.string()) });
const spots = z.array(
  z.object({ lat: z.coerce.number().pipe(clean.latitude), lon: z.coerce.number().pipe(clean.longitude) }),
);

interface Parts {
  /** Both keep their service's pauses. */
  askOverpass: Ask;
  askNominatim: Ask;
  overpassUrl: string;
  nominatimUrl: string;
  clock: Clock;
  timeZone: string;
}

/** OpenStreetMap through Overpass and Nominatim: no key, but manners. */
export function osmProvider(parts: Parts): PlacesProvider {
  const inLine = oneAtATime();
  return {
    id: 'osm',
    remembered: true,
    requireReady: () => {},

    async locate(location, signal) {
      const query = new URLSearchParams({
        q: location,
        format: 'jsonv2',
        countrycodes: 'gb',
        addressdetails: '1',
        limit: '5',
      });
      const reply = await inLine(() => parts.askNominatim(`${parts.nominatimUrl}/search?${query}`, {}, signal));
      if (reply.status !== 200) throw faultOf(reply.status);
      const read = spots.safeParse(reply.json);
      if (!read.success) throw providerFailed(OSM);
      const [spot] = read.data;
      return spot ? { latitude: spot.lat, longitude: spot.lon } : null;
    },

    async search(query, signal) {
      const { centre } = query;
      if (!centre) throw locationUnknown(query.location);
      const body = new URLSearchParams({ data: overpassQuery(query, centre) }).toString();
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const reply = await inLine(() => parts.askOverpass(parts.overpassUrl, { method: 'POST', headers, body }, signal));
      if (reply.status !== 200) throw faultOf(reply.status);
      const read = response.safeParse(reply.json);
      if (!read.success) throw providerFailed(OSM);
      const cutOff = /^runtime error/i.test(read.data.remark ?? '');
      if (cutOff && !read.data.elements.length) throw providerFailed(OSM);
      const isOpen = openAt(parts.clock(), parts.timeZone);
      const all = clean.good(element, read.data.elements).map((one) => asPlace(one, isOpen));
      const matching = nearestFirst(
        query,
        all.filter((place) => matches(query, place)),
      );
      return {
        places: matching.slice(0, query.maxResults),
        sample: false,
        attributions: [{ text: '© OpenStreetMap contributors', url: 'https://www.openstreetmap.org/copyright' }],
        notices: noticesFor(query, matching.length, cutOff),
      };
    },
  };
}

function matches({ centre, radiusMetres, openNow, keyword }: PlacesQuery, place: Place & { words: string }) {
  if ((distanceFrom(centre, place) ?? 0) > radiusMetres) return false;
  if (openNow && place.openNow !== true) return false;
  return (keyword ?? '')
    .toLowerCase()
    .split(/\s+/)
    .every((word) => place.words.includes(word));
}

function nearestFirst({ centre }: PlacesQuery, found: (Place & { words: string })[]): Place[] {
  const once = new Map(found.map(({ words: _, ...place }) => [place.placeId, place]));
  return [...once.values()].sort((a, b) => (distanceFrom(centre, a) ?? 0) - (distanceFrom(centre, b) ?? 0));
}

function noticesFor({ sortBy, minPrice, maxPrice, maxResults }: PlacesQuery, matching: number, cutOff: boolean) {
  const unsorted = sortBy === 'rating' || sortBy === 'prominence';
  return [
    ...(matching > maxResults ? [MORE_MATCH] : []),
    ...(unsorted ? ['OpenStreetMap has no ratings: the nearest come first.'] : []),
    ...(minPrice !== null || maxPrice !== null ? ['OpenStreetMap has no prices: they were not looked at.'] : []),
    ...(cutOff ? ['OpenStreetMap stopped early: some businesses may be missing. Try a smaller radius.'] : []),
  ];
}

function faultOf(status: number) {
  if (status === 400) return badRequest('please check the search parameters.');
  if (status === 403 || status === 406) return denied(OSM);
  if (status === 429) return quotaUsed(RETRY_SECONDS);
  return providerFailed(OSM);
}
