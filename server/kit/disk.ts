import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';

interface Disk {
  /** The same for all folders of a disk. */
  device: number;
  freeBytes: number;
  totalBytes: number;
}

/** The disk of a folder, which need not exist yet. */
export async function readDisk(folder: string): Promise<Disk> {
  try {
    const [{ dev: device }, { bavail, blocks, bsize }] = await Promise.all([stat(folder), statfs(folder)]);
    return { device, freeBytes: bavail * bsize, totalBytes: blocks * bsize };
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    if (!isMissing || dirname(folder) === folder) throw error;
    return readDisk(dirname(folder));
  }
}
