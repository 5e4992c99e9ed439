import { MORE_MATCH } from '#contract/search/search.ts';
import { distanceFrom } from '#server/places/geo.ts';
import { SOURCE_LIMIT } from '#server/places/notices.ts';
import type { Place, PlacesQuery } from '#server/places/places.ts';

const MAX_PAGES = 5;

interface Page {
  places: Place[];
  /** Of the response, with those that are no valid places. */
  rows: number;
  token?: string | null | undefined;
}

/**
 * Requests pages until there are enough results, no further page, or a repeated token. Results are counted before they
 * are filtered: twenty results must not cost two calls because some lie outside the circle. `maxRows` are the most that
 * the provider returns to one search: after them it has no further page, even if more match.
 */
export async function collectPages(
  query: PlacesQuery,
  maxRows: number,
  nextPage: (token: string | undefined) => Promise<Page>,
) {
  const found = new Map<string, Place>();
  const usedTokens = new Set<string>();
  let token: string | undefined;
  let more = false;
  let rows = 0;
  // Pages overlap: a place may come twice.
  const received = new Set<string>();
  for (let page = 1; page <= (query.maxPages ?? MAX_PAGES); page += 1) {
    const response = await nextPage(token);
    rows += response.rows;
    for (const place of response.places) {
      received.add(place.placeId);
      if (matchesFilters(query, place) && !found.has(place.placeId)) found.set(place.placeId, place);
    }
    more = Boolean(response.token);
    if (!response.token || usedTokens.has(response.token) || received.size >= query.maxResults) break;
    usedTokens.add(response.token);
    token = response.token;
  }
  const places = sortPlaces(query, [...found.values()]);
  const notices = more || places.length > query.maxResults ? [MORE_MATCH] : rows >= maxRows ? [SOURCE_LIMIT] : [];
  return { places: places.slice(0, query.maxResults), notices };
}

/** Providers only prefer places in range, so the others are removed here. A place without coordinates serves the area. */
function matchesFilters({ centre, radiusMetres, openNow, minPrice, maxPrice }: PlacesQuery, place: Place) {
  const metres = distanceFrom(centre, place);
  if (metres !== null && metres > radiusMetres) return false;
  if (openNow && place.openNow === false) return false;
  const { priceLevel } = place;
  return priceLevel === null || (priceLevel >= (minPrice ?? 0) && priceLevel <= (maxPrice ?? 4));
}

type Sortable = Pick<Place, 'latitude' | 'longitude' | 'rating' | 'userRatingsTotal'>;

export function sortPlaces<T extends Sortable>({ sortBy, centre }: PlacesQuery, places: T[]): T[] {
  const far = Number.MAX_SAFE_INTEGER;
  if (sortBy === 'distance' && centre) {
    return places.sort((a, b) => (distanceFrom(centre, a) ?? far) - (distanceFrom(centre, b) ?? far));
  }
  if (sortBy === 'rating') {
    return places.sort(
      (a, b) => (b.rating ?? -1) - (a.rating ?? -1) || (b.userRatingsTotal ?? -1) - (a.userRatingsTotal ?? -1),
    );
  }
  return places;
}
