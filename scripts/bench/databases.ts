import { cpSync, mkdtempSync, rmSync } from 'node:fs';
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
  /** The same while the product has it open; of the embedded database a copy, made while nobody has. */
  openBeside(): Promise<Database>;
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
  const open = () => openDatabase({ databaseUrl: postgres.url, dataDir: '', migrationsDir: MIGRATIONS, log });
  return { name: 'PostgreSQL', env: { DATABASE_URL: postgres.url }, open, openBeside: open, stop: postgres.stop };
}

export async function onEmbedded(): Promise<BenchDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'highstreet-bench-'));
  const [dataDir, copy] = [join(folder, 'data'), join(folder, 'copy')];
  const open = (at: string) => openDatabase({ dataDir: at, migrationsDir: MIGRATIONS, log });
  return {
    name: 'embedded',
    env: { DATABASE_URL: '', DATA_DIR: dataDir },
    open: () => open(dataDir),
    openBeside: async () => {
      cpSync(dataDir, copy, { recursive: true });
      return open(copy);
    },
    stop: async () => rmSync(folder, { recursive: true, force: true }),
  };
}
