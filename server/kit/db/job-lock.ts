import { type SQL, sql } from 'drizzle-orm';
import type { Database } from './open.ts';

type LockedDatabase = Pick<Database, 'pool' | 'newClient'>;

/**
 * Allows one job of a kind at a time on a database, over all processes. The lock belongs to a connection of its own, so
 * that it ends with its process. The key is that of the advisory lock, the same in every process of this product.
 */
export function createJobLock(key: number) {
  const held = new WeakSet<object>();
  return {
    /** Whether this process holds the lock of this database. */
    isHeldHere: ({ pool }: Pick<Database, 'pool'>) => held.has(pool),

    /** For queries: whether some process holds the lock. */
    isHeld: sql`exists (
      select from pg_locks l join pg_database d on d.oid = l.database
      where l.locktype = 'advisory' and l.classid = 0 and l.objid = ${sql.raw(String(key))} and l.granted
        and d.datname = current_database())` as SQL,

    /** Returns the function that releases the lock, or undefined while another job holds it. */
    async acquire({ pool, newClient }: LockedDatabase): Promise<(() => Promise<void>) | undefined> {
      if (held.has(pool)) return undefined;
      held.add(pool);

      const client = newClient();
      client.on('error', () => {}); // the queries of the job report it
      const release = async () => {
        held.delete(pool);
        await client.end().catch(() => {});
      };
      try {
        await client.connect();
        const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [key]);
        if (rows[0]?.locked) return release;
      } catch (error) {
        await release();
        throw error;
      }
      await release();
      return undefined;
    },
  };
}
