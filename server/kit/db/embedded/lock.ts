import { createHash } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** Fit for people: say it and end. */
export class DataDirInUse extends Error {
  override readonly name = 'DataDirInUse';
}

export type DataDirLock = { release: () => Promise<void> };

const SOCKET_PATH_LIMIT = 100; // bytes; systems differ between 104 and 108
const STARTING_LIMIT_MS = 5_000;

/**
 * One process at a time on a data folder: two would overwrite each other's rows without an error. A process id proves
 * nothing (in containers every start has the same one), so the proof of life is a socket that answers; the file beside
 * it only names the holder.
 */
export async function lockDataDir(dataDir: string): Promise<DataDirLock> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const folder = realpathSync(dataDir);
  const holderFile = join(folder, 'database.lock');
  const { socket, onDisk, closeFolder } = socketOf(folder);
  const done = await startAlone(join(folder, 'database.starting'));
  try {
    if (await answers(socket)) throw new DataDirInUse(inUse(folder, holderFile));
    if (onDisk) rmSync(onDisk, { force: true });
    const server = await listen(socket);
    writeFileSync(holderFile, `${process.pid} on ${hostname()} since ${new Date().toISOString()}\n`, { mode: 0o600 });
    return {
      release: async () => {
        rmSync(holderFile, { force: true });
        await new Promise((closed) => server.close(closed));
        closeFolder();
      },
    };
  } catch (error) {
    closeFolder();
    throw error;
  } finally {
    done();
  }
}

function inUse(folder: string, holderFile: string) {
  let holder = 'another process';
  try {
    holder = `process ${readFileSync(holderFile, 'utf8').trim()}`;
  } catch {
    // It has the socket but not yet the file.
  }
  return `The data folder ${folder} is in use by ${holder}. Stop it first, or set DATA_DIR to another folder.`;
}

function socketOf(folder: string): { socket: string; onDisk?: string; closeFolder: () => void } {
  const name = `highstreet-${createHash('sha256').update(folder).digest('hex').slice(0, 24)}`;
  if (process.platform === 'win32') return { socket: `\\\\.\\pipe\\${name}`, closeFolder: () => {} };
  const beside = join(folder, 'database.sock');
  if (Buffer.byteLength(beside) <= SOCKET_PATH_LIMIT) return { socket: beside, onDisk: beside, closeFolder: () => {} };
  if (process.platform === 'linux') {
    const descriptor = openSync(folder, 'r');
    return {
      socket: `/proc/self/fd/${descriptor}/database.sock`,
      onDisk: beside,
      closeFolder: () => closeSync(descriptor),
    };
  }
  const elsewhere = join(tmpdir(), `${name}.sock`);
  return { socket: elsewhere, onDisk: elsewhere, closeFolder: () => {} };
}

/** Taking over a dead holder's socket is three steps; two processes starting together must not mix theirs. */
async function startAlone(file: string): Promise<() => void> {
  const deadline = Date.now() + 2 * STARTING_LIMIT_MS;
  for (;;) {
    try {
      closeSync(openSync(file, 'wx', 0o600));
      return () => rmSync(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || Date.now() > deadline) throw error;
    }
    const leftOver =
      Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()) > STARTING_LIMIT_MS;
    if (leftOver) rmSync(file, { force: true });
    else await pause(25);
  }
}

function answers(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(socket);
    probe.once('connect', () => {
      probe.destroy();
      resolve(true);
    });
    // Nobody listens, or there is no such file. Anything else (another user's socket) is somebody.
    probe.once('error', (error: NodeJS.ErrnoException) => {
      resolve(error.code !== 'ECONNREFUSED' && error.code !== 'ENOENT');
    });
  });
}

function listen(socket: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((caller) => caller.destroy());
    server.once('error', reject);
    server.listen(socket, () => {
      server.off('error', reject);
      server.on('error', () => {});
      resolve(server.unref());
    });
  });
}
