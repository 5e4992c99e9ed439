import { existsSync } from 'node:fs';
import type { Pool } from 'pg';
import { writeBackupFile } from '#server/backup/file/backup-file.ts';
import { sendBackup } from '#server/backup/file/write-backup.ts';
import { schemaVersion } from '#server/backup/tables.ts';
import { clusterFolder } from '#server/kit/db/built-in/built-in.ts';
import { latestVersion } from '#server/kit/db/migrate.ts';
import { openForCommand } from '#server/kit/db/open-configured.ts';
import { MAINTENANCE_LIMIT_MS } from '#server/kit/db/postgres.ts';
import { createLog } from '#server/kit/log.ts';
import { MIGRATIONS } from '#server/paths.ts';
import { readArguments, readDirectEnv, runAndExit, withDatabase } from './command-line.ts';

const { file } = readArguments('npm run backup -- FILE');

await runAndExit('No backup was made', async () => {
  const env = readDirectEnv();
  if (existsSync(file)) throw new Error(`${file} exists already`);
  if (!env.databaseUrl && !existsSync(clusterFolder(env.dataDir))) {
    throw new Error(`there is no database in ${env.dataDir}`);
  }
  const database = await openForCommand(env, { log: createLog('error'), queryLimitMs: MAINTENANCE_LIMIT_MS });
  const options = { key: env.backupKey };
  const { counts } = await withDatabase(database, async ({ pool }) => {
    await requireKnownSchema(pool);
    return writeBackupFile((to) => sendBackup(pool, to, options), file, options);
  });
  const rows = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const how = env.backupKey ? 'encrypted with BACKUP_KEY' : 'not encrypted';
  console.log(`Saved ${counts.users} users, ${counts.user_businesses} leads, ${rows} rows in all, in ${file}, ${how}`);
});

/** A newer version may have tables that this one does not know, and its backup would lack them. */
async function requireKnownSchema(pool: Pool) {
  const client = await pool.connect();
  const schema = await schemaVersion(client).finally(() => client.release());
  const newest = await latestVersion(MIGRATIONS);
  if (schema > newest)
    throw new Error(
      `the database is newer than this version of Highstreet (its schema is ${schema}, this one knows ${newest}); ` +
        'make the backup with the newer version',
    );
}
