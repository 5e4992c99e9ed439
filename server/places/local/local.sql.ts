import { notInArray, type SQL, sql } from 'drizzle-orm';
import type { Db } from '#server/kit/db/db.ts';
import { placeCategories, places } from '#server/kit/db/schema.ts';
import { cellsAround } from '#server/places/geo.ts';
import type { PlacesQuery, Point } from '#server/places/places.ts';
import { postcodeIn } from '#server/places/uk-location.ts';
import { containing, type Match, matchesOf } from './local-matches.ts';

const WIDE_METRES = 12_000;
const CLOSE_METRES = 5_000;

// As the indexes have it, to the letter.
const CELL = sql`(floor(places.latitude * 20)::integer * 10000 + floor(places.longitude * 20)::integer)`;
const inCells = (centre: Point, radiusMetres: number) =>
  sql`${CELL} = any(${`{${cellsAround(centre, radiusMetres)}}`}::integer[])`;

export type Around = PlacesQuery & {
  centre: Point;
  /** Only what has a price within these. */
  prices?: { from: number; to: number } | undefined;
  /** Only what has opening hours. */
  withHours?: boolean | undefined;
};
export type FoundRow = Awaited<ReturnType<typeof matchingAround>>[number];

/** The places around a point that match, at most so many: those that match best, in the order asked for. */
export async function placesAround(db: Db, asked: Around, most: number) {
  const query = (await ratingsMatter(db, asked)) ? asked : withoutRatings(asked);
  const rows: FoundRow[] = [];
  const notices: string[] = [];
  for (const match of matchesOf(query)) {
    if (rows.length >= most || (match.lastResort && rows.length)) break;
    const more = await bestAround(db, query, match, { most: most - rows.length, without: rows });
    if (more.length && match.notice) notices.push(match.notice);
    rows.push(...more);
  }
  return { rows, notices };
}

async function ratingsMatter(db: Db, query: Around): Promise<boolean> {
  if (nearestFirst(query)) return false;
  return anyAround(db, sql`(rating is not null or user_ratings_total is not null)`, query);
}

/** Whether the source knows the price of anything around. */
export const pricesKnown = (db: Db, query: Around) => anyAround(db, sql`price_level is not null`, query);

/** Whether the source knows the opening hours of anything around. */
export const hoursKnown = (db: Db, query: Around) => anyAround(db, sql`opening_hours is not null`, query);

/** Whether anything around is so: asked in the words of an index that holds only what is. */
async function anyAround(db: Db, isSo: SQL, { centre, radiusMetres }: Around): Promise<boolean> {
  const { rows } = await db.execute<{ any: boolean }>(
    sql`select exists (select from places where ${isSo} and ${inCells(centre, radiusMetres)}) as any`,
  );
  return rows[0]?.any ?? false;
}

/** Among those that match equally well. */
const nearestFirst = ({ sortBy, method }: Around) =>
  sortBy === 'distance' || (sortBy === 'relevance' && method === 'nearbySearch');

/** Where nothing is rated, those that are near stand before the others. */
const withoutRatings = ({ sortBy, method, ...same }: Around): Around => ({
  ...same,
  sortBy: sortBy === 'relevance' ? sortBy : 'distance',
  method: sortBy === 'relevance' && method === 'textSearch' ? 'nearbySearch' : method,
});

/** Looks close by first, where that can be enough: around London a wide circle holds thousands of each kind. */
async function bestAround(db: Db, query: Around, match: Match, wanted: Wanted): Promise<FoundRow[]> {
  if (nearestFirst(query) && match.bestRank !== undefined && query.radiusMetres > WIDE_METRES) {
    const near = await matchingAround(db, { ...query, radiusMetres: CLOSE_METRES }, match, wanted);
    const best = query.sortBy === 'distance' || near.every(({ rank }) => rank === match.bestRank);
    if (near.length === wanted.most && best) return near;
  }
  return matchingAround(db, query, match, wanted);
}

interface Wanted {
  most: number;
  without: { id: number }[];
}

/** The places around a point that match in one way, without those that are known already. */
export function matchingAround(db: Db, query: Around, { matches, rank }: Match, { most, without }: Wanted) {
  const distance = metresFrom(query.centre);
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
          ...(without.length
            ? [
                notInArray(
                  places.id,
                  without.map(({ id }) => id),
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
    .orderBy(sql.join([...order(query, rank, distance), sql`${places.id}`], sql`, `))
    .limit(most);
}

/** The middle of the places in a town, or under a postcode; where none has that postcode, under its outward half. */
export async function middleOf(db: Db, location: string): Promise<Point | null> {
  const postcode = postcodeIn(location);
  if (!postcode) return middle(db, sql`lower(town) = lower(${location.split(',')[0]?.trim() ?? ''})`);
  const under = (pattern: string) => middle(db, sql`replace(upper(postcode), ' ', '') like ${pattern}`);
  const { compact, whole } = postcode;
  // Every postcode has three characters more than its outward half: LE5 is not LE51.
  return (whole ? await under(compact) : null) ?? under(`${whole ? compact.slice(0, -3) : compact}___`);
}

async function middle(db: Db, named: SQL): Promise<Point | null> {
  const { rows } = await db.execute<{ latitude: number | null; longitude: number | null }>(
    sql`select avg(latitude) as latitude, avg(longitude) as longitude from places where ${named}`,
  );
  const { latitude = null, longitude = null } = rows[0] ?? {};
  return latitude === null || longitude === null ? null : { latitude, longitude };
}

/** In the name or in a kind, each where an index has it. */
function keywordFilter(keyword: string | null): SQL[] {
  const words = (keyword ?? '').split(/\s+/).filter(Boolean);
  return words.map((word) => {
    const kinds = sql`array(select name from ${placeCategories} where name ilike ${containing(word)})`;
    return sql`(places.name ilike ${containing(word)} or places.categories && ${kinds})`;
  });
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
