import { Refusal } from '#contract/errors.ts';
import type { ImportChoices } from '#contract/import/import-job.ts';
import type { Db } from '#server/kit/db/db.ts';
import type { Logger } from '#server/kit/log.ts';
import { findMatchedPlaces } from './check-import.sql.ts';
import { checkRows } from './check-import.ts';
import { ImportCancelled, type PlacedRow, type RowChoices } from './import-rows.ts';
import { endCheck, findImport, type ImportRecord } from './imports.sql.ts';
import { openRecords } from './open-records.ts';
import { readMappedTable } from './read-table.ts';
import { endJob, runImport } from './run-import.ts';
import { countBytes } from './stored-file.ts';

interface JobContext {
  db: Db;
  log: Logger;
  ip: string;
  signal: AbortSignal;
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
export async function runCheck(job: ImportRecord, { db, log, signal }: JobContext) {
  const read = countBytes();
  try {
    const table = openTable(db, job, read.add);
    const preview = await checkRows(table, { db, job, importerId: job.userId ?? 0, signal, readBytes: read.total });
    await endCheck(db, job, { state: 'checked', preview });
  } catch (error) {
    logUnexpected(log, error);
    if (error instanceof ImportCancelled) await endCheck(db, job, { state: 'mapping' });
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

/** What was chosen when the import was started. The specified call has no choices. */
export function createChoices({ id, choices }: Pick<ImportRecord, 'id' | 'choices'>): RowChoices {
  const replacements = choices?.replacements ?? [];
  return {
    replacements: new Map(replacements.map(({ username, userId }) => [username.toLowerCase(), userId])),
    findExisting: (tx, rows) => findMatchedPlaces(tx, id, selectOnExisting(choices, rows)),
  };
}

/** The rows whose leads are added to an existing business that theirs looks like, if there is one. */
export function selectOnExisting(choices: ImportChoices | null, rows: PlacedRow[]): PlacedRow[] {
  if (!choices) return [];
  const exceptions = new Set(choices.exceptions);
  return rows.filter(({ row }) => choices.useExisting !== exceptions.has(row));
}

function logUnexpected(log: Logger, error: unknown) {
  if (!(error instanceof Refusal)) log.error({ err: error }, 'an import stopped');
}
