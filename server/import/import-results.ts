import { type ErrorCode, Refusal } from '#contract/errors.ts';
import {
  type ImportResponse,
  MAX_LISTED_ERRORS,
  REASON_COLUMN,
  type RefusedRow,
} from '#contract/import/import.calls.ts';
import { audit } from '#server/audit/audit.ts';
import type { Db } from '#server/kit/db/db.ts';
import { type IdempotencyKey, saveResponse } from '#server/kit/http/idempotency.ts';
import type { Logger } from '#server/kit/log.ts';
import { insertNotifications } from '#server/notifications/notifications.sql.ts';

const MAX_REFUSED_ROWS = 1_000;
const MAX_REFUSED_TEXT = 1024 * 1024;

/** What to do about a stopped import, where the same file would stop again. */
const ADVICE: Partial<Record<ErrorCode, string>> = {
  too_large: 'Split the file into smaller ones and import each',
  validation_failed: 'Import the files one at a time',
  csv_unusable: 'Correct the file and import it again to complete it',
};

export type ImportResults = ReturnType<typeof createImportResults>;

/** Counts the outcome of committed batches. Keeps a bounded number of refused rows. */
export function createImportResults(header: string[]) {
  const counts = { successful: 0, failed: 0, created: 0 };
  const errors: string[] = [];
  const refusedRows: RefusedRow[] = [];
  let refusedText = 0;
  const columns = header.map((_, at) => at).filter((at) => header[at]?.trim() !== REASON_COLUMN);

  function addRefused({ row, reason, cells }: RefusedRow) {
    counts.failed += 1;
    if (errors.length < MAX_LISTED_ERRORS) errors.push(`Row ${row}: ${reason}`);
    const shown = columns.map((at) => cells[at] ?? '');
    refusedText += shown.reduce((sum, cell) => sum + cell.length, reason.length);
    if (refusedRows.length < MAX_REFUSED_ROWS && refusedText < MAX_REFUSED_TEXT) {
      refusedRows.push({ row, reason, cells: shown });
    }
  }

  return {
    counts,
    addBatch(successful: number, created: number, refused: RefusedRow[]) {
      counts.successful += successful;
      counts.created += created;
      for (const each of refused.toSorted((a, b) => a.row - b.row)) addRefused(each);
    },
    toResponse(message: string): ImportResponse {
      const { successful, failed, created } = counts;
      const unlisted = failed - errors.length;
      return {
        message,
        importResults: {
          total: successful + failed,
          successful,
          failed,
          errors: unlisted > 0 ? [...errors, `and ${formatCount(unlisted)} more`] : [...errors],
        },
        alreadyThere: successful - created,
        refused: {
          columns: columns.map((at) => header[at] ?? ''),
          rows: refusedRows,
          leftOut: failed - refusedRows.length,
        },
      };
    },
  };
}

interface Import {
  db: Db;
  importerId: number;
  /** Of the importer, for the audit. */
  ip: string;
  results: ImportResults;
}

/** Notifies the importer, audits the import and saves its response for a repeated request, in one transaction. */
export async function finishImport(
  current: Import,
  keyed: { action: IdempotencyKey; bodyHash: string } | undefined,
): Promise<ImportResponse> {
  const response = current.results.toResponse(formatSummary(current.results));
  await current.db.transaction(async (tx) => {
    await record(tx, current, 'Import finished', response.message, 'done');
    if (keyed) await saveResponse(tx, keyed.action, keyed.bodyHash, response);
  });
  return response;
}

/** Notifies the importer of how far a stopped import came, and returns the error to throw. */
export async function recordStoppedImport(current: Import, reason: unknown, log: Logger): Promise<unknown> {
  const { total, successful, failed, errors } = current.results.toResponse('').importResults;
  if (total === 0) return reason;
  const advice = (reason instanceof Refusal && ADVICE[reason.code]) || 'Import the file again to complete it';
  const progress = `${formatRows(total)} had been read by then, and ${formatBusinesses(successful)} imported. ${advice}; nothing is added twice.`;
  await current.db
    .transaction((tx) => record(tx, current, 'Import stopped', `The import was interrupted. ${progress}`, 'stopped'))
    .catch((error: unknown) => log.warn({ err: error }, 'a stopped import was not written down'));
  if (!(reason instanceof Refusal)) return reason;
  const extra = { importResults: { total, successful, failed, errors } };
  return new Refusal(reason.code, `${reason.message}. ${progress}`.replace('..', '.'), { ...reason.details, extra });
}

async function record(tx: Db, current: Import, title: string, message: string, ended: 'done' | 'stopped') {
  const { importerId, ip, results } = current;
  await insertNotifications(tx, [{ userId: importerId, type: 'import_finished', title, message }]);
  await audit(tx, { event: 'import', actorId: importerId, ip, details: { ...results.counts, ended } });
}

function formatSummary({ counts: { successful, failed, created } }: ImportResults): string {
  const existing = successful - created;
  const sentences = [
    `Imported ${formatCount(successful)} of ${formatBusinesses(successful + failed)}.`,
    existing > 0 &&
      `${formatCount(existing)} ${existing === 1 ? 'was' : 'were'} already there, and nothing was added twice.`,
    failed > 0 && `${formatRows(failed)} could not be imported.`,
  ];
  return sentences.filter(Boolean).join(' ');
}

const formatCount = (count: number) => count.toLocaleString('en-US');
const formatRows = (count: number) => (count === 1 ? '1 row' : `${formatCount(count)} rows`);
const formatBusinesses = (count: number) => (count === 1 ? '1 business' : `${formatCount(count)} businesses`);
