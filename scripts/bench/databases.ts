import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, openDatabase } from '#server/kit/db/open.ts';
import { MIGRATIONS } from '#server/paths.ts';
import { startPostgres } from '../testing/postgres.ts';

/** An empty database for one bench, and what tells the product to use it. */
export interface BenchDatabase {
  name: 'PostgreSQL' | 'embedded';
  env: Record<string, string>;
  /** The same database without the product. The embedded one is open in one process at a time. */
  open(): Promise<Database>;
  stop(): Promise<void>;
}

const log = { info: () => {}, warn: console.warn, error: console.error };

/** Does the same on a PostgreSQL server of its own, where one is installed, and on an embedded database. */
export async function onBothDatabases<T>(measure: (database: BenchDatabase) => Promise<T>): Promise<T[]> {
  const measured: T[] = [];
  for (const start of [onPostgres, onEmbedded]) {
    const database = await start();
    if (!database) continue;
    try {
      measured.push(await measure(database));
    } finally {
      await database.stop();
    }
  }
  return measured;
}

export async function onPostgres(): Promise<BenchDatabase | undefined> {
  const postgres = await startPostgres();
  if (!postgres) {
    console.log('No PostgreSQL was found: only the embedded database is measured.');
    return undefined;
  }
  return {
    name: 'PostgreSQL',
    env: { DATABASE_URL: postgres.url },
    open: () => openDatabase({ databaseUrl: postgres.url, dataDir: '', migrationsDir: MIGRATIONS, log }),
    stop: postgres.stop,
  };
}

export async function onEmbedded(): Promise<BenchDatabase> {
  const dataDir = mkdtempSync(join(tmpdir(), 'highstreet-bench-'));
  return {
    name: 'embedded',
    env: { DATABASE_URL: '', DATA_DIR: dataDir },
    open: () => openDatabase({ dataDir, migrationsDir: MIGRATIONS, log }),
    stop: async () => rmSync(dataDir, { recursive: true, force: true }),
  };
}
