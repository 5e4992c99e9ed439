import { existsSync } from 'node:fs';
import { requireUnused } from '#server/backup/upgrade-schema.ts';
import { clock } from '#server/kit/clock.ts';
import { clusterFolder } from '#server/kit/db/built-in/built-in.ts';
import { openServerAlone } from '#server/kit/db/open-configured.ts';
import { createLog } from '#server/kit/log.ts';
import { VERSION } from '#server/kit/version.ts';
import { MIGRATIONS } from '#server/paths.ts';
import { upgrade } from '#server/upgrade.ts';
import { readDirectEnv, runAndExit, withDatabase } from './command-line.ts';
import { CHECK, REFUSED } from './setup/upgrade-check.mjs';

const log = createLog('error');
const isCheck = process.argv.includes(CHECK);

// Ends PostgreSQL as well, which a signal alone would leave running.
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));

await runAndExit('Nothing was upgraded', isCheck ? checkOnly : upgradeAndReport, isCheck ? REFUSED : 1);

/** Before new packages and a new build replace those that a running product may be using. */
async function checkOnly() {
  await withDatabase(await openServer(), ({ databaseUrl }) => requireUnused(databaseUrl, log));
}

async function upgradeAndReport() {
  const env = readDirectEnv();
  const applied = await withDatabase(await openServer(), ({ databaseUrl }) =>
    upgrade({ env, databaseUrl, migrationsDir: MIGRATIONS, clock, log, report: console.log }),
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
