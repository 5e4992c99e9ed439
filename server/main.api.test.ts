import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { openDatabase } from './kit/db/open.ts';
import { MIGRATIONS, ROOT } from './paths.ts';
import { createEmptyDatabase, quiet, scratchFolder } from './testing/databases.ts';

test('on a database with a newer schema the product exits with one line and changes nothing', async () => {
  const databaseUrl = await createEmptyDatabase();
  const { pool, close } = await openDatabase({ databaseUrl, migrationsDir: MIGRATIONS, log: quiet });
  await pool.query("INSERT INTO schema_migrations (version, name, checksum) VALUES (9000, 'later', 'x')");

  const env = { PATH: process.env.PATH, PORT: '0', DATA_DIR: scratchFolder('newer'), DATABASE_URL: databaseUrl };
  const program = spawn(process.execPath, ['--import', 'tsx', 'server/main.ts'], { cwd: ROOT, env });
  let stderr = '';
  program.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const [code] = await once(program, 'close');

  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^Highstreet cannot start: The database is newer than this version of Highstreet \(its schema is 9000, this one knows \d+\)\. Start the newer version, or restore a backup made with this one\.\n$/,
  );
  expect((await pool.query('SELECT max(version) AS newest FROM schema_migrations')).rows).toEqual([{ newest: 9000 }]);
  await close();
});
