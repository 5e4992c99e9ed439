import { eq } from 'drizzle-orm';
import type { Db } from '#server/kit/db/db.ts';
import { changeBatches } from '#server/schema/changes.ts';

/** Waits for a concurrent request that undoes the same batch. */
export async function lockBatch(tx: Db, batchId: string) {
  const [batch] = await tx.select().from(changeBatches).where(eq(changeBatches.id, batchId)).for('update');
  return batch;
}

export async function findBatch(db: Db, batchId: string) {
  const [batch] = await db.select().from(changeBatches).where(eq(changeBatches.id, batchId));
  return batch;
}

export const isUndone = async (db: Db, batchId: string) =>
  (await db.$count(changeBatches, eq(changeBatches.undoes, batchId))) > 0;
