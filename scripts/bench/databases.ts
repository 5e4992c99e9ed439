import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startBuiltIn } from '#server/kit/db/built-in/built-in.ts';
import { type Database, openDatabase } from '#server/kit/db/open.ts';
import { MIGRATIONS } from '#server/paths.ts';

/** An empty database for one bench, on the built-in PostgreSQL with the settings that people have. */
export interface BenchDatabase {
  /** What makes the product use it. */
  env: Record<string, string>;
  /** The same database without the product. */
  open(): Promise<Database>;
  stop(): Promise<void>;
}

const log = { info: () => {}, warn: console.warn, error: console.error };

export async function startDatabase(): Promise<BenchDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'highstreet-bench-'));
  const { databaseUrl, close } = await startBuiltIn({ dataDir: folder, log });
  return {
    env: { DATABASE_URL: databaseUrl },
    open: () => openDatabase({ databaseUrl, migrationsDir: MIGRATIONS, log }),
    stop: async () => {
      await close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
