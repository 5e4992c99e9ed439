import { and, desc, eq, getTableColumns, isNull, lte, or, sql } from 'drizzle-orm';
import type { BulkJob } from '#contract/leads/bulk-job.ts';
import { MAX_BULK } from '#contract/leads/lead-lists.calls.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { Db } from '#server/kit/db/db.ts';
import { bulkJobs } from '#server/schema/bulk-jobs.ts';
import { users } from '#server/schema/users.ts';

/** Without the leads, of which there may be 10,000. */
const { leadIds: _, ...columns } = getTableColumns(bulkJobs);
const jobColumns = {
  ...columns,
  total: sql<number>`cardinality(${bulkJobs.leadIds})`,
  // Named in full: a column of a select from one table is written without its table.
  hasBatch: sql<boolean>`exists (select from change_batches b where b.id = bulk_jobs.id)`,
};

export type BulkJobRecord = Awaited<ReturnType<typeof findLatestJob>> & object;

const FIRST_PAUSE_SECONDS = 5;
const MAX_PAUSE_SECONDS = 600;

const isRunning = eq(bulkJobs.state, 'running');

/** Undefined if the user has another one that is running. */
export async function insertJob(
  tx: Db,
  values: Pick<typeof bulkJobs.$inferInsert, 'id' | 'userId' | 'ip' | 'action' | 'leadIds'>,
) {
  const inserted = await tx.insert(bulkJobs).values(values).onConflictDoNothing().returning({ id: bulkJobs.id });
  return inserted.length ? findLatestJob(tx, values.userId) : undefined;
}

export async function findLatestJob(db: Db, userId: number) {
  const [job] = await db
    .select(jobColumns)
    .from(bulkJobs)
    .where(eq(bulkJobs.userId, userId))
    .orderBy(desc(bulkJobs.createdAt), bulkJobs.id)
    .limit(1);
  return job;
}

/**
 * The running job that has waited longest and is not paused, with its next leads, locked. The lock is what reserves a step: jobs that another
 * process works on are skipped, and those of a process that has ended are not locked any more.
 */
export async function lockNextJob(tx: Db) {
  const [job] = await tx
    .select({
      ...jobColumns,
      nextIds: sql<number[]>`${bulkJobs.leadIds}[${bulkJobs.done} + 1 : ${bulkJobs.done} + ${MAX_BULK}::int]`,
    })
    .from(bulkJobs)
    .where(and(isRunning, or(isNull(bulkJobs.retryAt), lte(bulkJobs.retryAt, sql`now()`))))
    .orderBy(bulkJobs.updatedAt)
    .limit(1)
    .for('update', { of: bulkJobs, skipLocked: true });
  return job;
}

export async function lockOwnJob(tx: Db, id: string, userId: number) {
  const [job] = await tx
    .select(jobColumns)
    .from(bulkJobs)
    .where(and(eq(bulkJobs.id, id), eq(bulkJobs.userId, userId)))
    .for('update', { of: bulkJobs });
  return job;
}

type Progress = Partial<Pick<BulkJobRecord, 'done' | 'success' | 'failed' | 'reasons' | 'state' | 'message'>>;

/** Puts the job at the end of the queue. False if it has ended meanwhile. */
export async function updateJob(tx: Db, id: string, progress: Progress): Promise<boolean> {
  const updated = await tx
    .update(bulkJobs)
    .set({ tries: 0, retryAt: null, ...progress, updatedAt: sql`clock_timestamp()` })
    .where(and(eq(bulkJobs.id, id), isRunning))
    .returning({ id: bulkJobs.id });
  return updated.length > 0;
}

/** As `updateJob`, after a failure of a step. The pause doubles with every failure in a row. */
export async function pauseJob(tx: Db, { id, tries }: Pick<BulkJobRecord, 'id' | 'tries'>): Promise<void> {
  const seconds = Math.min(FIRST_PAUSE_SECONDS * 2 ** tries, MAX_PAUSE_SECONDS);
  await tx
    .update(bulkJobs)
    .set({
      tries: tries + 1,
      retryAt: sql`clock_timestamp() + ${seconds} * interval '1 second'`,
      updatedAt: sql`clock_timestamp()`,
    })
    .where(and(eq(bulkJobs.id, id), isRunning));
}

/** Whether steps are still being added to this batch of changes. */
export const isBulkRunning = async (db: Db, batchId: string) =>
  (await db.$count(bulkJobs, and(eq(bulkJobs.id, batchId), isRunning))) > 0;

/** The user of a job with their current role; undefined once the account is inactive. */
export async function findJobViewer(tx: Db, userId: number): Promise<Viewer | undefined> {
  const { id, role, active } = users;
  const [viewer] = await tx
    .select({ id, role })
    .from(users)
    .where(and(eq(id, userId), eq(active, true)));
  return viewer;
}

/** As the API shows it. */
export function toBulkJob({ id, action, hasBatch, ...job }: BulkJobRecord): BulkJob {
  const { state, total, done, success, failed, reasons, message, createdAt } = job;
  const batchId = hasBatch ? id : null;
  return { id, verb: action.verb, state, total, done, success, failed, reasons, message, batchId, createdAt };
}
