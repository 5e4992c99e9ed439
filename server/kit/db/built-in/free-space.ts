import { statfsSync } from 'node:fs';

const MIB = 1024 * 1024;
const CHECK_EVERY_MS = 1_000;
/** PostgreSQL stops when it cannot write its log: writes of users are refused while this much is left for it. */
export const RESERVED_BYTES = 256 * MIB;

/** The bytes that this process may still write below the folder. */
export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** Returns a function that checks, at most once a second, whether there is free space for writes. */
export function watchFreeSpace(folder: string, reservedBytes = RESERVED_BYTES): () => boolean {
  let [checkedAt, free] = [0, true];
  return () => {
    const now = performance.now();
    if (now - checkedAt > CHECK_EVERY_MS || !checkedAt) {
      checkedAt = now;
      free = freeBytes(folder) > reservedBytes;
    }
    return free;
  };
}
