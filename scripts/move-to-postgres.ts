import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { moveDatabase } from '#server/backup/move-database.ts';
import { clusterFolder } from '#server/kit/db/built-in/built-in.ts';
import { openDatabase } from '#server/kit/db/open.ts';
import { openConfigured } from '#server/kit/db/open-configured.ts';
import { MAINTENANCE_LIMIT_MS } from '#server/kit/db/postgres.ts';
import { createLog } from '#server/kit/log.ts';
import { MIGRATIONS } from '#server/paths.ts';
import { environment, orExplain } from './backup/arguments.ts';

const options = { log: createLog('error'), queryLimitMs: MAINTENANCE_LIMIT_MS };

await orExplain('Nothing was moved', async () => {
  const env = environment();
  const { databaseUrl, dataDir } = env;
  const store = clusterFolder(dataDir);
  if (!databaseUrl) throw new Error('set DATABASE_URL to the PostgreSQL database that receives everything');
  if (!existsSync(store)) throw new Error(`there is no built-in database in ${dataDir}`);
  const folder = join(dataDir, 'moving');
  leaveNothingBehind(folder);

  // This first: as long as the product runs on it, it does not open.
  const from = await openConfigured({ ...env, databaseUrl: undefined }, options);
  try {
    const to = await openDatabase({ databaseUrl, migrationsDir: MIGRATIONS, ...options });
    try {
      say(await moveDatabase({ from, to, folder }), store);
    } finally {
      await to.close();
    }
  } finally {
    await from.close();
  }
});

/** Ctrl-C undoes what is under way in PostgreSQL by itself; the file with all the data must go too. */
function leaveNothingBehind(folder: string) {
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  process.once('SIGINT', () => process.exit(130));
  process.once('SIGTERM', () => process.exit(143));
}

function say({ counts, unsent }: Awaited<ReturnType<typeof moveDatabase>>, store: string) {
  const rows = Object.values(counts).reduce((sum, count) => sum + count, 0);
  console.log(`Moved ${counts.users} users, ${counts.user_businesses} leads, ${rows} rows in all.
Every table has the same rows, by count and by checksum, on both sides.

What to do now:
  1. Keep DATABASE_URL where the product finds it (.env, or the environment of its service) and start it.
     Everyone has to sign in again.
  2. The built-in database is unchanged, in ${store}. Rename it aside, so that
     it is not started by mistake; delete it when you have a backup of the new one.`);
  if (unsent)
    console.log(`\n${unsent} e-mails that were not sent yet stay behind; reset links have to be asked for again.`);
}
