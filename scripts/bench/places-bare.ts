import type pg from 'pg';
import type { OverturePlace } from '#server/testing/parquet.ts';

const BATCH = 500;

const COLUMNS = [
  ...['source_id', 'name', 'categories', 'address', 'town', 'postcode', 'phone', 'website', 'email'],
  'business_status',
];

/**
 * The same rows without the product: no file, no checks, no looking for what is there already; only the inserts, into
 * a table with the same columns and indexes. The seconds that the database took.
 */
export async function insertBarePlaces(pool: pg.Pool, places: Iterable<OverturePlace>): Promise<number> {
  await pool.query('create table bare_places (like places including all)');
  let seconds = 0;
  let batch: OverturePlace[] = [];
  const flush = async () => {
    const values = columnsOf(batch);
    batch = [];
    const started = performance.now();
    await pool.query(
      `insert into bare_places (source, ${COLUMNS.join(', ')}, latitude, longitude)
       select 'bare', source_id, name, string_to_array(categories, ','), address, town, postcode, phone, website, email,
         business_status, latitude, longitude
       from unnest(${COLUMNS.map((_, at) => `$${at + 1}::text[]`).join(', ')}, $11::float8[], $12::float8[])
         as given (${COLUMNS.join(', ')}, latitude, longitude)`,
      values,
    );
    seconds += (performance.now() - started) / 1000;
  };
  for (const place of places) {
    batch.push(place);
    if (batch.length === BATCH) await flush();
  }
  if (batch.length) await flush();
  await pool.query('drop table bare_places');
  return seconds;
}

function columnsOf(batch: OverturePlace[]): unknown[][] {
  const address = ({ addresses }: OverturePlace) => addresses?.[0];
  return [
    batch.map(({ id }) => id),
    batch.map(({ names }) => names?.primary),
    batch.map(({ taxonomy }) => [...new Set([taxonomy?.primary, ...(taxonomy?.hierarchy ?? [])])].join(',')),
    batch.map((place) => address(place)?.freeform),
    batch.map((place) => address(place)?.locality),
    batch.map((place) => address(place)?.postcode),
    batch.map(({ phones }) => phones?.[0]),
    batch.map(({ websites }) => websites?.[0]),
    batch.map(({ emails }) => emails?.[0]),
    batch.map(({ operating_status }) => operating_status),
    batch.map(({ bbox }) => bbox?.ymin),
    batch.map(({ bbox }) => bbox?.xmin),
  ];
}
