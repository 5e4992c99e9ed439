import { checkBackup } from '#server/backup/read-backup.ts';
import { restoreBackup } from '#server/backup/restore-backup.ts';
import { openAlone } from '#server/kit/db/open-configured.ts';
import { MAINTENANCE_LIMIT_MS } from '#server/kit/db/postgres.ts';
import { createLog } from '#server/kit/log.ts';
import { MIGRATIONS } from '#server/paths.ts';
import { readArguments, readDirectEnv, runAndExit, withDatabase } from './command-line.ts';

const { file, replace } = readArguments('npm run restore -- FILE [--replace]');

await runAndExit('Nothing was restored', async () => {
  // Before the database is opened, which creates one where there is none.
  await checkBackup(file);
  const options = { migrationsDir: MIGRATIONS, log: createLog('error'), queryLimitMs: MAINTENANCE_LIMIT_MS };
  const database = await openAlone(readDirectEnv(), options);
  const { header, counts } = await withDatabase(database, ({ pool }) => restoreBackup(pool, file, { replace }));
  console.log(
    `Restored ${counts.users} users and ${counts.user_businesses} leads, as of ${header.createdAt}. ` +
      'Everyone has to sign in again.',
  );
});
