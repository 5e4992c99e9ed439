import { existsSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '#server/kit/log.ts';
import { SUPERUSER } from './cluster.ts';
import { lockFolder } from './folder-lock.ts';
import { PRODUCT } from './password.ts';
import { isPostmaster } from './processes.ts';
import { CannotStart } from './programs.ts';

export const SOCKET_PORT = 5432;

/** The socket of a server, by its folder, and the password of both roles. */
export interface ServerAddress {
  socketFolder: string;
  password: string;
}

const POLL_MS = 50;
const WAIT_MS = 30_000;
/** A server that does not answer for so long may be suspended. */
const CONTACT_MS = 3_000;
/** Of a server that is there: it starts or stops, or has no room for a connection at this moment. */
const RETRY_CODES = ['57P03', '53300', 'EAGAIN', 'ECONNRESET', 'EPIPE'];

export const socketPath = ({ socketFolder }: ServerAddress) => join(socketFolder, `.s.PGSQL.${SOCKET_PORT}`);

export const toUrl = ({ socketFolder, password }: ServerAddress) =>
  `postgres://${PRODUCT}:${password}@localhost:${SOCKET_PORT}/${PRODUCT}?host=${encodeURIComponent(socketFolder)}`;

export async function connectSuperuser(
  { socketFolder, password }: ServerAddress,
  connectionTimeoutMillis = CONTACT_MS,
): Promise<pg.Client> {
  const client = new pg.Client({
    host: socketFolder,
    port: SOCKET_PORT,
    user: SUPERUSER,
    password,
    database: 'postgres',
    connectionTimeoutMillis,
  });
  client.on('error', () => {}); // the server ended: the query in progress reports it
  await client.connect();
  return client;
}

/** What PostgreSQL writes of a running server into `postmaster.pid`. After a crash it may be stale or empty. */
function readPidFile(cluster: string): { pid: number; folder: string; socketFolder: string } {
  const file = join(cluster, 'postmaster.pid');
  const [pid = '', folder = '', , , socketFolder = ''] = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  return { pid: Number.parseInt(pid, 10), folder, socketFolder: socketFolder.trim() };
}

/**
 * Where the server of this cluster listens: usually beside the cluster, whatever path that has in the server's namespace. In a
 * copied folder the file names the socket of the original, whose server is another one.
 */
function findSockets(cluster: string, password: string): ServerAddress[] {
  const beside = join(cluster, '..', 'run');
  const { folder, socketFolder } = readPidFile(cluster);
  const isOfCluster = existsSync(folder) && realpathSync(folder) === cluster;
  const folders = isOfCluster && socketFolder && socketFolder !== beside ? [beside, socketFolder] : [beside];
  return folders.map((each) => ({ socketFolder: each, password }));
}

type Contact = { client: pg.Client; address: ServerAddress } | 'starts or stops' | 'gone';

/** Only a socket that refuses or does not exist means that no server runs; any other failure refuses to guess. */
async function contactServer(cluster: string, password: string): Promise<Contact> {
  for (const address of findSockets(cluster, password)) {
    try {
      return { client: await connectSuperuser(address), address };
    } catch (error) {
      const { code = '', message } = error as NodeJS.ErrnoException;
      if (RETRY_CODES.includes(code) || /terminated unexpectedly/.test(message)) return 'starts or stops';
      if (code !== 'ECONNREFUSED' && code !== 'ENOENT') throw unreachable(cluster, address, code || message);
    }
  }
  return 'gone';
}

const unreachable = (cluster: string, address: ServerAddress, reason: string) =>
  new CannotStart(
    `A PostgreSQL server may be running on ${cluster}, but its socket ${socketPath(address)} cannot be used (${reason}). ` +
      'Stop the Highstreet that runs there, or use the account that runs it.',
  );

/** The address of a server that answers; undefined when none runs. Waits for one that is starting. */
export async function findRunning(cluster: string, password: string): Promise<ServerAddress | undefined> {
  for (const deadline = Date.now() + WAIT_MS; ; await pause(POLL_MS)) {
    const contact = await contactServer(cluster, password);
    if (contact === 'gone') return undefined;
    if (contact !== 'starts or stops') return contact.client.end().then(() => contact.address);
    if (Date.now() > deadline) throw new CannotStart(`The PostgreSQL server on ${cluster} does not answer.`);
  }
}

/**
 * Locks the cluster for a server that is about to start. Every process of a running server shares such a lock, so while it
 * is ours no server uses these files. Only the owner of the data folder calls this: a server that still runs is an orphan.
 */
export async function lockCluster(cluster: string, password: string, log: Log): Promise<number> {
  for (const deadline = Date.now() + WAIT_MS; ; await pause(POLL_MS)) {
    const descriptor = lockFolder(cluster);
    if (descriptor !== undefined) {
      await requireNoForeignServer(cluster, password);
      return descriptor;
    }
    if (Date.now() > deadline) throw new CannotStart(`A PostgreSQL server runs on ${cluster} and does not end.`);
    const contact = await contactServer(cluster, password);
    if (contact !== 'gone' && contact !== 'starts or stops') await stopOrphan(cluster, contact.client, log);
  }
}

/** A server that does not hold the lock was started by other means. */
async function requireNoForeignServer(cluster: string, password: string) {
  const contact = await contactServer(cluster, password);
  if (contact === 'gone') return;
  if (contact !== 'starts or stops') await contact.client.end();
  throw new CannotStart(`A PostgreSQL server that this Highstreet did not start runs on ${cluster}. Stop it first.`);
}

/** Signals a process only when it is proven to be the server that answered. */
async function stopOrphan(cluster: string, client: pg.Client, log: Log) {
  const { rows } = await client.query<{ backend: number }>('select pg_backend_pid() as backend');
  const { pid } = readPidFile(cluster);
  const isProven = isPostmaster(pid, cluster, rows[0]?.backend ?? 0);
  if (!isProven) {
    await client.end();
    throw new CannotStart(
      `A PostgreSQL server whose Highstreet was killed still runs on ${cluster}, in another container, namespace or account. ` +
        'Stop it there: restart that container or service.',
    );
  }
  log.warn({ pid }, 'stopping a PostgreSQL server that a former process left running');
  process.kill(pid, 'SIGINT');
  await client.end().catch(() => {});
}

/** Files of a server that has ended would stop the next start: the process id in them may be that of another process by now. */
export function removeStaleFiles(cluster: string, address: ServerAddress) {
  const socket = socketPath(address);
  for (const file of [join(cluster, 'postmaster.pid'), socket, `${socket}.lock`]) rmSync(file, { force: true });
}
