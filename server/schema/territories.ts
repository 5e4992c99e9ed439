import { integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { moment, now } from '#server/kit/db/columns.ts';

/** A postcode district of a user. */
export const territoryDistricts = pgTable(
  'territory_districts',
  { userId: integer().notNull(), district: text().notNull(), setBy: integer(), setAt: moment().notNull().default(now) },
  (table) => [primaryKey({ columns: [table.userId, table.district] })],
);
