import { checkBackup } from '#server/backup/read-backup.ts';
import { restoreBackup } from '#server/backup/restore-backup.ts';
import { openDatabase } from '#server/kit/db/open.ts';
import { createLog } from '#server/kit/log.ts';
import { MIGRATIONS, TEMPLATE } from '#server/paths.ts';
import { environment, orExplain, readArguments } from './backup/arguments.ts';

const { file, replace } = readArguments('npm run restore -- FILE [--replace]');

await orExplain('Nothing was restored', async () => {
  const { databaseUrl, dataDir } = environment();
  // Before the database: a wrong file must not even make a new one.
  await checkBackup(file);
  const options = { databaseUrl, dataDir, templateDir: TEMPLATE, migrationsDir: MIGRATIONS, log: createLog('error') };
  const database = await openDatabase(options);
  try {
    const { header, counts } = await restoreBackup(database.pool, file, { replace });
    await database.vacuum();
    console.log(
      `Restored ${counts.users} users and ${counts.user_businesses} leads, as they were at ${header.createdAt}. ` +
        'Everybody has to sign in again.',
    );
  } finally {
    await database.close();
  }
});
