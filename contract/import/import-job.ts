import { z } from 'zod';
import { duplicateMatch } from '../duplicates/duplicate.ts';
import { line, moment } from '../fields.ts';
import { assignmentChoice, share } from '../territories/assignment.ts';
import { IMPORT_COLUMNS } from './csv-row.ts';

/** What a column of the file becomes. A note is kept with the lead as "Heading: value". */
export const importTarget = z.enum([
  ...IMPORT_COLUMNS,
  'Postcode',
  'Latitude',
  'Longitude',
  'Place ID',
  'Business Type',
  'Note',
  'Ignore',
]);
export type ImportTarget = z.infer<typeof importTarget>;

/** The values of several columns are joined. */
export const JOINED_TARGETS: readonly ImportTarget[] = ['Address', 'Contact Name', 'Custom Tag', 'Note', 'Ignore'];

/** Of several columns the first that is filled counts; the others are kept as notes. Other targets take one column. */
export const FIRST_FILLED_TARGETS: readonly ImportTarget[] = ['Phone', 'Email Address', 'Website'];

export const takesSeveral = (target: ImportTarget) =>
  JOINED_TARGETS.includes(target) || FIRST_FILLED_TARGETS.includes(target);

/**
 * mapping: the file is stored, and its columns wait to be confirmed. checking: the dry run is under way. checked: its
 * preview waits to be confirmed. stopped: interrupted by an error, a shutdown or a crash.
 */
export const importState = z.enum([
  'uploading',
  'mapping',
  'checking',
  'checked',
  'running',
  'done',
  'cancelled',
  'stopped',
]);
export type ImportState = z.infer<typeof importState>;

export const fileColumn = z.strictObject({
  heading: z.string(),
  /** The first three values that are not empty. */
  samples: z.array(z.string()),
  target: importTarget,
});
export type FileColumn = z.infer<typeof fileColumn>;

/** Where the table is in the file, and what its columns become, in the order of the file. */
export const importMapping = z.strictObject({
  /** Of a workbook; null for a CSV file. */
  sheet: line(255, 'Sheet').nullable(),
  /** The row of the headings, as a spreadsheet counts. */
  headerRow: z.number().int().min(1).max(100),
  targets: z.array(importTarget).min(1).max(100),
});
export type ImportMapping = z.infer<typeof importMapping>;

export const refusedRow = z.strictObject({
  /** As a spreadsheet counts. */
  row: z.number(),
  reason: z.string(),
  cells: z.array(z.string()),
  /** The indexes of the columns that are wrong, in the order of `cells`; empty if the row as a whole is. */
  wrong: z.array(z.number()),
});
export type RefusedImportRow = z.infer<typeof refusedRow>;

/** What an import would do. Lists are limited; the counts are of the whole file. */
export const importPreview = z.strictObject({
  rows: z.number(),
  newBusinesses: z.number(),
  newLeads: z.number(),
  /** Rows whose business is a lead of the row's user already. */
  alreadyThere: z.number(),
  /** Rows that are the same business and user as a row before. */
  repeated: z.number(),
  refused: z.number(),
  refusedRows: z.array(refusedRow),
  /** Names in the User column that are no active user, most frequent first. */
  unknownUsers: z.array(z.strictObject({ username: z.string(), rows: z.number() })),
  newTags: z.array(z.string()),
  newTagCount: z.number(),
  /** New businesses that look like one that exists, best first. */
  lookAlikes: z.array(z.strictObject({ row: z.number(), name: z.string(), match: duplicateMatch })),
  lookAlikeCount: z.number(),
  /** Absent in a preview of an earlier version. */
  withoutUser: z
    .strictObject({
      /** Rows that name no user and are not refused. */
      rows: z.number(),
      /** Null: they go to the administrator who imports. */
      choice: assignmentChoice.nullable(),
      /** Who gets how many of them as new leads. Empty without a choice. */
      shares: z.array(share),
    })
    .optional(),
});
export type ImportPreview = z.infer<typeof importPreview>;

/** What the administrator decides about a preview. */
export const importChoices = z.strictObject({
  /** The user who gets the rows of an unknown name. Rows of a name without a replacement are refused. */
  replacements: z
    .array(z.strictObject({ username: line(50, 'User'), userId: z.number().int().positive() }))
    .max(1_000)
    .default([]),
  /** Whether the leads of look-alikes are added to the existing business instead of a new one. */
  useExisting: z.boolean().default(true),
  /** Rows that are exceptions to `useExisting`. */
  exceptions: z.array(z.number().int().positive()).max(1_000).default([]),
});
export type ImportChoices = z.infer<typeof importChoices>;

/** How a file is checked. */
export const importCheck = z.strictObject({
  /** Who gets the rows that name no user; the administrator who imports, if it is absent. */
  withoutUser: assignmentChoice.optional(),
});
export type ImportCheck = z.infer<typeof importCheck>;

export const importCounts = z.strictObject({
  total: z.number(),
  successful: z.number(),
  failed: z.number(),
  /** Successful rows that had been imported before. */
  alreadyThere: z.number(),
});

export const importJob = z.strictObject({
  id: z.uuid(),
  fileName: z.string(),
  state: importState,
  /** Null after the account was deleted. */
  importedBy: z.string().nullable(),
  createdAt: moment,
  finishedAt: moment.nullable(),
  /** The visible sheets of a workbook; empty for a CSV file. */
  sheets: z.array(z.string()),
  sheet: z.string().nullable(),
  headerRow: z.number(),
  /** Empty until the upload is complete. */
  columns: z.array(fileColumn),
  /** Whether the targets are those of an earlier import with the same headings. */
  remembered: z.boolean(),
  /** The share of the file that the current state has read, 0 to 1, and its rows. */
  progress: z.strictObject({ share: z.number(), rows: z.number() }),
  preview: importPreview.nullable(),
  /** The committed rows. */
  counts: importCounts,
  /** The summary of a finished import, or why one stopped. */
  message: z.string().nullable(),
  /** Whether a stopped or cancelled import can be continued: its file is stored as a whole. */
  canContinue: z.boolean(),
  /** The batch in the change log, once something was imported. */
  batchId: z.uuid().nullable(),
  /** Refused rows that can be corrected. */
  correctable: z.number(),
});
export type ImportJob = z.infer<typeof importJob>;
