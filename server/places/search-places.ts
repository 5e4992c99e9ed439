import { createHash } from 'node:crypto';
import type { Point } from '#contract/geo.ts';
import type { SearchRequest } from '#contract/search/search.ts';
import type { Db } from '#server/kit/db/db.ts';
import type { FoundPlaces, PlacesProvider, PlacesQuery, SearchCost } from './places.ts';
import { getCached, setCached } from './places-cache.ts';
import type { PaidCalls } from './providers/monthly-cap.ts';
import type { CallRecorder, ProviderLimits } from './providers/provider-http.ts';
import { findDistrict, type UkDistrict } from './uk-districts.ts';
import { findUkPlace, parsePostcode, withoutNear } from './uk-location.ts';

const SEARCH_TTL_SECONDS = 30 * 60;
const LOCATION_TTL_SECONDS = 30 * 24 * 60 * 60;
/** The least radius for counties and regions. */
const MIN_AREA_METRES = 25_000;

interface SearchResult extends FoundPlaces {
  centre: Point | null;
}

export interface Places {
  provider: PlacesProvider['id'];
  search(request: SearchRequest): Promise<SearchResult>;
  cost: SearchCost;
  /** The paid calls of this month and their cap; null for a provider without cost. */
  readPaidCalls(): Promise<PaidCalls | null>;
  /** Throws where no search can succeed, such as without a key. */
  requireReady(): void;
  /** All results that the provider has, up to a limit. Not cached: the recorder keeps the responses. */
  searchDistrict(query: DistrictQuery, recorder: CallRecorder): Promise<FoundPlaces>;
}

interface DistrictQuery {
  businessType: string;
  keyword: string | null;
  district: UkDistrict;
  radiusMetres: number;
}

/** Google has at most 60 on three pages, Overpass at most 400. */
const MAX_PER_DISTRICT = 1_000;
const MAX_PAGES_PER_DISTRICT = 3;

interface SearchOptions {
  db: Db;
  provider: PlacesProvider;
  limits: ProviderLimits;
  /** Not for the local provider, which makes no requests. */
  findPostcode?: (location: string, signal: AbortSignal) => Promise<Point | null>;
  readPaidCalls?: () => Promise<PaidCalls>;
}

interface Location {
  centre: Point | null;
  notices: string[];
}

/** Geocodes the location, then searches. Results are cached, and concurrent identical searches share one. */
export function createSearch({ db, provider, limits, findPostcode, readPaidCalls }: SearchOptions): Places {
  const inFlight = new Map<string, Promise<SearchResult>>();

  async function locate(location: string, signal: AbortSignal): Promise<Location> {
    const postcode = parsePostcode(location);
    const district = postcode && findDistrict(postcode.outward);
    if (!district) {
      return { centre: await lookUp(location, signal, () => provider.locate(location, signal)), notices: [] };
    }
    const { code, latitude, longitude } = district;
    // The district is near enough to do without a geocoder, which is paid or slow.
    const centre = postcode.complete ? await lookUp(location, signal, async () => null) : null;
    if (centre) return { centre, notices: [] };
    const notices = postcode.complete
      ? [`The postcode itself could not be looked up: the search is around the middle of its district, ${code}.`]
      : [];
    return { centre: { latitude, longitude }, notices };
  }

  function lookUp(location: string, signal: AbortSignal, fallback: () => Promise<Point | null>) {
    if (!provider.cacheable) return provider.locate(location, signal);
    return cachedLocation(location, async () => (await findPostcode?.(location, signal)) ?? fallback());
  }

  async function cachedLocation(location: string, find: () => Promise<Point | null>): Promise<Point | null> {
    const key = `location ${provider.id} ${location.toLowerCase()}`;
    const cached = await getCached<Point>(db, key);
    if (cached) return cached;
    const found = await find();
    if (found) await setCached(db, key, found, LOCATION_TTL_SECONDS);
    return found;
  }

  async function search(typed: SearchRequest): Promise<SearchResult> {
    const request = { ...typed, location: withoutNear(typed.location) };
    const signal = AbortSignal.timeout(limits.searchMs);
    const place = findUkPlace(request.location);
    const { centre, notices } = place
      ? { centre: { latitude: place.latitude, longitude: place.longitude }, notices: [] }
      : await locate(request.location, signal);
    const wide = place?.kind === 'county' || place?.kind === 'region';
    const radiusMetres = wide ? Math.max(request.radius, MIN_AREA_METRES) : request.radius;
    const found = await provider.search({ ...toQuery(request), centre, radiusMetres }, { signal });
    const widened =
      place && radiusMetres > request.radius
        ? [`${place.name} is a ${place.kind}: everything within 25 km (16 miles) of its middle was searched.`]
        : [];
    return { ...found, notices: [...notices, ...widened, ...found.notices], centre };
  }

  async function searchCached(key: string, request: SearchRequest): Promise<SearchResult> {
    const cached = await getCached<SearchResult>(db, key);
    if (cached) return cached;
    const found = await search(request);
    await setCached(db, key, found, SEARCH_TTL_SECONDS);
    return found;
  }

  return {
    provider: provider.id,
    cost: provider.cost,
    readPaidCalls: async () => (await readPaidCalls?.()) ?? null,
    requireReady: provider.requireReady,
    searchDistrict: ({ district, ...query }, recorder) =>
      provider.search(
        {
          ...query,
          location: district.code,
          centre: { latitude: district.latitude, longitude: district.longitude },
          method: 'textSearch',
          openNow: false,
          minPrice: null,
          maxPrice: null,
          sortBy: 'relevance',
          maxResults: MAX_PER_DISTRICT,
          maxPages: MAX_PAGES_PER_DISTRICT,
        },
        { signal: AbortSignal.timeout(limits.searchMs), recorder },
      ),
    async search(request) {
      provider.requireReady();
      if (!provider.cacheable) return search(request);
      const key = searchKey(provider.id, request);
      const running = inFlight.get(key);
      if (running !== undefined) return running;
      const started = searchCached(key, request).finally(() => inFlight.delete(key));
      inFlight.set(key, started);
      return started;
    },
  };
}

/** The same for searches with the same results. The page is not part of it. */
export function searchKey(provider: string, request: SearchRequest): string {
  const query = toQuery(request);
  const normalized = {
    ...query,
    businessType: query.businessType.toLowerCase(),
    location: query.location.toLowerCase(),
  };
  const text = JSON.stringify([
    provider,
    ...Object.entries(normalized).sort(([a], [b]) => (a < b ? -1 : 1)),
    request.radius,
  ]);
  return `search ${createHash('sha256').update(text).digest('base64url')}`;
}

const toQuery = (request: SearchRequest): Omit<PlacesQuery, 'centre' | 'radiusMetres'> => ({
  businessType: request.businessType.replace(/\s+/g, ' '),
  location: request.location.replace(/\s+/g, ' '),
  method: request.searchMethod,
  keyword: request.keyword || null,
  openNow: request.openNow ?? false,
  minPrice: request.minPrice ?? null,
  maxPrice: request.maxPrice ?? null,
  sortBy: request.sortBy,
  maxResults: request.maxResults,
});
