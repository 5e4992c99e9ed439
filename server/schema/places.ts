import { sql } from 'drizzle-orm';
import { doublePrecision, integer, jsonb, pgTable, real, text } from 'drizzle-orm/pg-core';
import { id, moment, now, textList } from '#server/kit/db/columns.ts';

export const places = pgTable('places', {
  id: id(),
  source: text().notNull(),
  sourceId: text().notNull(),
  name: text().notNull(),
  categories: textList(),
  address: text(),
  town: text(),
  postcode: text(),
  phone: text(),
  website: text(),
  email: text(),
  latitude: doublePrecision().notNull(),
  longitude: doublePrecision().notNull(),
  rating: real(),
  userRatingsTotal: integer(),
  priceLevel: integer(),
  businessStatus: text(),
  openingHours: text(),
  updatedAt: moment().notNull().default(now),
  district: text().generatedAlwaysAs(sql`postcode_district(postcode)`),
});

/** Every category that some place has or had; a trigger adds new ones. */
export const placeCategories = pgTable('place_categories', { name: text().primaryKey() });

export const placesCache = pgTable('places_cache', {
  key: text().primaryKey(),
  value: jsonb().notNull(),
  expiresAt: moment().notNull(),
});

export const placesUsage = pgTable('places_usage', {
  month: text().primaryKey(),
  calls: integer().notNull().default(0),
});

export const placesRateLimits = pgTable('places_rate_limits', {
  service: text().primaryKey(),
  nextCallAt: moment().notNull(),
});
