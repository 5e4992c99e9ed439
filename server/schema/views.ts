import { boolean, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import type { ViewSettings } from '#contract/views/view.ts';
import { moment, now, textList } from '#server/kit/db/columns.ts';

export const savedViews = pgTable('saved_views', {
  id: uuid().primaryKey().defaultRandom(),
  ownerId: integer(),
  name: text().notNull(),
  shared: boolean().notNull().default(false),
  settings: jsonb().$type<ViewSettings>().notNull(),
  createdAt: moment().notNull().default(now),
  updatedAt: moment().notNull().default(now),
  deletedAt: moment(),
});

export const viewPreferences = pgTable('view_preferences', {
  userId: integer().primaryKey(),
  pinned: textList(),
  defaultView: text(),
});
