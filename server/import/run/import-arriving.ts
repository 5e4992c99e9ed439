import { sql } from 'drizzle-orm';
import { Refusal } from '#contract/errors.ts';
import type { ImportResponse } from '#contract/import/import.calls.ts';
import { deleteImport, findActive, type ImportRecord } from '#server/import/imports.sql.ts';
import { deleteJob, lockJob } from '#server/jobs/jobs.sql.ts';
import type { Db } from '#server/kit/db/db.ts';
import type { IdempotencyKey } from '#server/kit/http/idempotency.ts';
import type { Logger } from '#server/kit/log.ts';
import { finishImport, ImportCancelled, stopImport, toStopped } from './import-results.ts';
import { analyzeAfter, type OpenImport, type OpenTable, openImport } from './open-import.ts';

export interface ArrivingImport extends OpenTable {
  db: Db;
  log: Logger;
  job: ImportRecord;
  ip: string;
  signal: AbortSignal;
  keyed?: { action: IdempotencyKey; hashFile: () => Promise<string> } | undefined;
}

/**
 * Imports a file while it arrives, in its request. A transaction holds the job for as long, so that no other import starts;
 * if this process is killed, the next one does, or the runner ends the job.
 */
export async function importArriving(arriving: ArrivingImport): Promise<ImportResponse> {
  const { db, job } = arriving;
  const outcome = await db.transaction(async (tx) => {
    // Between two batches a slow client may send nothing for a while.
    await tx.execute(sql`set local idle_in_transaction_session_timeout = '10min'`);
    if (!(await lockJob(tx, { id: job.id, userId: null }))) throw new Refusal('import_not_ready', STOPPED);
    const open = await openImport(db, job, arriving);
    try {
      await importAll(tx, open, arriving);
      return { response: await finish(tx, open, arriving) };
    } catch (error) {
      return { error: await stop(tx, open, error, arriving) }; // not thrown: what was written down is committed
    }
  });
  if (outcome.response) return outcome.response;
  throw outcome.error;
}

const STOPPED = 'The import was stopped.';

async function importAll(tx: Db, open: OpenImport, { db, signal }: ArrivingImport) {
  for (let batch = await open.readBatch(); batch; batch = await open.readBatch()) {
    const rows = batch;
    const { accept, cancelRequested } = await db.transaction((batchTx) => open.write(batchTx, rows));
    accept();
    await tx.execute(sql`select`); // fails once the connection is lost that holds the job
    if (cancelRequested) throw new ImportCancelled();
    signal.throwIfAborted();
  }
}

async function finish(tx: Db, { results }: OpenImport, { db, log, job, ip, keyed }: ArrivingImport) {
  await analyzeAfter(db, results.counts, log);
  const saved = keyed && { action: keyed.action, bodyHash: await keyed.hashFile() };
  const response = await finishImport(tx, job, { results, ip, keyed: saved });
  await deleteJob(tx, job.id);
  return response;
}

/** Returns the error for the client. An import without a row leaves nothing. */
async function stop(tx: Db, { results }: OpenImport, reason: unknown, { job, ip }: ArrivingImport) {
  const stored = await findActive(tx, job.id);
  if (stored) {
    if (stored.successful + stored.failed) await stopImport(tx, stored, { reason, ip, canContinue: false });
    else await deleteImport(tx, job.id);
    await deleteJob(tx, job.id);
  }
  return toStopped(reason, results);
}
