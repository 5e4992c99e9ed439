import type { Database } from '#server/kit/db/open.ts';

/** The key of the advisory lock, the same in every process of this product. */
export const IMPORT_LOCK = 467_678;

const importing = new WeakSet<object>();

/** Whether this process is importing into this database. */
export const importRunning = ({ pool }: Pick<Database, 'pool'>) => importing.has(pool);

/**
 * Allows one import at a time on a database, over all processes. The lock belongs to a connection of its own, so that
 * it ends with its process. Returns the function that releases it, or undefined while another import holds it.
 */
export async function lockImport({
  pool,
  newClient,
}: Pick<Database, 'pool' | 'newClient'>): Promise<(() => Promise<void>) | undefined> {
  if (importing.has(pool)) return undefined;
  importing.add(pool);

  const client = newClient();
  client.on('error', () => {}); // the queries of the import report it
  const release = async () => {
    importing.delete(pool);
    await client.end().catch(() => {});
  };
  try {
    await client.connect();
    const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [
      IMPORT_LOCK,
    ]);
    if (rows[0]?.locked) return release;
  } catch (error) {
    await release();
    throw error;
  }
  await release();
  return undefined;
}
