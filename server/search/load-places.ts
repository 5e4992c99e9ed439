import { sql } from 'drizzle-orm';
import type { Db } from '#server/kit/db/db.ts';
import type { LoadedPlace, Skipped } from './open-places.ts';
import { readPlaces } from './read-places.ts';

const BATCH = 500;
const MOST_NAMED = 20;

export interface LoadReport {
  read: number;
  kept: number;
  skipped: Map<Skipped, number>;
  /** The first lines that were skipped because they cannot be read, for whoever mends the file. */
  unreadable: number[];
}

/**
 * Loads open data into the places table, batch by batch. Cut off at any point, loading the file again completes it, and
 * rows that are already there as they should be are not written again. The invented sample goes when real places came.
 */
export async function loadPlaces(db: Db, file: string, tell: (report: LoadReport) => void = () => {}) {
  const report: LoadReport = { read: 0, kept: 0, skipped: new Map(), unreadable: [] };
  let batch = new Map<string, LoadedPlace>();
  const flush = async () => {
    if (batch.size) await upsert(db, [...batch.values()]);
    batch = new Map();
    tell(report);
  };
  for await (const one of readPlaces(file)) {
    report.read += 1;
    if ('skipped' in one) {
      report.skipped.set(one.skipped, (report.skipped.get(one.skipped) ?? 0) + 1);
      if (one.skipped === 'not readable' && report.unreadable.length < MOST_NAMED) report.unreadable.push(one.line);
      continue;
    }
    report.kept += 1;
    // The last one of an id counts: one statement cannot write a row twice.
    batch.set(one.place.sourceId, one.place);
    if (batch.size >= BATCH) await flush();
  }
  await flush();
  if (report.kept) await db.execute(sql`delete from places where source = 'sample'`);
  await db.execute(sql`analyze places`);
  return report;
}

async function upsert(db: Db, places: LoadedPlace[]) {
  const rows = places.map(({ sourceId, userRatingsTotal, priceLevel, businessStatus, openingHours, ...same }) => ({
    ...same,
    source_id: sourceId,
    user_ratings_total: userRatingsTotal,
    price_level: priceLevel,
    business_status: businessStatus,
    opening_hours: openingHours,
  }));
  const columns = [
    ...['name', 'categories', 'address', 'town', 'postcode', 'phone', 'website', 'email', 'latitude', 'longitude'],
    ...['rating', 'user_ratings_total', 'price_level', 'business_status', 'opening_hours'],
  ];
  const list = sql.raw(columns.join(', '));
  const of = (table: string) => sql.raw(columns.map((column) => `${table}.${column}`).join(', '));
  await db.execute(sql`
    insert into places (source, source_id, ${list})
    select r.source, r.source_id, ${of('r')}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (source text, source_id text, name text,
      categories text[], address text, town text, postcode text, phone text, website text, email text,
      latitude float8, longitude float8, rating real, user_ratings_total int, price_level int, business_status text,
      opening_hours text)
    on conflict (source, source_id) do update set (${list}, updated_at) = row(${of('excluded')}, now())
    where (${of('places')}) is distinct from (${of('excluded')})`);
}
