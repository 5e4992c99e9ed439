import { sql } from 'drizzle-orm';
import { Refusal } from '#contract/errors.ts';
import { type Columns, type ImportRow, parseHeader, parseRow, quoteCell } from '#contract/import/csv-row.ts';
import { MAX_COLUMNS, MAX_ROWS, type RefusedRow } from '#contract/import/import.calls.ts';
import { recordBatch } from '#server/change-log/record-changes.ts';
import type { Db } from '#server/kit/db/db.ts';
import { publishLeadsOf } from '#server/live/lead-events.ts';
import { csvUnusable } from './decode-text.ts';
import { insertLeads, lockUsers, type NewLeadRow, upsertBusinesses } from './import.sql.ts';
import type { ImportResults } from './import-results.ts';
import { type ImportNotices, notifyAssignees } from './notify-assignees.ts';
import type { CsvRecord } from './read-csv.ts';

/** One transaction each. */
const BATCH_ROWS = 500;

export interface CsvTable {
  header: string[];
  columns: Columns;
  rows: AsyncIterable<CsvRecord[]>;
}

/** Reads the header, and refuses a file without rows below it. */
export async function readTable(records: AsyncGenerator<CsvRecord[]>): Promise<CsvTable> {
  const first: CsvRecord[] = [];
  while (first.length < 2) {
    const { value, done } = await records.next();
    if (done) break;
    first.push(...value);
  }
  const [header, ...rows] = first;
  if (!header) throw csvUnusable('The file is empty.');
  if (header.limitExceeded) {
    throw csvUnusable(`Row ${header.row}: ${header.limitExceeded}. At most ${MAX_COLUMNS} are read.`);
  }
  const columns = parseHeader(header.cells);
  if (!columns.has('Business Name')) throw csvUnusable('The file has no column "Business Name".');
  if (!rows.length) throw csvUnusable('The file has no rows below its header.');
  return { header: header.cells, columns, rows: prepend(rows, records) };
}

async function* prepend(first: CsvRecord[], rest: AsyncGenerator<CsvRecord[]>) {
  yield first;
  yield* rest;
}

/** Whose import it is, and its batch in the change log, which all of its transactions add to. */
export interface Importer {
  importerId: number;
  batchId: string;
  startedAt: Date;
}

interface Options extends Importer {
  db: Db;
  results: ImportResults;
  /** Checked between batches; its reason is thrown. */
  signal: AbortSignal;
}

/** Validates the rows and writes them batch by batch. The results count committed rows only. */
export async function importRows({ columns, rows }: CsvTable, { db, results, signal, ...importer }: Options) {
  let notices: ImportNotices = new Map();
  let rowCount = 0;
  let valid: { record: CsvRecord; row: ImportRow }[] = [];
  let refused: RefusedRow[] = [];

  const flush = async () => {
    const batch = valid.map(({ row }) => row);
    const outcome = await writeBatch(db, importer, batch, notices);
    notices = outcome.notices;
    for (const [index, reason] of outcome.refused) {
      const record = valid[index]?.record;
      if (record) refused.push({ row: record.row, reason, cells: record.cells });
    }
    results.addBatch(valid.length - outcome.refused.size, outcome.created, refused);
    valid = [];
    refused = [];
    signal.throwIfAborted();
  };

  for await (const records of rows) {
    for (const record of records) {
      rowCount += 1;
      if (rowCount > MAX_ROWS) {
        throw new Refusal('too_large', `The file has more than ${MAX_ROWS.toLocaleString('en-US')} rows`);
      }
      const { row, cells, limitExceeded } = record;
      const parsed = limitExceeded ? { reason: limitExceeded } : parseRow(columns, cells);
      if ('reason' in parsed) refused.push({ row, reason: parsed.reason, cells });
      else valid.push({ record, row: parsed.row });
      if (valid.length + refused.length === BATCH_ROWS) await flush();
    }
  }
  if (valid.length + refused.length) await flush();
}

interface BatchOutcome {
  /** The number of new leads. */
  created: number;
  /** Reasons of refused rows, by their index in the batch. */
  refused: Map<number, string>;
  notices: ImportNotices;
}

/** Writes businesses, leads, history, changes and notifications in one transaction. */
function writeBatch(db: Db, importer: Importer, rows: ImportRow[], notices: ImportNotices): Promise<BatchOutcome> {
  const { importerId, batchId, startedAt } = importer;
  return db.transaction(async (tx) => {
    await tx.execute(sql`set local statement_timeout = '60s'`);
    const usernames = [...new Set(rows.map(({ username }) => username.toLowerCase()).filter(Boolean))];
    const users = await lockUsers(tx, usernames, importerId);
    const current = users.find(({ id }) => id === importerId);
    if (current?.role !== 'admin') throw new Refusal('forbidden', 'You are no longer allowed to do this');

    const idByUsername = new Map(users.map((user) => [user.username.toLowerCase(), user.id]));
    const refused = new Map<number, string>();
    const accepted: NewLeadRow[] = [];
    for (const [index, row] of rows.entries()) {
      const userId = row.username ? idByUsername.get(row.username.toLowerCase()) : importerId;
      if (userId === undefined) refused.set(index, `User ${quoteCell(row.username)} does not exist or is inactive`);
      else accepted.push({ row, userId });
    }
    if (!accepted.length) return { created: 0, refused, notices };

    const change = { id: batchId, kind: 'import', source: 'import', userId: importerId, now: startedAt } as const;
    const leadCounts = await recordBatch(tx, change, async (log) => {
      await upsertBusinesses(
        tx,
        accepted.map(({ row }) => row),
        log,
      );
      return insertLeads(tx, accepted, { importerId, log });
    });
    const created = [...leadCounts.values()].reduce((sum, leads) => sum + leads, 0);
    if (created) await publishLeadsOf(tx, [...leadCounts.keys()]);
    return { created, refused, notices: await notifyAssignees(tx, notices, leadCounts, importer) };
  });
}
