import { join } from 'node:path';
import pg from 'pg';
import { clusterFolder, startBuiltIn } from '#server/kit/db/built-in/built-in.ts';
import { openDatabase } from '#server/kit/db/open.ts';
import { MIGRATIONS } from '#server/paths.ts';
import { type Defer, temporaryFolder } from './cleanup.ts';
import { postmasterId } from './processes.ts';

export type BenchDatabase = Awaited<ReturnType<typeof startDatabase>>;

const log = { info: () => {}, warn: () => {}, error: console.error };

/** An empty, migrated database on the built-in PostgreSQL with the settings of production. */
export async function startDatabase(defer: Defer) {
  const dataDir = join(temporaryFolder(defer), 'data');
  const { databaseUrl, close } = await startBuiltIn({ dataDir, log });
  defer(close);
  const database = await openDatabase({ databaseUrl, migrationsDir: MIGRATIONS, log });
  defer(database.close);
  return {
    database,
    // Not the product's, whose watch for an unresponsive server would end statements of minutes on a busy disk.
    pool: openPool(defer, databaseUrl),
    /** Makes the product use this database. */
    env: { DATABASE_URL: databaseUrl },
    processId: postmasterId(clusterFolder(dataDir)),
  };
}

export function openPool(defer: Defer, connectionString: string, max = 4): pg.Pool {
  const pool = new pg.Pool({ connectionString, max });
  pool.on('error', () => {}); // the query in progress reports it
  defer(() => pool.end());
  return pool;
}

/** A connection without the time limit of statements. */
export async function withoutTimeout<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('set statement_timeout = 0');
    return await work(client);
  } finally {
    client.release(true); // closed, so that the setting is not reused
  }
}
