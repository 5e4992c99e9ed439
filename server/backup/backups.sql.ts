import { and, desc, eq, inArray, isNotNull, isNull } from 'drizzle-orm';
import type { Db } from '#server/kit/db/db.ts';
import { backups } from '#server/schema/backups.ts';

export type BackupRecord = typeof backups.$inferSelect;

/** The newest first; those that failed and the one that is being written too. */
export const listBackups = (db: Db, limit = 50): Promise<BackupRecord[]> =>
  db.select().from(backups).orderBy(desc(backups.startedAt)).limit(limit);

export async function findBackup(db: Db, id: string): Promise<BackupRecord | undefined> {
  const [backup] = await db.select().from(backups).where(eq(backups.id, id));
  return backup;
}

/** The newest one whose file is complete. */
export async function findLastBackup(db: Db): Promise<BackupRecord | undefined> {
  const [backup] = await db
    .select()
    .from(backups)
    .where(and(isNotNull(backups.finishedAt), isNull(backups.error)))
    .orderBy(desc(backups.startedAt))
    .limit(1);
  return backup;
}

/** The newest one whose proof has ended: passed or failed. */
export async function findLastProof(db: Db): Promise<BackupRecord | undefined> {
  const [backup] = await db
    .select()
    .from(backups)
    .where(inArray(backups.proof, ['passed', 'failed']))
    .orderBy(desc(backups.startedAt))
    .limit(1);
  return backup;
}
