import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { afterEach, expect, test } from 'vitest';
import { checkBackup } from '#server/backup/file/read-backup.ts';
import { ROOT } from '#server/paths.ts';
import { dataFolder, endAll } from '#server/testing/built-in.ts';
import { kill, openDatabase, startServer, stop } from '#server/testing/child-server.ts';

const BUSINESSES = 60_000;

afterEach(endAll);

test('kill -9 of the product during a backup: the backup is complete, and the next start works', async () => {
  const dataDir = dataFolder('killed-during-backup');
  const database = await openDatabase(dataDir);
  await database.db.execute(
    sql`insert into businesses (place_id, name) select 'place ' || n, 'Shop ' || n from generate_series(1, ${BUSINESSES}::int) n`,
  );
  await database.close();
  const product = await startServer(dataDir);

  const file = join(dirname(dataDir), 'team.backup');
  const env = { PATH: process.env.PATH, DATA_DIR: dataDir };
  const backup = spawn(process.execPath, ['--import', 'tsx', 'scripts/backup.ts', 'backup', file], { cwd: ROOT, env });
  const ended = once(backup, 'exit');
  while (!readdirSync(dirname(dataDir)).some((name) => name.includes('unfinished'))) await pause(5);
  await kill(product.child);

  expect(await ended).toEqual([0, null]);
  expect((await checkBackup(file)).counts.businesses).toBe(BUSINESSES);
  const next = await startServer(dataDir);
  await stop(next.child);
}, 120_000);
