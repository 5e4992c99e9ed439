import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { openDatabase } from './kit/db/open.ts';
import { MIGRATIONS, ROOT } from './paths.ts';
import { createEmptyDatabase, quiet, scratchFolder } from './testing/databases.ts';

test('on a database with a newer schema the product exits with one line and changes nothing', async () => {
  const databaseUrl = await createEmptyDatabase();
  const { pool, close } = await openDatabase({ databaseUrl, migrationsDir: MIGRATIONS, log: quiet });
  await pool.query(
    "INSERT INTO schema_migrations (version, name, checksum, product) VALUES (9000, 'later', 'x', '7.8.9')",
  );

  const env = { PATH: process.env.PATH, PORT: '0', DATA_DIR: scratchFolder('newer'), DATABASE_URL: databaseUrl };
  const program = spawn(process.execPath, ['--import', 'tsx', 'server/main.ts'], { cwd: ROOT, env });
  let stderr = '';
  program.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const [code] = await once(program, 'close');

  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^Highstreet cannot start: The database is that of Highstreet 7\.8\.9, and this is Highstreet [\d.]+\. Start 7\.8\.9 or a newer version, or restore a backup made with this one\.\n$/,
  );
  expect((await pool.query('SELECT max(version) AS newest FROM schema_migrations')).rows).toEqual([{ newest: 9000 }]);
  await close();
});
