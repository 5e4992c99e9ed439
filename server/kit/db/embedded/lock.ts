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
  const { doors, leave } = doorsOf(folder);
  const done = await startAlone(folder);
  try {
    for (const { address } of doors) {
      if (await answers(address)) throw new DataDirInUse(inUse(folder, holderFile));
    }
    const server = await listenAtOne(doors);
    writeFileSync(holderFile, `${process.pid} on ${hostname()} since ${new Date().toISOString()}\n`, { mode: 0o600 });
    return {
      release: async () => {
        rmSync(holderFile, { force: true });
        await new Promise((closed) => server.close(closed));
        leave();
      },
    };
  } catch (error) {
    leave();
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

type Door = { address: string; file?: string };

/** Where the holder may be listening, best place first: a data folder can be on a disk that takes no sockets. */
function doorsOf(folder: string): { doors: Door[]; leave: () => void } {
  const name = `highstreet-${createHash('sha256').update(folder).digest('hex').slice(0, 24)}`;
  if (process.platform === 'win32') return { doors: [{ address: `\\\\.\\pipe\\${name}` }], leave: () => {} };
  const elsewhere = join(tmpdir(), `${name}.sock`);
  const beside = join(folder, 'database.sock');
  const doors: Door[] = [{ address: elsewhere, file: elsewhere }];
  if (Buffer.byteLength(beside) <= SOCKET_PATH_LIMIT) doors.unshift({ address: beside, file: beside });
  else if (process.platform === 'linux') {
    const descriptor = openSync(folder, 'r'); // a short name for a long path
    doors.unshift({ address: `/proc/self/fd/${descriptor}/database.sock`, file: beside });
    return { doors, leave: () => closeSync(descriptor) };
  }
  return { doors, leave: () => {} };
}

async function listenAtOne([door, ...others]: Door[]): Promise<Server> {
  if (!door) throw new Error('No socket to hold the data folder by');
  try {
    if (door.file) rmSync(door.file, { force: true });
    return await listen(door.address);
  } catch (error) {
    if (!others.length) throw error;
    return listenAtOne(others);
  }
}

/** Taking over a dead holder's socket is three steps; two processes starting together must not mix theirs. */
async function startAlone(folder: string): Promise<() => void> {
  const file = join(folder, 'database.starting');
  const deadline = Date.now() + 2 * STARTING_LIMIT_MS;
  for (;;) {
    try {
      closeSync(openSync(file, 'wx', 0o600));
      return () => rmSync(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      if (Date.now() > deadline) throw new DataDirInUse(`Another process keeps starting on the data folder ${folder}.`);
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
