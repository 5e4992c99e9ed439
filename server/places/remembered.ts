import { and, eq, gt, lte, sql } from 'drizzle-orm';
import type { Db } from '#server/kit/db/db.ts';
import { placesCache } from '#server/kit/db/schema.ts';

const { key, value, expiresAt } = placesCache;

/** What was remembered under this key and is still good. Only this product writes here, so the shape is trusted. */
export async function recall<T>(db: Db, wanted: string): Promise<T | undefined> {
  const [row] = await db
    .select({ value })
    .from(placesCache)
    .where(and(eq(key, wanted), gt(expiresAt, sql`now()`)));
  return row?.value as T | undefined;
}

export async function remember(db: Db, name: string, what: unknown, seconds: number): Promise<void> {
  const until = sql`now() + make_interval(secs => ${seconds})`;
  await db.delete(placesCache).where(lte(expiresAt, sql`now()`));
  await db
    .insert(placesCache)
    .values({ key: name, value: what, expiresAt: until })
    .onConflictDoUpdate({ target: key, set: { value: sql`excluded.value`, expiresAt: sql`excluded.expires_at` } });
}
