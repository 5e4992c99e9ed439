import { and, eq, sql } from 'drizzle-orm';
import { Refusal } from '#contract/errors.ts';
import type { ImportResponse } from '#contract/import/import.calls.ts';
import type { Table } from '#server/import/file/read-table.ts';
import { deleteStoredFile } from '#server/import/file/stored-file.ts';
import type { Db } from '#server/kit/db/db.ts';
import type { IdempotencyKey } from '#server/kit/http/idempotency.ts';
import type { Logger } from '#server/kit/log.ts';
import { imports } from '#server/schema/imports.ts';
import { createImportResults, finishImport, recordStoppedImport } from './import-results.ts';
import { importRows, type RowChoices } from './import-rows.ts';
import { addProgress, type ImportRecord, insertRefusedRows, listRefused } from './imports.sql.ts';
import { loadNotices } from './notify-assignees.ts';

/** After this many new leads the planner's statistics are outdated, and lists slow, until the next autovacuum. */
const ANALYZE_AFTER_LEADS = 1_000;

/** A run of an import, whose row says 'running'. */
export interface ImportRun {
  db: Db;
  log: Logger;
  job: ImportRecord;
  importerId: number;
  ip: string;
  signal: AbortSignal;
  /** The bytes of the file that were read so far. */
  readBytes: () => number;
  choices?: RowChoices;
  canContinue?: () => boolean;
  /** Saves the response under the key of the request. */
  keyed?: { action: IdempotencyKey; hashFile: () => Promise<string> } | undefined;
}

/** Imports the rows that no earlier run has committed, and writes down how it ended. */
export async function runImport(table: Table, run: ImportRun): Promise<ImportResponse> {
  const { db, log, job, importerId, ip, signal, keyed } = run;
  const { successful, failed, created, repeated, lastRow, batchId } = job;
  const refused = await listRefused(db, job.id);
  const results = createImportResults(table.columns.header, { successful, failed, created, repeated, refused });
  const current = {
    ...{ db, importerId, ip, results, batchId, checked: job.choices !== null },
    ...(run.canContinue && { canContinue: run.canContinue }),
    endJob: (tx: Db, end: JobEnd) => endJob(tx, job, end),
  };
  try {
    await importRows(table, {
      ...{ db, results, signal, importerId, batchId, fileName: job.fileName, resumeAfter: lastRow },
      startedAt: new Date(job.startedAt ?? job.createdAt),
      notices: await loadNotices(db, batchId),
      ...(run.choices && { choices: run.choices }),
      saveProgress: async (tx, batch) => {
        await insertRefusedRows(tx, job.id, results.selectKept(batch.refused));
        const saved = await addProgress(tx, job, {
          ...batch,
          failed: batch.refused.length,
          readBytes: run.readBytes(),
        });
        if (!saved) throw new Refusal('import_not_ready', 'The import was stopped.');
        return saved;
      },
    });
  } catch (error) {
    throw await recordStoppedImport(current, error, log);
  }
  if (results.counts.created - created > ANALYZE_AFTER_LEADS) await analyze(db, log);
  return finishImport(current, keyed && { action: keyed.action, bodyHash: await keyed.hashFile() });
}

interface JobEnd {
  state: 'done' | 'cancelled' | 'stopped';
  message: string;
}

/** The file is kept only as long as the import can be continued. */
export async function endJob(tx: Db, { id, run }: Pick<ImportRecord, 'id' | 'run'>, { state, message }: JobEnd) {
  const [ended] = await tx
    .update(imports)
    .set({ state, message, finishedAt: sql`now()`, updatedAt: sql`now()`, cancelRequested: false })
    .where(and(eq(imports.id, id), eq(imports.run, run)))
    .returning({ complete: imports.complete });
  if (ended && (state === 'done' || !ended.complete)) await deleteStoredFile(tx, id);
}

async function analyze(db: Db, log: Logger) {
  await db
    .execute(sql`analyze user_businesses, businesses`)
    .catch((error: unknown) => log.warn({ err: error }, 'ANALYZE after an import failed'));
}
