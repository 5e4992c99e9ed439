import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { beforeEach, expect, test } from 'vitest';
import { createEmptyDatabase, quiet, scratchFolder } from '#server/testing/databases.ts';
import { openDatabase } from './open.ts';

// What a connection pooler requires. `npm run prove -- scale-out` tests the product behind PgBouncer.

let databaseUrl: string;
let migrationsDir: string;
beforeEach(async () => {
  databaseUrl = await createEmptyDatabase();
  migrationsDir = scratchFolder('migrations');
  writeFileSync(join(migrationsDir, '0001_one.sql'), 'CREATE TABLE one (id integer);');
});
const open = () => openDatabase({ databaseUrl, databaseDirectUrl: databaseUrl, migrationsDir, log: quiet });

/** The settings of docs/scaling.md. */
async function setSettings() {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const name = new URL(databaseUrl).pathname.slice(1);
  for (const setting of [
    "TimeZone = 'UTC'",
    'synchronous_commit = on',
    "statement_timeout = '15s'",
    "lock_timeout = '5s'",
    "idle_in_transaction_session_timeout = '30s'",
  ]) {
    await client.query(`ALTER DATABASE ${name} SET ${setting}`);
  }
  await client.end();
}

test('behind a pooler no named prepared statement is used', async () => {
  await setSettings();
  const database = await open();
  await database.db.transaction(async (tx) => {
    const named = tx.select({ one: sql<number>`1` }).from(sql`one`).prepare('by_name');
    await named.execute();
    const { rows } = await tx.execute('SELECT count(*)::int AS count FROM pg_prepared_statements');
    expect(rows).toEqual([{ count: 0 }]);
  });
  expect(await database.isReachable()).toBe(true);
  await database.close();
});

test('connections without the settings fail the start, and the error names them', async () => {
  await expect(open()).rejects.toThrow(/statement_timeout is 0.*docs\/scaling\.md/);
});
