import { and, asc, eq, gt, lt, sql } from 'drizzle-orm';
import type { Db } from '#server/kit/db/db.ts';
import { importChunks, imports } from '#server/schema/imports.ts';
import type { RandomAccessFile } from './read-zip.ts';

const MAX_CHUNK_BYTES = 256 * 1024;

export interface StoredUpload {
  /** Resolves with the size once all of the file is stored, and rejects if the upload breaks off. */
  complete: Promise<number>;
  isComplete: () => boolean;
  /** Waits until more than this many bytes are stored, or the upload has ended. Throws once the upload has failed. */
  waitBeyond: (position: number) => Promise<void>;
}

/** Stores a file in the database while it arrives; readStoredFile follows it. */
export function storeUpload(db: Db, importId: string, bytes: AsyncIterable<Buffer>): StoredUpload {
  let stored = 0;
  let state: 'arriving' | 'complete' | { failure: unknown } = 'arriving';
  let wakeReaders = () => {};

  const complete = (async () => {
    try {
      for await (const chunk of bytes) {
        for (let at = 0; at < chunk.length; at += MAX_CHUNK_BYTES) {
          const piece = chunk.subarray(at, at + MAX_CHUNK_BYTES);
          await db.transaction((tx) => tx.insert(importChunks).values({ importId, start: stored, bytes: piece }));
          stored += piece.length;
          wakeReaders();
        }
      }
      await db.transaction((tx) =>
        tx.update(imports).set({ size: stored, complete: true, updatedAt: sql`now()` }).where(eq(imports.id, importId)),
      );
      state = 'complete';
      return stored;
    } catch (error) {
      state = { failure: error };
      throw error;
    } finally {
      wakeReaders();
    }
  })();
  complete.catch(() => {}); // waitBeyond reports it to the reader

  return {
    complete,
    isComplete: () => state === 'complete',
    waitBeyond: async (position) => {
      while (state === 'arriving' && stored <= position) {
        await new Promise<void>((resolve) => {
          wakeReaders = resolve;
        });
      }
      if (typeof state === 'object') throw state.failure;
    },
  };
}

export function countBytes() {
  let total = 0;
  return {
    add: (bytes: number) => {
      total += bytes;
    },
    total: () => total,
  };
}

interface ReadOptions {
  /** Of a file that is still arriving. */
  upload?: StoredUpload;
  onRead?: (bytes: number) => void;
}

/** The bytes of a stored file, chunk by chunk. */
export async function* readStoredFile(
  db: Db,
  importId: string,
  { upload, onRead }: ReadOptions = {},
): AsyncGenerator<Buffer> {
  let position = 0;
  for (;;) {
    await upload?.waitBeyond(position);
    const [chunk] = await db
      .select({ bytes: importChunks.bytes })
      .from(importChunks)
      .where(and(eq(importChunks.importId, importId), eq(importChunks.start, position)));
    if (!chunk) return;
    position += chunk.bytes.length;
    onRead?.(chunk.bytes.length);
    yield chunk.bytes;
  }
}

/** A stored file that is complete. */
export function openStoredFile(
  db: Db,
  { id, size }: { id: string; size: number },
  onRead: (bytes: number) => void = () => {},
): RandomAccessFile {
  const { importId, start: chunkStart, bytes } = importChunks;
  return {
    size,
    read: async (start, requestedEnd) => {
      const end = Math.min(requestedEnd, size);
      if (start >= end) return Buffer.alloc(0); // a damaged file may refer to bytes that it does not have
      const chunks = await db
        .select({ start: chunkStart, bytes })
        .from(importChunks)
        .where(and(eq(importId, id), gt(chunkStart, start - MAX_CHUNK_BYTES), lt(chunkStart, end)))
        .orderBy(asc(chunkStart));
      onRead(end - start);
      const first = chunks[0]?.start ?? 0;
      return Buffer.concat(chunks.map((chunk) => chunk.bytes)).subarray(start - first, end - first);
    },
  };
}

export async function deleteStoredFile(db: Db, importId: string) {
  await db.delete(importChunks).where(eq(importChunks.importId, importId));
}
