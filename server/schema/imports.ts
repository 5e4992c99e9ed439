import { boolean, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import type { FileColumn, ImportChoices, ImportPreview, ImportState } from '#contract/import/import-job.ts';
import type { ImportTarget } from '#contract/import/import-target.ts';
import { bytes, moment, now, textList } from '#server/kit/db/columns.ts';

export const imports = pgTable('imports', {
  id: uuid().primaryKey(),
  userId: integer(),
  fileName: text().notNull(),
  state: text().$type<ImportState>().notNull(),
  createdAt: moment().notNull().default(now),
  updatedAt: moment().notNull().default(now),
  startedAt: moment(),
  finishedAt: moment(),
  size: integer().notNull().default(0),
  complete: boolean().notNull().default(false),
  sheets: textList(),
  sheet: text(),
  headerRow: integer().notNull().default(1),
  columns: jsonb().$type<FileColumn[]>().notNull().default([]),
  remembered: boolean().notNull().default(false),
  preview: jsonb().$type<ImportPreview>(),
  /** How it was checked; null for the specified call. */
  choices: jsonb().$type<ImportChoices>(),
  /** As a spreadsheet counts. */
  lastRow: integer().notNull().default(0),
  readBytes: integer().notNull().default(0),
  readRows: integer().notNull().default(0),
  successful: integer().notNull().default(0),
  failed: integer().notNull().default(0),
  created: integer().notNull().default(0),
  repeated: integer().notNull().default(0),
  cancelRequested: boolean().notNull().default(false),
  message: text(),
  batchId: uuid().notNull(),
});

export const importChunks = pgTable(
  'import_chunks',
  { importId: uuid().notNull(), start: integer().notNull(), bytes: bytes().notNull() },
  (table) => [primaryKey({ columns: [table.importId, table.start] })],
);

export const importRefusedRows = pgTable(
  'import_refused_rows',
  {
    importId: uuid().notNull(),
    row: integer().notNull(),
    reason: text().notNull(),
    cells: jsonb().$type<string[]>().notNull(),
    wrong: jsonb().$type<number[]>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.importId, table.row] })],
);

export const importMatches = pgTable(
  'import_matches',
  {
    importId: uuid().notNull(),
    row: integer().notNull(),
    /** The existing business that gets the row's lead. */
    businessId: integer(),
    /** The row adds no lead: the business stays with its holder, or with the row that it looks like. */
    leftOut: boolean().notNull().default(false),
    repeated: boolean().notNull().default(false),
  },
  (table) => [primaryKey({ columns: [table.importId, table.row] })],
);

export const importAssignees = pgTable(
  'import_assignees',
  { importId: uuid().notNull(), row: integer().notNull(), userId: integer().notNull() },
  (table) => [primaryKey({ columns: [table.importId, table.row] })],
);

export const importMappings = pgTable('import_mappings', {
  headingsHash: text().primaryKey(),
  targets: jsonb().$type<ImportTarget[]>().notNull(),
  updatedAt: moment().notNull().default(now),
});
