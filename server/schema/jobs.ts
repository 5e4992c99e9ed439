import { integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import type { JobState } from '#contract/jobs/job.ts';
import { moment, now, textList } from '#server/kit/db/columns.ts';

export const jobs = pgTable('jobs', {
  id: uuid().primaryKey(),
  kind: text().notNull(),
  userId: integer(),
  ip: text(),
  input: jsonb().notNull().default({}),
  itemIds: integer().array().notNull().default([]),
  state: text().$type<JobState>().notNull().default('running'),
  total: integer().notNull().default(0),
  done: integer().notNull().default(0),
  success: integer().notNull().default(0),
  failed: integer().notNull().default(0),
  reasons: textList(),
  message: text(),
  runAt: moment().notNull().default(now),
  tries: integer().notNull().default(0),
  /** Of the step that failed last, until one succeeds. */
  lastError: text(),
  createdAt: moment().notNull().default(now),
  updatedAt: moment().notNull().default(now),
});
