import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeBackupFile } from '#server/backup/file/backup-file.ts';
import { sendBackup } from '#server/backup/file/write-backup.ts';
import { openConfigured } from '#server/kit/db/open-configured.ts';
import { readEnv } from '#server/kit/env.ts';
import { createLog } from '#server/kit/log.ts';
import { VERSION } from '#server/kit/version.ts';
import { MIGRATIONS, ROOT } from '#server/paths.ts';
import { fillEveryTable } from '#server/testing/every-kind-of-row.ts';
import { runAndExit, withDatabase } from './command-line.ts';

// For a release: see server/backup/fixtures/README.md.

await runAndExit('No fixture was made', async () => {
  const file = join(ROOT, 'server/backup/fixtures', `${VERSION}.backup`);
  if (existsSync(file)) throw new Error(`${file} exists already: it stands for the backups of that release`);
  const dataDir = mkdtempSync(join(tmpdir(), 'backup-fixture-'));
  try {
    const database = await openConfigured(readEnv({ DATA_DIR: dataDir }), {
      migrationsDir: MIGRATIONS,
      log: createLog('error'),
    });
    await withDatabase(database, async ({ db, pool }) => {
      await fillEveryTable(db);
      await writeBackupFile((to) => sendBackup(pool, to), file);
    });
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
  console.log(`Saved ${file}`);
});
