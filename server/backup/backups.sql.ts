import { randomUUID } from 'node:crypto';
import { and, desc, eq, gte, inArray, isNotNull, isNull, ne, sql } from 'drizzle-orm';
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

export const listUnfinished = (db: Db): Promise<BackupRecord[]> =>
  db.select().from(backups).where(isNull(backups.finishedAt));

/** By a job that was created then: one is made at a time. */
export async function findBegunSince(db: Db, createdAt: string): Promise<BackupRecord | undefined> {
  const [backup] = await db
    .select()
    .from(backups)
    .where(and(ne(backups.kind, 'upgrade'), gte(backups.startedAt, createdAt)))
    .orderBy(desc(backups.startedAt))
    .limit(1);
  return backup;
}

type NewBackup = Pick<BackupRecord, 'kind' | 'file' | 'encrypted'>;

export async function insertBackup(db: Db, values: NewBackup): Promise<BackupRecord> {
  const [backup] = await db
    .insert(backups)
    .values({ id: randomUUID(), ...values })
    .returning();
  return requireRow(backup);
}

/** With what was written, or why nothing was. */
export async function endBackup(
  db: Db,
  id: string,
  result: Partial<Pick<BackupRecord, 'bytes' | 'rows' | 'schema' | 'error'>>,
): Promise<BackupRecord> {
  const proof = result.error ? ({ proof: 'skipped', proofMessage: null } as const) : {};
  const [backup] = await db
    .update(backups)
    .set({ ...result, ...proof, finishedAt: sql`now()` })
    .where(eq(backups.id, id))
    .returning();
  return requireRow(backup);
}

const requireRow = (backup: BackupRecord | undefined): BackupRecord => {
  if (!backup) throw new Error('The row of a backup was deleted while it was made');
  return backup;
};

export const beginProof = (db: Db, id: string) =>
  db.update(backups).set({ proof: 'running', proofStartedAt: sql`now()` }).where(eq(backups.id, id));

/** It begins again in another process. */
export const postponeProof = (db: Db, id: string) =>
  db.update(backups).set({ proof: 'waiting', proofStartedAt: null }).where(eq(backups.id, id));

type ProofResult = Pick<BackupRecord, 'proof' | 'proofMessage'> & { proofMs?: number };

export const endProof = (db: Db, id: string, result: ProofResult) =>
  db
    .update(backups)
    .set({ ...result, proofFinishedAt: sql`now()` })
    .where(eq(backups.id, id));

/** Those of files that were deleted. */
export async function deleteBackups(db: Db, files: string[]) {
  if (files.length) await db.delete(backups).where(inArray(backups.file, files));
}

/** How the nightly backup went since it was due, and whether it failed a moment ago. */
export async function countNightly(db: Db, due: Date, minutes: number) {
  const [counted] = await db
    .select({
      made: sql<number>`count(*) filter (where ${backups.error} is null)::int`,
      failed: sql<number>`count(${backups.error})::int`,
      recent: sql<boolean>`coalesce(max(${backups.finishedAt}) > now() - make_interval(mins => ${minutes}), false)`,
    })
    .from(backups)
    .where(and(eq(backups.kind, 'nightly'), gte(backups.startedAt, due.toISOString())));
  return counted ?? { made: 0, failed: 0, recent: false };
}

export async function listFiles(db: Db): Promise<string[]> {
  return (await db.select({ file: backups.file }).from(backups)).map(({ file }) => file);
}

type FoundBackup = NewBackup & Pick<BackupRecord, 'startedAt' | 'bytes'> & { schema: number | undefined };

/** Of a file that this database did not record. */
export async function insertFoundBackup(db: Db, values: FoundBackup) {
  const proofMessage =
    values.kind === 'upgrade' ? 'It was made before a migration.' : 'It was found in the folder of backups.';
  const ended = { finishedAt: values.startedAt, proof: 'skipped', proofMessage } as const;
  await db.insert(backups).values({ id: randomUUID(), ...values, ...ended });
}
