import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { readCsv } from '#server/kit/csv/read-csv.ts';
import { openParquetPlaces } from './parquet-places.ts';
import { type PlacesFile, parseCsvPlace, parseFeature, type ReadPlace } from './parse-place.ts';

const MAX_LINE_LENGTH = 1_000_000;
// RFC 8142: some writers put it before every feature.
const RECORD_SEPARATOR = String.fromCharCode(0x1e);
/** A line that contains a feature, unlike the first and last lines of a collection. */
const FEATURE_LINE = /^\{\s*"(?!type"\s*:\s*"FeatureCollection)/;

export async function openPlacesFile(file: string): Promise<PlacesFile> {
  if (/\.(geo)?parquet$/i.test(file)) return openParquetPlaces(file);
  if (/\.csv$/i.test(file)) return openStream(file, readCsvPlaces);
  if (/\.(geojsonseq|geojsonl|ndjson|jsonl)$/i.test(file)) return openStream(file, readGeoJsonPlaces);
  if (/\.(geo)?json$/i.test(file))
    return openStream(file, (bytes, afterLine) => readGeoJsonPlaces(bytes, afterLine, FEATURE_LINE));
  throw new Error(`${file} is none of .parquet, .geojsonseq and .csv`);
}

type Bytes = AsyncIterable<Buffer>;

async function openStream(
  file: string,
  read: (bytes: Bytes, afterLine: number) => AsyncGenerator<ReadPlace>,
): Promise<PlacesFile> {
  const { size } = await stat(file);
  let bytesRead = 0;
  async function* readBytes(): AsyncGenerator<Buffer> {
    bytesRead = 0;
    for await (const chunk of createReadStream(file)) {
      bytesRead += chunk.length;
      yield chunk;
    }
  }
  return {
    readPlaces: (afterLine) => read(readBytes(), afterLine),
    progress: () => (size ? bytesRead / size : 1),
    close: async () => {},
  };
}

async function* readCsvPlaces(bytes: Bytes, afterLine: number): AsyncGenerator<ReadPlace> {
  let header: string[] | undefined;
  for await (const records of readCsv(bytes)) {
    for (const { row, cells } of records) {
      if (!header) {
        header = cells.map((cell) => cell.trim().toLowerCase());
        const missing = ['id', 'name', 'latitude', 'longitude'].filter((name) => !header?.includes(name));
        if (missing.length) throw new Error(`the CSV file has no column ${missing.join(', ')}`);
        continue;
      }
      if (row <= afterLine) continue;
      const columns = new Map(header.map((name, index) => [name, cells[index]?.trim() ?? '']));
      yield { line: row, ...parseCsvPlace(columns) };
    }
  }
}

/** GeoJSON with one feature per line, as Overture's client writes it, alone or in a collection. */
async function* readGeoJsonPlaces(bytes: Bytes, afterLine: number, featureLine = /./): AsyncGenerator<ReadPlace> {
  let line = 0;
  for await (const text of readLines(bytes)) {
    line += 1;
    if (line <= afterLine) continue;
    const feature = text?.replace(RECORD_SEPARATOR, '').trim().replace(/,$/, '');
    if (feature !== undefined && !featureLine.test(feature)) continue;
    yield { line, ...parseFeature(parseJson(feature ?? '')) };
  }
}

/** The lines of a file. Undefined for a line that is too long. */
async function* readLines(bytes: Bytes): AsyncGenerator<string | undefined> {
  const decoder = new TextDecoder();
  let rest = '';
  let tooLong = false;
  for await (const chunk of bytes) {
    const lines = `${rest}${decoder.decode(chunk, { stream: true })}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      yield tooLong ? undefined : line;
      tooLong = false;
    }
    if (rest.length > MAX_LINE_LENGTH) {
      tooLong = true;
      rest = '';
    }
  }
  if (rest || tooLong) yield tooLong ? undefined : rest;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
