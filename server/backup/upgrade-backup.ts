import { join } from 'node:path';
import { withMaintenanceDatabase } from '#server/backup/restore/maintenance-database.ts';
import { findTableWithData } from '#server/backup/restore/restore-backup.ts';
import { MigrationRefused } from '#server/kit/db/migration-files.ts';
import type { Env } from '#server/kit/env.ts';
import type { Log } from '#server/kit/log.ts';
import { removeUnfinished } from './backup-folder.ts';
import { chooseBackupName, makeBackup } from './make-backup.ts';
import { deleteExpired } from './retention.ts';
import { schemaVersion } from './tables.ts';

/** Before a migration, which does not begin without the backup. */
export async function backUpBeforeMigrating(env: Env, log: Log, directUrl: string): Promise<void> {
  if (!env.backupAt) return;
  try {
    await makeUpgradeBackup(env, log, directUrl);
  } catch (error) {
    throw new MigrationRefused(
      `The database was not migrated, because ${(error as Error).message}. ` +
        'Make room or set BACKUP_DIR to another disk. With BACKUP_AT=off the migration begins without a backup.',
      { cause: error },
    );
  }
}

/** Returns the path of the file; undefined for a database with nothing to lose. */
export async function makeUpgradeBackup(env: Env, log: Log, directUrl: string): Promise<string | undefined> {
  try {
    return await withMaintenanceDatabase(directUrl, log, async ({ db, pool }) => {
      const client = await pool.connect();
      const read = async () => ({ schema: await schemaVersion(client), data: await findTableWithData(client) });
      const { schema, data } = await read().finally(() => client.release());
      if (!data) return undefined;
      await removeUnfinished(env.backupDir, ['upgrade']);
      const file = chooseBackupName(env.backupDir, { kind: 'upgrade', at: new Date(), schema });
      log.info({ file, ...(await makeBackup(pool, file, { env })) }, 'a backup was made');
      await deleteExpired(db, env, log);
      return join(env.backupDir, file);
    });
  } catch (error) {
    throw new Error(`no backup could be made before: ${(error as Error).message}`, { cause: error });
  }
}
