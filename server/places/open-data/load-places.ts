import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { and, eq, like, ne, sql } from 'drizzle-orm';
import type { Db } from '#server/kit/db/db.ts';
import { getCached, setCached } from '#server/places/places-cache.ts';
import { placesCache } from '#server/schema/places.ts';
import type { LoadedPlace, PlacesFile, SkipReason } from './parse-place.ts';
import { openPlacesFile } from './places-file.ts';

const BATCH = 500;
const MAX_LISTED = 20;
const CHECKPOINT_TTL_SECONDS = 30 * 24 * 60 * 60;

export interface LoadReport {
  read: number;
  kept: number;
  skipped: Partial<Record<SkipReason, number>>;
  /** The first lines that could not be parsed. */
  unreadable: number[];
  /** The line after which this load resumed an interrupted one; 0 for a load from the beginning. */
  resumedAfter: number;
}

type OnProgress = (report: LoadReport, progress: number) => void;

/** Stored with every batch, so that an interrupted load can be resumed. */
interface Checkpoint {
  line: number;
  report: LoadReport;
}

/**
 * Loads open data into the places table, batch by batch. Loading the same file again resumes an interrupted load after
 * its last batch. Unchanged rows are not written. The sample is deleted once real places are stored.
 */
export async function loadPlaces(db: Db, file: string, onProgress: OnProgress = () => {}): Promise<LoadReport> {
  const places = await openPlacesFile(file);
  try {
    const checkpointKey = await buildCheckpointKey(file);
    // Another file may have overwritten rows of this one, so only the most recently interrupted load is resumed.
    await db.delete(placesCache).where(and(like(placesCache.key, 'load %'), ne(placesCache.key, checkpointKey)));
    const before = await getCached<Checkpoint>(db, checkpointKey);
    const report = await loadBatches(db, places, checkpointKey, before, onProgress);
    await db.transaction(async (tx) => {
      if (report.kept) await tx.execute(sql`delete from places where source = 'sample'`);
      await tx.delete(placesCache).where(eq(placesCache.key, checkpointKey));
    });
    await optimizeIndexes(db);
    return report;
  } finally {
    await places.close();
  }
}

async function loadBatches(
  db: Db,
  places: PlacesFile,
  checkpointKey: string,
  before: Checkpoint | undefined,
  onProgress: OnProgress,
) {
  const afterLine = before?.line ?? 0;
  const report: LoadReport = {
    ...(before?.report ?? { read: 0, kept: 0, skipped: {}, unreadable: [] }),
    resumedAfter: afterLine,
  };
  let batch = new Map<string, LoadedPlace>();
  let line = afterLine;
  let writing = Promise.resolve();
  const store = async (rows: LoadedPlace[], checkpoint: Checkpoint, progress: number) => {
    await db.transaction(async (tx) => {
      if (rows.length) await upsert(tx, rows);
      await setCached(tx, checkpointKey, checkpoint, CHECKPOINT_TTL_SECONDS);
    });
    onProgress(checkpoint.report, progress);
  };
  // The next batch is read while the database writes this one.
  const flush = async () => {
    await writing;
    writing = store([...batch.values()], { line, report: structuredClone(report) }, places.progress());
    writing.catch(() => {}); // reported by the next await
    batch = new Map();
  };
  try {
    for await (const read of places.readPlaces(afterLine)) {
      line = read.line;
      report.read += 1;
      if ('skipped' in read) {
        report.skipped[read.skipped] = (report.skipped[read.skipped] ?? 0) + 1;
        if (read.skipped === 'not readable' && report.unreadable.length < MAX_LISTED) report.unreadable.push(read.line);
        continue;
      }
      report.kept += 1;
      // Of two places with one id the last counts: an upsert cannot update a row twice.
      batch.set(read.place.sourceId, read.place);
      if (batch.size >= BATCH) await flush();
    }
    await flush();
  } finally {
    await writing.catch(() => {}); // also after a read error
  }
  await writing;
  return report;
}

/** Size and time are part of it: a changed file is loaded from the beginning. */
async function buildCheckpointKey(file: string): Promise<string> {
  const { size, mtimeMs } = await stat(file);
  return `load ${createHash('sha256').update(`${file} ${size} ${mtimeMs}`).digest('base64url')}`;
}

/** New rows are in the pending lists of the GIN indexes, which every search would scan. */
async function optimizeIndexes(db: Db) {
  await db.execute(
    sql`select gin_clean_pending_list('places_name_idx'), gin_clean_pending_list('places_categories_idx')`,
  );
  await db.execute(sql`analyze places`);
}

async function upsert(db: Db, places: LoadedPlace[]) {
  const rows = places.map(({ sourceId, userRatingsTotal, priceLevel, businessStatus, openingHours, ...rest }) => ({
    ...rest,
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
  const prefixed = (table: string) => sql.raw(columns.map((column) => `${table}.${column}`).join(', '));
  await db.execute(sql`
    insert into places (source, source_id, ${list})
    select r.source, r.source_id, ${prefixed('r')}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (source text, source_id text, name text,
      categories text[], address text, town text, postcode text, phone text, website text, email text,
      latitude float8, longitude float8, rating real, user_ratings_total int, price_level int, business_status text,
      opening_hours text)
    on conflict (source, source_id) do update set (${list}, updated_at) = row(${prefixed('excluded')}, now())
    where (${prefixed('places')}) is distinct from (${prefixed('excluded')})`);
}
