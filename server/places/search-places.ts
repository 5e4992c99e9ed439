import { createHash } from 'node:crypto';
import type { SearchRequest } from '#contract/search/search.ts';
import type { Db } from '#server/kit/db/db.ts';
import type { Found, PlacesProvider, PlacesQuery, Point } from './places.ts';
import type { Limits } from './providers/ask.ts';
import { recall, remember } from './remembered.ts';
import { knownPlace } from './uk-location.ts';

const SEARCH_SECONDS = 30 * 60;
const LOCATION_SECONDS = 30 * 24 * 60 * 60;
/** Counties and regions are wide: their middle alone would find little. */
const WIDE_METRES = 25_000;

export interface Answered extends Found {
  centre: Point | null;
}

export interface Places {
  provider: PlacesProvider['id'];
  search(wanted: SearchRequest): Promise<Answered>;
}

interface Parts {
  db: Db;
  provider: PlacesProvider;
  limits: Limits;
  /** Looks postcodes up; the local provider asks nobody. */
  postcode?: (location: string, signal: AbortSignal) => Promise<Point | null>;
}

/** Finds the location, then asks the provider; what was asked within the half hour is answered from memory. */
export function searchPlaces({ db, provider, limits, postcode }: Parts): Places {
  const underWay = new Map<string, Promise<Answered>>();

  async function locate(location: string, signal: AbortSignal): Promise<Point | null> {
    if (!provider.remembered) return provider.locate(location, signal);
    const key = `location ${provider.id} ${location.toLowerCase()}`;
    const before = await recall<Point>(db, key);
    if (before) return before;
    const found = (await postcode?.(location, signal)) ?? (await provider.locate(location, signal));
    if (found) await remember(db, key, found, LOCATION_SECONDS);
    return found;
  }

  async function ask(wanted: SearchRequest): Promise<Answered> {
    const signal = AbortSignal.timeout(limits.searchMs);
    const known = knownPlace(wanted.location);
    const centre = known
      ? { latitude: known.latitude, longitude: known.longitude }
      : await locate(wanted.location, signal);
    const wide = known?.kind === 'county' || known?.kind === 'region';
    const radiusMetres = wide ? Math.max(wanted.radius, WIDE_METRES) : wanted.radius;
    const found = await provider.search({ ...queryOf(wanted), centre, radiusMetres }, signal);
    const widened =
      known && radiusMetres > wanted.radius
        ? [`${known.name} is a ${known.kind}: everything within 25 km (16 miles) of its middle was searched.`]
        : [];
    return { ...found, notices: [...widened, ...found.notices], centre };
  }

  async function askAndRemember(key: string, wanted: SearchRequest): Promise<Answered> {
    const before = await recall<Answered>(db, key);
    if (before) return before;
    const found = await ask(wanted);
    await remember(db, key, found, SEARCH_SECONDS);
    return found;
  }

  return {
    provider: provider.id,
    async search(wanted) {
      provider.requireReady();
      if (!provider.remembered) return ask(wanted);
      const key = searchKey(provider.id, wanted);
      const same = underWay.get(key);
      if (same !== undefined) return same;
      const asked = askAndRemember(key, wanted).finally(() => underWay.delete(key));
      underWay.set(key, asked);
      return asked;
    },
  };
}

/** One name for searches that must have one answer. Which page of it is shown is no part of it. */
export function searchKey(provider: string, wanted: SearchRequest): string {
  const query = queryOf(wanted);
  const same = { ...query, businessType: query.businessType.toLowerCase(), location: query.location.toLowerCase() };
  const text = JSON.stringify([provider, ...Object.entries(same).sort(([a], [b]) => (a < b ? -1 : 1)), wanted.radius]);
  return `search ${createHash('sha256').update(text).digest('base64url')}`;
}

const queryOf = (wanted: SearchRequest): Omit<PlacesQuery, 'centre' | 'radiusMetres'> => ({
  businessType: wanted.businessType.replace(/\s+/g, ' '),
  location: wanted.location.replace(/\s+/g, ' '),
  method: wanted.searchMethod,
  keyword: wanted.keyword || null,
  openNow: wanted.openNow ?? false,
  minPrice: wanted.minPrice ?? null,
  maxPrice: wanted.maxPrice ?? null,
  sortBy: wanted.sortBy,
  maxResults: wanted.maxResults,
});
