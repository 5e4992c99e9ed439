import { type SQL, sql } from 'drizzle-orm';
import { Refusal } from '#contract/errors.ts';
import { monthContaining } from '#contract/progress/calendar.ts';
import { deleteFindings } from '#server/import/check/check-import.sql.ts';
import { checkRows } from '#server/import/check/check-import.ts';
import {
  endCheck,
  endImport,
  findActive,
  hasFile,
  type ImportRecord,
  updateImport,
} from '#server/import/imports.sql.ts';
import { defineJob, type Step } from '#server/jobs/job-kind.ts';
import { deleteJob, lockNextJob, startOwnJob } from '#server/jobs/jobs.sql.ts';
import type { Clock } from '#server/kit/clock.ts';
import type { Db } from '#server/kit/db/db.ts';
import type { Logger } from '#server/kit/log.ts';
import { finishImport, ImportCancelled, stopImport } from './import-results.ts';
import { analyzeAfter, type OpenImport, openImport, openTable } from './open-import.ts';
import type { RunningImports } from './running-imports.ts';

export const IMPORT = 'import';

/** `arriving`: its request imports the file, and holds the job for as long. */
interface ImportInput {
  arriving?: true;
}

/** Has the id of its import, whose row says how far it is. One at a time, dry runs included. */
export async function startImportJob(
  tx: Db,
  { input = {}, ...values }: { id: string; ip: string; runAt?: SQL; input?: ImportInput },
) {
  const job = { ...values, input, kind: IMPORT };
  if (await startOwnJob(tx, job)) return;
  if ((await endAbandoned(tx)) && (await startOwnJob(tx, job))) return;
  throw new Refusal('import_running', 'Another import is running. Please wait until it has finished.');
}

/** Ends the import of a request that no longer holds its job: its process has ended, and the file can be sent again at once. */
async function endAbandoned(tx: Db): Promise<boolean> {
  const job = await lockNextJob(tx, [IMPORT]);
  if (!job || !(job.input as ImportInput).arriving) return false;
  const stored = await findActive(tx, job.id);
  if (stored) await stopAbandoned(tx, stored, job.ip);
  await deleteJob(tx, job.id);
  return true;
}

const stopAbandoned = async (tx: Db, job: ImportRecord, ip: string | null) =>
  stopImport(tx, job, { reason: undefined, ip, canContinue: await hasFile(tx, job) });

interface ImportJobOptions {
  /** For what is read from the file, and for the progress of a dry run. */
  db: Db;
  log: Logger;
  clock: Clock;
  timeZone: string;
  running: RunningImports;
}

/** Imports a file, a batch of rows a step, or checks it in one step. */
export function importJob(options: ImportJobOptions) {
  const { db, log, running } = options;
  /** The file that this process reads, between two steps. */
  let open: OpenImport | undefined;

  return defineJob<ImportInput>({
    kind: IMPORT,
    longSteps: true,
    step: async (tx, { id, ip, input }) => {
      const job = await findActive(tx, id);
      if (!job) return { end: true };
      if (input.arriving) {
        await stopAbandoned(tx, job, ip);
        return { end: true };
      }
      if (!(await hasFile(tx, job))) throw fileMissing(job);
      return running.run(id, (signal) =>
        job.state === 'checking' ? checkFile(tx, job, signal, options) : importNext(tx, job, ip),
      );
    },
    onEnd: async (tx, { id, ip, state, message }, error) => {
      const job = await findActive(tx, id);
      if (state !== 'stopped' || !job) return;
      const reason = error instanceof Refusal ? error : new Refusal('internal', message ?? '');
      if (job.state === 'checking') await endImport(tx, id, { state, message: reason.message });
      else await stopImport(tx, job, { reason, ip, canContinue: await hasFile(tx, job) });
    },
  });

  async function importNext(tx: Db, job: ImportRecord, ip: string | null): Promise<Step<ImportInput>> {
    if (job.cancelRequested) {
      await stopImport(tx, job, { reason: new ImportCancelled(), ip, canContinue: true });
      return { end: true };
    }
    const current = open?.isAt(job) ? open : await openAgain(tx, job);
    open = undefined; // until the batch is written: after a failure the file is read again
    const batch = await current.readBatch();
    if (batch) {
      const { accept } = await current.write(tx, batch);
      accept();
      open = current;
      return {};
    }
    await analyzeAfter(db, current.results.counts, log);
    await finishImport(tx, job, { results: current.results, ip });
    return { end: true };
  }

  /** Reads the file from its beginning, and skips the rows that are committed. */
  async function openAgain(tx: Db, job: ImportRecord) {
    await allowToRead(tx);
    await open?.close();
    return openImport(db, job, await openTable(db, job));
  }
}

/**
 * Checks the whole file: what is decided about a row depends on all rows before, which are kept in memory. The transaction
 * holds the job and writes what was decided, so that a check that is killed leaves nothing, and begins again.
 */
async function checkFile(
  tx: Db,
  job: ImportRecord,
  signal: AbortSignal,
  { db, clock, timeZone }: ImportJobOptions,
): Promise<Step<ImportInput>> {
  await allowToRead(tx);
  try {
    await updateImport(db, job.id, { lastRow: 0, readRows: 0, readBytes: 0 });
    await deleteFindings(tx, job.id);
    const month = monthContaining(timeZone, clock());
    const preview = await checkRows(await openTable(db, job), { tx, db, job, signal, month });
    await endCheck(tx, job.id, { state: 'checked', preview });
    return { end: true };
  } catch (error) {
    if (error instanceof ImportCancelled) {
      await endCheck(tx, job.id, { state: 'mapping', preview: null });
      return { end: true };
    }
    if (signal.aborted) return {}; // the process stops: another one begins again
    throw error;
  }
}

/** The transaction has nothing to do meanwhile. */
const allowToRead = (tx: Db) => tx.execute(sql`set local idle_in_transaction_session_timeout = '10min'`);

/** Its process ended before all of it had arrived, or a backup was restored. */
const fileMissing = ({ complete }: ImportRecord) =>
  new Refusal(
    'invalid_request',
    complete ? 'The file is no longer stored. Please upload it again.' : 'The upload was interrupted.',
  );
