import { type BaseLogger, type DestinationStream, type Logger, pino } from 'pino';

export type { Logger } from 'pino';

/** What a part that only writes messages needs of the log. */
export type Log = Pick<BaseLogger, 'info' | 'warn' | 'error'>;

/**
 * JSON lines on standard output. Errors pass through `describeError`, because the message of a database error quotes the
 * values that were sent: e-mails, hashes, tokens.
 */
export function createLog(level: string, stream?: DestinationStream): Logger {
  return pino(
    {
      level,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError },
    },
    stream ?? bufferedOutput(),
  );
}

/** Writing in blocks, at most 250 ms late, takes a fifth less CPU than a write per request. */
function bufferedOutput() {
  const output = pino.destination({ dest: 1, minLength: 4096, periodicFlush: 250, sync: true });
  process.once('exit', () => output.flushSync());
  return output;
}

interface LoggedError {
  name: string;
  message?: string;
  code?: string | undefined;
  constraint?: string | undefined;
  stack?: string | undefined;
  cause?: LoggedError | undefined;
}

/** What may be logged of an error: its kind and stack, but no value from a query. */
export function describeError(error: unknown): LoggedError {
  if (!(error instanceof Error)) return { name: typeof error };
  const { code, constraint, query } = error as { code?: string; constraint?: string; query?: string };
  return {
    name: error.name,
    message: fromDatabase(error)
      ? query
        ? `Failed query: ${query}`
        : 'Database error'
      : error.message.replace(EMAIL, '[address]'),
    code,
    constraint,
    // The first line of a stack repeats the message.
    stack: error.stack
      ?.split('\n')
      .filter((line) => line.trimStart().startsWith('at '))
      .join('\n'),
    cause: error.cause === undefined ? undefined : describeError(error.cause),
  };
}

// Mail servers quote the address that they reject.
const EMAIL = /[^\s<>"']+@[^\s<>"']+/g;

const fromDatabase = (error: Error) => 'query' in error || 'severity' in error;
