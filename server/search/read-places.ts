import { createReadStream } from 'node:fs';
import { readRecords } from '#server/import/read-records.ts';
import { fromCsv, fromFeature, type LoadedPlace, type Skipped } from './open-places.ts';

const LONGEST_LINE = 1_000_000;
// Some writers put it before every feature (RFC 8142).
const RECORD_SEPARATOR = String.fromCharCode(0x1e);
const FEATURE = /^\{\s*"(?!type"\s*:\s*"FeatureCollection)/;

export type ReadPlace = { line: number } & ({ place: LoadedPlace } | { skipped: Skipped });

/** The places of a file, one after the other: never more than a piece of it is in memory. */
export function readPlaces(file: string): AsyncGenerator<ReadPlace> {
  if (/\.csv$/i.test(file)) return csvPlaces(file);
  if (/\.(geojsonseq|geojsonl|ndjson|jsonl|geojson|json)$/i.test(file)) return linePlaces(file);
  throw new Error(`${file} is neither .csv nor .geojsonseq`);
}

async function* csvPlaces(file: string): AsyncGenerator<ReadPlace> {
  let header: string[] | undefined;
  for await (const records of readRecords(createReadStream(file))) {
    for (const { row, cells } of records) {
      if (!header) {
        header = cells.map((cell) => cell.trim().toLowerCase());
        continue;
      }
      const columns = new Map(header.map((name, index) => [name, cells[index]?.trim() ?? '']));
      yield { line: row, ...fromCsv(columns) };
    }
  }
}

/** GeoJSON with one feature a line, as Overture's client writes it; a collection written that way is understood too. */
async function* linePlaces(file: string): AsyncGenerator<ReadPlace> {
  const collection = /\.(geo)?json$/i.test(file);
  let line = 0;
  for await (const text of linesOf(file)) {
    line += 1;
    const feature = text?.replace(RECORD_SEPARATOR, '').trim().replace(/,$/, '');
    if (feature === '' || (collection && !FEATURE.test(feature ?? ''))) continue;
    yield { line, ...fromFeature(parsed(feature ?? '')) };
  }
}

/** The lines of a file; one that is longer than any feature is undefined, and was not kept. */
async function* linesOf(file: string): AsyncGenerator<string | undefined> {
  let rest = '';
  let tooLong = false;
  for await (const piece of createReadStream(file, 'utf8')) {
    const lines = `${rest}${piece}`.split('\n');
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
