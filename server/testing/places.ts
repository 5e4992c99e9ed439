import { type SearchRequest, searchRequest } from '#contract/search/search.ts';
import type { Db } from '#server/kit/db/db.ts';
import { readEnv } from '#server/kit/env.ts';
import { createPlaces } from '#server/places/create-places.ts';
import { DEFAULT_LIMITS } from '#server/places/providers/provider-http.ts';
import { placesCache, placesRateLimits, placesUsage } from '#server/schema/places.ts';

/** The limits of production without the waiting times. */
export const QUICK = { ...DEFAULT_LIMITS, callMs: 5_000, retryMs: 1, tokenMs: [1, 1, 1, 1] };

/** A provider with these settings; a key is there unless it is taken away. */
export function placesWith(db: Db, settings: Record<string, string>, limits = QUICK) {
  return createPlaces({
    db,
    env: readEnv({ GOOGLE_MAPS_API_KEY: 'secret-key', ...settings }),
    clock: () => new Date('2026-03-10T12:00:00Z'),
    product: 'Highstreet/1.0',
    limits,
    rateLimitMs: 0,
  });
}

export const searchFor = (more: Partial<SearchRequest> = {}): SearchRequest =>
  searchRequest.parse({ businessType: 'Bakery', location: 'Leeds', ...more });

export async function clearPlacesTables(db: Db) {
  for (const table of [placesCache, placesUsage, placesRateLimits]) await db.delete(table);
}
