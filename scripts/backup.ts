import { existsSync } from 'node:fs';
import { writeBackupFile } from '#server/backup/backup-file.ts';
import { sendBackup } from '#server/backup/write-backup.ts';
import { clusterFolder } from '#server/kit/db/built-in/built-in.ts';
import { openForCommand } from '#server/kit/db/open-configured.ts';
import { MAINTENANCE_LIMIT_MS } from '#server/kit/db/postgres.ts';
import { createLog } from '#server/kit/log.ts';
import { readArguments, readDirectEnv, runAndExit, withDatabase } from './command-line.ts';

const { file } = readArguments('npm run backup -- FILE');

await runAndExit('No backup was made', async () => {
  const env = readDirectEnv();
  if (existsSync(file)) throw new Error(`${file} exists already`);
  if (!env.databaseUrl && !existsSync(clusterFolder(env.dataDir))) {
    throw new Error(`there is no database in ${env.dataDir}`);
  }
  const database = await openForCommand(env, { log: createLog('error'), queryLimitMs: MAINTENANCE_LIMIT_MS });
  const { counts } = await withDatabase(database, ({ pool }) => writeBackupFile((to) => sendBackup(pool, to), file));
  const rows = Object.values(counts).reduce((sum, count) => sum + count, 0);
  console.log(`Saved ${counts.users} users, ${counts.user_businesses} leads, ${rows} rows in all, in ${file}`);
});
