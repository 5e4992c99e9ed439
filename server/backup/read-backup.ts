import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { createGunzip } from 'node:zlib';
import type { z } from 'zod';
import {
  BackupRefused,
  FORMAT,
  type Header,
  header,
  manifest,
  type Row,
  row,
  type TableLine,
  tableLine,
} from './backup-format.ts';

/** Reads a file from end to end without touching a database, and refuses one that is not whole. */
export async function checkBackup(file: string): Promise<{ header: Header; counts: Record<string, number> }> {
  const hash = createHash('sha256');
  const counts: Record<string, number> = {};
  let first: Header | undefined;
  let table: TableLine | undefined;
  let end: z.infer<typeof manifest> | undefined;
  for await (const text of readLines(file)) {
    if (end) throw new BackupRefused(`${file} goes on after its end`);
    const value = parseJson(file, text);
    if (!first) first = parseLine(file, header, value);
    else if (Array.isArray(value)) count(parseLine(file, row, value));
    else if (isManifest(value)) end = parseLine(file, manifest, value);
    else {
      table = parseLine(file, tableLine, value);
      counts[table.table] = 0;
    }
    if (!end) hash.update(`${text}\n`);
  }
  if (!first || !end) throw new BackupRefused(`${file} is not a whole backup: its end is missing`);
  if (first.format === 1)
    throw new BackupRefused(
      `${file} was made by a development version before the first release; it cannot be restored`,
    );
  if (first.format !== FORMAT)
    throw new BackupRefused(`${file} has format ${first.format}; this version reads ${FORMAT}`);
  const { sha256, counts: promised } = end.manifest;
  if (hash.digest('hex') !== sha256) throw new BackupRefused(`${file} is damaged: its checksum does not fit`);
  if (JSON.stringify(promised) !== JSON.stringify(counts))
    throw new BackupRefused(`${file} is damaged: rows are missing`);
  return { header: first, counts };

  function count(values: Row) {
    if (!table || values.length !== table.columns.length) throw new BackupRefused(`${file} is damaged: a stray row`);
    counts[table.table] = (counts[table.table] ?? 0) + 1;
  }
}

/** The contents of a file that was checked: table lines and the rows that follow them. */
export async function* readContents(file: string): AsyncGenerator<TableLine | Row> {
  let first = true;
  for await (const text of readLines(file)) {
    const value = parseJson(file, text);
    if (!first && !isManifest(value)) yield value as TableLine | Row;
    first = false;
  }
}

const isManifest = (value: unknown) => typeof value === 'object' && value !== null && 'manifest' in value;

function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new BackupRefused(`${file} is not a backup of Highstreet`);
  }
}

function parseLine<T extends z.ZodType>(file: string, schema: T, value: unknown): z.output<T> {
  const result = schema.safeParse(value);
  if (!result.success) throw new BackupRefused(`${file} is not a backup that this version of Highstreet understands`);
  return result.data;
}

async function* readLines(file: string): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  const source = createReadStream(file);
  const bytes = createGunzip();
  source.on('error', (error) => bytes.destroy(error));
  source.pipe(bytes);
  let rest = '';
  try {
    for await (const chunk of bytes) {
      const pieces = (rest + decoder.write(chunk)).split('\n');
      rest = pieces.pop() ?? '';
      yield* pieces;
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new BackupRefused(`there is no file ${file}`);
    if (code?.startsWith('Z_')) throw new BackupRefused(`${file} is not a whole backup: ${message}`);
    throw error;
  } finally {
    source.destroy();
  }
  if (rest) throw new BackupRefused(`${file} is not a whole backup: its last line is cut off`);
}
