import { sql } from 'drizzle-orm';
import type { Db } from '#server/kit/db/db.ts';
import { type SamplePlace, samplePlaces } from './sample.ts';

export const SAMPLE = 'sample';
const BATCH = 250;

/** Loads the sample unless real places are loaded. A load that was interrupted or aborted is completed by the next call. */
export async function loadSample(db: Db, signal?: AbortSignal): Promise<void> {
  const { rows } = await db.execute<{ real: boolean; loaded: number }>(sql`
    select exists (select from places where source <> ${SAMPLE}) as real,
      (select count(*)::int from places where source = ${SAMPLE}) as loaded`);
  if (rows[0]?.real) return;
  const places = [...samplePlaces()];
  if ((rows[0]?.loaded ?? 0) >= places.length) return;
  for (let from = 0; from < places.length; from += BATCH) {
    if (signal?.aborted) return;
    await insertBatch(db, places.slice(from, from + BATCH));
  }
  await db.execute(sql`analyze places`);
}

/** Whether the sample is loaded. Another process may have replaced it with real places. */
export async function sampleInUse(db: Db): Promise<boolean> {
  const { rows } = await db.execute<{ used: boolean }>(
    sql`select exists (select from places where source = ${SAMPLE}) as used`,
  );
  return rows[0]?.used ?? false;
}

async function insertBatch(db: Db, batch: SamplePlace[]) {
  const rows = batch.map((place) => ({
    source_id: place.sourceId,
    name: place.name,
    categories: place.categories,
    address: place.address,
    town: place.town,
    postcode: place.postcode,
    phone: place.phone,
    website: place.website,
    email: place.email,
    latitude: place.latitude,
    longitude: place.longitude,
    rating: place.rating,
    user_ratings_total: place.userRatingsTotal,
    price_level: place.priceLevel,
    business_status: place.businessStatus,
    opening_hours: place.openingHours,
  }));
  await db.execute(sql`
    insert into places (source, source_id, name, categories, address, town, postcode, phone, website, email,
      latitude, longitude, rating, user_ratings_total, price_level, business_status, opening_hours)
    select ${SAMPLE}, r.source_id, r.name, r.categories, r.address, r.town, r.postcode, r.phone, r.website, r.email,
      r.latitude, r.longitude, r.rating, r.user_ratings_total, r.price_level, r.business_status, r.opening_hours
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (source_id text, name text, categories text[],
      address text, town text, postcode text, phone text, website text, email text, latitude float8, longitude float8,
      rating real, user_ratings_total int, price_level int, business_status text, opening_hours text)
    on conflict (source, source_id) do nothing`);
}
