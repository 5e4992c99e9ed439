import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { readEncryption } from '#server/backup/file/encryption.ts';
import { checkBackup } from '#server/backup/file/read-backup.ts';
import { restoreAnyVersion } from '#server/backup/restore/restore-any-version.ts';
import { requireNotNewer } from '#server/backup/restore/restore-backup.ts';
import { latestVersion, SchemaTooNew } from '#server/kit/db/migrate.ts';
import { openAlone } from '#server/kit/db/open-configured.ts';
import { MIGRATIONS } from '#server/paths.ts';
import { migratingOptions, readArguments, readDirectEnv, runAndExit, withDatabase } from './command-line.ts';

/** This version does not know which tables a newer one has. */
const SET_ASIDE =
  'To restore one, set that database aside first: rename postgres and postgres-password in DATA_DIR, or name an empty database in DATABASE_URL.';

const { file, replace } = readArguments('npm run restore -- FILE [--replace]');

await runAndExit('Nothing was restored', async () => {
  const env = readDirectEnv();
  const key = env.backupKey ?? (await askForKey());
  // Before the database is opened, which creates one where there is none.
  const { header } = await checkBackup(file, { key });
  requireNotNewer(header, await latestVersion(MIGRATIONS));
  const options = migratingOptions(env);
  const folder = join(env.dataDir, 'restoring');
  const database = await openAlone(env, options).catch((error: unknown) => {
    throw error instanceof SchemaTooNew ? new Error(`${error.message} ${SET_ASIDE}`) : error;
  });
  const { counts } = await withDatabase(database, () =>
    restoreAnyVersion(database, file, { replace, key, folder, log: options.log }),
  );
  console.log(
    `Restored ${counts.users} users and ${counts.user_businesses} leads, as of ${header.createdAt}. ` +
      'Everyone has to sign in again.',
  );
});

/** The passphrase of an encrypted file, typed without being shown; undefined where nobody can be asked. */
async function askForKey(): Promise<string | undefined> {
  if (!process.stdin.isTTY || !(await readEncryption(file).catch(() => undefined))) return undefined;
  process.stdout.write('The passphrase that this backup was made with (BACKUP_KEY): ');
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  const key = await lines.question('');
  lines.close();
  console.log();
  return key;
}
