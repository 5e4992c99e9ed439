import type pg from 'pg';
import type { Log } from '#server/kit/log.ts';
import type { MigrateOptions } from './apply-migration.ts';
import { createDb, type Db } from './db.ts';
import { latestVersion, migrate, schemaFits } from './migrate.ts';
import { openPostgres, type PostgresOptions } from './postgres.ts';

export type Database = {
  db: Db;
  pool: pg.Pool;
  /** Past any pooler: for databases beside this one. */
  directUrl: string;
  /** Does a commit survive a power cut? */
  powerLossSafe: boolean;
  /** One cheap query: the server responds, and has the schema that this code was written for. */
  isReachable: () => Promise<boolean>;
  /** How often a transaction was tried again after a conflict with another. */
  retries: () => number;
  /** A connection outside the pool, for what belongs to a session: LISTEN and advisory locks. */
  newClient: () => pg.Client;
  close: () => Promise<void>;
};

export type OpenOptions = PostgresOptions & {
  /** Applied before the database is handed out. */
  migrationsDir?: string | undefined;
  /** Called before the schema of a database with tables is changed. An error that it throws leaves all as it is. */
  beforeMigrating?: ((directUrl: string) => Promise<void>) | undefined;
  /** Whether the disk has room for changes; known for the built-in server only. */
  hasFreeSpace?: () => boolean;
};

const MAX_CONNECT_ATTEMPTS = 3;

export async function openDatabase(options: OpenOptions): Promise<Database> {
  const { migrationsDir, beforeMigrating, log } = options;
  const opened = openPostgres(options);
  const { pool, close } = opened;
  logLostConnections(pool, log);
  try {
    const powerLossSafe = await retryConnecting(opened.powerLossSafe);
    const beforeFirst = async () => beforeMigrating?.(opened.directUrl);
    const applied = migrationsDir
      ? await retryConnecting(() => migrateOn(opened.newPool(), migrationsDir, { log, beforeFirst }))
      : [];
    if (applied.length) log.info({ applied }, 'the schema was migrated');
    const version = migrationsDir ? await latestVersion(migrationsDir) : undefined;
    let retries = 0;
    const message = `database open, power-loss safe: ${powerLossSafe ? 'yes' : 'no'}`;
    if (powerLossSafe) log.info({ powerLossSafe }, message);
    else log.warn({ powerLossSafe }, message);
    return {
      ...opened,
      db: createDb(pool, {
        hasFreeSpace: options.hasFreeSpace,
        onRetry: () => {
          retries += 1;
        },
      }),
      retries: () => retries,
      powerLossSafe,
      isReachable: async () => {
        if (version !== undefined) return schemaFits(pool, version);
        await pool.query('SELECT 1');
        return true;
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** On a busy machine this process may be too late to see that a connection was made in time. */
async function retryConnecting<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === MAX_CONNECT_ATTEMPTS || !isConnectTimeout(error)) throw error;
    }
  }
}

/** The driver and its pool have no code for it. */
const isConnectTimeout = (error: unknown) =>
  error instanceof Error && /^timeout expired|connection timeout$/.test(error.message);

/** On a connection of its own, past any pooler: its lock belongs to a session. */
async function migrateOn(pool: pg.Pool, migrationsDir: string, options: MigrateOptions): Promise<number[]> {
  pool.on('error', () => {}); // the query under way reports it
  try {
    return await migrate(pool, migrationsDir, options);
  } finally {
    await pool.end();
  }
}

/** An error event without a listener ends the process. The pool listens to idle clients only, not to those in use. */
function logLostConnections(pool: pg.Pool, log: Log) {
  const lost = (error: Error) => {
    // A server that stops right after the pool closed may end connections before it reads their goodbye.
    if (!pool.ending) log.warn({ err: error }, 'a database connection was lost');
  };
  pool.on('error', () => {}); // the client has reported it already
  pool.on('connect', (client) => client.on('error', lost));
}
