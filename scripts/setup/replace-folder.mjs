import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Runs work that replaces a folder, which is kept aside as `former` meanwhile and put back when the work fails.
 * @param {string} folder
 * @param {string} former
 * @param {() => Promise<void>} work
 */
export async function replaceFolder(folder, former, work) {
  moveAside(folder, former);
  try {
    await work();
  } catch (error) {
    putBack(folder, former);
    throw error;
  }
  if (!existsSync(former)) return;
  // Moved first: what a killed process leaves of it must not be put back.
  const expired = join(folder, '.former');
  renameSync(former, expired);
  rmSync(expired, { recursive: true, force: true });
}

/**
 * Puts the former folder back where the work failed or its process was killed.
 * @param {string} folder
 * @param {string} former
 */
export function putBack(folder, former) {
  if (!existsSync(former)) return;
  rmSync(folder, { recursive: true, force: true });
  renameSync(former, folder);
}

/** @param {string} folder @param {string} former */
function moveAside(folder, former) {
  try {
    renameSync(folder, former);
  } catch {
    // There is none yet, or it is a file system of its own, which cannot be moved.
  }
}
