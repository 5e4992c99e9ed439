import type { ServerAddress } from './running-server.ts';

/** For a machine that does other things too: a small team's database fits into its memory with room to spare. */
const SIZE = {
  shared_buffers: '96MB',
  max_connections: '40',
  max_worker_processes: '2',
  max_parallel_workers: '2',
  max_parallel_workers_per_gather: '1',
  autovacuum_max_workers: '2',
  jit: 'off',
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

export function serverSettings({ host, port, password }: ServerAddress, major: number): Record<string, string> {
  const network: Record<string, string> = password
    ? { listen_addresses: host, unix_socket_directories: '' }
    : { listen_addresses: '', unix_socket_directories: host, unix_socket_permissions: '0700' };
  return {
    ...SIZE,
    ...DURABILITY,
    ...NO_REPLICATION,
    ...LOG,
    ...network,
    port: String(port),
    cluster_name: 'highstreet',
    // Three processes less; at this size they gain nothing.
    ...(major >= 18 && { io_method: 'sync' }),
  };
}
