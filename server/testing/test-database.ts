import { randomBytes } from 'node:crypto';
import { type Database, openDatabase } from '#server/kit/db/open.ts';
import { createLog } from '#server/kit/log.ts';
import { createDatabase, runOnTestServer } from './databases.ts';
import { TEMPLATE_DATABASE } from './test-server.ts';

let shared: Promise<Database> | undefined;

/** The database that all tests of this worker share. */
export function testDatabase(): Promise<Database> {
  shared ??= freshDatabase();
  return shared;
}

/** A migrated database with nothing in it, for the tests that need to be alone. Closing it drops it. */
export async function freshDatabase(): Promise<Database> {
  const name = `highstreet_test_${process.pid}_${randomBytes(4).toString('hex')}`;
  const databaseUrl = await createDatabase(name, TEMPLATE_DATABASE);
  // The server of a test run does not sync; that commits survive a power cut has tests of its own.
  const database = await openDatabase({ databaseUrl, log: createLog('error') });
  return {
    ...database,
    close: async () => {
      await database.close();
      await runOnTestServer(`drop database ${name} with (force)`);
    },
  };
}
