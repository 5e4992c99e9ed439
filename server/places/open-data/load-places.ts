import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { and, eq, like, ne, sql } from 'drizzle-orm';
import type { Db } from '#server/kit/db/db.ts';
import { placesCache } from '#server/kit/db/schema.ts';
import { recall, remember } from '#server/places/remembered.ts';
import type { LoadedPlace, Skipped } from './open-places.ts';
import { openPlacesFile, type PlacesFile } from './read-places.ts';

const BATCH = 500;
const MAX_NAMED = 20;
const MARK_SECONDS = 30 * 24 * 60 * 60;

export interface LoadReport {
  read: number;
  kept: number;
  skipped: Partial<Record<Skipped, number>>;
  /** The first lines that were skipped because they cannot be read, for whoever mends the file. */
  unreadable: number[];
  /** The line after which an earlier load of this file was cut off, and this one went on. */
  wentOnAfter: number;
}

type Tell = (report: LoadReport, share: number) => void;

/** What has been read and stored so far: kept with every batch, so that a load that is cut off can go on. */
interface Mark {
  line: number;
  report: LoadReport;
}

/**
 * Loads open data into the places table, batch by batch. Cut off at any point, loading the file again goes on after the
 * last batch that was stored, and rows that are already there as they should be are not written again. The invented
 * sample goes when real places came.
 */
export async function loadPlaces(db: Db, file: string, tell: Tell = () => {}): Promise<LoadReport> {
  const places = await openPlacesFile(file);
  try {
    const mark = await markOf(file);
    // What another file brings may undo what this one brought: only the load that was cut off last goes on.
    await db.delete(placesCache).where(and(like(placesCache.key, 'load %'), ne(placesCache.key, mark)));
    const before = await recall<Mark>(db, mark);
    const report = await loadBatches(db, places, mark, before, tell);
    await db.transaction(async (tx) => {
      if (report.kept) await tx.execute(sql`delete from places where source = 'sample'`);
      await tx.delete(placesCache).where(eq(placesCache.key, mark));
    });
    await makeQuick(db);
    return report;
  } finally {
    await places.close();
  }
}

async function loadBatches(db: Db, places: PlacesFile, mark: string, before: Mark | undefined, tell: Tell) {
  const after = before?.line ?? 0;
  const report: LoadReport = {
    ...(before?.report ?? { read: 0, kept: 0, skipped: {}, unreadable: [] }),
    wentOnAfter: after,
  };
  let batch = new Map<string, LoadedPlace>();
  let line = after;
  let writing = Promise.resolve();
  const store = async (rows: LoadedPlace[], done: Mark, share: number) => {
    await db.transaction(async (tx) => {
      if (rows.length) await upsert(tx, rows);
      await remember(tx, mark, done, MARK_SECONDS);
    });
    tell(done.report, share);
  };
  // While the database writes one batch, the next is read.
  const flush = async () => {
    await writing;
    writing = store([...batch.values()], { line, report: structuredClone(report) }, places.share());
    writing.catch(() => {}); // whoever waits for it next hears of it
    batch = new Map();
  };
  try {
    for await (const one of places.places(after)) {
      line = one.line;
      report.read += 1;
      if ('skipped' in one) {
        report.skipped[one.skipped] = (report.skipped[one.skipped] ?? 0) + 1;
        if (one.skipped === 'not readable' && report.unreadable.length < MAX_NAMED) report.unreadable.push(one.line);
        continue;
      }
      report.kept += 1;
      // The last one of an id counts: one statement cannot write a row twice.
      batch.set(one.place.sourceId, one.place);
      if (batch.size >= BATCH) await flush();
    }
    await flush();
  } finally {
    await writing.catch(() => {}); // also when the file cannot be read further
  }
  await writing;
  return report;
}

/** A file that was changed or replaced is another one. */
async function markOf(file: string): Promise<string> {
  const { size, mtimeMs } = await stat(file);
  return `load ${createHash('sha256').update(`${file} ${size} ${mtimeMs}`).digest('base64url')}`;
}

/** New rows wait beside the two inverted indexes until somebody sorts them in; every search would read all of them. */
async function makeQuick(db: Db) {
  await db.execute(
    sql`select gin_clean_pending_list('places_name_idx'), gin_clean_pending_list('places_categories_idx')`,
  );
  await db.execute(sql`analyze places`);
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
