import { closeSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { lockFolder } from './folder-lock.ts';
import { CannotStart } from './programs.ts';

const DESCRIBED_WITHIN_MS = 3_000;
const POLL_MS = 50;

/** The right to start, stop and change the database of a data folder. One process at a time has it, until it ends. */
export interface Ownership {
  release: () => void;
}

/** Undefined while another process owns the folder. */
export function tryOwnership(dataDir: string): Ownership | undefined {
  const descriptor = lockFolder(dataDir);
  if (descriptor === undefined) return undefined;
  describeSelf(dataDir);
  return { release: () => closeSync(descriptor) };
}

function describeSelf(dataDir: string) {
  try {
    const unfinished = `${ownerFile(dataDir)}.new`;
    writeFileSync(unfinished, `Highstreet, process ${process.pid} on ${hostname()}`, { mode: 0o600 });
    renameSync(unfinished, ownerFile(dataDir));
  } catch (error) {
    // Files of another account: the start names that account when it comes to the database.
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error;
  }
}

export function takeOwnership(dataDir: string): Ownership {
  const ownership = tryOwnership(dataDir);
  if (!ownership) throw inUse(dataDir);
  return ownership;
}

export const inUse = (dataDir: string, problem = '') =>
  new CannotStart(
    `${join(dataDir, 'postgres')} is in use by ${describeOwner(dataDir)}${problem}. Stop that process first, or set DATA_DIR to another folder.`,
  );

/** Only for people: the process id may be that of another namespace. */
const ownerFile = (dataDir: string) => join(dataDir, 'owner');

/** The owner describes itself a moment after it has the lock. */
function describeOwner(dataDir: string): string {
  for (let waitedMs = 0; waitedMs < DESCRIBED_WITHIN_MS; waitedMs += POLL_MS) {
    try {
      return readFileSync(ownerFile(dataDir), 'utf8');
    } catch {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MS);
    }
  }
  return 'another process';
}
