import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { readCsv } from '#server/import/read-csv.ts';
import { fromCsv, fromFeature, type LoadedPlace, type Skipped } from './open-places.ts';
import { parquetPlaces } from './parquet-places.ts';

const LONGEST_LINE = 1_000_000;
// Some writers put it before every feature (RFC 8142).
const RECORD_SEPARATOR = String.fromCharCode(0x1e);
const FEATURE = /^\{\s*"(?!type"\s*:\s*"FeatureCollection)/;

/** Lines are counted from 1, as are the rows of files that have no lines. */
export type ReadPlace = { line: number } & ({ place: LoadedPlace } | { skipped: Skipped });

/** A file of places. Never more than a piece of it is in memory. */
export interface PlacesFile {
  /** The places after this line, one after the other. */
  places(after: number): AsyncGenerator<ReadPlace>;
  /** How much of the file has been read, from 0 to 1. */
  share(): number;
  close(): Promise<void>;
}

export async function openPlacesFile(file: string): Promise<PlacesFile> {
  if (/\.(geo)?parquet$/i.test(file)) return parquetPlaces(file);
  if (/\.csv$/i.test(file)) return streamed(file, csvPlaces);
  if (/\.(geojsonseq|geojsonl|ndjson|jsonl)$/i.test(file)) return streamed(file, linePlaces);
  if (/\.(geo)?json$/i.test(file)) return streamed(file, (bytes, after) => linePlaces(bytes, after, FEATURE));
  throw new Error(`${file} is none of .parquet, .geojsonseq and .csv`);
}

type Bytes = AsyncIterable<Buffer>;

async function streamed(
  file: string,
  places: (bytes: Bytes, after: number) => AsyncGenerator<ReadPlace>,
): Promise<PlacesFile> {
  const { size } = await stat(file);
  let read = 0;
  async function* counted(): AsyncGenerator<Buffer> {
    read = 0;
    for await (const piece of createReadStream(file)) {
      read += piece.length;
      yield piece;
    }
  }
  return { places: (after) => places(counted(), after), share: () => (size ? read / size : 1), close: async () => {} };
}

async function* csvPlaces(bytes: Bytes, after: number): AsyncGenerator<ReadPlace> {
  let header: string[] | undefined;
  for await (const records of readCsv(bytes)) {
    for (const { row, cells } of records) {
      if (!header) {
        header = cells.map((cell) => cell.trim().toLowerCase());
        const missing = ['id', 'name', 'latitude', 'longitude'].filter((name) => !header?.includes(name));
        if (missing.length) throw new Error(`the CSV file has no column ${missing.join(', ')}`);
        continue;
      }
      if (row <= after) continue;
      const columns = new Map(header.map((name, index) => [name, cells[index]?.trim() ?? '']));
      yield { line: row, ...fromCsv(columns) };
    }
  }
}

/** GeoJSON with one feature a line, as Overture's client writes it; a collection written that way is understood too. */
async function* linePlaces(bytes: Bytes, after: number, only = /./): AsyncGenerator<ReadPlace> {
  let line = 0;
  for await (const text of linesOf(bytes)) {
    line += 1;
    if (line <= after) continue;
    const feature = text?.replace(RECORD_SEPARATOR, '').trim().replace(/,$/, '');
    if (feature !== undefined && !only.test(feature)) continue;
    yield { line, ...fromFeature(parsed(feature ?? '')) };
  }
}

/** The lines of a file; one that is longer than any feature is undefined, and was not kept. */
async function* linesOf(bytes: Bytes): AsyncGenerator<string | undefined> {
  const decoder = new TextDecoder();
  let rest = '';
  let tooLong = false;
  for await (const piece of bytes) {
    const lines = `${rest}${decoder.decode(piece, { stream: true })}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      yield tooLong ? undefined : line;
      tooLong = false;
    }
    if (rest.length > LONGEST_LINE) {
      tooLong = true;
      rest = '';
    }
  }
  if (rest || tooLong) yield tooLong ? undefined : rest;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
