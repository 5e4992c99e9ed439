import { z } from 'zod';
import { call } from '../call.ts';

export const MAX_FILE_BYTES = 50 * 1024 * 1024;
export const MAX_ROWS = 250_000;
export const MAX_COLUMNS = 100;
export const MAX_CELL_LENGTH = 10_000;
/** Errors beyond this number are only counted. */
export const MAX_LISTED_ERRORS = 200;

/** The column with the reason in the file of refused rows; ignored when that file is imported. */
export const REASON_COLUMN = 'Import Error';

/** The id of the import, chosen by the client: the response comes at the end, and cancelling needs the id before. */
export const IMPORT_ID_HEADER = 'x-import-id';

/** A refused row as in the file, so that it can be corrected and imported again. */
const refusedRow = z.strictObject({ row: z.number(), reason: z.string(), cells: z.array(z.string()) });

export const importResults = z.strictObject({
  total: z.number(),
  /** Rows whose business is now a lead of the row's user, including leads that existed before. */
  successful: z.number(),
  failed: z.number(),
  /** "Row N: reason", with N as in a spreadsheet. */
  errors: z.array(z.string()),
});
export type ImportResults = z.infer<typeof importResults>;

export const importResponse = z.strictObject({
  message: z.string(),
  importResults,
  /** The number of successful rows that had been imported before. */
  alreadyThere: z.number(),
  refused: z.strictObject({
    columns: z.array(z.string()),
    rows: z.array(refusedRow),
    /** The number of refused rows beyond the limit of the list. */
    leftOut: z.number(),
  }),
});
export type ImportResponse = z.infer<typeof importResponse>;
export type RefusedRow = z.infer<typeof refusedRow>;

export const importBusinesses = call({
  method: 'POST',
  path: '/api/businesses/import',
  access: 'admin',
  summary: 'Imports the rows of a CSV file as leads. A failed row does not stop the others.',
  upload: 'file',
  response: importResponse,
  limit: 'import',
  idempotent: true,
});
