import { sql } from 'drizzle-orm';
import { Refusal } from '#contract/errors.ts';
import { type Columns, type ImportRow, parseRow, quoteCell } from '#contract/import/csv-row.ts';
import { MAX_ROWS } from '#contract/import/import.calls.ts';
import type { ImportChoices, RefusedImportRow } from '#contract/import/import-job.ts';
import { recordBatch } from '#server/change-log/record-changes.ts';
import { completeRow } from '#server/import/complete-row.ts';
import type { CsvRecord } from '#server/kit/csv/read-csv.ts';
import type { Db } from '#server/kit/db/db.ts';
import { publishLeadsOf } from '#server/live/lead-events.ts';
import { insertLeads, lockUsers, toPlaceId, upsertBusinesses } from './import-rows.sql.ts';
import { type ImportNotices, notifyAssignees } from './notify-assignees.ts';

/** One transaction each. */
const BATCH_ROWS = 500;

/** Whose import it is, and its batch in the change log, which all of its transactions add to. */
export interface Importer {
  importerId: number;
  batchId: string;
  fileName: string;
  startedAt: Date;
}

/** What the administrator chose for rows that are unclear. */
export interface RowChoices {
  /** By the lower case of a name that is no active user. */
  replacements: ReadonlyMap<string, number>;
  /** Rows that do not simply become a new lead, by row. */
  findDecided: (tx: Db, rows: (PlacedRow & { userId: number })[]) => Promise<ReadonlyMap<number, RowOutcome>>;
  /** The users who get rows that name none, by row; the importer gets the others. */
  findAssignees: (tx: Db, rows: PlacedRow[]) => Promise<ReadonlyMap<number, number>>;
}

export interface RowOutcome {
  /** The place of an existing business that gets the lead, instead of the row's own. */
  placeId: string | undefined;
  /** Whether the row adds no lead. */
  leftOut: boolean;
  /** Whether it is counted as a repetition of a row before. */
  repeated: boolean;
}

export interface PlacedRow {
  /** As a spreadsheet counts. */
  row: number;
  placeId: string;
  values: ImportRow;
}

interface ParsedRow {
  record: CsvRecord;
  values: ImportRow;
}

export interface Batch {
  valid: ParsedRow[];
  refused: RefusedImportRow[];
  size: number;
  lastRow: number;
}

/** The rows after `resumeAfter`, parsed, in batches of one transaction each. */
export async function* readBatches(
  columns: Columns,
  rows: AsyncIterable<CsvRecord[]>,
  resumeAfter = 0,
): AsyncGenerator<Batch> {
  let rowCount = 0;
  let batch: Batch = { valid: [], refused: [], size: 0, lastRow: 0 };
  for await (const records of rows) {
    for (const record of records) {
      rowCount += 1;
      if (rowCount > MAX_ROWS) {
        throw new Refusal('too_large', `The file has more than ${MAX_ROWS.toLocaleString('en-US')} rows`);
      }
      if (record.row <= resumeAfter) continue;
      const { row, cells, limitExceeded } = record;
      const parsed = limitExceeded ? { reason: limitExceeded, wrong: [] } : parseRow(columns, cells);
      if ('reason' in parsed) batch.refused.push({ row, cells, ...parsed });
      else batch.valid.push({ record, values: completeRow(parsed.row) });
      batch.size += 1;
      batch.lastRow = row;
      if (batch.size < BATCH_ROWS) continue;
      yield batch;
      batch = { valid: [], refused: [], size: 0, lastRow: 0 };
    }
  }
  if (batch.size) yield batch;
}

interface RowsOutcome {
  /** The number of new leads. */
  created: number;
  repeated: number;
  refused: RefusedImportRow[];
  notices: ImportNotices;
}

interface RowsContext {
  columns: Columns;
  choices: RowChoices;
  notices: ImportNotices;
}

/** Writes businesses, leads, history, changes and notifications, in the caller's transaction. */
export async function writeRows(
  tx: Db,
  importer: Importer,
  rows: ParsedRow[],
  { columns, choices, notices }: RowsContext,
): Promise<RowsOutcome> {
  const { importerId, batchId, fileName, startedAt } = importer;
  await tx.execute(sql`set local statement_timeout = '60s'`);
  const usernames = [...new Set(rows.map(({ values }) => values.username.toLowerCase()).filter(Boolean))];
  const placed = rows.map(({ record, values }) => ({ row: record.row, values, placeId: toPlaceId(values) }));
  const assignees = await choices.findAssignees(
    tx,
    placed.filter(({ values }) => !values.username),
  );
  const chosenIds = new Set([importerId, ...choices.replacements.values(), ...assignees.values()]);
  const users = await lockUsers(tx, usernames, [...chosenIds]);
  const current = users.find(({ id }) => id === importerId);
  if (current?.role !== 'admin') throw new Refusal('forbidden', 'You are no longer allowed to do this');

  const findUser = createUserLookup(users, importerId, choices.replacements);
  const active = new Set(users.map(({ id }) => id));
  const refused: RefusedImportRow[] = [];
  const accepted: (PlacedRow & { userId: number })[] = [];
  for (const [nth, each] of placed.entries()) {
    const { record } = rows[nth] as ParsedRow; // one for each
    const assignee = assignees.get(each.row);
    const userId = assignee === undefined ? findUser(each.values.username) : assignee;
    if (userId === undefined) refused.push(refuseUser(columns, record, each.values));
    else if (!active.has(userId)) refused.push({ ...record, reason: ASSIGNEE_INACTIVE, wrong: [] });
    else accepted.push({ ...each, userId });
  }
  if (!accepted.length) return { created: 0, repeated: 0, refused, notices };

  const decided = await choices.findDecided(tx, accepted);
  const repeated = accepted.filter(({ row }) => decided.get(row)?.repeated).length;
  const kept = accepted.filter(({ row }) => !decided.get(row)?.leftOut);
  if (!kept.length) return { created: 0, repeated, refused, notices };
  const change = { id: batchId, kind: 'import', source: 'import', userId: importerId, now: startedAt } as const;
  const leadCounts = await recordBatch(tx, change, async (log) => {
    const own = kept.filter(({ row }) => !decided.get(row)?.placeId).map(({ values }) => values);
    if (own.length) await upsertBusinesses(tx, own, log);
    const newLeads = kept.map(({ row, values, userId, placeId }) => ({
      row: values,
      userId,
      placeId: decided.get(row)?.placeId ?? placeId,
    }));
    return insertLeads(tx, newLeads, { importerId, fileName, log });
  });
  const created = [...leadCounts.values()].reduce((sum, leads) => sum + leads, 0);
  if (created) await publishLeadsOf(tx, [...leadCounts.keys()]);
  return { created, repeated, refused, notices: await notifyAssignees(tx, notices, leadCounts, importer) };
}

const ASSIGNEE_INACTIVE = 'The user who was to get this row is inactive by now. Name another one.';

/** By the lower case of the name. */
export const toReplacements = ({ replacements }: Pick<ImportChoices, 'replacements'>) =>
  new Map(replacements.map(({ username, userId }) => [username.toLowerCase(), userId]));

/** A row without a name is the importer's. */
export function createUserLookup(
  users: { id: number; username: string }[],
  importerId: number,
  replacements: RowChoices['replacements'] = new Map(),
) {
  const idByUsername = new Map(users.map((user) => [user.username.toLowerCase(), user.id]));
  const active = new Set(users.map(({ id }) => id));
  return (username: string): number | undefined => {
    if (!username) return importerId;
    const name = username.toLowerCase();
    const replacement = replacements.get(name);
    return idByUsername.get(name) ?? (replacement !== undefined && active.has(replacement) ? replacement : undefined);
  };
}

export const refuseUser = ({ indexes }: Columns, { row, cells }: CsvRecord, { username }: ImportRow) => ({
  row,
  cells,
  reason: `User ${quoteCell(username)} does not exist or is inactive`,
  wrong: [...(indexes.get('User') ?? [])],
});
