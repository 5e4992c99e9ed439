import { sql } from 'drizzle-orm';
import { Refusal } from '#contract/errors.ts';
import { NO_CHOICES } from '#contract/import/import-job.ts';
import { findAssignees, findDecided } from '#server/import/check/check-import.sql.ts';
import { openRecords } from '#server/import/file/open-records.ts';
import { readMappedTable, type Table } from '#server/import/file/read-table.ts';
import { countBytes } from '#server/import/file/stored-file.ts';
import { addProgress, type ImportRecord, insertRefusedRows, listRefused } from '#server/import/imports.sql.ts';
import type { Db } from '#server/kit/db/db.ts';
import type { Logger } from '#server/kit/log.ts';
import { listFields } from '#server/own-fields/own-fields.sql.ts';
import { withNewChoices } from './add-new-choices.ts';
import { type CommittedCounts, createImportResults } from './import-results.ts';
import { type Batch, type RowChoices, readBatches, toReplacements, writeRows } from './import-rows.ts';
import { loadNotices } from './notify-assignees.ts';

/** The rows of a file, and how many bytes of it were read for them. */
export interface OpenTable {
  table: Table;
  readBytes: () => number;
}

/** The rows of a file that is stored as a whole. */
export async function openTable(db: Db, job: ImportRecord): Promise<OpenTable> {
  const read = countBytes();
  const headerRows = { from: job.headerRow, to: job.headerRow };
  const records = openRecords(db, job, { sheet: job.sheet, headerRows, onRead: read.add });
  const fields = await listFields(db);
  // Before the import starts, the choices that it adds are not stored.
  const known = job.state === 'checking' ? withNewChoices(job, fields) : fields;
  return { table: readMappedTable(records, job, known), readBytes: read.total };
}

export type OpenImport = Awaited<ReturnType<typeof openImport>>;

/** An import whose file this process reads: the batches after the last committed row, and the results up to there. */
export async function openImport(db: Db, job: ImportRecord, { table: { columns, rows }, readBytes }: OpenTable) {
  const { id, state, batchId, fileName, successful, failed, created, repeated } = job;
  const refused = await listRefused(db, id);
  const results = createImportResults(columns.header, { successful, failed, created, repeated, refused });
  const startedAt = new Date(job.startedAt ?? job.createdAt);
  const importer = { importerId: job.userId ?? 0, batchId, fileName, startedAt };
  const choices = createChoices(job);
  const batches = readBatches(columns, rows, job.lastRow);
  let notices = await loadNotices(db, batchId);
  let lastRow = job.lastRow;

  return {
    results,
    /** Whether the next batch is the one that follows what is stored. Another administrator may have continued it. */
    isAt: (stored: ImportRecord) => stored.id === id && stored.lastRow === lastRow && stored.userId === job.userId,
    close: () => batches.return(undefined),
    readBatch: async (): Promise<Batch | undefined> => (await batches.next()).value || undefined,

    /** Writes a batch and its progress. `accept` counts it, once that is committed. */
    async write(tx: Db, batch: Batch) {
      const outcome = await writeRows(tx, importer, batch.valid, { columns, choices, notices });
      const refusedRows = [...batch.refused, ...outcome.refused].sort((a, b) => a.row - b.row);
      const written = {
        rows: batch.size,
        lastRow: batch.lastRow,
        successful: batch.valid.length - outcome.refused.length,
        created: outcome.created,
        repeated: outcome.repeated,
      };
      await insertRefusedRows(tx, id, results.selectKept(refusedRows));
      const progress = { ...written, failed: refusedRows.length, readBytes: readBytes() };
      const saved = await addProgress(tx, { id, state, lastRow }, progress);
      if (!saved) throw new Refusal('import_not_ready', 'The import was stopped.');
      const accept = () => {
        notices = outcome.notices;
        lastRow = batch.lastRow;
        results.addBatch({ ...written, refused: refusedRows });
      };
      return { ...saved, accept };
    },
  };
}

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

/** After this many new leads the planner's statistics are outdated, and lists slow, until the next autovacuum. */
const ANALYZE_AFTER_LEADS = 1_000;

export async function analyzeAfter(db: Db, { created }: CommittedCounts, log: Logger) {
  if (created <= ANALYZE_AFTER_LEADS) return;
  await db
    .execute(sql`analyze user_businesses, businesses`)
    .catch((error: unknown) => log.warn({ err: error }, 'ANALYZE after an import failed'));
}
