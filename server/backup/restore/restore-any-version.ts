import type { Contents } from '#server/backup/file/backup-format.ts';
import { readHeader } from '#server/backup/file/read-backup.ts';
import { latestVersion, migrate } from '#server/kit/db/migrate.ts';
import type { Database } from '#server/kit/db/open.ts';
import type { Log } from '#server/kit/log.ts';
import { MIGRATIONS } from '#server/paths.ts';
import { replaceDatabase } from './move-database.ts';
import { loadBackup, requireEmpty, restoreBackup } from './restore-backup.ts';
import { withScratchDatabase } from './scratch-database.ts';

interface Options {
  replace: boolean;
  key?: string | undefined;
  /** Created and removed; holds the upgraded data of an older backup. */
  folder: string;
  log: Log;
  migrationsDir?: string;
}

/**
 * Restores a backup of this version or an older one. An older one is loaded into a scratch database with the schema of the
 * file, which is then migrated: what is restored is a backup of that.
 */
export async function restoreAnyVersion(database: Database, file: string, options: Options): Promise<Contents> {
  const { replace, key, folder, log, migrationsDir = MIGRATIONS } = options;
  const { schema } = await readHeader(file, { key });
  if (schema >= (await latestVersion(migrationsDir))) return restoreBackup(database.pool, file, { replace, key });
  if (!replace) await requireEmpty(database.pool);
  return withScratchDatabase({ directUrl: database.directUrl, log }, async (from) => {
    await migrate(from.pool, migrationsDir, { upTo: schema, log });
    const { header } = await loadBackup(from.pool, file, { key });
    await migrate(from.pool, migrationsDir, { log });
    const { counts, fingerprints } = await replaceDatabase({ from, to: database, folder, replace });
    return { header, counts, fingerprints };
  });
}
