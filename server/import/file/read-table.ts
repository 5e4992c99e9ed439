import { type Columns, mapColumns, parseHeader } from '#contract/import/csv-row.ts';
import { MAX_COLUMNS } from '#contract/import/import.calls.ts';
import type { FileColumn } from '#contract/import/import-job.ts';
import type { OwnField } from '#contract/leads/own-fields/own-field.ts';
import { csvUnusable } from '#server/kit/csv/decode-text.ts';
import type { CsvRecord } from '#server/kit/csv/read-csv.ts';

/** The rows of a file, and what its columns become. */
export interface Table {
  columns: Columns;
  rows: AsyncIterable<CsvRecord[]>;
}

export interface CsvTable extends Table {
  header: string[];
  headerRow: number;
}

/** Reads the header of the specification's format, and refuses a file without rows below it. */
export async function readTable(records: AsyncGenerator<CsvRecord[]>, fields: OwnField[]): Promise<CsvTable> {
  const first: CsvRecord[] = [];
  while (first.length < 2) {
    const { value, done } = await records.next();
    if (done) break;
    first.push(...value);
  }
  const [header, ...rows] = first;
  if (!header) throw csvUnusable('The file is empty.');
  requireReadable(header);
  const columns = parseHeader(header.cells, fields);
  if (!columns.indexes.has('Business Name')) throw csvUnusable('The file has no column "Business Name".');
  if (!rows.length) throw csvUnusable('The file has no rows below its header.');
  return { header: header.cells, headerRow: header.row, columns, rows: prepend(rows, records) };
}

/** The rows below the chosen header, with the chosen columns. */
export function readMappedTable(
  records: AsyncGenerator<CsvRecord[]>,
  { headerRow, columns }: { headerRow: number; columns: FileColumn[] },
  fields: OwnField[],
): Table {
  return { columns: mapColumns(columns, fields), rows: skipRows(records, headerRow) };
}

export function requireReadable({ row, limitExceeded }: CsvRecord) {
  if (limitExceeded) throw csvUnusable(`Row ${row}: ${limitExceeded}. At most ${MAX_COLUMNS} are read.`);
}

async function* skipRows(records: AsyncGenerator<CsvRecord[]>, until: number) {
  for await (const list of records) {
    const below = list.filter(({ row }) => row > until);
    if (below.length) yield below;
  }
}

async function* prepend(first: CsvRecord[], rest: AsyncGenerator<CsvRecord[]>) {
  yield first;
  yield* rest;
}
