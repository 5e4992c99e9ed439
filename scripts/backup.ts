import { existsSync } from 'node:fs';
import { writeBackupFile } from '#server/backup/backup-file.ts';
import { runningProduct } from '#server/backup/backup-socket.ts';
import { sendBackup } from '#server/backup/write-backup.ts';
import { storeDirIn } from '#server/kit/db/embedded/store.ts';
import { openDatabase } from '#server/kit/db/open.ts';
import { createLog } from '#server/kit/log.ts';
import { environment, orExplain, readArguments } from './backup/arguments.ts';

const { file } = readArguments('npm run backup -- FILE');

await orExplain('No backup was made', async () => {
  const { databaseUrl, dataDir } = environment();
  if (existsSync(file)) throw new Error(`${file} exists already`);
  const running = databaseUrl ? undefined : await runningProduct(dataDir);
  if (running) return said(await writeBackupFile(running, file));
  if (!databaseUrl && !existsSync(storeDirIn(dataDir))) throw new Error(`there is no database in ${dataDir}`);
  const database = await openDatabase({ databaseUrl, dataDir, log: createLog('error') });
  try {
    said(await writeBackupFile((to) => sendBackup(database.pool, to), file));
  } finally {
    await database.close();
  }
});

function said({ counts }: Awaited<ReturnType<typeof writeBackupFile>>) {
  const rows = Object.values(counts).reduce((sum, count) => sum + count, 0);
  console.log(`Saved ${counts.users} users, ${counts.user_businesses} leads, ${rows} rows in all, in ${file}`);
}
