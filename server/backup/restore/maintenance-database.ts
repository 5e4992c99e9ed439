import { type Database, openDatabase } from '#server/kit/db/open.ts';
import { MAINTENANCE_LIMIT_MS } from '#server/kit/db/postgres.ts';
import type { Log } from '#server/kit/log.ts';

/** Connections of their own, past any pooler, whose statements may take ten minutes. */
export async function withMaintenanceDatabase<T>(
  databaseUrl: string,
  log: Log,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  // That it is opened once more, for a moment, is no news.
  const warnings = { info: () => {}, warn: log.warn.bind(log), error: log.error.bind(log) };
  const database = await openDatabase({ databaseUrl, queryLimitMs: MAINTENANCE_LIMIT_MS, log: warnings });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
