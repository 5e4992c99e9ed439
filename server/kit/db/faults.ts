import { setTimeout as pause } from 'node:timers/promises';

type Fault =
  | { kind: 'unique'; constraint: string }
  | { kind: 'foreign_key'; constraint: string }
  /** The database does not respond, or refuses connections. */
  | { kind: 'unavailable' }
  /** The statement took longer than it may. */
  | { kind: 'timeout' }
  /** No room to store changes; reading goes on. */
  | { kind: 'full' }
  /** A deadlock, a serialization failure or a lock time-out. */
  | { kind: 'conflict' }
  | { kind: 'other' };

const CONFLICT = new Set(['40001', '40P01', '55P03']);
const RETRYABLE = new Set(['40001', '40P01']);
const TIMEOUT = new Set(['57014', '25P03', '25P04']); // a statement, a transaction left idle, a transaction
// SQLSTATE classes 08, 28 and 57 are the connection, the account, and the operator (shut down, starting up, recovering).
const UNAVAILABLE_CLASS = /^(08|28|57)/;
const UNAVAILABLE = new Set([
  ...['53300', '25006'], // too many connections; a server that only reads, as in a fail-over
  ...['3D000', '55000'], // a database that was renamed or dropped; one that allows no connections
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN'],
  ...['ENOENT'], // a server's socket file that is not there
]);
// `pg` gives these no code.
const LOST_CONNECTION =
  /connection terminated|connection error and is not queryable|client was closed|timeout exceeded when trying to connect|timeout expired|cannot use a pool after calling end/i;
const READ_TIMEOUT = /query read timeout/i;

/** The error that PostgreSQL raises on a full disk (53100), raised before the disk is full. */
export class StorageFull extends Error {
  readonly code = '53100';
  constructor() {
    super('No room is left on the disk of the database');
  }
}

/** What kind of database error this is. Drizzle wraps the driver's error, so the chain of causes is searched. */
export function classifyFault(error: unknown): Fault {
  for (let link = error, depth = 0; link instanceof Error && depth < 5; link = link.cause, depth += 1) {
    const fault = classifyOne(link);
    if (fault.kind !== 'other') return fault;
  }
  return { kind: 'other' };
}

/** Runs a whole transaction again, up to three times, after a deadlock or a serialization failure. */
export async function withRetries<T>(work: () => Promise<T>, onRetry: () => void = () => {}): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt > 3 || !isRetryable(error)) throw error;
      onRetry();
      await pause(Math.random() * 25 * 2 ** attempt); // at random, so that the two transactions do not collide again
    }
  }
}

function isRetryable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return RETRYABLE.has(readErrorCode(error)) || isRetryable(error.cause);
}

function classifyOne(error: Error): Fault {
  const code = readErrorCode(error);
  const { constraint = '' } = error as { constraint?: string };
  if (code === '23505') return { kind: 'unique', constraint };
  if (code === '23503') return { kind: 'foreign_key', constraint };
  if (code === '53100' || code === 'ENOSPC') return { kind: 'full' };
  if (CONFLICT.has(code)) return { kind: 'conflict' };
  if (TIMEOUT.has(code) || (!code && READ_TIMEOUT.test(error.message))) return { kind: 'timeout' };
  if (UNAVAILABLE_CLASS.test(code) || UNAVAILABLE.has(code) || isFatal(error)) return { kind: 'unavailable' };
  if (!code && LOST_CONNECTION.test(error.message)) return { kind: 'unavailable' };
  return { kind: 'other' };
}

/** The server ends the connection with it, or did not accept one. */
const isFatal = (error: Error) => ['FATAL', 'PANIC'].includes((error as { severity?: string }).severity ?? '');

function readErrorCode(error: Error): string {
  const { code } = error as { code?: unknown };
  if (typeof code === 'string') return code;
  // Node tries every address of a host and reports all failures in one error.
  if (error instanceof AggregateError && error.errors[0] instanceof Error) return readErrorCode(error.errors[0]);
  return '';
}
