import { totalmem } from 'node:os';
import { SOCKET_PORT } from './running-server.ts';

const MIB = 1024 * 1024;

/** A sixteenth of the memory, of the container's or unit's limit where there is one: the machine does other things too. */
export function sharedBuffersMib(
  memoryBytes = Math.min(totalmem(), process.constrainedMemory() || totalmem()),
): number {
  return Math.round(Math.min(Math.max(memoryBytes / 16 / MIB, 96), 1024));
}

const SIZE = {
  max_connections: '40',
  max_worker_processes: '2',
  max_parallel_workers: '2',
  max_parallel_workers_per_gather: '1',
  autovacuum_max_workers: '2',
  jit: 'off',
  // Pages written whole after a checkpoint are most of the log of a busy import.
  wal_compression: 'on',
  // For solid-state disks and a database in memory. PostgreSQL's 4 is for rotating disks, and keeps it from combining indexes.
  random_page_cost: '1.5',
};

/** A commit that was acknowledged survives a power cut. */
const DURABILITY = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' };

/** Replicas need a server of one's own. */
const NO_REPLICATION = { wal_level: 'minimal', max_wal_senders: '0', max_logical_replication_workers: '0' };

/** Messages about the server itself. Those about statements go to the client, and hold values that no log may have. */
const LOG = {
  log_destination: 'stderr',
  logging_collector: 'off',
  log_line_prefix: '',
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
  lc_messages: 'C',
};

export function serverSettings(socketFolder: string, major: number): Record<string, string> {
  return {
    ...SIZE,
    ...DURABILITY,
    ...NO_REPLICATION,
    ...LOG,
    shared_buffers: `${sharedBuffersMib()}MB`,
    listen_addresses: '',
    unix_socket_directories: socketFolder,
    unix_socket_permissions: '0700',
    port: String(SOCKET_PORT),
    cluster_name: 'highstreet',
    // Three processes less; at this size they gain nothing.
    ...(major >= 18 && { io_method: 'sync' }),
  };
}
