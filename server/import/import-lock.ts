import type { Database } from '#server/kit/db/open.ts';

/** Any number that nobody else locks: "import" on a telephone's keys. */
const LOCK = 467_678;

const importing = new WeakSet<object>();

/** Is this process importing into this database? */
export const importRunning = ({ pool }: Pick<Database, 'pool'>) => importing.has(pool);

/**
 * One import at a time on a database, over all processes: the lock is a connection's, which dies with its process.
 * Undefined while another import holds it.
 */
export async function lockImport({
  pool,
  newClient,
}: Pick<Database, 'pool' | 'newClient'>): Promise<(() => Promise<void>) | undefined> {
  if (importing.has(pool)) return undefined;
  importing.add(pool);

  const client = newClient();
  client.on('error', () => {}); // the import itself will notice that the database is gone
  const release = async () => {
    importing.delete(pool);
    await client.end().catch(() => {});
  };
  try {
    await client.connect();
    const { rows } = await client.query<{ free: boolean }>('select pg_try_advisory_lock($1) as free', [LOCK]);
    if (rows[0]?.free) return release;
  } catch (error) {
    await release();
    throw error;
  }
  await release();
  return undefined;
}
