import { type ErrorCode, Refusal } from '#contract/errors.ts';
import type { ImportResponse } from '#contract/import/import.calls.ts';
import { audit } from '#server/audit.ts';
import type { Db } from '#server/kit/db/db.ts';
import { type IdempotencyKey, saveResponse } from '#server/kit/http/idempotency.ts';
import type { Logger } from '#server/kit/log.ts';
import { insertNotifications } from '#server/notifications/notifications.sql.ts';
import type { Tally } from './tally.ts';

/** What to do about an import that stopped, where the same file would stop again. */
const ADVICE: Partial<Record<ErrorCode, string>> = {
  too_large: 'Split the file into smaller ones and import each',
  validation_failed: 'Import the files one at a time',
  csv_unusable: 'Correct the file and import it again to complete it',
};

interface Done {
  db: Db;
  importerId: number;
  /** The importer's network address. */
  ip: string;
  tally: Tally;
}

/** Writes down that the whole file was read, and answers. */
export async function finishImport(
  done: Done,
  keyed: { action: IdempotencyKey; bodyHash: string } | undefined,
): Promise<ImportResponse> {
  const response = done.tally.response(summaryOf(done.tally));
  await done.db.transaction(async (tx) => {
    await record(tx, done, 'Import finished', response.message, 'done');
    if (keyed) await saveResponse(tx, keyed.action, keyed.bodyHash, response);
  });
  return response;
}

/** Writes down how far an import came that could not go on, and gives the error to throw for it. */
export async function stoppedImport(done: Done, reason: unknown, log: Logger): Promise<unknown> {
  const { total, successful, failed } = done.tally.response('').importResults;
  if (total === 0) return reason;
  const advice = (reason instanceof Refusal && ADVICE[reason.code]) || 'Import the file again to complete it';
  const soFar = `${rows(total)} had been read by then, and ${businesses(successful)} imported. ${advice}; nothing is added twice.`;
  await done.db
    .transaction((tx) => record(tx, done, 'Import stopped', `The import was interrupted. ${soFar}`, 'stopped'))
    .catch((error: unknown) => log.warn({ err: error }, 'a stopped import was not written down'));
  if (!(reason instanceof Refusal)) return reason;
  const extra = { importResults: { total, successful, failed, errors: done.tally.response('').importResults.errors } };
  return new Refusal(reason.code, `${reason.message}. ${soFar}`.replace('..', '.'), { ...reason.details, extra });
}

async function record(tx: Db, done: Done, title: string, message: string, ended: 'done' | 'stopped') {
  const { importerId, ip, tally } = done;
  await insertNotifications(tx, [{ userId: importerId, type: 'import_finished', title, message }]);
  await audit(tx, { event: 'import', actorId: importerId, ip, details: { ...tally.counts, ended } });
}

function summaryOf({ counts: { successful, failed, created } }: Tally): string {
  const total = successful + failed;
  const already = successful - created;
  const sentences = [
    `Imported ${number(successful)} of ${businesses(total)}.`,
    already > 0 && `${number(already)} ${already === 1 ? 'was' : 'were'} already there, and nothing was added twice.`,
    failed > 0 && `${rows(failed)} could not be imported.`,
  ];
  return sentences.filter(Boolean).join(' ');
}

const number = (count: number) => count.toLocaleString('en-US');
const rows = (count: number) => (count === 1 ? '1 row' : `${number(count)} rows`);
const businesses = (count: number) => (count === 1 ? '1 business' : `${number(count)} businesses`);
