import { createHash } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { Refusal } from '#contract/errors.ts';
import { MAX_COLUMNS } from '#contract/import/import.calls.ts';
import type { FileColumn } from '#contract/import/import-job.ts';
import { type ImportTarget, isBuiltIn, listOwnTargets } from '#contract/import/import-target.ts';
import { suggestTargets } from '#contract/import/suggest-mapping.ts';
import type { OwnField } from '#contract/leads/own-fields/own-field.ts';
import { toStorable } from '#server/import/imports.sql.ts';
import { csvUnusable } from '#server/kit/csv/decode-text.ts';
import type { CsvRecord } from '#server/kit/csv/read-csv.ts';
import type { Db } from '#server/kit/db/db.ts';
import { listFields } from '#server/own-fields/own-fields.sql.ts';
import { importMappings } from '#server/schema/imports.ts';
import { isWorkbook, openRecords, readSheets, type StoredFile } from './open-records.ts';
import { requireReadable } from './read-table.ts';

/** The rows among which the headings are looked for. */
const HEADER_ROWS = 10;
/** The rows from which the content of a column is guessed. */
const SAMPLE_ROWS = 200;
const SAMPLES = 3;
/** Each is read for its headings, with all texts of the workbook. */
const MAX_SHEETS = 5;
const MAX_SAMPLE_LENGTH = 100;
const MAX_HEADING_LENGTH = 200;

export interface FileLayout {
  sheets: string[];
  sheet: string | null;
  headerRow: number;
  columns: FileColumn[];
  remembered: boolean;
}

/** Finds the headings of a new file. Of a workbook: in the first sheet that has rows below a header. */
export async function inspectFile(db: Db, file: StoredFile): Promise<FileLayout> {
  if (!isWorkbook(file)) return { sheets: [], ...(await inspectTable(db, file, null)) };
  const sheets = await readSheets(db, file);
  for (const sheet of sheets.slice(0, MAX_SHEETS)) {
    const table = await inspectTable(db, file, sheet).catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
      return undefined;
    });
    if (table) return { sheets, ...table };
  }
  throw csvUnusable('The workbook has no rows below a header.');
}

/** The headings in another place of the file. */
export async function inspectPlace(
  db: Db,
  file: StoredFile & { sheets: string[]; sheet: string | null },
  { sheet, headerRow }: { sheet: string | null; headerRow: number },
): Promise<Table> {
  if (sheet !== null ? !file.sheets.includes(sheet) : file.sheets.length) {
    throw new Refusal('validation_failed', 'Please choose one of the sheets of the workbook');
  }
  // A client that has not seen the other sheet yet cannot know the row of its headings.
  if (sheet !== file.sheet && headerRow === 1) return inspectTable(db, file, sheet);
  return inspectTable(db, file, sheet, headerRow);
}

type Table = Omit<FileLayout, 'sheets'>;

/** Finds the headings, samples of the columns, and what these most likely become. */
async function inspectTable(db: Db, file: StoredFile, sheet: string | null, chosenRow?: number): Promise<Table> {
  const headerRows = { from: chosenRow ?? 1, to: chosenRow ?? HEADER_ROWS };
  const records = await readFirst(openRecords(db, file, { sheet, headerRows }), SAMPLE_ROWS);
  if (!records.length) throw csvUnusable(sheet === null ? 'The file is empty.' : 'The sheet is empty.');
  const fields = await listFields(db);
  const headerRow = chosenRow ?? detectHeaderRow(records, fields);
  const header = records.find(({ row }) => row === headerRow);
  if (!header)
    throw new Refusal('validation_failed', `Row ${headerRow} is empty. Please choose the row of the headings`);
  requireReadable(header);
  const below = records.filter(({ row }) => row > headerRow);
  if (!below.length) throw csvUnusable('The file has no rows below its header.');
  return { sheet, headerRow, ...(await describeColumns(db, fields, { header, below })) };
}

async function readFirst(records: AsyncGenerator<CsvRecord[]>, count: number): Promise<CsvRecord[]> {
  const first: CsvRecord[] = [];
  for await (const list of records) {
    first.push(...list);
    if (first.length >= count) break;
  }
  return first;
}

/** The first row, or, if that looks like a title, the one below it whose headings are known best. */
function detectHeaderRow(records: CsvRecord[], fields: OwnField[]): number {
  const [first, ...others] = records.filter(({ row }, nth) => nth === 0 || row <= HEADER_ROWS);
  if (!first) return 1;
  const countKnown = ({ cells }: CsvRecord) =>
    suggestTargets(
      cells.map((heading) => ({ heading, values: [] })),
      fields,
    ).filter((target) => target !== 'Ignore' && target !== 'Note').length;
  const known = countKnown(first);
  const filled = first.cells.filter((cell) => cell.trim()).length;
  if (filled > 1 && known > 0) return first.row;
  const best = others
    .map((record) => ({ row: record.row, known: countKnown(record) }))
    .reduce((a, b) => (b.known > a.known ? b : a), { row: first.row, known });
  return best.row;
}

async function describeColumns(
  db: Db,
  fields: OwnField[],
  { header, below }: { header: CsvRecord; below: CsvRecord[] },
) {
  const valuesOf = (index: number) => below.map(({ cells }) => cells[index]?.trim() ?? '').filter(Boolean);
  const width = Math.min(MAX_COLUMNS, Math.max(header.cells.length, ...below.map(({ cells }) => cells.length)));
  const columns = Array.from({ length: width }, (_, index) => ({
    heading: toStorable((header.cells[index] ?? '').replace(/\s+/g, ' ').trim()).slice(0, MAX_HEADING_LENGTH),
    values: valuesOf(index),
  }));
  while (columns.length > 1 && !columns.at(-1)?.heading && !columns.at(-1)?.values.length) columns.pop();

  const remembered = await findMapping(db, columns);
  const own = listOwnTargets(fields);
  // A field may be gone by now.
  const targets =
    remembered?.map((target) => (own.has(target) || isBuiltIn(target) ? target : ('Ignore' as const))) ??
    suggestTargets(columns, fields);
  return {
    remembered: remembered !== undefined,
    columns: columns.map(({ heading, values }, index) => ({
      heading,
      samples: [...new Set(values)].slice(0, SAMPLES).map(shorten),
      target: targets[index] ?? ('Ignore' as const),
    })),
  };
}

const shorten = (value: string) =>
  toStorable(value.length > MAX_SAMPLE_LENGTH ? `${value.slice(0, MAX_SAMPLE_LENGTH - 1)}…` : value);

async function findMapping(db: Db, columns: { heading: string }[]): Promise<ImportTarget[] | undefined> {
  const [found] = await db
    .select({ targets: importMappings.targets })
    .from(importMappings)
    .where(eq(importMappings.headingsHash, hashHeadings(columns)));
  return found?.targets;
}

/** Remembers what the columns became, for the next file with the same headings. */
export async function rememberMapping(tx: Db, columns: FileColumn[]) {
  const targets = columns.map(({ target }) => target);
  await tx
    .insert(importMappings)
    .values({ headingsHash: hashHeadings(columns), targets })
    .onConflictDoUpdate({ target: importMappings.headingsHash, set: { targets, updatedAt: sql`now()` } });
}

const hashHeadings = (columns: { heading: string }[]) =>
  createHash('sha256')
    .update(JSON.stringify(columns.map(({ heading }) => heading.normalize('NFKC').toLowerCase())))
    .digest('base64url');
