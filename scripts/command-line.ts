import { join, resolve } from 'node:path';
import { backUpBeforeMigrating } from '#server/backup/upgrade-backup.ts';
import { MAINTENANCE_LIMIT_MS } from '#server/kit/db/postgres.ts';
import { type Env, readEnv, withEnvFile } from '#server/kit/env.ts';
import { createLog } from '#server/kit/log.ts';
import { MIGRATIONS, ROOT } from '#server/paths.ts';

/** The file and the option on the command line, after the name of the program. */
export function readArguments(usage: string): { file: string; replace: boolean } {
  const words = process.argv.slice(3);
  const files = words.filter((word) => !word.startsWith('-'));
  const [file] = files;
  const unknown = words.filter((word) => word.startsWith('-') && word !== '--replace');
  if (!file || files.length > 1 || unknown.length) {
    console.error(`Usage: ${usage}`);
    process.exit(1);
  }
  // npm runs in the folder of package.json; the file name is relative to where it was called.
  return { file: resolve(process.env.INIT_CWD ?? '.', file), replace: words.includes('--replace') };
}

/** These programs need long transactions and session settings, so they connect past a pooler. */
export function readDirectEnv(): Env {
  const env = readEnv(withEnvFile(join(ROOT, '.env'), process.env));
  return { ...env, databaseUrl: env.databaseDirectUrl ?? env.databaseUrl, databaseDirectUrl: undefined };
}

/** How commands open a database that they may migrate. */
export function migratingOptions(env: Env) {
  const log = createLog('error');
  return {
    log,
    migrationsDir: MIGRATIONS,
    queryLimitMs: MAINTENANCE_LIMIT_MS,
    beforeMigrating: (directUrl: string) => backUpBeforeMigrating(env, log, directUrl),
  };
}

/** Closes the database when the work has ended or failed. */
export async function withDatabase<D extends { close(): Promise<void> }, T>(
  database: D,
  work: (database: D) => Promise<T>,
) {
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** Exits with 0 or, after printing the reason, with `failed`. */
export async function runAndExit(what: string, work: () => Promise<void>, failed = 1): Promise<never> {
  try {
    await work();
  } catch (error) {
    console.error(`${what}: ${(error as Error).message}`);
    process.exit(failed);
  }
  process.exit(0);
}
