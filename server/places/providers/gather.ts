import { distanceFrom } from '#server/places/geo.ts';
import type { Place, PlacesQuery } from '#server/places/places.ts';

const MAX_PAGES = 5;

interface Page {
  places: Place[];
  token?: string | null | undefined;
}

/**
 * Asks page after page until there is enough, nothing more, or the same again. What counts as enough is what the
 * provider sent, not what is left of it: twenty results must not cost two calls because some lie in a corner.
 */
export async function gather(query: PlacesQuery, nextPage: (token: string | undefined) => Promise<Page>) {
  const found = new Map<string, Place>();
  const asked = new Set<string>();
  let token: string | undefined;
  let more = false;
  // A row that comes again on the next page is one row.
  const received = new Set<string>();
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const response = await nextPage(token);
    for (const place of response.places) {
      received.add(place.placeId);
      if (wanted(query, place) && !found.has(place.placeId)) found.set(place.placeId, place);
    }
    more = Boolean(response.token);
    if (!response.token || asked.has(response.token) || received.size >= query.maxResults) break;
    asked.add(response.token);
    token = response.token;
  }
  const places = sorted(query, [...found.values()]);
  return { places: places.slice(0, query.maxResults), more: more || places.length > query.maxResults };
}

/** Providers prefer what is near and cheap; here the others go. What has no place on the map serves the area. */
function wanted({ centre, radiusMetres, openNow, minPrice, maxPrice }: PlacesQuery, place: Place) {
  const metres = distanceFrom(centre, place);
  if (metres !== null && metres > radiusMetres) return false;
  if (openNow && place.openNow === false) return false;
  const { priceLevel } = place;
  return priceLevel === null || (priceLevel >= (minPrice ?? 0) && priceLevel <= (maxPrice ?? 4));
}

type Sortable = Pick<Place, 'latitude' | 'longitude' | 'rating' | 'userRatingsTotal'>;

export function sorted<T extends Sortable>({ sortBy, centre }: PlacesQuery, places: T[]): T[] {
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
