import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { expect } from 'vitest';
import { type Database, openDatabase } from '#server/kit/db/open.ts';
import { createLog } from '#server/kit/log.ts';

/** Has the schema and no rows. Copying it takes a tenth of the time of migrating. */
export const TEMPLATE_DATABASE = 'highstreet_test_template';

const silent = () => {};
export const quiet = { info: silent, warn: silent, error: silent };

const SCRATCH = join(tmpdir(), 'highstreet-scratch');

/** A folder for this process alone. Test processes are killed, so each removes the folders of processes that have ended. */
export function scratchFolder(name: string): string {
  mkdirSync(SCRATCH, { recursive: true });
  for (const owner of readdirSync(SCRATCH)) {
    if (!isAlive(Number(owner))) removeUnlessInUse(join(SCRATCH, owner));
  }
  mkdirSync(join(SCRATCH, `${process.pid}`), { recursive: true });
  return mkdtempSync(join(SCRATCH, `${process.pid}`, `${name}-`));
}

/** The database of a killed process may write to its folder a moment longer; a later test removes it. */
function removeUnlessInUse(folder: string) {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error;
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

let shared: Promise<Database> | undefined;
let sharedBy: string | undefined;

/**
 * The migrated database that all tests of this worker share. Jobs and mails that an earlier file left are deleted: what
 * waits for what is due would run them, too, over all rows of the worker.
 */
export async function testDatabase(): Promise<Database> {
  shared ??= freshDatabase();
  const database = await shared;
  const { testPath } = expect.getState();
  if (testPath !== sharedBy) {
    await database.db.execute(sql`delete from jobs`);
    await database.db.execute(sql`delete from mail_outbox`);
  }
  sharedBy = testPath;
  return database;
}

/** A migrated database without rows, for one test file alone. Closing it drops it. */
export async function freshDatabase(settings: Record<string, string> = {}): Promise<Database> {
  const name = `highstreet_test_${process.pid}_${randomBytes(4).toString('hex')}`;
  const databaseUrl = await createDatabase(name, TEMPLATE_DATABASE);
  for (const [setting, value] of Object.entries(settings)) {
    await runOnTestServer(`alter database ${name} set ${setting} = ${value}`);
  }
  // Only errors: the test server does not sync its commits, which is logged as a warning.
  const database = await openDatabase({ databaseUrl, log: createLog('error') });
  return {
    ...database,
    close: async () => {
      await database.close();
      await runOnTestServer(`drop database ${name} with (force)`);
    },
  };
}

/** A database without a schema, for tests of the database code. */
export async function openEmptyDatabase(): Promise<Database> {
  return openDatabase({ databaseUrl: await createEmptyDatabase(), log: quiet });
}

/** The URL of a new database on the server of the test run. */
export async function createEmptyDatabase(): Promise<string> {
  return createDatabase(`highstreet_blank_${process.pid}_${randomBytes(4).toString('hex')}`);
}

/** Creates a database on the server of TEST_DATABASE_URL and returns its URL. */
export async function createDatabase(name: string, template = 'template1'): Promise<string> {
  await runOnTestServer(`create database ${name} template ${template}`);
  return Object.assign(new URL(testServer()), { pathname: `/${name}` }).href;
}

export async function runOnTestServer(statement: string) {
  const client = new pg.Client({ connectionString: testServer() });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

function testServer(): string {
  const { TEST_DATABASE_URL } = process.env;
  if (!TEST_DATABASE_URL) throw new Error('TEST_DATABASE_URL must name a server on which databases can be created');
  return TEST_DATABASE_URL;
}
