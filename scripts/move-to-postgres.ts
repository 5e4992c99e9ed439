import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { moveDatabase } from '#server/backup/restore/move-database.ts';
import { clusterFolder } from '#server/kit/db/built-in/built-in.ts';
import { openDatabase } from '#server/kit/db/open.ts';
import { openAlone } from '#server/kit/db/open-configured.ts';
import { MAINTENANCE_LIMIT_MS } from '#server/kit/db/postgres.ts';
import { createLog } from '#server/kit/log.ts';
import { migratingOptions, readDirectEnv, runAndExit, withDatabase } from './command-line.ts';

const options = { log: createLog('error'), queryLimitMs: MAINTENANCE_LIMIT_MS };

await runAndExit('Nothing was moved', async () => {
  const env = readDirectEnv();
  const { databaseUrl, dataDir } = env;
  const store = clusterFolder(dataDir);
  if (!databaseUrl) throw new Error('set DATABASE_URL to the PostgreSQL database that receives everything');
  if (!existsSync(store)) throw new Error(`there is no built-in database in ${dataDir}`);
  const folder = join(dataDir, 'moving');
  removeAtExit(folder);

  // First, because it cannot be opened while the product runs.
  const builtIn = await openAlone({ ...env, databaseUrl: undefined }, options);
  const moved = await withDatabase(builtIn, async (from) => {
    const target = await openDatabase({ databaseUrl, ...migratingOptions(env) });
    return withDatabase(target, (to) => moveDatabase({ from, to, folder }));
  });
  printNextSteps(moved, store);
});

/** PostgreSQL rolls back after Ctrl-C; the file with all the data has to be removed. */
function removeAtExit(folder: string) {
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  process.once('SIGINT', () => process.exit(130));
  process.once('SIGTERM', () => process.exit(143));
}

function printNextSteps({ counts, unsent }: Awaited<ReturnType<typeof moveDatabase>>, store: string) {
  const rows = Object.values(counts).reduce((sum, count) => sum + count, 0);
  console.log(`Moved ${counts.users} users, ${counts.user_businesses} leads, ${rows} rows in all.
Every table has the same rows on both sides, by count and by checksum.

Next steps:
  1. Set DATABASE_URL for the product (in .env, or in the environment of its service) and start it.
     Everyone has to sign in again.
  2. The built-in database is unchanged, in ${store}. Rename it, and delete it when the new one has a backup.`);
  if (unsent)
    console.log(`\n${unsent} e-mails that were not sent yet were not moved; reset links have to be requested again.`);
}
