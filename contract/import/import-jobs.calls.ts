import { z } from 'zod';
import { call } from '../call.ts';
import { MAX_CELL_LENGTH, MAX_COLUMNS } from './import.calls.ts';
import { importChoices, importJob, importMapping, refusedRow } from './import-job.ts';

const params = z.object({ id: z.uuid() });

/** The most rows that one request corrects; one transaction. */
export const MAX_CORRECTIONS = 500;

export const createImport = call({
  method: 'POST',
  path: '/api/imports',
  access: 'admin',
  summary: 'Stores a CSV file or an Excel workbook for an import with chosen columns. Imports nothing yet.',
  upload: 'file',
  response: importJob,
  success: 201,
  limit: 'import',
});

export const listImports = call({
  method: 'GET',
  path: '/api/imports',
  access: 'admin',
  summary: 'The latest 20 imports of all administrators, newest first.',
  response: z.strictObject({ items: z.array(importJob.omit({ preview: true, columns: true, choices: true })) }),
  polled: true,
});

export const getImport = call({
  method: 'GET',
  path: '/api/imports/:id',
  access: 'admin',
  summary: 'One import: its columns, preview, progress and results.',
  params,
  response: importJob,
  polled: true,
});

export const mapImport = call({
  method: 'PUT',
  path: '/api/imports/:id/mapping',
  access: 'admin',
  summary: 'Chooses the sheet, the row of the headings and the columns. Another sheet or row suggests new columns.',
  params,
  body: importMapping,
  response: importJob,
});

export const checkImport = call({
  method: 'POST',
  path: '/api/imports/:id/check',
  access: 'admin',
  summary:
    'Starts a dry run over the whole file with these choices, which computes the preview and writes no business.',
  params,
  body: importChoices,
  response: importJob,
});

export const startImport = call({
  method: 'POST',
  path: '/api/imports/:id/start',
  access: 'admin',
  summary: 'Starts the import of a checked file, with the choices of the check.',
  params,
  response: importJob,
});

export const cancelImport = call({
  method: 'POST',
  path: '/api/imports/:id/cancel',
  access: 'admin',
  summary: 'Stops a dry run, or an import after its current batch. Imported rows stay.',
  params,
  response: importJob,
});

export const continueImport = call({
  method: 'POST',
  path: '/api/imports/:id/continue',
  access: 'admin',
  summary: 'Continues a stopped or cancelled import after its last committed row.',
  params,
  response: importJob,
});

export const discardImport = call({
  method: 'DELETE',
  path: '/api/imports/:id',
  access: 'admin',
  summary: 'Deletes an import that is not running, with its file. Imported leads stay.',
  params,
  response: z.void(),
  success: 204,
});

export const listRefusedRows = call({
  method: 'GET',
  path: '/api/imports/:id/refused',
  access: 'admin',
  summary: 'The refused rows that can be corrected, in the order of the file; at most 1,000 are kept.',
  params,
  response: z.strictObject({ columns: importJob.shape.columns, rows: z.array(refusedRow) }),
});

export const correctRows = call({
  method: 'POST',
  path: '/api/imports/:id/corrections',
  access: 'admin',
  summary: 'Imports corrected rows, in one transaction. Rows that are still wrong are returned with their reasons.',
  params,
  body: z.strictObject({
    rows: z
      .array(
        z.strictObject({
          row: z.number().int().positive(),
          cells: z.array(z.string().max(MAX_CELL_LENGTH)).max(MAX_COLUMNS),
        }),
      )
      .min(1)
      .max(MAX_CORRECTIONS),
  }),
  response: z.strictObject({ imported: z.number(), refused: z.array(refusedRow), job: importJob }),
  limit: 'import',
});
