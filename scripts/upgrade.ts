import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { writeBackupFile } from '#server/backup/file/backup-file.ts';
import { sendBackup } from '#server/backup/file/write-backup.ts';
import { requireUnused, upgradeSchema } from '#server/backup/upgrade-schema.ts';
import { clock } from '#server/kit/clock.ts';
import { clusterFolder } from '#server/kit/db/built-in/built-in.ts';
import { openDatabase } from '#server/kit/db/open.ts';
import { openServerAlone } from '#server/kit/db/open-configured.ts';
import { MAINTENANCE_LIMIT_MS } from '#server/kit/db/postgres.ts';
import { createLog } from '#server/kit/log.ts';
import { VERSION } from '#server/kit/version.ts';
import { MIGRATIONS } from '#server/paths.ts';
import { selfCheck } from '#server/self-check.ts';
import { readDirectEnv, runAndExit, withDatabase } from './command-line.ts';
import { CHECK, REFUSED } from './setup/upgrade-check.mjs';

const log = createLog('error');
const isCheck = process.argv.includes(CHECK);

// Ends PostgreSQL as well, which a signal alone would leave running.
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));

await runAndExit('Nothing was upgraded', isCheck ? checkOnly : upgrade, isCheck ? REFUSED : 1);

/** Before new packages and a new build replace those that a running product may be using. */
async function checkOnly() {
  await withDatabase(await openServer(), ({ databaseUrl }) => requireUnused(databaseUrl, log));
}

async function upgrade() {
  const env = readDirectEnv();
  const applied = await withDatabase(await openServer(), ({ databaseUrl }) =>
    upgradeSchema({
      databaseUrl,
      migrationsDir: MIGRATIONS,
      log,
      builtInFolder: env.databaseUrl ? undefined : env.dataDir,
      backUp: () => backUp(databaseUrl, env.dataDir),
      selfCheck: (database) => selfCheck({ database, env, clock, log }),
      report: console.log,
    }),
  );
  console.log(
    applied
      ? `The database is that of Highstreet ${VERSION} now. Start it as usual.`
      : `The database needs no change for Highstreet ${VERSION}. Start it as usual.`,
  );
}

async function openServer() {
  const env = readDirectEnv();
  if (!env.databaseUrl && !existsSync(clusterFolder(env.dataDir))) {
    throw new Error(`there is no database in ${env.dataDir}; npm start creates one`);
  }
  return openServerAlone(env, log);
}

async function backUp(databaseUrl: string, dataDir: string): Promise<string> {
  const folder = join(dataDir, 'backups');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, `before-upgrade-${clock().toISOString().replaceAll(/[:.]/g, '')}.backup`);
  const database = await openDatabase({ databaseUrl, log, queryLimitMs: MAINTENANCE_LIMIT_MS });
  await withDatabase(database, ({ pool }) => writeBackupFile((to) => sendBackup(pool, to), file));
  return file;
}
