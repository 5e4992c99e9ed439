import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { StringDecoder } from 'node:string_decoder';
import { createGunzip } from 'node:zlib';
import type { z } from 'zod';
import {
  BackupRefused,
  type Contents,
  FORMAT,
  type Header,
  header,
  type Manifest,
  manifest,
  type TableLine,
  tableLine,
} from './backup-format.ts';
import { DamagedChunk, decryptWith, readEncryption, WrongKey } from './encryption.ts';

const MAX_BATCH = 500;
/** Of the lines of a batch: rows may be large. */
const MAX_BATCH_LENGTH = 4 * 1024 * 1024;

const isRow = (line: string) => line.startsWith('[');
const isManifest = (line: string) => line.startsWith('{"manifest"');

export interface ReadOptions {
  /** The passphrase of an encrypted file. */
  key?: string | undefined;
  /** Ends the reading with an error. */
  signal?: AbortSignal | undefined;
}

/** Reads a file from end to end without touching a database, and refuses one that is not whole. */
export async function checkBackup(file: string, options: ReadOptions = {}): Promise<Contents> {
  const hash = createHash('sha256');
  const counts: Record<string, number> = {};
  let first: Header | undefined;
  let table: string | undefined;
  let end: Manifest | undefined;
  for await (const lines of readLines(file, options)) {
    for (const line of lines) {
      if (end) throw new BackupRefused(`${file} goes on after its end`);
      if (!first) first = parseHeader(file, line);
      else if (isManifest(line)) end = parseLine(file, manifest, line).manifest;
      else if (!isRow(line)) {
        table = parseLine(file, tableLine, line).table;
        counts[table] = 0;
      } else if (table) counts[table] = (counts[table] ?? 0) + 1;
      else throw new BackupRefused(`${file} is damaged: a stray row`);
      if (!end) hash.update(line).update('\n');
    }
  }
  if (!first || !end) throw new BackupRefused(`${file} is not a whole backup: its end is missing`);
  if (hash.digest('hex') !== end.sha256) throw new BackupRefused(`${file} is damaged: its checksum does not fit`);
  if (JSON.stringify(end.counts) !== JSON.stringify(counts))
    throw new BackupRefused(`${file} is damaged: rows are missing`);
  return { header: first, counts, fingerprints: end.fingerprints };
}

/** Only the beginning of a file is read: it may be damaged further on. */
export async function readHeader(file: string, options: ReadOptions = {}): Promise<Header> {
  for await (const [line = ''] of readLines(file, options)) return parseHeader(file, line);
  throw new BackupRefused(`${file} is not a whole backup: its end is missing`);
}

/** The contents of a file that was checked: table lines, and the rows that follow them in batches, as they are. */
export async function* readContents(file: string, options: ReadOptions = {}): AsyncGenerator<TableLine | string[]> {
  let first = true;
  let [rows, length]: [string[], number] = [[], 0];
  for await (const lines of readLines(file, options)) {
    for (const line of lines) {
      if (isRow(line)) {
        rows.push(line);
        length += line.length;
      }
      if (rows.length && (!isRow(line) || rows.length === MAX_BATCH || length > MAX_BATCH_LENGTH)) {
        yield rows;
        [rows, length] = [[], 0];
      }
      if (!first && !isRow(line) && !isManifest(line)) yield parseLine(file, tableLine, line);
      first = false;
    }
  }
}

function parseHeader(file: string, line: string): Header {
  const parsed = parseLine(file, header, line);
  const { format, product } = parsed;
  if (format < FORMAT)
    throw new BackupRefused(
      `${file} was made by a development version before the first release; it cannot be restored`,
    );
  if (format > FORMAT)
    throw new BackupRefused(
      `${file} has format ${format}, and this version reads ${FORMAT}; restore it with ${product}`,
    );
  return parsed;
}

function parseLine<T extends z.ZodType>(file: string, schema: T, line: string): z.output<T> {
  const result = schema.safeParse(parseJson(file, line));
  if (!result.success) throw new BackupRefused(`${file} is not a backup that this version of Highstreet understands`);
  return result.data;
}

function parseJson(file: string, line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new BackupRefused(`${file} is not a backup of Highstreet`);
  }
}

/** In batches, as they arrive. */
async function* readLines(file: string, { key, signal }: ReadOptions): AsyncGenerator<string[]> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  try {
    for await (const chunk of await readPlain(file, key)) {
      signal?.throwIfAborted();
      const pieces = (rest + decoder.write(chunk)).split('\n');
      rest = pieces.pop() ?? '';
      if (pieces.length) yield pieces;
    }
  } catch (error) {
    throw explain(file, error);
  }
  if (rest) throw new BackupRefused(`${file} is not a whole backup: its last line is cut off`);
}

/** Decrypted and decompressed. */
async function readPlain(file: string, key: string | undefined): Promise<AsyncIterable<Buffer>> {
  const encryption = await readEncryption(file);
  if (encryption && !key)
    throw new BackupRefused(`${file} is encrypted: set BACKUP_KEY to the passphrase that it was made with`);
  const source = createReadStream(file, { start: encryption?.line.length ?? 0 });
  const decrypt = encryption && key ? [await decryptWith(key, encryption)] : [];
  const plain = createGunzip({ chunkSize: 64 * 1024 });
  // An error of any part ends the last one with it, whose reader throws it.
  pipeline([source, ...decrypt, plain]).catch((error) => plain.destroy(error));
  return plain;
}

function explain(file: string, error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return new BackupRefused(`there is no file ${file}`);
  if (code?.startsWith('Z_')) return new BackupRefused(`${file} is not a whole backup: ${message}`);
  if (error instanceof DamagedChunk) return new BackupRefused(`${file} is damaged or cut off`);
  if (error instanceof WrongKey)
    return new BackupRefused(`BACKUP_KEY does not fit ${file}, which was made with another passphrase`);
  return error;
}
