import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { moveToPostgres } from '#server/backup/move-to-postgres.ts';
import { storeDirIn } from '#server/kit/db/embedded/store.ts';
import { openDatabase } from '#server/kit/db/open.ts';
import { createLog } from '#server/kit/log.ts';
import { MIGRATIONS } from '#server/paths.ts';
import { environment, orExplain } from './backup/arguments.ts';

const log = createLog('error');

await orExplain('Nothing was moved', async () => {
  const { databaseUrl, dataDir } = environment();
  const store = storeDirIn(dataDir);
  if (!databaseUrl) throw new Error('set DATABASE_URL to the PostgreSQL database that everything shall be in');
  if (!existsSync(store)) throw new Error(`there is no embedded database in ${dataDir}`);
  const folder = join(dataDir, 'moving');
  leaveNothingBehind(folder);

  // The store first: as long as the product runs on it, it does not open.
  const from = await openDatabase({ dataDir, log });
  try {
    const to = await openDatabase({ databaseUrl, dataDir, migrationsDir: MIGRATIONS, log });
    try {
      say(await moveToPostgres({ from, to, folder }), store);
    } finally {
      await to.close();
    }
  } finally {
    await from.close();
  }
});

/** Ctrl-C undoes what is under way in PostgreSQL by itself; the file with everybody's data must go too. */
function leaveNothingBehind(folder: string) {
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  process.once('SIGINT', () => process.exit(130));
  process.once('SIGTERM', () => process.exit(143));
}

function say({ counts, unsent }: Awaited<ReturnType<typeof moveToPostgres>>, store: string) {
  const rows = Object.values(counts).reduce((sum, count) => sum + count, 0);
  console.log(`Moved ${counts.users} users, ${counts.user_businesses} leads, ${rows} rows in all.
Every table has the same rows, by count and by checksum, on both sides.

What to do now:
  1. Keep DATABASE_URL where the product finds it (.env, or the environment of its service) and start it.
     Everybody has to sign in again.
  2. The embedded database is as it was, in ${store}. Rename it aside, so that
     nobody starts on it by mistake; delete it when you have a backup of PostgreSQL.`);
  if (unsent)
    console.log(`\n${unsent} e-mails that were not sent yet stay behind; reset links have to be asked for again.`);
}
