import { closeSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { lockFolder } from './folder-lock.ts';
import { CannotStart } from './programs.ts';

/** The right to start, stop and change the database of a data folder. One process at a time has it, until it ends. */
export interface Ownership {
  release: () => void;
}

/** Undefined while another process owns the folder. */
export function tryOwnership(dataDir: string): Ownership | undefined {
  const descriptor = lockFolder(dataDir);
  if (descriptor === undefined) return undefined;
  writeFileSync(ownerFile(dataDir), `Highstreet, process ${process.pid} on ${hostname()}`, { mode: 0o600 });
  return { release: () => closeSync(descriptor) };
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

function describeOwner(dataDir: string): string {
  try {
    return readFileSync(ownerFile(dataDir), 'utf8') || 'another process';
  } catch {
    return 'another process';
  }
}
