import type pg from 'pg';
import { createDb, type Db } from './db.ts';
import { type EmbeddedOptions, openEmbedded } from './embedded/open-embedded.ts';
import type { Log } from './log.ts';
import { latestVersion, migrate, schemaFits } from './migrate.ts';
import { openPostgres } from './postgres.ts';

export type Database = {
  db: Db;
  pool: pg.Pool;
  mode: 'embedded' | 'postgres';
  /** Does a commit survive a power cut? */
  powerLossSafe: boolean;
  /** One cheap query: it answers, and has the schema that this code was written for. */
  answers: () => Promise<boolean>;
  /** How often a transaction was tried again because others were in its way. */
  retries: () => number;
  /** After many rows came or went, as in an import. PostgreSQL does it by itself. */
  vacuum: () => Promise<void>;
  /** A connection of one's own, for LISTEN; the embedded engine has none to spare. */
  newClient?: () => pg.Client;
  close: () => Promise<void>;
};

export type OpenOptions = EmbeddedOptions & {
  /** A PostgreSQL server; without it, the embedded database in `dataDir`. */
  databaseUrl?: string | undefined;
  /** The same server, when `databaseUrl` is a pooler in front of it. */
  databaseDirectUrl?: string | undefined;
  /** Applied before the database is handed out. */
  migrationsDir?: string | undefined;
};

export async function openDatabase(options: OpenOptions): Promise<Database> {
  const { databaseUrl, migrationsDir, log } = options;
  const opened = databaseUrl ? openPostgres(databaseUrl, log, options.databaseDirectUrl) : await openEmbedded(options);
  const { pool, close } = opened;
  outliveLostConnections(pool, log);
  try {
    const powerLossSafe = await opened.powerLossSafe();
    const applied = migrationsDir ? await migrateOn(opened, migrationsDir) : [];
    if (applied.length) log.info({ applied }, 'the schema was migrated');
    const version = migrationsDir ? await latestVersion(migrationsDir) : undefined;
    const mode = databaseUrl ? 'postgres' : 'embedded';
    let retries = 0;
    const message = `database open (${mode}), power-loss safe: ${powerLossSafe ? 'yes' : 'no'}`;
    if (powerLossSafe || options.sync === false) log.info({ mode, powerLossSafe }, message);
    else log.warn({ mode, powerLossSafe }, message);
    return {
      ...opened,
      db: createDb(pool, () => {
        retries += 1;
      }),
      retries: () => retries,
      mode,
      powerLossSafe,
      answers: async () => {
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

/** Its lock is a session's, so on a server it has a connection of its own, past any pooler. */
async function migrateOn(opened: { pool: pg.Pool; newPool?: () => pg.Pool }, migrationsDir: string): Promise<number[]> {
  if (!opened.newPool) return migrate(opened.pool, migrationsDir);
  const pool = opened.newPool();
  pool.on('error', () => {}); // the query under way tells it
  try {
    return await migrate(pool, migrationsDir);
  } finally {
    await pool.end();
  }
}

/** An error event that nobody hears ends the process. The pool hears only of idle clients, not of those in use. */
function outliveLostConnections(pool: pg.Pool, log: Log) {
  const lost = (error: Error) => log.warn({ err: error }, 'a database connection was lost');
  pool.on('error', () => {}); // the client has told already
  pool.on('connect', (client) => client.on('error', lost));
}
