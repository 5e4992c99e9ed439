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

/** The records of a CSV file without the blank ones, header first, one list per chunk of the file. */
export async function* readCsv(file: AsyncIterable<Buffer>): AsyncGenerator<CsvRecord[]> {
  const text = decodeText(withoutArchives(splitChunks(file)));
  const { beginning, delimiter } = await readBeginning(text);
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
async function readBeginning(text: AsyncGenerator<string>) {
  let beginning = '';
  while (findHeader(beginning) === undefined && beginning.length < MAX_HEADER_LENGTH) {
    const { value, done } = await text.next();
    if (done) break;
    beginning += value;
  }
  return { beginning, delimiter: detectDelimiter(findHeader(beginning) ?? beginning) };
}

/** The first line that is not empty, if the text holds all of it. Line breaks within quotes belong to it. */
function findHeader(text: string): string | undefined {
  const from = text.search(/[^\r\n]/);
  if (from === -1) return undefined;
  let quoteCell = false;
  for (let at = from; at < text.length; at += 1) {
    const char = text[at];
    if (char === '"') quoteCell = !quoteCell;
    else if (!quoteCell && (char === '\n' || char === '\r')) return text.slice(from, at);
  }
  return undefined;
}

/** The delimiter that occurs most often outside quotes. */
function detectDelimiter(header: string): string {
  const outsideQuotes = header.replace(/"[^"]*"?/g, '');
  const count = (delimiter: string) => outsideQuotes.split(delimiter).length;
  return DELIMITERS.reduce((best, each) => (count(each) > count(best) ? each : best));
}

async function* prepend(beginning: string, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  if (beginning) yield beginning;
  yield* rest;
}
