import { integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import type { TeamSetting } from '#contract/settings/team-settings.ts';
import { moment, now } from '#server/kit/db/columns.ts';

/** What administrators changed; a setting without a row has its default. */
export const teamSettings = pgTable('team_settings', {
  name: text().$type<TeamSetting>().primaryKey(),
  value: jsonb().notNull(),
  changedBy: integer(),
  changedAt: moment().notNull().default(now),
});
