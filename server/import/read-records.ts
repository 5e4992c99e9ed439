import { type CsvParser, type CsvRecord, createCsvParser } from './csv-parser.ts';
import { createTextDecoder } from './decode-text.ts';
import { delimiterOf, firstLineIn, requireNoArchive } from './sniff.ts';

/** By then a header has ended, unless it is none. */
const LONGEST_HEADER = 64 * 1024;
const PIECE_BYTES = 64 * 1024;

/** The records of a CSV file, header first, in lists as they come out of the pieces of the file. */
export async function* readRecords(pieces: AsyncIterable<Buffer>): AsyncGenerator<CsvRecord[]> {
  let records: CsvRecord[] = [];
  const found = (record: CsvRecord) => records.push(record);
  let decode: ((bytes: Buffer, last?: boolean) => string) | undefined;
  let parser: CsvParser | undefined;
  let waiting = '';

  const take = (text: string, last: boolean) => {
    if (!parser) {
      waiting += text;
      const header = firstLineIn(waiting);
      if (header === undefined && !last && waiting.length < LONGEST_HEADER) return;
      parser = createCsvParser(delimiterOf(header ?? waiting), found);
      parser.write(waiting);
      waiting = '';
    } else parser.write(text);
  };

  for await (const piece of longEnough(inPieces(pieces))) {
    if (!decode) {
      requireNoArchive(piece);
      decode = createTextDecoder(piece);
    }
    take(decode(piece), false);
    if (records.length) yield records;
    records = [];
  }
  take(decode?.(Buffer.alloc(0), true) ?? '', true);
  parser?.end();
  if (records.length) yield records;
}

/** Whatever has been read ahead comes out of a stream as one; as rows it would take many times the space. */
async function* inPieces(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const some of bytes) {
    for (let at = 0; at < some.length; at += PIECE_BYTES) yield some.subarray(at, at + PIECE_BYTES);
  }
}

/** The first piece has at least the bytes that tell what kind of file it is. */
async function* longEnough(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let first: Buffer | undefined = Buffer.alloc(0);
  for await (const piece of pieces) {
    if (!first) yield piece;
    else {
      first = Buffer.concat([first, piece]);
      if (first.length < 4) continue;
      yield first;
      first = undefined;
    }
  }
  if (first?.length) yield first;
}
