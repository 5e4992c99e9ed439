import { spawnSync } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { CannotStart } from './programs.ts';

const { O_RDONLY, O_NONBLOCK } = constants;
const O_EXLOCK = 0x20; // of macOS; Node has no name for it
const HELD_BY_ANOTHER = 1; // exit code of flock(1)

/**
 * Locks a folder (flock(2)) and returns its file descriptor, or undefined when another process has it locked. The kernel
 * keeps the lock until every process that shares the descriptor has closed it or ended, however it ended, and whatever
 * namespaces the processes are in.
 */
export function lockFolder(folder: string): number | undefined {
  try {
    return process.platform === 'darwin' ? openLocked(folder) : lockOpened(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error;
    throw new CannotStart(`${folder} belongs to another account. Use the account that Highstreet runs as.`);
  }
}

function openLocked(folder: string): number | undefined {
  try {
    return openSync(folder, O_RDONLY | O_NONBLOCK | O_EXLOCK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return undefined;
    throw error;
  }
}

/** Node cannot call flock(2). The program flock(1) locks a descriptor that it shares with us, and the lock outlives it. */
function lockOpened(folder: string): number | undefined {
  const descriptor = openSync(folder, O_RDONLY);
  const { status, error, stderr } = spawnSync('flock', ['--nonblock', '3'], {
    stdio: ['ignore', 'ignore', 'pipe', descriptor],
    encoding: 'utf8',
  });
  if (status === 0) return descriptor;
  closeSync(descriptor);
  if (status === HELD_BY_ANOTHER) return undefined;
  throw new CannotStart(
    `${folder} cannot be locked: ${error ? 'the program flock (package util-linux) is missing' : stderr.trim()}.`,
  );
}
