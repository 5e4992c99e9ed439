import { notInArray, type SQL, sql } from 'drizzle-orm';
import type { Point } from '#contract/geo.ts';
import type { Db } from '#server/kit/db/db.ts';
import { cellsAround } from '#server/places/geo.ts';
import type { PlacesQuery } from '#server/places/places.ts';
import { findDistrict } from '#server/places/uk-districts.ts';
import { parsePostcode } from '#server/places/uk-location.ts';
import { placeCategories, places } from '#server/schema/places.ts';
import { buildMatches, type Match, toLikePattern } from './local-matches.ts';

const WIDE_METRES = 12_000;
const CLOSE_METRES = 5_000;

// Exactly as in the indexes, or they are not used.
const CELL = sql`(floor(places.latitude * 20)::integer * 10000 + floor(places.longitude * 20)::integer)`;
const inCells = (centre: Point, radiusMetres: number) =>
  sql`${CELL} = any(${`{${cellsAround(centre, radiusMetres)}}`}::integer[])`;

export type AreaQuery = PlacesQuery & {
  centre: Point;
  /** Only places with a price in this range. */
  prices?: { from: number; to: number } | undefined;
  /** Only places with opening hours. */
  withHours?: boolean | undefined;
};
export type FoundRow = Awaited<ReturnType<typeof findMatching>>[number];

/** The best matching places in an area, in the requested order. */
export async function findPlaces(db: Db, request: AreaQuery, limit: number) {
  const query = (await ratingsMatter(db, request)) ? request : withoutRatings(request);
  const rows: FoundRow[] = [];
  const notices: string[] = [];
  for (const match of buildMatches(query)) {
    if (rows.length >= limit || (match.onlyIfNothingFound && rows.length)) break;
    const more = await findBest(db, query, match, { limit: limit - rows.length, excluded: rows });
    if (more.length && match.notice) notices.push(match.notice);
    rows.push(...more);
  }
  return { rows, notices };
}

async function ratingsMatter(db: Db, query: AreaQuery): Promise<boolean> {
  if (isNearestFirst(query)) return false;
  return anyInArea(db, sql`(rating is not null or user_ratings_total is not null)`, query);
}

/** Whether any place in the area has a price. */
export const pricesKnown = (db: Db, query: AreaQuery) => anyInArea(db, sql`price_level is not null`, query);

/** Whether any place in the area has opening hours. */
export const hoursKnown = (db: Db, query: AreaQuery) => anyInArea(db, sql`opening_hours is not null`, query);

/** Whether any place in the area meets a condition; each condition has a partial index. */
async function anyInArea(db: Db, condition: SQL, { centre, radiusMetres }: AreaQuery): Promise<boolean> {
  const { rows } = await db.execute<{ any: boolean }>(
    sql`select exists (select from places where ${condition} and ${inCells(centre, radiusMetres)}) as any`,
  );
  return rows[0]?.any ?? false;
}

/** Whether places of the same rank are ordered by distance. */
const isNearestFirst = ({ sortBy, method }: AreaQuery) =>
  sortBy === 'distance' || (sortBy === 'relevance' && method === 'nearbySearch');

/** Without ratings in the area, the order is by distance. */
const withoutRatings = ({ sortBy, method, ...rest }: AreaQuery): AreaQuery => ({
  ...rest,
  sortBy: sortBy === 'relevance' ? sortBy : 'distance',
  method: sortBy === 'relevance' && method === 'textSearch' ? 'nearbySearch' : method,
});

/** Searches a small circle first where that can suffice: a wide one around London has thousands of each type. */
async function findBest(db: Db, query: AreaQuery, match: Match, options: MatchOptions): Promise<FoundRow[]> {
  if (isNearestFirst(query) && match.bestRank !== undefined && query.radiusMetres > WIDE_METRES) {
    const near = await findMatching(db, { ...query, radiusMetres: CLOSE_METRES }, match, options);
    const best = query.sortBy === 'distance' || near.every(({ rank }) => rank === match.bestRank);
    if (near.length === options.limit && best) return near;
  }
  return findMatching(db, query, match, options);
}

interface MatchOptions {
  limit: number;
  excluded: { id: number }[];
}

/** The places in an area that match one condition, except for the excluded ones. */
export function findMatching(db: Db, query: AreaQuery, { matches, rank }: Match, { limit, excluded }: MatchOptions) {
  const distance = distanceSql(query.centre);
  return db
    .select({
      id: places.id,
      rank: sql<number>`${rank}`,
      source: places.source,
      placeId: places.sourceId,
      name: places.name,
      categories: places.categories,
      address: places.address,
      town: places.town,
      postcode: places.postcode,
      phone: places.phone,
      website: places.website,
      rating: places.rating,
      userRatingsTotal: places.userRatingsTotal,
      priceLevel: places.priceLevel,
      businessStatus: places.businessStatus,
      openingHours: places.openingHours,
      latitude: places.latitude,
      longitude: places.longitude,
    })
    .from(places)
    .where(
      sql.join(
        [
          inCells(query.centre, query.radiusMetres),
          sql`${distance} <= ${query.radiusMetres}`,
          matches,
          ...(excluded.length
            ? [
                notInArray(
                  places.id,
                  excluded.map(({ id }) => id),
                ),
              ]
            : []),
          ...keywordFilter(query.keyword),
          ...(query.prices ? [sql`places.price_level between ${query.prices.from} and ${query.prices.to}`] : []),
          ...(query.withHours ? [sql`places.opening_hours is not null`] : []),
        ],
        sql` and `,
      ),
    )
    .orderBy(sql.join([...buildOrder(query, rank, distance), sql`${places.id}`], sql`, `))
    .limit(limit);
}

/**
 * The average position of the places in a town or postcode; where none has the postcode, in its outward code, unless
 * the centre of that is known.
 */
export async function findCentre(db: Db, location: string): Promise<Point | null> {
  const postcode = parsePostcode(location);
  if (!postcode) return averagePosition(db, sql`lower(town) = lower(${location.split(',')[0]?.trim() ?? ''})`);
  const inPostcode = (pattern: string) => averagePosition(db, sql`replace(upper(postcode), ' ', '') like ${pattern}`);
  const { compact, outward, complete } = postcode;
  const exact = complete ? await inPostcode(compact) : null;
  if (exact || findDistrict(outward)) return exact;
  // A postcode has three characters more than its outward code: LE5 must not match LE51.
  return inPostcode(`${outward}___`);
}

async function averagePosition(db: Db, condition: SQL): Promise<Point | null> {
  const { rows } = await db.execute<{ latitude: number | null; longitude: number | null }>(
    sql`select avg(latitude) as latitude, avg(longitude) as longitude from places where ${condition}`,
  );
  const { latitude = null, longitude = null } = rows[0] ?? {};
  return latitude === null || longitude === null ? null : { latitude, longitude };
}

/** Each word is in the name or in a category. */
function keywordFilter(keyword: string | null): SQL[] {
  const words = (keyword ?? '').split(/\s+/).filter(Boolean);
  return words.map((word) => {
    const categories = sql`array(select name from ${placeCategories} where name ilike ${toLikePattern(word)})`;
    return sql`(places.name ilike ${toLikePattern(word)} or places.categories && ${categories})`;
  });
}

function buildOrder({ sortBy, method }: PlacesQuery, rank: SQL, distance: SQL): SQL[] {
  const reviewed = sql`places.user_ratings_total desc nulls last`;
  const rated = sql`places.rating desc nulls last`;
  if (sortBy === 'distance') return [distance];
  if (sortBy === 'rating') return [rated, reviewed];
  if (sortBy === 'prominence') return [reviewed, rated];
  return method === 'nearbySearch' ? [rank, distance] : [rank, reviewed, distance];
}

const distanceSql = ({ latitude, longitude }: Point) => sql`(2 * 6371000 * asin(least(1, sqrt(
  sin(radians(places.latitude - ${latitude}) / 2) ^ 2 + cos(radians(${latitude})) * cos(radians(places.latitude)) *
  sin(radians(places.longitude - ${longitude}) / 2) ^ 2))))`;
