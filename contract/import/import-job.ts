import { z } from 'zod';
import { duplicateMatch, duplicateReason } from '../duplicates/duplicate.ts';
import { line, moment } from '../fields.ts';
import { leadStatus } from '../leads/lead.ts';
import { choiceLabel, hasNoRepeatedText, MAX_CHOICES, MAX_OWN_FIELDS } from '../leads/own-fields/own-field.ts';
import { assignmentChoice, share } from '../leads/sharing/assignment.ts';
import { importTarget } from './import-target.ts';

/**
 * mapping: the file is stored, and its columns wait to be confirmed. checking: the dry run is under way. checked: its
 * preview waits to be confirmed. stopped: by an error, or because not all of the file had arrived.
 */
const importState = z.enum(['uploading', 'mapping', 'checking', 'checked', 'running', 'done', 'cancelled', 'stopped']);
export type ImportState = z.infer<typeof importState>;

const fileColumn = z.strictObject({
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

/**
 * What a row's business looks like: one that no one else works, one that another user works, one with nothing but the
 * same phone number, or one of a row before.
 */
export const lookAlikeKind = z.enum(['unclaimed', 'held', 'phone', 'file']);
export type LookAlikeKind = z.infer<typeof lookAlikeKind>;

/** `existing`: a lead on the existing business. `leave`: no lead. `new`: a new business. */
export const rowDecision = z.enum(['existing', 'leave', 'new']);
export type RowDecision = z.infer<typeof rowDecision>;

/** Null: the administrator is asked. A phone number alone may be that of an office or of a family. */
export const DEFAULT_DECISION: Record<LookAlikeKind, RowDecision | null> = {
  unclaimed: 'existing',
  held: 'leave',
  phone: null,
  file: 'leave',
};

const lookAlike = z.strictObject({
  row: z.number(),
  name: z.string(),
  kind: lookAlikeKind,
  /** Null while it is undecided. */
  decision: rowDecision.nullable(),
  match: z.strictObject({
    ...duplicateMatch.shape,
    /** Null for a business of the file. */
    businessId: z.number().nullable(),
    /** Of the file, if it is one of its rows. */
    row: z.number().nullable(),
    /** Empty where name and address are the same. */
    reasons: z.array(duplicateReason),
  }),
  /** Who works the existing business, unless it is the row's user; `others` are further ones. */
  holder: z.strictObject({ name: z.string(), status: leadStatus, others: z.number() }).nullable(),
});
export type LookAlike = z.infer<typeof lookAlike>;

/** What an import would do. Lists are limited; the counts are of the whole file. */
const importPreview = z.strictObject({
  /** The sum of newLeads, alreadyThere, repeated, refused and undecided. */
  rows: z.number(),
  newBusinesses: z.number(),
  newLeads: z.number(),
  /** Rows whose business is a lead of the row's user already, or is left with its holder. */
  alreadyThere: z.number(),
  /** Rows that are the same business and user as a row before, or look like it. */
  repeated: z.number(),
  refused: z.number(),
  /** Look-alikes that wait for a decision. */
  undecided: z.number(),
  refusedRows: z.array(refusedRow),
  /** Names in the User column that are no active user, most frequent first. */
  unknownUsers: z.array(z.strictObject({ username: z.string(), rows: z.number() })),
  newTags: z.array(z.string()),
  newTagCount: z.number(),
  /** Values of own fields that are no choices of them, most frequent first; also those that the administrator adds. */
  newChoices: z.array(
    z.strictObject({
      fieldId: z.number(),
      name: z.string(),
      labels: z.array(z.strictObject({ label: z.string(), rows: z.number() })),
      /** How many more there are than are listed. */
      others: z.number(),
      /** How many choices can be added to the field. */
      room: z.number(),
    }),
  ),
  /** Of each kind the best. */
  lookAlikes: z.array(lookAlike),
  lookAlikeCounts: z.record(lookAlikeKind, z.number()),
  withoutUser: z.strictObject({
    /** Rows that name no user and are not refused. */
    rows: z.number(),
    /** Who gets how many of them as new leads. Empty if the administrator who imports gets them. */
    shares: z.array(share),
  }),
});
export type ImportPreview = z.infer<typeof importPreview>;

/** What the administrator decides. The check counts with it, and the import does what the check counted. */
export const importChoices = z.strictObject({
  /** Who gets the rows that name no user; null: the administrator who imports. */
  withoutUser: assignmentChoice.nullable().default(null),
  /** The user who gets the rows of an unknown name. Rows of a name without a replacement are refused. */
  replacements: z
    .array(z.strictObject({ username: line(50, 'User'), userId: z.number().int().positive() }))
    .max(1_000)
    .default([]),
  /** About all look-alikes of a kind; see DEFAULT_DECISION. */
  decisions: z.partialRecord(lookAlikeKind, rowDecision).default({}),
  /** Rows that are decided differently. */
  exceptions: z
    .array(z.strictObject({ row: z.number().int().positive(), decision: rowDecision }))
    .max(1_000)
    .default([]),
  /** What is added to the choices of own fields when the import starts. Rows with other unknown choices are refused. */
  newChoices: z
    .array(
      z.strictObject({
        fieldId: z.number().int().positive(),
        labels: z
          .array(choiceLabel)
          .min(1)
          .max(MAX_CHOICES)
          .refine(hasNoRepeatedText, 'Two choices have the same name'),
      }),
    )
    .max(MAX_OWN_FIELDS)
    .default([]),
});
export type ImportChoices = z.infer<typeof importChoices>;

export const NO_CHOICES: ImportChoices = importChoices.parse({});

const importCounts = z.strictObject({
  total: z.number(),
  successful: z.number(),
  failed: z.number(),
  /** New leads. */
  created: z.number(),
  /** Successful rows whose lead existed, or stays with another user. */
  alreadyThere: z.number(),
  /** Successful rows that repeat a row before. Not counted by the specified call, which has them in `alreadyThere`. */
  repeated: z.number(),
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
  /** What the preview was computed with. */
  choices: importChoices,
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
