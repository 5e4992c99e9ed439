import { drizzle, type NodePgQueryResultHKT } from 'drizzle-orm/node-postgres';
import type { PgDatabase } from 'drizzle-orm/pg-core';
import type { Pool } from 'pg';
import { StorageFull, withRetries } from './faults.ts';

/** A connection or an open transaction; a query does not need to know which. */
export type Db = PgDatabase<NodePgQueryResultHKT>;

interface Options {
  hasFreeSpace?: (() => boolean) | undefined;
  onRetry?: () => void;
}

/** By connection pool and by transaction. */
const spaceChecks = new WeakMap<Db, () => boolean>();

/** Before each part of long work: there may have been room when it began. */
export function requireFreeSpace(db: Db) {
  if (spaceChecks.get(db)?.() === false) throw new StorageFull();
}

export function createDb(pool: Pool, { hasFreeSpace = () => true, onRetry }: Options = {}): Db {
  const db: Db = drizzle(pool, { casing: 'snake_case' });
  spaceChecks.set(db, hasFreeSpace);
  const transaction = db.transaction.bind(db);

  // Drizzle throws the failure of ROLLBACK when that fails too, as it does on a lost connection, and the reason
  // ("disk full") would be lost. The first error is the one to report.
  const onFirstError: typeof db.transaction = async (work, config) => {
    const failed: { reason?: unknown } = {};
    try {
      return await transaction(async (tx) => {
        spaceChecks.set(tx, hasFreeSpace);
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
  // Every change is made in a transaction: here it is retried after a conflict, and refused while the disk is full.
  db.transaction = async (work, config) => {
    requireFreeSpace(db);
    return withRetries(() => onFirstError(work, config), onRetry);
  };
  return db;
}
