import { metresBetween, type Point } from '#contract/geo.ts';
import { MAX_RADIUS_METRES } from '#contract/search/radius.ts';
import type { SearchRequest } from '#contract/search/search.ts';
import { mayMatchMore, STOPPED_EARLY } from '#server/places/notices.ts';
import { UK_DISTRICTS } from '#server/places/uk-districts.ts';

/**
 * The districts that a search covered: the one around its centre and, where it found every business of its type within
 * its radius, all whose centres are in that circle.
 */
export function findSearchedDistricts(
  request: Pick<SearchRequest, 'radius' | 'keyword' | 'openNow' | 'minPrice' | 'maxPrice'>,
  { centre, notices }: { centre: Point | null; notices: string[] },
): string[] {
  if (!centre || notices.includes(STOPPED_EARLY)) return [];
  const { keyword, openNow, minPrice, maxPrice } = request;
  const narrowed = keyword || openNow || (minPrice ?? 0) > 0 || (maxPrice ?? 4) < 4;
  const complete = !narrowed && !mayMatchMore(notices);
  return UK_DISTRICTS.map((district) => ({ code: district.code, metres: metresBetween(centre, district) }))
    .sort((a, b) => a.metres - b.metres)
    .filter(({ metres }, nth) => metres <= (nth === 0 ? MAX_RADIUS_METRES : complete ? request.radius : -1))
    .map(({ code }) => code);
}
