import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import pg from 'pg';
import { type Database, openDatabase } from './kit/db/open.ts';
import { scratchFolder } from './kit/db/testing.ts';
import { createLog } from './kit/log.ts';
import { MIGRATIONS } from './paths.ts';
import { TEST_TEMPLATE } from './test-template.ts';

let shared: Promise<Database> | undefined;

/** The database that all tests of this worker share. Which kind it is, the test run decides by TEST_DATABASE. */
export function testDatabase(): Promise<Database> {
  shared ??= freshDatabase();
  return shared;
}

/** A migrated database with nothing in it, for the tests that need to be alone. Closing it takes it away. */
export async function freshDatabase(): Promise<Database> {
  return process.env.TEST_DATABASE === 'postgres' ? freshPostgres() : freshEmbedded();
}

const log = createLog('error');

async function freshEmbedded(): Promise<Database> {
  const dataDir = scratchFolder('data');
  // These stores die with the test; that commits survive a power cut has tests of its own.
  const database = await openDatabase({
    dataDir,
    templateDir: TEST_TEMPLATE,
    migrationsDir: MIGRATIONS,
    log,
    sync: false,
  });
  return {
    ...database,
    close: async () => {
      await database.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function freshPostgres(): Promise<Database> {
  const server = process.env.TEST_DATABASE_URL;
  if (!server) throw new Error('TEST_DATABASE_URL must name a PostgreSQL server on which databases can be created');
  const name = `highstreet_test_${process.pid}_${randomBytes(4).toString('hex')}`;
  await onServer(server, `create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const database = await openDatabase({ databaseUrl: url.href, dataDir: '', migrationsDir: MIGRATIONS, log });
  return {
    ...database,
    close: async () => {
      await database.close();
      await onServer(server, `drop database ${name} with (force)`);
    },
  };
}

async function onServer(connectionString: string, statement: string) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query(statement);
  await client.end();
}
