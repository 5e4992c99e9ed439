import { createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Writable } from 'node:stream';
import { checkBackup, type ReadOptions } from './read-backup.ts';

/** Writes to a temporary name, reads the file back and renames it, so that a file with the final name is complete. */
export async function writeBackupFile(send: (to: Writable) => Promise<void>, file: string, options: ReadOptions = {}) {
  const unfinished = `${file}.unfinished-${process.pid}`;
  try {
    // Flushed: on the disk before it is closed.
    await send(createWriteStream(unfinished, { flags: 'wx', mode: 0o600, flush: true }));
    const checked = await checkBackup(unfinished, options);
    await rename(unfinished, file);
    await syncFolder(dirname(file));
    return checked;
  } finally {
    await rm(unfinished, { force: true });
  }
}

/** The new name has to survive a power cut as well as the bytes. */
async function syncFolder(folder: string) {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
