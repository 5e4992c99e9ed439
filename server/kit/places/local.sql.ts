import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '#server/kit/db/db.ts';
import { places } from '#server/kit/db/schema.ts';
import { categoryOf, findType } from './find-type.ts';
import { boxAround } from './geo.ts';
import type { PlacesQuery, Point } from './places.ts';
import { postcodeIn } from './uk-location.ts';

const literal = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
const ALIKE = 0.6;

/** The places around a point that match, in the order asked for. */
export function placesAround(db: Db, query: PlacesQuery & { centre: Point }, most: number) {
  const { low, high } = boxAround(query.centre, query.radiusMetres);
  const distance = metresFrom(query.centre);
  const { matches, rank } = query.method === 'findPlace' ? byName(query.businessType) : byType(query.businessType);
  return db
    .select({
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
          sql`places.location <@ box(point(${low.longitude}, ${low.latitude}), point(${high.longitude}, ${high.latitude}))`,
          sql`${distance} <= ${query.radiusMetres}`,
          matches,
          ...keywordFilter(query.keyword),
          ...priceFilter(query),
        ],
        sql` and `,
      ),
    )
    .orderBy(sql.join([...order(query, rank, distance), sql`${places.id}`], sql`, `))
    .limit(most);
}

/** The middle of the places in a town, or under a postcode. */
export async function middleOf(db: Db, location: string): Promise<Point | null> {
  const postcode = postcodeIn(location);
  const town = location.split(',')[0]?.trim() ?? '';
  const named = postcode
    ? sql`replace(upper(postcode), ' ', '') like ${`${postcode.compact}%`}`
    : sql`lower(town) = lower(${town})`;
  const { rows } = await db.execute<{ latitude: number | null; longitude: number | null }>(
    sql`select avg(latitude) as latitude, avg(longitude) as longitude from places where ${named}`,
  );
  const { latitude = null, longitude = null } = rows[0] ?? {};
  return latitude === null || longitude === null ? null : { latitude, longitude };
}

function byType(typed: string): { matches: SQL; rank: SQL } {
  const type = findType(typed);
  const wanted = [...new Set([type?.overture, type?.google, categoryOf(typed)].filter(Boolean))] as string[];
  const list = sql`array[${sql.join(
    wanted.map((category) => sql`${category}`),
    sql`, `,
  )}]::text[]`;
  // A kind that the sources do not know may still be in the names.
  const named = type ? sql`places.name ilike ${literal(typed)}` : byName(typed).matches;
  return {
    matches: sql`(places.categories && ${list} or ${named})`,
    rank: sql`case when places.categories[1] = any(${list}) then 0 when places.categories && ${list} then 1 else 2 end`,
  };
}

function byName(typed: string): { matches: SQL; rank: SQL } {
  return {
    matches: sql`(places.name ilike ${literal(typed)} or word_similarity(${typed}, places.name) >= ${ALIKE})`,
    rank: sql`-word_similarity(${typed}, places.name)`,
  };
}

function keywordFilter(keyword: string | null): SQL[] {
  return (keyword ?? '')
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => sql`(places.name || ' ' || array_to_string(places.categories, ' ')) ilike ${literal(word)}`);
}

function priceFilter({ minPrice, maxPrice }: PlacesQuery): SQL[] {
  if ((minPrice ?? 0) === 0 && (maxPrice ?? 4) === 4) return [];
  return [sql`places.price_level between ${minPrice ?? 0} and ${maxPrice ?? 4}`];
}

function order({ sortBy, method }: PlacesQuery, rank: SQL, distance: SQL): SQL[] {
  const known = sql`places.user_ratings_total desc nulls last`;
  const rated = sql`places.rating desc nulls last`;
  if (sortBy === 'distance') return [distance];
  if (sortBy === 'rating') return [rated, known];
  if (sortBy === 'prominence') return [known, rated];
  return method === 'nearbySearch' ? [rank, distance] : [rank, known, distance];
}

const metresFrom = ({ latitude, longitude }: Point) => sql`(2 * 6371000 * asin(least(1, sqrt(
  sin(radians(places.latitude - ${latitude}) / 2) ^ 2 + cos(radians(${latitude})) * cos(radians(places.latitude)) *
  sin(radians(places.longitude - ${longitude}) / 2) ^ 2))))`;
