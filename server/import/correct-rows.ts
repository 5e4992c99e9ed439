import { and, eq, inArray } from 'drizzle-orm';
import { Refusal } from '#contract/errors.ts';
import { mapColumns, parseRow } from '#contract/import/csv-row.ts';
import type { ImportChoices, RefusedImportRow } from '#contract/import/import-job.ts';
import type { TimeRange } from '#contract/progress/calendar.ts';
import { refreshKeys } from '#server/duplicates/refresh-keys.sql.ts';
import { findHolders, findStoredPlaces } from '#server/import/check/check-import.sql.ts';
import { createDecider } from '#server/import/check/decide-rows.ts';
import { createFileIndex } from '#server/import/check/file-look-alikes.ts';
import { findLookAlikes } from '#server/import/check/find-look-alikes.ts';
import { formatSummary } from '#server/import/run/import-results.ts';
import { findPlaceIds } from '#server/import/run/import-rows.sql.ts';
import { type PlacedRow, type RowChoices, type RowOutcome, writeRows } from '#server/import/run/import-rows.ts';
import { loadNotices } from '#server/import/run/notify-assignees.ts';
import { createChoices } from '#server/import/run/open-import.ts';
import type { Db } from '#server/kit/db/db.ts';
import { listFields } from '#server/own-fields/own-fields.sql.ts';
import { importRefusedRows } from '#server/schema/imports.ts';
import { completeRow } from './complete-row.ts';
import { type ImportRecord, insertRefusedRows, listRefused, updateImport } from './imports.sql.ts';
import { createRowSharing } from './share-rows.ts';

interface Correction {
  row: number;
  cells: string[];
}

/** Imports corrected rows in the caller's transaction, into the batch of their import. */
export async function correctRows(
  tx: Db,
  job: ImportRecord,
  corrections: Correction[],
  { importerId, month }: { importerId: number; month: TimeRange },
) {
  const columns = mapColumns(job.columns, await listFields(tx));
  const byRow = new Map(corrections.map((correction) => [correction.row, correction]));
  // A row that another request has corrected meanwhile is no longer there.
  const waiting = await listRefused(tx, job.id, [...byRow.keys()]);
  const refused: RefusedImportRow[] = [];
  const valid: Parameters<typeof writeRows>[2] = [];
  for (const { row } of waiting) {
    const record = byRow.get(row) as Correction; // only these rows were selected
    const parsed = parseRow(columns, record.cells);
    if ('reason' in parsed) refused.push({ ...record, ...parsed });
    else valid.push({ record, values: completeRow(parsed.row) });
  }

  const { batchId, fileName } = job;
  const importer = { importerId, batchId, fileName, startedAt: new Date(job.startedAt ?? job.createdAt) };
  const notices = await loadNotices(tx, job.batchId);
  const outcome = await writeRows(tx, importer, valid, { columns, choices: choose(job, month), notices });
  refused.push(...outcome.refused);
  const imported = valid.length - outcome.refused.length;

  const rows = waiting.map(({ row }) => row);
  if (rows.length) {
    await tx
      .delete(importRefusedRows)
      .where(and(eq(importRefusedRows.importId, job.id), inArray(importRefusedRows.row, rows)));
  }
  // With what was typed, so that it is not lost.
  await insertRefusedRows(tx, job.id, refused);
  const counts = {
    successful: job.successful + imported,
    failed: job.failed - imported,
    created: job.created + outcome.created,
    repeated: job.repeated + outcome.repeated,
  };
  const message = job.state === 'done' ? formatSummary(counts, { checked: job.choices !== null }) : job.message;
  await updateImport(tx, job.id, { ...counts, message });
  return { imported, refused: refused.sort((a, b) => a.row - b.row) };
}

/** As in the import, but the dry run has found neither look-alikes nor users of rows that were wrong. */
function choose(job: ImportRecord, month: TimeRange): RowChoices {
  const choice = job.choices?.withoutUser;
  return {
    ...createChoices(job),
    findAssignees: async (tx, rows) => {
      if (!choice || !rows.length) return new Map();
      const stored = await findStoredPlaces(tx, [...new Set(rows.map(({ placeId }) => placeId))]);
      const sharing = await createRowSharing(tx, choice, month).catch(ignoreInactive);
      // Then the rows are the administrator's, as without a choice.
      if (!sharing) return new Map();
      return sharing.assign(rows.map((row) => ({ ...row, businessId: stored.get(row.placeId) })));
    },
    findDecided: async (tx, rows) => (job.choices ? decideCorrected(tx, job.choices, rows) : new Map()),
  };
}

/** By what the administrator chose for all of a kind. A phone number alone is not asked about: those are new. */
async function decideCorrected(tx: Db, choices: ImportChoices, rows: (PlacedRow & { userId: number })[]) {
  const decide = createDecider({ decisions: { phone: 'new', ...choices.decisions }, exceptions: [] });
  const stored = await findStoredPlaces(tx, [...new Set(rows.map(({ placeId }) => placeId))]);
  const unknown = rows.filter(({ placeId }) => !stored.has(placeId));
  if (unknown.length) await refreshKeys(tx); // one step: the dry run and a background job do most of it
  const matches = await findLookAlikes(
    tx,
    unknown.map(({ values }) => values),
  );
  const byRow = new Map(unknown.map(({ row }, nth) => [row, matches[nth]]));
  const businessIds = rows.flatMap(({ row, placeId }) => stored.get(placeId) ?? byRow.get(row)?.businessId ?? []);
  const holders = await findHolders(tx, businessIds);
  const placeIds = await findPlaceIds(tx, businessIds);
  const outcomes = new Map<number, RowOutcome>();
  const index = createFileIndex();
  for (const each of rows) {
    const storedId = stored.get(each.placeId);
    const match = byRow.get(each.row);
    const fileMatch = storedId === undefined ? index.add(each) : undefined;
    const onBusiness = holders.get(storedId ?? match?.businessId ?? 0) ?? [];
    const { lookAlike, businessId, leftOut } = decide({ ...each, storedId, match, fileMatch, holders: onBusiness });
    const placeId = storedId === undefined && businessId !== undefined ? placeIds.get(businessId) : undefined;
    const repeated = leftOut && lookAlike?.kind === 'file';
    if (leftOut || placeId) outcomes.set(each.row, { placeId, leftOut, repeated });
  }
  return outcomes;
}

/** A user of the choice left after the import: undefined. */
function ignoreInactive(error: unknown): undefined {
  if (!(error instanceof Refusal) || error.code !== 'invalid_target') throw error;
}
