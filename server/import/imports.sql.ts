import { and, desc, eq, getTableColumns, inArray, ne, sql } from 'drizzle-orm';
import { Refusal } from '#contract/errors.ts';
import {
  type ImportJob,
  type ImportState,
  importChoices,
  NO_CHOICES,
  type RefusedImportRow,
} from '#contract/import/import-job.ts';
import { deleteStoredFile } from '#server/import/file/stored-file.ts';
import type { Db } from '#server/kit/db/db.ts';
import { importChunks, importRefusedRows, imports } from '#server/schema/imports.ts';
import { users } from '#server/schema/users.ts';
import { recordEvents } from '#server/webhook-events/record-events.sql.ts';

/** Not in lists: these may have hundreds of kilobytes. */
const { columns: _columns, preview: _preview, choices: _choices, ...listedColumns } = getTableColumns(imports);

const otherColumns = {
  importedBy: users.fullName,
  hasFile: sql<boolean>`exists (select from import_chunks c where c.import_id = ${imports.id})`,
  hasBatch: sql<boolean>`exists (select from change_batches b where b.id = ${imports.batchId})`,
  /** How many rows the check found; null where there was none. */
  checkedRows: sql<number | null>`(${imports.preview} ->> 'rows')::int`,
  correctable: sql<number>`(select count(*)::int from import_refused_rows r where r.import_id = ${imports.id})`,
};

/** The states in which a job works on the import. */
export const ACTIVE_STATES: ImportState[] = ['checking', 'running'];

export type StoredImport = NonNullable<Awaited<ReturnType<typeof findImport>>>;
export type ListedImport = Awaited<ReturnType<typeof listLatestImports>>[number];

/** An upload that has not arrived yet is not an import that can be found. */
const hasArrived = ne(imports.state, 'uploading');

export async function findImport(db: Db, id: string) {
  const [found] = await db
    .select({ job: imports, ...otherColumns })
    .from(imports)
    .leftJoin(users, eq(users.id, imports.userId))
    .where(and(eq(imports.id, id), hasArrived));
  return found;
}

export const listLatestImports = (db: Db, limit: number) =>
  db
    .select({ job: listedColumns, ...otherColumns })
    .from(imports)
    .leftJoin(users, eq(users.id, imports.userId))
    .where(hasArrived)
    .orderBy(desc(imports.createdAt), imports.id)
    .limit(limit);

/** One that a job works on. */
export async function findActive(tx: Db, id: string) {
  const [job] = await tx
    .select()
    .from(imports)
    .where(and(eq(imports.id, id), inArray(imports.state, ACTIVE_STATES)));
  return job;
}

/**
 * Locks the import, so that of two requests at once the second sees what the first did. Not against the rows that refer to
 * it: a check inserts these in one long transaction.
 */
export async function lockImportRow(tx: Db, id: string) {
  const [job] = await tx
    .select()
    .from(imports)
    .where(and(eq(imports.id, id), hasArrived))
    .for('no key update');
  return job;
}

export type ImportRecord = typeof imports.$inferSelect;

/** False where an import has this id already. */
export async function insertImport(db: Db, values: typeof imports.$inferInsert): Promise<boolean> {
  const inserted = await db.insert(imports).values(values).onConflictDoNothing().returning({ id: imports.id });
  return inserted.length > 0;
}

export async function updateImport(db: Db, id: string, values: Partial<typeof imports.$inferInsert>) {
  await db
    .update(imports)
    .set({ ...values, updatedAt: sql`now()` })
    .where(eq(imports.id, id));
}

/** Begins to check or to import; `startImportJob` has reserved it. */
export async function startRun(
  db: Db,
  id: string,
  values: Partial<typeof imports.$inferInsert> & { state: ImportState },
): Promise<ImportRecord> {
  const [job] = await db
    .update(imports)
    .set({
      ...values,
      ...(values.state === 'running' && { startedAt: sql`coalesce(${imports.startedAt}, now())` }),
      ...{ finishedAt: null, message: null, cancelRequested: false, readBytes: 0, updatedAt: sql`now()` },
    })
    .where(eq(imports.id, id))
    .returning();
  if (!job) throw new Refusal('not_found', 'This import no longer exists');
  return job;
}

export async function endCheck(db: Db, id: string, values: Pick<typeof imports.$inferInsert, 'state' | 'preview'>) {
  await db
    .update(imports)
    .set({ ...values, cancelRequested: false, updatedAt: sql`now()` })
    .where(eq(imports.id, id));
}

interface ImportEnd {
  state: 'done' | 'cancelled' | 'stopped';
  message: string;
}

/** The file is kept only as long as the import can be continued. */
export async function endImport(tx: Db, id: string, { state, message }: ImportEnd) {
  const [ended] = await tx
    .update(imports)
    .set({ state, message, finishedAt: sql`now()`, updatedAt: sql`now()`, cancelRequested: false })
    .where(eq(imports.id, id))
    .returning({ complete: imports.complete, created: imports.created, failed: imports.failed });
  const data = { import: { id, state, created: ended?.created ?? 0, failed: ended?.failed ?? 0 } };
  await recordEvents(tx, [{ type: 'import.finished', data }]);
  if (state === 'done' || !ended?.complete) await deleteStoredFile(tx, id);
}

/** After undoing: an import that was taken back is neither continued nor corrected. */
export async function discardRest(tx: Db, batchId: string) {
  const undone = tx.select({ id: imports.id }).from(imports).where(eq(imports.batchId, batchId));
  await tx.delete(importChunks).where(inArray(importChunks.importId, undone));
  await tx.delete(importRefusedRows).where(inArray(importRefusedRows.importId, undone));
}

/** Whether a job is adding to this batch. */
export const isImporting = async (db: Db, batchId: string) =>
  (await db.$count(imports, and(eq(imports.batchId, batchId), inArray(imports.state, ACTIVE_STATES)))) > 0;

/** Whether all of the file is stored. A backup does not contain it. */
export const hasFile = async (db: Db, { id, complete }: Pick<ImportRecord, 'id' | 'complete'>) =>
  complete && (await db.$count(importChunks, and(eq(importChunks.importId, id), eq(importChunks.start, 0)))) > 0;

export async function isActiveAdmin(db: Db, userId: number | null): Promise<boolean> {
  if (userId === null) return false;
  const isAdmin = and(eq(users.id, userId), eq(users.active, true), eq(users.role, 'admin'));
  return (await db.$count(users, isAdmin)) > 0;
}

/** Deletes an upload that was not started: its file was refused, or another import is running. */
export async function deleteUpload(db: Db, id: string) {
  await db.delete(imports).where(and(eq(imports.id, id), eq(imports.state, 'uploading')));
}

export async function deleteImport(db: Db, id: string) {
  await db.delete(imports).where(eq(imports.id, id));
}

export interface BatchProgress {
  lastRow: number;
  readBytes: number;
  rows: number;
  successful: number;
  failed: number;
  created: number;
  repeated: number;
}

/**
 * Adds a batch to the progress, in the transaction of the batch. Undefined if that does not follow the last row that is
 * stored: another process went on after this one had lost its job, or the import has ended.
 */
export async function addProgress(
  tx: Db,
  { id, state, lastRow: before }: Pick<ImportRecord, 'id' | 'state' | 'lastRow'>,
  { lastRow, readBytes, rows, successful, failed, created, repeated }: BatchProgress,
): Promise<{ cancelRequested: boolean } | undefined> {
  const [saved] = await tx
    .update(imports)
    .set({
      lastRow,
      readBytes,
      readRows: sql`${imports.readRows} + ${rows}`,
      successful: sql`${imports.successful} + ${successful}`,
      failed: sql`${imports.failed} + ${failed}`,
      created: sql`${imports.created} + ${created}`,
      repeated: sql`${imports.repeated} + ${repeated}`,
      updatedAt: sql`now()`,
    })
    .where(and(eq(imports.id, id), eq(imports.state, state), eq(imports.lastRow, before)))
    .returning({ cancelRequested: imports.cancelRequested });
  return saved;
}

export async function insertRefusedRows(tx: Db, importId: string, rows: RefusedImportRow[]) {
  if (!rows.length) return;
  await tx.insert(importRefusedRows).values(
    rows.map(({ row, reason, cells, wrong }) => ({
      importId,
      row,
      reason: toStorable(reason),
      cells: cells.map(toStorable),
      wrong,
    })),
  );
}

export async function listRefused(db: Db, importId: string, rows?: number[]): Promise<RefusedImportRow[]> {
  const { row, reason, cells, wrong } = importRefusedRows;
  return db
    .select({ row, reason, cells, wrong })
    .from(importRefusedRows)
    .where(and(eq(importRefusedRows.importId, importId), rows && inArray(row, rows)))
    .orderBy(row);
}

/** PostgreSQL stores neither NUL nor half of a surrogate pair. */
export const toStorable = (text: string) => text.replace(/\0|\p{Surrogate}/gu, '\uFFFD');

/** Without a path, which some clients send. */
export const toFileName = (name: string) => toStorable(name.split(/[\\/]/).at(-1) ?? '').slice(-255);

/** As the API shows it. */
export function toImportJob(stored: StoredImport): ImportJob {
  const { columns, preview, choices } = stored.job;
  return {
    ...toListedImport(stored),
    columns,
    // One that an older version computed has no new choices.
    preview: preview && { ...preview, newChoices: preview.newChoices ?? [] },
    choices: importChoices.safeParse(choices).data ?? NO_CHOICES,
  };
}

export function toListedImport({ job, importedBy, hasFile, hasBatch, checkedRows, correctable }: ListedImport) {
  const { successful, failed, created, repeated } = job;
  return {
    id: job.id,
    fileName: job.fileName,
    state: job.state,
    importedBy,
    createdAt: job.createdAt,
    finishedAt: job.finishedAt,
    sheets: job.sheets,
    sheet: job.sheet,
    headerRow: job.headerRow,
    remembered: job.remembered,
    progress: { share: toShare(job, checkedRows), rows: job.readRows },
    counts: {
      ...{ total: successful + failed, successful, failed, created, repeated },
      alreadyThere: successful - created - repeated,
    },
    message: job.message,
    canContinue: (job.state === 'stopped' || job.state === 'cancelled') && job.complete && hasFile,
    batchId: hasBatch ? job.batchId : null,
    correctable,
  };
}

type Progress = Pick<ImportRecord, 'state' | 'readBytes' | 'readRows' | 'size'>;

function toShare({ state, readBytes, readRows, size }: Progress, checkedRows: number | null): number {
  if (state === 'mapping') return 0;
  if (state === 'checked' || state === 'done') return 1;
  // More of the file is read than imported.
  if (state !== 'checking' && checkedRows) return Math.min(1, readRows / checkedRows);
  return size ? Math.min(1, readBytes / size) : 0;
}
