import { z } from 'zod';
import { call } from '../call.ts';

export const MAX_FILE_BYTES = 50 * 1024 * 1024;
export const MAX_ROWS = 250_000;
export const MAX_COLUMNS = 100;
export const MAX_CELL_LENGTH = 10_000;
/** Errors that are listed; the rest is counted. */
export const MAX_LISTED_ERRORS = 200;

/** In the file of refused rows, why each was; when that file is sent again, this column is not carried along. */
export const REASON_COLUMN = 'Import Error';

/** A row that was refused, as the file had it, so that it can be corrected and sent again. */
const refusedRow = z.strictObject({ row: z.number(), reason: z.string(), cells: z.array(z.string()) });

export const importResults = z.strictObject({
  total: z.number(),
  /** Rows whose business is now a lead of its user, those included that were so before. */
  successful: z.number(),
  failed: z.number(),
  /** "Row N: reason", N as a spreadsheet counts. */
  errors: z.array(z.string()),
});
export type ImportResults = z.infer<typeof importResults>;

export const importResponse = z.strictObject({
  message: z.string(),
  importResults,
  /** How many of the successful rows changed nothing, because they had been imported before. */
  alreadyThere: z.number(),
  refused: z.strictObject({
    columns: z.array(z.string()),
    rows: z.array(refusedRow),
    /** Refused rows that are not in the list, which has a limit. */
    leftOut: z.number(),
  }),
});
export type ImportResponse = z.infer<typeof importResponse>;
export type RefusedRow = z.infer<typeof refusedRow>;

export const importBusinesses = call({
  method: 'POST',
  path: '/api/businesses/import',
  access: 'admin',
  summary: 'Makes leads of the rows of a CSV file. Rows that fail do not stop the others.',
  upload: 'file',
  response: importResponse,
  limit: 'import',
  idempotent: true,
});
