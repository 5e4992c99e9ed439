import { rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Pool } from 'pg';
import type { Logger } from '#server/kit/log.ts';
import { sendBackup } from './write-backup.ts';

const PATH_LIMIT = 100; // bytes; systems differ between 104 and 108

const socketIn = (dataDir: string) => join(dataDir, 'backup.sock');

/**
 * Only one process can have the embedded database open, so a backup while people work has to come from that one: who
 * connects is sent a backup. The socket is a file that only the owner of the data folder can open.
 */
export async function serveBackups(dataDir: string, pool: Pool, log: Logger): Promise<{ close: () => Promise<void> }> {
  const path = socketIn(dataDir);
  if (process.platform === 'win32' || Buffer.byteLength(path) > PATH_LIMIT) {
    log.warn('backups need the product to be stopped: the path of the data folder is too long for a socket');
    return { close: async () => {} };
  }
  const callers = new Set<Socket>();
  const server = createServer(async (caller) => {
    callers.add(caller);
    try {
      await sendBackup(pool, caller);
      log.info('backup sent');
    } catch (error) {
      // The caller sees a stream without an end, and refuses it.
      log.error({ err: error }, 'backup not sent');
    } finally {
      callers.delete(caller);
    }
  });
  // Left by a process that was killed. Nobody else can be listening: the data folder is locked by now.
  rmSync(path, { force: true });
  await listenPrivately(server, path);
  return {
    close: async () => {
      for (const caller of callers) caller.destroy();
      await new Promise<void>((closed) => void server.close(() => closed()));
    },
  };
}

/** Has the product that runs on this data folder send a backup; undefined when none is running. */
export function runningProduct(dataDir: string): Promise<((to: Writable) => Promise<void>) | undefined> {
  return new Promise((resolve, reject) => {
    const socket = connect(socketIn(dataDir));
    socket.once('connect', () => resolve((to) => pipeline(socket, to)));
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ECONNREFUSED') resolve(undefined);
      else reject(error);
    });
  });
}

function listenPrivately(server: Server, path: string) {
  return new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    // The file is made during the call, so the mask is back before anything else runs.
    const mask = process.umask(0o177);
    server.listen(path, () => {
      server.unref();
      resolve();
    });
    process.umask(mask);
  });
}
