import { Refusal } from '#contract/errors.ts';
import { type Columns, type ImportRow, parseHeader, parseRow } from '#contract/import/csv-row.ts';
import { MAX_COLUMNS, MAX_ROWS, type RefusedRow } from '#contract/import/import.calls.ts';
import type { Db } from '#server/kit/db/db.ts';
import type { CsvRecord } from './csv-parser.ts';
import { csvUnusable } from './csv-unusable.ts';
import type { Tally } from './tally.ts';
import type { Told } from './tell-holders.ts';
import { writeBatch } from './write-batch.ts';

/** One transaction each. */
const BATCH_ROWS = 500;

export interface Table {
  header: string[];
  columns: Columns;
  rows: AsyncIterable<CsvRecord[]>;
}

/** The header, once it is certain that there are rows below it. */
export async function openTable(records: AsyncGenerator<CsvRecord[]>): Promise<Table> {
  const ahead: CsvRecord[] = [];
  while (ahead.length < 2) {
    const { value, done } = await records.next();
    if (done) break;
    ahead.push(...value);
  }
  const [header, ...first] = ahead;
  if (!header) throw csvUnusable('The file is empty.');
  if (header.tooMuch) throw csvUnusable(`Row ${header.row}: ${header.tooMuch}. At most ${MAX_COLUMNS} are read.`);
  const columns = parseHeader(header.cells);
  if (!columns.has('Business Name')) throw csvUnusable('The file has no column "Business Name".');
  if (!first.length) throw csvUnusable('The file has no rows below its header.');
  return { header: header.cells, columns, rows: startingWith(first, records) };
}

async function* startingWith(first: CsvRecord[], rest: AsyncGenerator<CsvRecord[]>) {
  yield first;
  yield* rest;
}

interface Importing {
  db: Db;
  importerId: number;
  tally: Tally;
  /** Looked at between batches; its reason is thrown. */
  stop: AbortSignal;
}

/** Imports row by row of the file and batch by batch of the database. What is counted is committed. */
export async function importRows({ columns, rows }: Table, { db, importerId, tally, stop }: Importing) {
  let told: Told = new Map();
  let read = 0;
  let good: { record: CsvRecord; row: ImportRow }[] = [];
  let bad: RefusedRow[] = [];

  const flush = async () => {
    const outcome = await writeBatch(
      db,
      importerId,
      good.map(({ row }) => row),
      told,
    );
    told = outcome.told;
    for (const [nth, reason] of outcome.refused) {
      const record = good[nth]?.record;
      if (record) bad.push({ row: record.row, reason, cells: record.cells });
    }
    tally.add(good.length - outcome.refused.size, outcome.created, bad);
    good = [];
    bad = [];
    stop.throwIfAborted();
  };

  for await (const records of rows) {
    for (const record of records) {
      read += 1;
      if (read > MAX_ROWS) {
        throw new Refusal('too_large', `The file has more than ${MAX_ROWS.toLocaleString('en-US')} rows`);
      }
      const { row, cells, tooMuch } = record;
      const given = tooMuch ? { reason: tooMuch } : parseRow(columns, cells);
      if ('reason' in given) bad.push({ row, reason: given.reason, cells });
      else good.push({ record, row: given.row });
      if (good.length + bad.length === BATCH_ROWS) await flush();
    }
  }
  if (good.length + bad.length) await flush();
}
