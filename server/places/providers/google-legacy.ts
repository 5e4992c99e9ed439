import { z } from 'zod';
import { Refusal } from '#contract/errors.ts';
import * as clean from '#server/places/clean.ts';
import { MORE_MATCH, type Place, type PlacesProvider, type PlacesQuery } from '#server/places/places.ts';
import { keyMissing, providerFailed } from '#server/places/refusals.ts';
import { type Ask, type Limits, pause } from './ask.ts';
import { gather } from './gather.ts';
import { legacyFault } from './google-faults.ts';
import { googleGeocoder } from './google-geocoder.ts';
import { asPlace, detailFields, details, foundItem, withDetails } from './google-legacy-place.ts';

// https://developers.google.com/maps/documentation/places/web-service/legacy
const GOOGLE = 'Google';
const AT_ONCE = 5;
const FIND_FIELDS =
  'place_id,name,formatted_address,geometry,business_status,opening_hours,rating,user_ratings_total,price_level,types,icon';

const response = z.object({
  status: z.string(),
  error_message: clean.maybe(z.string()),
  results: clean.maybe(z.array(z.unknown())),
  candidates: clean.maybe(z.array(z.unknown())),
  result: z.unknown().optional(),
  next_page_token: clean.maybe(z.string()),
});
type Response = z.output<typeof response>;

interface Parts {
  ask: Ask;
  key: string | undefined;
  mapsUrl: string;
  limits: Limits;
}

export function googleLegacyProvider({ ask, key = '', mapsUrl, limits }: Parts): PlacesProvider {
  async function get(path: string, query: Record<string, string>, signal: AbortSignal): Promise<Response> {
    const url = `${mapsUrl}/maps/api/place/${path}/json?${new URLSearchParams({ ...query, key })}`;
    const once = async () => response.safeParse((await ask(url, {}, signal)).json).data;
    let read = await once();
    if (read?.status === 'UNKNOWN_ERROR') {
      await pause(limits.retryMs, signal, GOOGLE);
      read = await once();
    }
    if (!read) throw providerFailed(GOOGLE);
    if (read.status !== 'OK' && read.status !== 'ZERO_RESULTS')
      throw legacyFault(read.status, read.error_message ?? '');
    return read;
  }

  /** A fresh token takes a moment until it works; until then it is an invalid request. */
  async function nextPage(path: string, pagetoken: string, signal: AbortSignal): Promise<Response> {
    for (const [tries, wait] of limits.tokenMs.entries()) {
      await pause(wait, signal, GOOGLE);
      try {
        return await get(path, { pagetoken }, signal);
      } catch (error) {
        const early = error instanceof Refusal && error.code === 'invalid_request';
        if (!early || tries === limits.tokenMs.length - 1) throw error;
      }
    }
    throw providerFailed(GOOGLE);
  }

  /** Telephone and website cost a call for each place. What cannot be had is left out. */
  async function detailed(places: Place[], signal: AbortSignal): Promise<{ places: Place[]; missing: boolean }> {
    let missing = false;
    const waiting = [...places.entries()];
    const whole = [...places];
    const work = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const [index, place] = next;
        try {
          const query = { place_id: place.placeId, fields: detailFields, language: 'en', region: 'uk' };
          const read = details.safeParse((await get('details', query, signal)).result);
          if (read.success) whole[index] = withDetails(place, read.data);
        } catch {
          missing = true;
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return { places: whole, missing };
  }

  return {
    id: 'google-legacy',
    remembered: true,
    requireReady: () => {
      if (!key) throw keyMissing();
    },
    locate: googleGeocoder(ask, mapsUrl, key),

    async search(query, signal) {
      const { path, parameters } = requestOf(query);
      const { places: found, more } = await gather(query, async (token) => {
        const read = token ? await nextPage(path, token, signal) : await get(path, parameters, signal);
        const items = clean.good(foundItem, read.results ?? read.candidates ?? []);
        return { places: items.map(asPlace), token: read.next_page_token };
      });
      const { places, missing } = await detailed(found, signal);
      return {
        places,
        sample: false,
        attributions: [{ text: 'Google Maps', url: 'https://maps.google.com' }],
        notices: [
          ...(more ? [MORE_MATCH] : []),
          ...(missing ? ['Phone numbers and websites could not be read for all of these businesses.'] : []),
        ],
      };
    },
  };
}

function requestOf(query: PlacesQuery): { path: string; parameters: Record<string, string> } {
  const { businessType, keyword, location, centre, radiusMetres, method, sortBy } = query;
  const words = [businessType, keyword].filter(Boolean).join(' ');
  const point = centre && `${centre.latitude},${centre.longitude}`;
  const radius = String(Math.round(radiusMetres));
  if (method === 'findPlace') {
    const input = { input: centre ? words : `${words}, ${location}`, inputtype: 'textquery', fields: FIND_FIELDS };
    const bias: Record<string, string> = point ? { locationbias: `circle:${radius}@${point}` } : {};
    return { path: 'findplacefromtext', parameters: { ...input, language: 'en', ...bias } };
  }
  const filters: Record<string, string> = {
    language: 'en',
    // Its presence counts, not its value.
    ...(query.openNow && { opennow: 'true' }),
    ...(query.minPrice !== null && { minprice: String(query.minPrice) }),
    ...(query.maxPrice !== null && { maxprice: String(query.maxPrice) }),
  };
  if (method === 'nearbySearch' && point) {
    const rank: Record<string, string> = sortBy === 'distance' ? { rankby: 'distance' } : { radius };
    return { path: 'nearbysearch', parameters: { location: point, keyword: words, ...rank, ...filters } };
  }
  const around: Record<string, string> = point ? { location: point, radius } : {};
  return { path: 'textsearch', parameters: { query: `${words} in ${location}`, region: 'uk', ...around, ...filters } };
}
