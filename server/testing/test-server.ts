import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startBuiltIn } from '#server/kit/db/built-in/built-in.ts';
import { openDatabase } from '#server/kit/db/open.ts';
import { MIGRATIONS } from '#server/paths.ts';
import { createDatabase, quiet, runOnTestServer, TEMPLATE_DATABASE } from './databases.ts';

/** Runs once before the tests on a database: starts the built-in PostgreSQL, unless TEST_DATABASE_URL names a server. */
export default async function setup() {
  const stop = process.env.TEST_DATABASE_URL ? async () => {} : await startServer();
  await runOnTestServer(`drop database if exists ${TEMPLATE_DATABASE}`);
  const database = await openDatabase({
    databaseUrl: await createDatabase(TEMPLATE_DATABASE),
    migrationsDir: MIGRATIONS,
    log: quiet,
  });
  await database.close();
  return stop;
}

async function startServer() {
  const dataDir = mkdtempSync(join(tmpdir(), 'highstreet-tests-'));
  const settings = { fsync: 'off', full_page_writes: 'off', max_connections: '100' };
  const server = await startBuiltIn({ dataDir, log: quiet, settings });
  // As the superuser: tests also do what the role of the product may not.
  const url = Object.assign(new URL(server.databaseUrl), { username: 'postgres', pathname: '/postgres' });
  process.env.TEST_DATABASE_URL = url.href;
  process.env.TEST_DATABASE_IS_BUILT_IN = 'yes';
  return async () => {
    await server.close();
    rmSync(dataDir, { recursive: true, force: true });
  };
}
