import { pipeline } from 'node:stream';
import { createInflateRaw } from 'node:zlib';
import { csvUnusable } from '#server/kit/csv/decode-text.ts';

/** A file whose parts can be read in any order, such as one that is stored in chunks. */
export interface RandomAccessFile {
  size: number;
  /** The bytes from `start` to before `end`, or to the end of the file. */
  read(start: number, end: number): Promise<Buffer>;
}

export interface ZipFile {
  names: string[];
  /** The unpacked bytes of an entry in pieces, or nothing if there is no such entry. */
  read(name: string): AsyncGenerator<Buffer>;
}

interface Entry {
  method: number;
  encrypted: boolean;
  packedSize: number;
  headerStart: number;
}

const END_SIGNATURE = 0x06054b50;
const END_LENGTH = 22;
const MAX_COMMENT = 65_535;
const ENTRY_SIGNATURE = 0x02014b50;
const ENTRY_LENGTH = 46;
const HEADER_SIGNATURE = 0x04034b50;
const HEADER_LENGTH = 30;
const MAX_DIRECTORY = 4 * 1024 * 1024;
const PIECE = 64 * 1024;

/** What may come out of a file. A workbook unpacks to 5 to 15 times its size, a zip bomb to a thousand times. */
const MAX_UNPACKED = 400 * 1024 * 1024;
const unpackedLimit = (packed: number) => Math.min(MAX_UNPACKED, 20 * 1024 * 1024 + 100 * packed);

export const workbookUnusable = (reason = 'The workbook is damaged. Please save it again as .xlsx.') =>
  csvUnusable(reason);

/** Opens a zip file. Sizes in its directory are not trusted: the limit counts what is unpacked, of all entries together. */
export async function openZip(file: RandomAccessFile): Promise<ZipFile> {
  const entries = await readDirectory(file);
  let left = unpackedLimit(file.size);

  async function* read(name: string): AsyncGenerator<Buffer> {
    const entry = entries.get(name);
    if (!entry) return;
    if (entry.encrypted) throw workbookUnusable('The workbook is protected by a password. Please remove it.');
    if (entry.method !== 0 && entry.method !== 8) throw workbookUnusable();
    for await (const piece of entry.method === 0 ? readPacked(file, entry) : inflate(readPacked(file, entry))) {
      left -= piece.length;
      if (left < 0) throw workbookUnusable('The workbook is too large when it is unpacked.');
      yield piece;
    }
  }
  return { names: [...entries.keys()], read };
}

async function readDirectory(file: RandomAccessFile): Promise<Map<string, Entry>> {
  const tail = await file.read(Math.max(0, file.size - END_LENGTH - MAX_COMMENT), file.size);
  const end = findEnd(tail);
  if (end === undefined) throw workbookUnusable();
  const size = tail.readUInt32LE(end + 12);
  const start = tail.readUInt32LE(end + 16);
  if (size > MAX_DIRECTORY || start + size > file.size) throw workbookUnusable();
  const directory = await file.read(start, start + size);

  const entries = new Map<string, Entry>();
  let at = 0;
  while (at + ENTRY_LENGTH <= directory.length && directory.readUInt32LE(at) === ENTRY_SIGNATURE) {
    const nameEnd = at + ENTRY_LENGTH + directory.readUInt16LE(at + 28);
    const name = directory.toString('utf8', at + ENTRY_LENGTH, nameEnd);
    entries.set(name, {
      encrypted: (directory.readUInt16LE(at + 8) & 1) === 1,
      method: directory.readUInt16LE(at + 10),
      packedSize: directory.readUInt32LE(at + 20),
      headerStart: directory.readUInt32LE(at + 42),
    });
    at = nameEnd + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
  }
  return entries;
}

/** The last signature of the end of the directory. */
function findEnd(tail: Buffer): number | undefined {
  for (let at = tail.length - END_LENGTH; at >= 0; at -= 1) {
    if (tail.readUInt32LE(at) === END_SIGNATURE) return at;
  }
  return undefined;
}

async function* readPacked(file: RandomAccessFile, entry: Entry): AsyncGenerator<Buffer> {
  const header = await file.read(entry.headerStart, entry.headerStart + HEADER_LENGTH);
  if (header.length < HEADER_LENGTH || header.readUInt32LE(0) !== HEADER_SIGNATURE) throw workbookUnusable();
  const start = entry.headerStart + HEADER_LENGTH + header.readUInt16LE(26) + header.readUInt16LE(28);
  const end = Math.min(start + entry.packedSize, file.size);
  for (let at = start; at < end; at += PIECE) yield await file.read(at, Math.min(at + PIECE, end));
}

async function* inflate(packed: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  const unpacker = createInflateRaw({ chunkSize: PIECE });
  pipeline(packed, unpacker, () => {}); // an error is thrown by reading
  try {
    yield* unpacker as AsyncIterable<Buffer>;
  } catch (error) {
    // An error of reading the file itself is not the workbook's.
    throw error instanceof Error && 'code' in error && String(error.code).startsWith('Z_') ? workbookUnusable() : error;
  } finally {
    unpacker.destroy(); // its memory is freed now, not by the garbage collector
  }
}
