import { statfsSync } from 'node:fs';

const MIB = 1024 * 1024;
const CHECK_EVERY_MS = 1_000;
/** PostgreSQL stops when it cannot write its log. So much is left to it when people's changes are refused already. */
const RESERVED_BYTES = 64 * MIB;

/** The bytes that this process may still write below the folder. */
export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** Whether there is room for changes. */
export function watchFreeSpace(folder: string, reservedBytes = RESERVED_BYTES): () => boolean {
  let [checkedAt, room] = [0, true];
  return () => {
    const now = performance.now();
    if (now - checkedAt > CHECK_EVERY_MS || !checkedAt) {
      checkedAt = now;
      room = freeBytes(folder) > reservedBytes;
    }
    return room;
  };
}
