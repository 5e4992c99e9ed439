import { Refusal } from '#contract/errors.ts';
import { NO_CHOICES } from '#contract/import/import-job.ts';
import type { TimeRange } from '#contract/progress/calendar.ts';
import { findAssignees, findDecided } from '#server/import/check/check-import.sql.ts';
import { checkRows } from '#server/import/check/check-import.ts';
import { openRecords } from '#server/import/file/open-records.ts';
import { readMappedTable } from '#server/import/file/read-table.ts';
import { countBytes } from '#server/import/file/stored-file.ts';
import type { Db } from '#server/kit/db/db.ts';
import type { Logger } from '#server/kit/log.ts';
import { ImportCancelled } from './import-results.ts';
import { type RowChoices, toReplacements } from './import-rows.ts';
import { endCheck, findImport, type ImportRecord } from './imports.sql.ts';
import { endJob, runImport } from './run-import.ts';

interface JobContext {
  db: Db;
  log: Logger;
  ip: string;
  signal: AbortSignal;
  /** The month of goals that rows are shared out by. */
  month: TimeRange;
}

/** Runs an import with chosen columns, in the background. How it ended is in its row. */
export async function runMappedImport(job: ImportRecord, { db, log, ip, signal }: JobContext) {
  const read = countBytes();
  try {
    await runImport(openTable(db, job, read.add), {
      ...{ db, log, job, ip, signal },
      importerId: job.userId ?? 0,
      readBytes: read.total,
      choices: createChoices(job),
      canContinue: () => true,
    });
  } catch (error) {
    logUnexpected(log, error);
    const { job: stored } = (await findImport(db, job.id)) ?? {};
    // Before the first batch there was nothing to notify of.
    if (stored?.state !== 'running' || stored.run !== job.run || stored.successful + stored.failed > 0) return;
    const state = error instanceof ImportCancelled ? 'cancelled' : 'stopped';
    const reason = error instanceof Refusal ? error.message.replace(/\.?$/, '.') : 'The import was interrupted.';
    await endJob(db, job, { state, message: `${reason} Nothing was imported.` });
  }
}

/** Runs a dry run, in the background. */
export async function runCheck(job: ImportRecord, { db, log, signal, month }: JobContext) {
  const read = countBytes();
  try {
    const table = openTable(db, job, read.add);
    const importerId = job.userId ?? 0;
    const preview = await checkRows(table, { db, job, importerId, signal, readBytes: read.total, month });
    await endCheck(db, job, { state: 'checked', preview });
  } catch (error) {
    logUnexpected(log, error);
    if (error instanceof ImportCancelled) await endCheck(db, job, { state: 'mapping', preview: null });
    else await endJob(db, job, { state: 'stopped', message: describeFailure(error) });
  }
}

function openTable(db: Db, job: ImportRecord, onRead: (bytes: number) => void) {
  const headerRows = { from: job.headerRow, to: job.headerRow };
  return readMappedTable(openRecords(db, job, { sheet: job.sheet, headerRows, onRead }), job);
}

const describeFailure = (error: unknown) =>
  error instanceof Refusal && error.code !== 'shutting_down'
    ? error.message
    : 'The check was interrupted. Nothing was imported.';

/** What the check decided. The specified call has no choices. */
export function createChoices({ id, choices }: Pick<ImportRecord, 'id' | 'choices'>): RowChoices {
  return {
    replacements: toReplacements(choices ?? NO_CHOICES),
    findDecided: async (tx, rows) => (choices ? findDecided(tx, id, rows) : new Map()),
    findAssignees: async (tx, rows) =>
      choices?.withoutUser
        ? findAssignees(
            tx,
            id,
            rows.map(({ row }) => row),
          )
        : new Map(),
  };
}

function logUnexpected(log: Logger, error: unknown) {
  if (!(error instanceof Refusal)) log.error({ err: error }, 'an import stopped');
}
