import type { Pool } from 'pg';
import { searchBusinesses } from '#contract/search/search.calls.ts';
import type { SearchRequest } from '#contract/search/search.ts';
import { UK_PLACES } from '#contract/search/uk-places.ts';
import { loadSample, SAMPLE } from '#server/places/sample/load-sample.ts';
import { type HttpRequest, milliseconds, openConnection, toRequest } from '../measure/callers.ts';
import { withCleanup } from '../measure/cleanup.ts';
import { startDatabase, withoutTimeout } from '../measure/database.ts';
import { startProduct } from '../measure/product.ts';
import type { Bench } from '../measure/results.ts';
import { formatNumber, formatTimes, markdownTable, median } from '../measure/statistics.ts';
import { createAdmin, type User } from '../measure/users.ts';
import { recordStatements, replay } from './statements.ts';

const EACH = 30;
const TOWNS = UK_PLACES.filter(({ kind }) => kind === 'city' || kind === 'town').map(({ name }) => name);
const OUTCODES = ['LS7', 'M4', 'BS8', 'NE1', 'CF10', 'EH3'];
const COMMON = ['Restaurant', 'Cafe', 'Pub', 'Bakery', 'Hairdresser', 'Plumber'];
const RARE = ['Planetarium', 'Aquarium', 'Zoo', 'Embassy', 'Bowling alley', 'Sushi restaurant'];
const NAMES = ['Hargreaves Bakery', 'Fox & Finch Florist', "Okafor's Pub", 'Blue Door Dentist', 'Red Lantern Gym'];
const WORDS = ['kingfisher', 'lighthouse', 'silver birch', 'hargreaves', 'ox'];
const MISSPELT = ['resturant', 'bakrey', 'hairdreser', 'plummer'];

interface Kind {
  name: string;
  types: string[];
  /** Without it, 30 miles around London. */
  locations?: string[];
  options?: Partial<SearchRequest>;
}

const KINDS: Kind[] = [
  { name: 'a common type in a town', types: COMMON, locations: TOWNS },
  { name: 'a rare type in a town', types: RARE, locations: TOWNS },
  { name: 'a type at a postcode', types: COMMON, locations: OUTCODES },
  { name: 'a name in a town', types: NAMES, locations: TOWNS, options: { searchMethod: 'findPlace' } },
  { name: 'a common type around London, 60 results', types: COMMON, options: { maxResults: 60 } },
  { name: '… by rating, cheap, keyword', types: COMMON, options: { sortBy: 'rating', maxPrice: 2, keyword: 'golden' } },
  { name: '… nearby, open now', types: COMMON, options: { searchMethod: 'nearbySearch', openNow: true } },
  { name: 'a rare type around London', types: RARE },
  { name: 'a name around London', types: NAMES, options: { searchMethod: 'findPlace' } },
  { name: 'a word that is no type around London', types: WORDS },
  { name: 'a misspelt type around London', types: MISSPELT },
  { name: 'no match around London', types: ['zzyzx quark'] },
];

/** Searches over a million places, compared with their own statements through the bare driver. */
export const placesBench: Bench = {
  title: 'Places and search',
  run: ([count = '1000000']) =>
    withCleanup(async (defer) => {
      const { database, pool, env } = await startDatabase(defer);
      await loadSample(database.db);
      await multiplyPlaces(pool, Number(count));
      const product = await startProduct(defer, { env });
      const connection = openConnection(product.url);
      const admin = await createAdmin(pool);
      const rows: string[][] = [];
      const ratios: number[] = [];
      for (const [kind, requests] of buildSearches(admin)) {
        // The first search reads from the disk and stores its results; only later ones are measured.
        for (const request of requests) await connection.send(request);
        const statements = await recordStatements(database, requests);
        const [http, bare]: [number[], number[]] = [[], []];
        for (const [nth, request] of requests.entries()) {
          http.push(await milliseconds(() => connection.send(request)));
          bare.push(await milliseconds(() => replay(pool, statements[nth] ?? [])));
        }
        rows.push([kind, formatTimes(http, 1), formatTimes(bare, 1)]);
        ratios.push(median(http) / median(bare));
      }
      connection.close();
      const size = `${formatNumber(Number(count))} places, ${EACH} searches of each kind`;
      return {
        text: markdownTable([size, 'HTTP (median / 95% / max)', 'its statements, bare driver'], rows),
        ratios: { 'search over HTTP': { value: median(ratios), better: 'lower' } },
      };
    }),
};

/** Copies of the sample with other names and coordinates, dense in the centre of each town and sparse outside. */
export const multiplyPlaces = (pool: Pool, count: number) =>
  withoutTimeout(pool, async (client) => {
    const offset = '(random() + random() + random() - 1.5) * 0.08';
    const { rows } = await client.query<{ size: number }>('select count(*)::int as size from places');
    const size = rows[0]?.size ?? 1;
    for (let copy = 1; (copy - 1) * size < count; copy += 1) {
      await client.query(
        `insert into places (source, source_id, name, categories, address, town, postcode, phone, website, email, latitude,
           longitude, rating, user_ratings_total, price_level, business_status, opening_hours)
         select 'bench', source_id || '-' || $1::int, name || ' ' || $1::int, categories, address, town, postcode, phone,
           website, email, latitude + ${offset}, longitude + ${offset}, rating, user_ratings_total, price_level,
           business_status, opening_hours
         from places where source = $2 limit $3`,
        [copy, SAMPLE, count - (copy - 1) * size],
      );
    }
    await client.query('vacuum analyze places');
  });

const buildSearches = (admin: User): [kind: string, requests: HttpRequest[]][] =>
  KINDS.map(({ name, types, locations, options }) => [
    name,
    Array.from({ length: EACH }, (_, nth) => {
      const pick = (list: string[]) => list[(nth * 37) % list.length] ?? '';
      const area = locations ? { location: pick(locations) } : { location: 'London', radius: 48_280 };
      return toRequest(admin, searchBusinesses, { body: { businessType: pick(types), ...area, ...options } });
    }),
  ]);
