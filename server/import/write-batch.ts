import { sql } from 'drizzle-orm';
import { Refusal } from '#contract/errors.ts';
import { type ImportRow, quoteCell } from '#contract/import/csv-row.ts';
import type { Db } from '#server/kit/db/db.ts';
import { holdUsers, insertLeads, type NewLeadRow, storeBusinesses } from './import.sql.ts';
import { type Told, tellHolders } from './tell-holders.ts';

export interface BatchOutcome {
  /** Leads that are new. */
  created: number;
  /** By their place in the batch: the rows that were refused, and why. */
  refused: Map<number, string>;
  told: Told;
}

/** Some rows in one transaction: businesses, leads, history and notifications are there together or not at all. */
export function writeBatch(db: Db, importerId: number, rows: ImportRow[], told: Told): Promise<BatchOutcome> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`set local statement_timeout = '60s'`);
    const usernames = [...new Set(rows.map(({ username }) => username.toLowerCase()).filter(Boolean))];
    const users = await holdUsers(tx, usernames, importerId);
    const importer = users.find(({ id }) => id === importerId);
    if (importer?.role !== 'admin') throw new Refusal('forbidden', 'You are no longer allowed to do this');

    const byName = new Map(users.map((user) => [user.username.toLowerCase(), user.id]));
    const refused = new Map<number, string>();
    const accepted: NewLeadRow[] = [];
    for (const [nth, row] of rows.entries()) {
      const userId = row.username ? byName.get(row.username.toLowerCase()) : importerId;
      if (userId === undefined) refused.set(nth, `User ${quoteCell(row.username)} does not exist or is inactive`);
      else accepted.push({ row, userId });
    }
    if (!accepted.length) return { created: 0, refused, told };

    await storeBusinesses(
      tx,
      accepted.map(({ row }) => row),
    );
    const received = await insertLeads(tx, accepted, importerId);
    const created = [...received.values()].reduce((sum, leads) => sum + leads, 0);
    return { created, refused, told: await tellHolders(tx, told, received, importer) };
  });
}
