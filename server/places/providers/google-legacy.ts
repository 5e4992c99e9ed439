import { z } from 'zod';
import { type ErrorCode, Refusal } from '#contract/errors.ts';
import type { Place, PlacesProvider, PlacesQuery } from '#server/places/places.ts';
import { apiKeyMissing, providerFailed } from '#server/places/refusals.ts';
import * as sanitize from '#server/places/sanitize.ts';
import { collectPages } from './collect-pages.ts';
import { toLegacyRefusal } from './google-errors.ts';
import { googleGeocoder } from './google-geocoder.ts';
import { detailFields, details, foundItem, toPlace, withDetails } from './google-legacy-place.ts';
import { type CallContext, delay, type ProviderHttp, type ProviderLimits } from './provider-http.ts';

// https://developers.google.com/maps/documentation/places/web-service/legacy
const GOOGLE = 'Google';
const CONCURRENCY = 5;
/** Over all pages. */
const MAX_RESULTS = 60;
const FIND_FIELDS =
  'place_id,name,formatted_address,geometry,business_status,opening_hours,rating,user_ratings_total,price_level,types,icon';

const response = z.object({
  status: z.string(),
  error_message: sanitize.nullIfInvalid(z.string()),
  results: sanitize.nullIfInvalid(z.array(z.unknown())),
  candidates: sanitize.nullIfInvalid(z.array(z.unknown())),
  result: z.unknown().optional(),
  next_page_token: sanitize.nullIfInvalid(z.string()),
});
type Response = z.output<typeof response>;

interface Parts {
  http: ProviderHttp;
  key: string | undefined;
  mapsUrl: string;
  limits: ProviderLimits;
}

export function googleLegacyProvider({ http, key = '', mapsUrl, limits }: Parts): PlacesProvider {
  async function get(path: string, query: Record<string, string>, context: CallContext): Promise<Response> {
    const url = `${mapsUrl}/maps/api/place/${path}/json?${new URLSearchParams({ ...query, key })}`;
    const once = async () => response.safeParse((await http(url, {}, context)).json).data;
    let read = await once();
    if (read?.status === 'UNKNOWN_ERROR') {
      await delay(limits.retryMs, context.signal, GOOGLE);
      read = await once();
    }
    if (!read) throw providerFailed(GOOGLE);
    if (read.status !== 'OK' && read.status !== 'ZERO_RESULTS')
      throw toLegacyRefusal(read.status, read.error_message ?? '');
    return read;
  }

  /** A new token works only after a moment; until then the service responds INVALID_REQUEST. */
  async function nextPage(path: string, pagetoken: string, context: CallContext): Promise<Response> {
    for (const [tries, wait] of limits.tokenMs.entries()) {
      await delay(wait, context.signal, GOOGLE);
      try {
        return await get(path, { pagetoken }, context);
      } catch (error) {
        const tooEarly = error instanceof Refusal && error.code === 'invalid_request';
        if (!tooEarly || tries === limits.tokenMs.length - 1) throw error;
      }
    }
    throw providerFailed(GOOGLE);
  }

  /** Phone and website need a call per place. Where it fails they stay empty. */
  async function addDetails(places: Place[], context: CallContext): Promise<{ places: Place[]; missing: boolean }> {
    let missing = false;
    const queue = [...places.entries()];
    const detailed = [...places];
    const work = async () => {
      for (let next = queue.shift(); next; next = queue.shift()) {
        const [index, place] = next;
        try {
          const query = { place_id: place.placeId, fields: detailFields, language: 'en', region: 'uk' };
          const read = details.safeParse((await get('details', query, context)).result);
          if (read.success) detailed[index] = withDetails(place, read.data);
        } catch (error) {
          missing = true;
          if (context.recorder && endsSearch(error)) {
            queue.length = 0; // the other workers stop, too
            throw error;
          }
        }
      }
    };
    // All of them end before the search does: a call under way is paid, and its response is kept.
    const ended = await Promise.allSettled(Array.from({ length: CONCURRENCY }, work));
    const failed = ended.find((each) => each.status === 'rejected');
    if (failed) throw failed.reason;
    return { places: detailed, missing };
  }

  return {
    id: 'google-legacy',
    cacheable: true,
    // Pages of 20, and the details of each result.
    cost: { paid: true, callsPerSearch: 63, secondsPerSearch: 12, callsPerDay: null },
    requireReady: () => {
      if (!key) throw apiKeyMissing();
    },
    locate: googleGeocoder(http, mapsUrl, key),

    async search(query, context) {
      const { path, parameters } = buildRequest(query);
      const { places: found, notices } = await collectPages(query, MAX_RESULTS, async (token) => {
        const read = token ? await nextPage(path, token, context) : await get(path, parameters, context);
        const rows = read.results ?? read.candidates ?? [];
        const items = sanitize.parseValid(foundItem, rows);
        return { places: items.map(toPlace), rows: rows.length, token: read.next_page_token };
      });
      const { places, missing } = await addDetails(found, context);
      return {
        places,
        sample: false,
        attributions: [{ text: 'Google Maps', url: 'https://maps.google.com' }],
        notices: [
          ...notices,
          ...(missing ? ['Phone numbers and websites could not be read for all of these businesses.'] : []),
        ],
      };
    },
  };
}

/** Further calls would fail, too: a search whose responses are kept is completed later, with all details. */
const endsSearch = (error: unknown) => !(error instanceof Refusal) || ENDING.has(error.code);
const ENDING = new Set<ErrorCode>([
  'over_query_limit',
  'shutting_down',
  'provider_timeout',
  'request_denied',
  'api_key_missing',
]);

function buildRequest(query: PlacesQuery): { path: string; parameters: Record<string, string> } {
  const { businessType, keyword, location, centre, radiusMetres, method, sortBy } = query;
  const terms = [businessType, keyword].filter(Boolean).join(' ');
  const point = centre && `${centre.latitude},${centre.longitude}`;
  const radius = String(Math.round(radiusMetres));
  if (method === 'findPlace') {
    const input = { input: centre ? terms : `${terms}, ${location}`, inputtype: 'textquery', fields: FIND_FIELDS };
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
    return { path: 'nearbysearch', parameters: { location: point, keyword: terms, ...rank, ...filters } };
  }
  const around: Record<string, string> = point ? { location: point, radius } : {};
  return { path: 'textsearch', parameters: { query: `${terms} in ${location}`, region: 'uk', ...around, ...filters } };
}
