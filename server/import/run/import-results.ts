import { BATCH_HEADER } from '#contract/changes/changes.calls.ts';
import { type ErrorCode, Refusal } from '#contract/errors.ts';
import { formatCount } from '#contract/format.ts';
import {
  type ImportResponse,
  MAX_LISTED_ERRORS,
  REASON_COLUMN,
  type RefusedRow,
} from '#contract/import/import.calls.ts';
import type { RefusedImportRow } from '#contract/import/import-job.ts';
import { audit } from '#server/audit/audit.ts';
import { findBatch } from '#server/change-log/batches.sql.ts';
import { endImport, type ImportRecord } from '#server/import/imports.sql.ts';
import type { Db } from '#server/kit/db/db.ts';
import { type IdempotencyKey, saveResponse } from '#server/kit/http/idempotency.ts';
import { insertNotifications } from '#server/notifications/notifications.sql.ts';

const MAX_REFUSED_ROWS = 1_000;
const MAX_REFUSED_TEXT = 1024 * 1024;

/** What to do about a stopped import, where the same file would stop again. */
const ADVICE: Partial<Record<ErrorCode, string>> = {
  too_large: 'Split the file into smaller ones and import each',
  validation_failed: 'Import the files one at a time',
  batch_undone: 'Import the file again to start over',
  csv_unusable: 'Correct the file and import it again to complete it',
};

/** Thrown when an administrator cancels an import. */
export class ImportCancelled extends Refusal {
  constructor() {
    super('invalid_request', 'The import was cancelled.');
  }
}

/** What a batch adds to the progress of its job. */
export interface WrittenBatch {
  lastRow: number;
  rows: number;
  successful: number;
  created: number;
  repeated: number;
  refused: RefusedImportRow[];
}

export type ImportResults = ReturnType<typeof createImportResults>;

export interface CommittedCounts {
  successful: number;
  failed: number;
  created: number;
  repeated: number;
}

/** Counts the outcome of committed batches, after those of an earlier run. Keeps a bounded number of refused rows. */
export function createImportResults(header: string[], earlier?: CommittedCounts & { refused: RefusedImportRow[] }) {
  const counts: CommittedCounts = { successful: 0, failed: 0, created: 0, repeated: 0 };
  const errors: string[] = [];
  const refusedRows: RefusedRow[] = [];
  let refusedText = 0;
  const columns = header.map((_, at) => at).filter((at) => header[at]?.trim() !== REASON_COLUMN);

  /** Those of the rows that fit into the list. */
  function selectKept(refused: RefusedImportRow[]): RefusedImportRow[] {
    let text = refusedText;
    return refused.filter((each, nth) => {
      text += measure(each);
      return refusedRows.length + nth < MAX_REFUSED_ROWS && text < MAX_REFUSED_TEXT;
    });
  }
  const measure = ({ reason, cells }: RefusedImportRow) =>
    columns.reduce((sum, at) => sum + (cells[at] ?? '').length, reason.length);

  function addRefused(refused: RefusedImportRow[]) {
    for (const { row, reason } of refused.slice(0, MAX_LISTED_ERRORS - errors.length)) {
      errors.push(`Row ${row}: ${reason}`);
    }
    const kept = selectKept(refused).map(({ row, reason, cells }) => ({
      row,
      reason,
      cells: columns.map((at) => cells[at] ?? ''),
    }));
    refusedText = refused.reduce((sum, each) => sum + measure(each), refusedText);
    refusedRows.push(...kept);
  }

  if (earlier) {
    const { refused, ...committed } = earlier;
    Object.assign(counts, committed);
    addRefused(refused);
  }

  return {
    counts,
    selectKept,
    addBatch({ successful, created, repeated, refused }: WrittenBatch) {
      counts.successful += successful;
      counts.created += created;
      counts.repeated += repeated;
      counts.failed += refused.length;
      addRefused(refused);
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

interface Finished {
  results: ImportResults;
  /** Of the importer, for the audit. */
  ip: string | null;
  /** Saves the response for a repeated request. */
  keyed?: { action: IdempotencyKey; bodyHash: string } | undefined;
}

/** Ends an import whose last row is committed: notifies the importer, audits it and saves its response. */
export async function finishImport(
  tx: Db,
  job: ImportRecord,
  { results, ip, keyed }: Finished,
): Promise<ImportResponse> {
  const response = results.toResponse(formatSummary(results.counts, { checked: job.choices !== null }));
  const { message } = response;
  await notifyAndAudit(tx, job, { title: 'Import finished', message, ended: 'done', counts: results.counts, ip });
  await endImport(tx, job.id, { state: 'done', message });
  if (keyed) {
    const headers = await readBatchHeaders(tx, job.batchId);
    await saveResponse(tx, keyed.action, { bodyHash: keyed.bodyHash, headers, body: response });
  }
  return response;
}

/** The batch by which the client undoes the import; none if nothing was changed. */
export const readBatchHeaders = async (db: Db, batchId: string): Promise<Record<string, string>> =>
  (await findBatch(db, batchId)) ? { [BATCH_HEADER]: batchId } : {};

interface Stopped {
  reason: unknown;
  ip: string | null;
  /** Whether its file is stored, and its administrator knows of it. */
  canContinue: boolean;
}

/** Ends an import before its last row, and notifies the importer of how far it came. */
export async function stopImport(tx: Db, job: ImportRecord, { reason, ip, canContinue }: Stopped) {
  const state = reason instanceof ImportCancelled ? 'cancelled' : 'stopped';
  if (job.successful + job.failed === 0) {
    const text = reason instanceof Refusal ? reason.message.replace(/\.?$/, '.') : 'The import was interrupted.';
    return endImport(tx, job.id, { state, message: `${text} Nothing was imported.` });
  }
  const progress = formatProgress(job, adviseOn(reason, canContinue));
  const message = `The import was ${state === 'cancelled' ? 'cancelled' : 'interrupted'}. ${progress}`;
  await notifyAndAudit(tx, job, { title: 'Import stopped', message, ended: 'stopped', counts: job, ip });
  await endImport(tx, job.id, { state, message });
}

/** The response to a request whose import stopped. */
export function toStopped(reason: unknown, results: ImportResults): unknown {
  const { total, successful, failed, errors } = results.toResponse('').importResults;
  if (!(reason instanceof Refusal) || total === 0) return reason;
  const progress = formatProgress(results.counts, adviseOn(reason, false));
  const extra = { importResults: { total, successful, failed, errors } };
  return new Refusal(reason.code, `${reason.message}. ${progress}`.replace('..', '.'), { ...reason.details, extra });
}

const CONTINUE = 'Continue the import to complete it';
const REPEAT = 'Import the file again to complete it';

function adviseOn(reason: unknown, canContinue: boolean): string {
  const advice = reason instanceof Refusal && ADVICE[reason.code];
  return advice || (canContinue ? CONTINUE : REPEAT);
}

const formatProgress = ({ successful, failed }: Pick<CommittedCounts, 'successful' | 'failed'>, advice: string) =>
  `${formatRows(successful + failed)} had been read by then, and ${formatBusinesses(successful)} imported. ${advice}; nothing is added twice.`;

interface Ending {
  title: string;
  message: string;
  ended: 'done' | 'stopped';
  counts: CommittedCounts;
  ip: string | null;
}

/** Not for an account that was deleted. */
async function notifyAndAudit(
  tx: Db,
  { userId, batchId }: ImportRecord,
  { title, message, ended, counts, ip }: Ending,
) {
  if (userId === null) return;
  await insertNotifications(tx, [{ userId, type: 'import_finished', title, message, batch: batchId }]);
  const { successful, failed, created } = counts;
  await audit(tx, { event: 'import', actorId: userId, ip, details: { successful, failed, created, ended } });
}

export const formatSummary = (counts: CommittedCounts, { checked }: { checked: boolean }): string =>
  checked ? formatChecked(counts) : formatSpecified(counts);

/** "10 rows: 7 new leads, 1 already there, 1 repeated in the file, 1 refused." */
function formatChecked({ successful, failed, created, repeated }: CommittedCounts): string {
  const alreadyThere = successful - created - repeated;
  const parts = [
    created === 1 ? '1 new lead' : `${formatCount(created)} new leads`,
    alreadyThere > 0 && `${formatCount(alreadyThere)} already there`,
    repeated > 0 && `${formatCount(repeated)} repeated in the file`,
    failed > 0 && `${formatCount(failed)} refused`,
  ];
  return `${formatRows(successful + failed)}: ${parts.filter(Boolean).join(', ')}.`;
}

function formatSpecified({ successful, failed, created }: CommittedCounts): string {
  const existing = successful - created;
  const sentences = [
    `Imported ${formatCount(successful)} of ${formatBusinesses(successful + failed)}.`,
    existing > 0 &&
      `${formatCount(existing)} ${existing === 1 ? 'was' : 'were'} already there, and nothing was added twice.`,
    failed > 0 && `${formatRows(failed)} could not be imported.`,
  ];
  return sentences.filter(Boolean).join(' ');
}

const formatRows = (count: number) => (count === 1 ? '1 row' : `${formatCount(count)} rows`);
const formatBusinesses = (count: number) => (count === 1 ? '1 business' : `${formatCount(count)} businesses`);
