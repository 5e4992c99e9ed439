import { finished } from 'node:stream/promises';
import { CsvError, type Parser, parse } from 'csv-parse';
import { Refusal } from '#contract/errors.ts';
import { MAX_CELL_LENGTH, MAX_COLUMNS } from '#contract/import/import.calls.ts';
import { csvUnusable, decodeText } from './decode-text.ts';

export interface CsvRecord {
  /** As a spreadsheet counts: blank lines count, line breaks within quotes do not. */
  row: number;
  cells: string[];
  /** Why cells are missing or cut. */
  limitExceeded?: string;
}

const DELIMITERS = [',', ';', '\t'];
/** A longer text without a line break has no header. */
const MAX_HEADER_LENGTH = 64 * 1024;
/** A record within the limits has at most this length: every character may be a doubled quote. */
const MAX_RECORD_LENGTH = 2 * MAX_COLUMNS * MAX_CELL_LENGTH;
/** Small, because csv-parse is synchronous and needs 80 µs for a row with more or fewer cells than the header. */
const CHUNK_BYTES = 16 * 1024;

/** File signatures, whatever the name of the file says. */
const SIGNATURES = [
  [0x50, 0x4b, 0x03, 0x04], // zip, and with it xlsx and ods
  [0x50, 0x4b, 0x05, 0x06],
  [0x1f, 0x8b], // gzip
  [0xd0, 0xcf, 0x11, 0xe0], // xls
  [0x37, 0x7a, 0xbc, 0xaf], // 7z
  [0x25, 0x50, 0x44, 0x46], // pdf
  [0x52, 0x61, 0x72, 0x21], // rar
];

export const notCsv = () => new Refusal('unsupported_media_type', 'Please select a CSV file');

interface CsvOptions {
  /** The rows among which the header is, to find the delimiter in; otherwise the first that is not blank. */
  headerRows?: { from: number; to: number };
}

/** The records of a CSV file without the blank ones, header first, one list per chunk of the file. */
export async function* readCsv(
  file: AsyncIterable<Buffer>,
  { headerRows }: CsvOptions = {},
): AsyncGenerator<CsvRecord[]> {
  const text = decodeText(withoutArchives(splitChunks(file)));
  const { beginning, delimiter } = await readBeginning(text, headerRows);
  const parser = parse({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true, // a quote within an unquoted cell is text; unquote() refuses what this lets through
    max_record_size: 0,
    raw: true,
  });
  const parsed: Parsed[] = [];
  parser.on('data', (record: Parsed) => parsed.push(record));
  parser.on('error', () => {}); // write() and finished() report it
  let row = 0;
  const takeRecords = () => parsed.splice(0).flatMap(({ record, raw }) => toRecord(++row, record, raw) ?? []);

  let recordLength = 0;
  for await (const chunk of prepend(beginning, text)) {
    if (recordLength > MAX_RECORD_LENGTH) continue; // read to its end: a file that is too large is refused as that
    await write(parser, chunk);
    recordLength = parsed.length ? 0 : recordLength + chunk.length;
    const records = takeRecords();
    if (records.length) yield records;
  }
  if (recordLength > MAX_RECORD_LENGTH) {
    throw csvUnusable(`Row ${row + 1}: it is too long. Please check the quotes of this row.`);
  }
  parser.end();
  await finished(parser).catch((error: unknown) => {
    if (!(error instanceof CsvError) || error.code !== 'CSV_QUOTE_NOT_CLOSED') throw error;
    throw csvUnusable(`Row ${parser.info.records + 1}: a quote is opened and never closed.`);
  });
  const records = takeRecords();
  if (records.length) yield records;
}

interface Parsed {
  record: string[];
  /** The text of the record in the file. */
  raw: string;
}

const write = (parser: Parser, text: string) =>
  new Promise<void>((resolve, reject) => {
    parser.write(text, (error) => (error ? reject(error) : resolve()));
  });

/** Undefined for a blank line. */
function toRecord(row: number, record: string[], raw: string): CsvRecord | undefined {
  const cells = record.map((cell) => (cell.startsWith('"') ? unquote(cell, raw, row) : cell));
  return toLimitedRecord(row, cells);
}

/** Cuts what exceeds the limits, and says so. Undefined for a blank row. */
export function toLimitedRecord(row: number, cells: string[]): CsvRecord | undefined {
  const limitExceeded = cells.some((cell) => cell.length > MAX_CELL_LENGTH)
    ? `A cell has more than ${MAX_CELL_LENGTH.toLocaleString('en-US')} characters`
    : cells.length > MAX_COLUMNS && `It has more than ${MAX_COLUMNS} columns`;
  if (limitExceeded) {
    return { row, cells: cells.slice(0, MAX_COLUMNS).map((cell) => cell.slice(0, MAX_CELL_LENGTH)), limitExceeded };
  }
  return cells.some((cell) => cell.trim() !== '') ? { row, cells } : undefined;
}

/**
 * With relax_quotes, a quoted cell with text behind its closing quote is parsed with its quotes. Only spaces are allowed
 * there.
 */
function unquote(cell: string, raw: string, row: number): string {
  const quote = (value: string) => `"${value.replaceAll('"', '""')}"`;
  if (raw.includes(quote(cell))) return cell; // a well-formed cell whose value begins with a quote
  const [, value, spaces] = /^"(.*)"( +)$/s.exec(cell) ?? [];
  if (value !== undefined && raw.includes(`${quote(value)}${spaces}`)) return value;
  throw csvUnusable(`Row ${row}: there is text behind a closing quote. Please check the quotes of this row.`);
}

/** Splits what was read ahead: as rows it would take many times the memory. */
async function* splitChunks(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of bytes) {
    for (let at = 0; at < chunk.length; at += CHUNK_BYTES) yield chunk.subarray(at, at + CHUNK_BYTES);
  }
}

/** Refuses archives and spreadsheets. The first chunk has at least the four bytes of a signature. */
async function* withoutArchives(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let first: Buffer | undefined = Buffer.alloc(0);
  const checked = (bytes: Buffer) => {
    if (SIGNATURES.some((signature) => signature.every((byte, at) => bytes[at] === byte))) throw notCsv();
    return bytes;
  };
  for await (const chunk of chunks) {
    if (!first) {
      yield chunk;
      continue;
    }
    first = Buffer.concat([first, chunk]);
    if (first.length < 4) continue;
    yield checked(first);
    first = undefined;
  }
  if (first?.length) yield checked(first);
}

/** Reads until the header is complete, and finds the delimiter in it. */
async function readBeginning(text: AsyncGenerator<string>, rows: CsvOptions['headerRows']) {
  let beginning = '';
  let lines: string[] = [];
  const isComplete = () => (rows ? lines.length >= rows.to : lines.some(Boolean));
  while (!isComplete() && beginning.length < MAX_HEADER_LENGTH) {
    const { value, done } = await text.next();
    if (done) break;
    beginning += value;
    lines = splitLines(beginning);
  }
  if (!isComplete()) lines = splitLines(`${beginning}\n`);
  const headers = rows ? lines.slice(rows.from - 1, rows.to) : [lines.find(Boolean) ?? beginning];
  return { beginning, delimiter: detectDelimiter(headers) };
}

/** The lines that the text holds all of. Line breaks within quotes belong to a line. */
function splitLines(text: string): string[] {
  const lines: string[] = [];
  let from = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === '"') quoted = !quoted;
    if (quoted || (char !== '\n' && char !== '\r')) continue;
    lines.push(text.slice(from, at));
    if (char === '\r' && text[at + 1] === '\n') at += 1;
    from = at + 1;
  }
  return lines;
}

/** The delimiter that occurs in most of the lines, outside quotes; of equals the one that occurs most often in a line. */
function detectDelimiter(lines: string[]): string {
  const outsideQuotes = lines.map((line) => line.replace(/"[^"]*"?/g, ''));
  const scores = DELIMITERS.map((delimiter) => {
    const counts = outsideQuotes.map((line) => line.split(delimiter).length - 1);
    return { delimiter, lines: counts.filter(Boolean).length, most: Math.max(0, ...counts) };
  });
  const [best] = scores.sort((a, b) => b.lines - a.lines || b.most - a.most);
  return best?.delimiter ?? ',';
}

async function* prepend(beginning: string, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  if (beginning) yield beginning;
  yield* rest;
}
