import { bigint, boolean, integer, jsonb, pgTable, primaryKey, real, text, uuid } from 'drizzle-orm/pg-core';
import type { DuplicateReason, DuplicateState } from '#contract/duplicates/duplicate.ts';
import { id, moment } from '#server/kit/db/columns.ts';

/** What a business is compared with others by: its normalized columns. */
export const businessMatchKeys = pgTable('business_match_keys', {
  businessId: integer().primaryKey(),
  name: text().notNull(),
  phone: text(),
  host: text(),
  postcode: text(),
  town: text(),
  nameKeys: text().array().notNull(),
  businessUpdatedAt: moment().notNull(),
});

/** When a business was last compared with all others; null after its keys changed. */
export const businessComparisons = pgTable('business_comparisons', {
  businessId: integer().primaryKey(),
  comparedAt: moment(),
});

/** How far the search for duplicates is: at most one row. */
export const duplicateScan = pgTable('duplicate_scan', {
  id: boolean().primaryKey().default(true),
  keysAt: moment().notNull(),
  keysId: integer().notNull(),
  completedAt: moment(),
});

export const duplicatePairs = pgTable('duplicate_pairs', {
  id: id(),
  businessId: integer().notNull(),
  otherId: integer().notNull(),
  score: real().notNull(),
  reasons: text().$type<DuplicateReason>().array().notNull(),
  state: text().$type<DuplicateState>().notNull().default('open'),
  decidedBy: integer(),
  decidedAt: moment(),
});

/** Each row that a merge changed, before and after. */
export const mergedRows = pgTable(
  'merged_rows',
  {
    batchId: uuid().notNull(),
    tableName: text().notNull(),
    rowId: bigint({ mode: 'number' }).notNull(),
    leadId: integer(),
    before: jsonb().$type<Record<string, unknown>>(),
    after: jsonb().$type<Record<string, unknown>>(),
  },
  (table) => [primaryKey({ columns: [table.batchId, table.tableName, table.rowId] })],
);
