import { drizzle, type NodePgQueryResultHKT } from 'drizzle-orm/node-postgres';
import type { PgDatabase } from 'drizzle-orm/pg-core';
import type { Pool } from 'pg';
import { retrying } from './faults.ts';
import * as schema from './schema.ts';

/** A connection or an open transaction: what a query is asked of cannot tell which. */
export type Db = PgDatabase<NodePgQueryResultHKT, typeof schema>;

export function createDb(pool: Pool, onRetry?: () => void): Db {
  const db: Db = drizzle(pool, { schema, casing: 'snake_case' });
  const transaction = db.transaction.bind(db);

  // Drizzle throws the failure of ROLLBACK when that fails too, as it does on a lost connection, and the reason
  // ("disk full") would be gone. The first error is the one to tell.
  const onFirstError: typeof db.transaction = async (work, config) => {
    const failed: { reason?: unknown } = {};
    try {
      return await transaction(async (tx) => {
        try {
          return await work(tx);
        } catch (error) {
          failed.reason = error;
          throw error;
        }
      }, config);
    } catch (error) {
      throw failed.reason ?? error;
    }
  };
  // Whoever opens a transaction has it tried again when others were in its way; nobody can forget to ask for it.
  db.transaction = (work, config) => retrying(() => onFirstError(work, config), onRetry);
  return db;
}
