import { bigint, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import type { ChangeKind } from '#contract/changes/change.ts';
import type { ChangeField, ChangeSource } from '#contract/leads/fields/logged-change.ts';
import { moment, now } from '#server/kit/db/columns.ts';

/** What one request changed. */
export const changeBatches = pgTable('change_batches', {
  id: uuid().primaryKey(),
  userId: integer(),
  at: moment().notNull().default(now),
  kind: text().$type<ChangeKind>().notNull(),
  source: text().$type<ChangeSource>().notNull(),
  count: integer().notNull().default(0),
  undoes: uuid(),
  /** The name of the program through which the user made them. */
  program: text(),
  /** Of changes that were sent later than they were made. */
  madeAt: moment(),
  recordedAt: moment(),
});

/** One change of a lead or of a business, with the value before and after: see ChangeValues. */
export const changes = pgTable('changes', {
  id: bigint({ mode: 'number' }).primaryKey().generatedByDefaultAsIdentity(),
  batchId: uuid().notNull(),
  leadId: integer(),
  businessId: integer(),
  field: text().$type<ChangeField>().notNull(),
  item: text().notNull().default(''),
  before: jsonb(),
  after: jsonb(),
  /** The lead that it was recorded for, which was since merged into this one. */
  movedFrom: integer(),
});
