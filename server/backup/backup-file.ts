import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { checkBackup } from './read-backup.ts';

/** Writes the file beside its place, reads it back, and only then gives it its name: what has the name is whole. */
export async function writeBackupFile(backup: Readable, file: string) {
  const unfinished = `${file}.unfinished-${process.pid}`;
  try {
    const handle = await open(unfinished, 'wx', 0o600);
    try {
      await pipeline(backup, async (chunks: AsyncIterable<Buffer>) => {
        for await (const chunk of chunks) await handle.writeFile(chunk);
      });
      await handle.sync();
    } finally {
      await handle.close();
    }
    const checked = await checkBackup(unfinished);
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
