import { getTableName } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { createApp } from './app.ts';
import type { Clock } from './kit/clock.ts';
import type { Db } from './kit/db/db.ts';
import type { Database } from './kit/db/open.ts';
import type { Env } from './kit/env.ts';
import type { Logger } from './kit/log.ts';
import { TABLES } from './schema/tables.ts';

interface SelfCheck {
  database: Database;
  env: Env;
  clock: Clock;
  log: Logger;
}

/** Starts the product on a database, without its jobs and e-mails, and throws when it could not serve from there. */
export async function selfCheck({ database, ...rest }: SelfCheck) {
  for (const table of Object.values(TABLES)) await requireReadable(database.db, table);
  const app = await createApp({ database, ...rest });
  try {
    const { statusCode } = await app.http.inject('/readyz');
    if (statusCode !== 200) throw new Error(`Highstreet does not become ready on the migrated copy (${statusCode})`);
  } finally {
    await app.close();
  }
}

/** With all its columns. The message of Drizzle's error is the whole query; its cause says why. */
async function requireReadable(db: Db, table: PgTable) {
  try {
    await db.select().from(table).limit(1);
  } catch (error) {
    const { message, cause } = error as Error;
    const reason = cause instanceof Error ? cause.message : message;
    throw new Error(`the table ${getTableName(table)} cannot be read: ${reason}`, { cause: error });
  }
}
