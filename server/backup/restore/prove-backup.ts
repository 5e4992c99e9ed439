import { existsSync } from 'node:fs';
import type { Pool } from 'pg';
import { readHeader } from '#server/backup/file/read-backup.ts';
import { GENTLE } from '#server/backup/pace.ts';
import { freeBytes, RESERVED_BYTES } from '#server/kit/db/built-in/free-space.ts';
import { classifyFault } from '#server/kit/db/faults.ts';
import { migrate } from '#server/kit/db/migrate.ts';
import type { Database } from '#server/kit/db/open.ts';
import type { Env } from '#server/kit/env.ts';
import type { Log } from '#server/kit/log.ts';
import { MIGRATIONS } from '#server/paths.ts';
import { loadBackup } from './restore-backup.ts';
import { NoScratchDatabase, withScratchDatabase } from './scratch-database.ts';

const MIB = 1024 * 1024;
/** A copy that is loaded at once is smaller than the database; its log is not. */
const COPY_SHARE = 1.2;

/** Why a backup was not tried out, though it may be sound. */
export class ProofSkipped extends Error {}

interface Options {
  database: Pick<Database, 'directUrl' | 'pool'>;
  env: Pick<Env, 'backupKey' | 'databaseUrl' | 'dataDir'>;
  log: Log;
  signal?: AbortSignal;
  free?: (folder: string) => number;
}

/**
 * Restores a backup into a scratch database, compares every table with what was written, and drops it. Throws what is wrong
 * with the file.
 */
export async function proveBackup(file: string, { database, env, log, signal, free = freeBytes }: Options) {
  if (!existsSync(file)) throw new ProofSkipped(`${file} is not there; processes on several hosts share BACKUP_DIR`);
  if (!env.databaseUrl) await requireRoom(database, env.dataDir, free);
  const options = { key: env.backupKey, signal, pace: GENTLE };
  const { schema } = await readHeader(file, options);
  try {
    await withScratchDatabase({ directUrl: database.directUrl, log, signal }, async ({ pool }) => {
      await migrate(pool, MIGRATIONS, { upTo: schema, log });
      await dropPlainIndexes(pool);
      await loadBackup(pool, file, options);
    });
  } catch (error) {
    if (error instanceof NoScratchDatabase) throw new ProofSkipped(error.message);
    if (classifyFault(error).kind === 'full') throw new ProofSkipped('the disk of the database has no room for a copy');
    throw error;
  }
}

/** Those that enforce nothing hold no data, and writing them is most of the work. */
async function dropPlainIndexes(pool: Pool) {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT indexrelid::regclass::text AS name FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
     WHERE relnamespace = 'public'::regnamespace AND NOT indisunique`,
  );
  if (rows.length) await pool.query(`DROP INDEX ${rows.map(({ name }) => name).join(', ')}`);
}

/** Only the disk of the built-in database is known. */
async function requireRoom({ pool }: Options['database'], dataDir: string, free: (folder: string) => number) {
  const { rows } = await pool.query<{ bytes: string }>('SELECT pg_database_size(current_database()) AS bytes');
  const [needed, usable] = [Number(rows[0]?.bytes) * COPY_SHARE, free(dataDir) - RESERVED_BYTES];
  if (needed <= usable) return;
  const [some, left] = [needed, Math.max(usable, 0)].map((bytes) => `${Math.ceil(bytes / MIB)} MB`);
  throw new ProofSkipped(`a copy of the database needs ${some}, and ${dataDir} has room for ${left}`);
}
