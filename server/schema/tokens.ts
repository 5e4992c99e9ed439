import { boolean, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import type { ProgramRights } from '#contract/users/program.ts';
import { moment, now } from '#server/kit/db/columns.ts';

export const apiTokens = pgTable('api_tokens', {
  id: uuid().primaryKey().defaultRandom(),
  userId: integer().notNull(),
  name: text().notNull(),
  hash: text().notNull(),
  lastFour: text().notNull(),
  rights: text().$type<ProgramRights>().notNull(),
  ownLeads: boolean().notNull().default(false),
  viewId: uuid(),
  createdAt: moment().notNull().default(now),
  expiresAt: moment().notNull(),
  lastUsedAt: moment(),
  notifiedAt: moment(),
});
