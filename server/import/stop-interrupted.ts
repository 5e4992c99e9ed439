import { deleteStoredFile } from '#server/import/file/stored-file.ts';
import type { Db } from '#server/kit/db/db.ts';
import { recordInterrupted } from './import-results.ts';
import {
  findActive,
  findInterrupted,
  hasFile,
  type ImportRecord,
  lockInterrupted,
  updateImport,
} from './imports.sql.ts';

/** Writes down as stopped what was under way in a process that has ended. */
export const stopInterruptedImports = async (db: Db) => stopAll(db, await findInterrupted(db));

/** As `stopInterruptedImports`, for the process that has just got the lock: no other one is importing. */
export const stopEarlierRuns = async (db: Db) => stopAll(db, await findActive(db));

async function stopAll(db: Db, jobs: ImportRecord[]) {
  for (const found of jobs) {
    await db.transaction(async (tx) => {
      const job = await lockInterrupted(tx, found);
      if (!job) return;
      const { id, userId: importerId, batchId, successful, failed, created, repeated } = job;
      const counts = { successful, failed, created, repeated };
      const canContinue = await hasFile(tx, job);
      const message =
        job.state === 'running'
          ? await recordInterrupted(tx, { importerId, batchId, counts, canContinue })
          : 'The check was interrupted. Nothing was imported.';
      await updateImport(tx, id, { state: 'stopped', message, finishedAt: new Date().toISOString() });
      if (!canContinue) await deleteStoredFile(tx, id);
    });
  }
}
