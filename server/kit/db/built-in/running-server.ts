import { existsSync, readFileSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '#server/kit/log.ts';
import { SUPERUSER } from './cluster.ts';
import { isPostmaster } from './processes.ts';
import { CannotStart } from './programs.ts';

/** How a server is reached: by the folder of its socket, or by TCP on loopback with a password. */
export interface ServerAddress {
  host: string;
  port: number;
  password?: string | undefined;
}

interface RunningServer {
  pid: number;
  address: ServerAddress;
}

const OWNER_LOCK = 473_874; // any number, the same for every process of this product
const POLL_MS = 50;
const STOP_LIMIT_MS = 30_000;

export const superuserClient = (address: ServerAddress) =>
  new pg.Client({
    ...address,
    user: SUPERUSER,
    database: 'postgres',
    application_name: `Highstreet, process ${process.pid} on ${hostname()}`.slice(0, 63),
    connectionTimeoutMillis: 3_000,
  });

/** The server that runs on this cluster, by the file that PostgreSQL keeps of it. */
export function findServer(cluster: string, password?: string): RunningServer | undefined {
  const file = join(cluster, 'postmaster.pid');
  if (!existsSync(file)) return undefined;
  const [pid = '', , , port = '', socketFolder = ''] = readFileSync(file, 'utf8').split('\n');
  if (!isPostmaster(Number.parseInt(pid, 10), cluster)) return undefined;
  const host = socketFolder.trim() || '127.0.0.1';
  return { pid: Number(pid), address: { host, port: Number(port), password } };
}

/**
 * The product that uses a server holds a lock in it for as long as it lives. Undefined when another one holds it: then
 * `holder` says which.
 */
export async function takeOwnership(address: ServerAddress): Promise<{ owner?: pg.Client; holder?: string }> {
  const client = superuserClient(address);
  client.on('error', () => {}); // the server is gone: its supervisor notices that
  await client.connect();
  const { rows } = await client.query<{ free: boolean }>('select pg_try_advisory_lock($1) as free', [OWNER_LOCK]);
  if (rows[0]?.free) return { owner: client };
  const { rows: holders } = await client.query<{ name: string }>(
    `select application_name as name from pg_locks join pg_stat_activity using (pid)
     where locktype = 'advisory' and objid = $1 and granted`,
    [OWNER_LOCK],
  );
  await client.end();
  return { holder: holders[0]?.name ?? 'another process' };
}

/** Refuses while another product uses the cluster; stops a server whose product was killed. */
export async function stopOrphan(cluster: string, { host, port, password }: ServerAddress, log: Log): Promise<void> {
  for (const deadline = Date.now() + STOP_LIMIT_MS; ; await pause(POLL_MS)) {
    const server = findServer(cluster, password);
    if (!server) {
      // Files of a server that is gone would stop the next start: the process id in them may be that of another process
      // by now, and a power cut can leave them empty.
      const socket = join(host, `.s.PGSQL.${port}`);
      for (const file of [join(cluster, 'postmaster.pid'), socket, `${socket}.lock`]) rmSync(file, { force: true });
      return;
    }
    if (Date.now() > deadline) {
      throw new CannotStart(`A PostgreSQL server (process ${server.pid}) runs on ${cluster} and does not answer.`);
    }
    const found = await takeOwnership(server.address).catch(() => undefined); // it starts or stops at this moment
    if (!found) continue;
    if (!found.owner) throw inUse(cluster, found.holder);
    log.warn({ pid: server.pid }, 'stopping a PostgreSQL server that a former process left running');
    await found.owner.end();
    process.kill(server.pid, 'SIGINT');
  }
}

export const inUse = (cluster: string, holder = 'another process') =>
  new CannotStart(`${cluster} is in use by ${holder}. Stop that process first, or set DATA_DIR to another folder.`);
