import { integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import type { BulkJobState, StoredBulkAction } from '#contract/leads/bulk-job.ts';
import { moment, now, textList } from '#server/kit/db/columns.ts';

export const bulkJobs = pgTable('bulk_jobs', {
  id: uuid().primaryKey(),
  userId: integer().notNull(),
  ip: text().notNull(),
  action: jsonb().$type<StoredBulkAction>().notNull(),
  leadIds: integer().array().notNull(),
  state: text().$type<BulkJobState>().notNull().default('running'),
  done: integer().notNull().default(0),
  success: integer().notNull().default(0),
  failed: integer().notNull().default(0),
  reasons: textList(),
  message: text(),
  tries: integer().notNull().default(0),
  retryAt: moment(),
  createdAt: moment().notNull().default(now),
  updatedAt: moment().notNull().default(now),
});
