import { integer, pgTable, text } from 'drizzle-orm/pg-core';
import { id, moment, now } from '#server/kit/db/columns.ts';

/** What other systems call a lead. */
export const externalIds = pgTable('external_ids', {
  id: id(),
  source: text().notNull(),
  externalId: text().notNull(),
  userBusinessId: integer().notNull(),
  createdAt: moment().notNull().default(now),
});
