import { bigint, date, pgTable, text } from 'drizzle-orm/pg-core';
import { moment, now } from '#server/kit/db/columns.ts';

/** The size of the database, once a day. */
export const databaseSizes = pgTable('database_sizes', {
  day: date().primaryKey(),
  bytes: bigint({ mode: 'number' }).notNull(),
});

/** The problems that administrators were notified of. */
export const systemProblems = pgTable('system_problems', {
  key: text().primaryKey(),
  since: moment().notNull().default(now),
  seenAt: moment().notNull().default(now),
});
