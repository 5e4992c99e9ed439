import { boolean, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { moment } from '#server/kit/db/columns.ts';

/** When a search last covered a district. */
export const districtSearches = pgTable(
  'district_searches',
  { district: text().notNull(), businessType: text().notNull(), searchedAt: moment().notNull() },
  (table) => [primaryKey({ columns: [table.district, table.businessType] })],
);

/** The figures of a district by business type and holder, as they were last counted. */
export const coverageFigures = pgTable(
  'coverage_figures',
  {
    businessType: text().notNull(),
    userId: integer().notNull(),
    district: text().notNull(),
    known: integer().notNull(),
    leads: integer().notNull(),
    contacted: integer().notNull(),
    won: integer().notNull(),
    customers: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.businessType, table.userId, table.district] })],
);

/** When they were counted: at most one row. */
export const coverageRefresh = pgTable('coverage_refresh', {
  id: boolean().primaryKey().default(true),
  refreshedAt: moment(),
  tookMs: integer(),
  requestedAt: moment(),
});
