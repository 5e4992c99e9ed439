import { and, eq, gt, lte, sql } from 'drizzle-orm';
import type { Db } from '#server/kit/db/db.ts';
import { placesCache } from '#server/schema/places.ts';

const { key, value, expiresAt } = placesCache;

/** A cached value that has not expired. Only this product writes the table, so the type is trusted. */
export async function getCached<T>(db: Db, cacheKey: string): Promise<T | undefined> {
  const [row] = await db
    .select({ value })
    .from(placesCache)
    .where(and(eq(key, cacheKey), gt(expiresAt, sql`now()`)));
  return row?.value as T | undefined;
}

export async function setCached(db: Db, cacheKey: string, cached: unknown, ttlSeconds: number): Promise<void> {
  const expiry = sql`now() + make_interval(secs => ${ttlSeconds})`;
  await db.delete(placesCache).where(lte(expiresAt, sql`now()`));
  await db
    .insert(placesCache)
    .values({ key: cacheKey, value: cached, expiresAt: expiry })
    .onConflictDoUpdate({ target: key, set: { value: sql`excluded.value`, expiresAt: sql`excluded.expires_at` } });
}
