import { and, desc, eq, getTableColumns, inArray, isNull, lte, ne, sql } from 'drizzle-orm';
import type { PgInsertValue } from 'drizzle-orm/pg-core';
import { Refusal } from '#contract/errors.ts';
import type { Job } from '#contract/jobs/job.ts';
import type { Viewer } from '#contract/users/user.ts';
import type { Db } from '#server/kit/db/db.ts';
import { jobs } from '#server/schema/jobs.ts';
import { users } from '#server/schema/users.ts';

/** Without the items, of which there may be 100,000. */
const { itemIds: _, ...columns } = getTableColumns(jobs);
const jobColumns = {
  ...columns,
  // Named in full: a column of a select from one table is written without its table.
  hasBatch: sql<boolean>`exists (select from change_batches b where b.id = jobs.id)`,
};

export type JobRecord = NonNullable<Awaited<ReturnType<typeof findLatestJob>>>;
export type LockedJob = NonNullable<Awaited<ReturnType<typeof lockNextJob>>>;

/** Of the items of a job, those of one step. */
export const STEP_ITEMS = 500;
const FIRST_PAUSE_SECONDS = 5;
const MAX_PAUSE_SECONDS = 600;

const isRunning = eq(jobs.state, 'running');

type NewJob = typeof jobs.$inferInsert & { userId: number };

/** Undefined if the user has another one of this kind that is running. One with the same id that has ended is replaced. */
export async function insertJob(tx: Db, values: NewJob) {
  await tx.delete(jobs).where(and(eq(jobs.id, values.id as string), ne(jobs.state, 'running')));
  const inserted = await tx.insert(jobs).values(values).onConflictDoNothing().returning({ id: jobs.id });
  return inserted.length ? findLatestJob(tx, values.kind, values.userId) : undefined;
}

/** What the product does by itself has one row a kind, whichever process writes it first. */
export async function insertOwnJobs(db: Db, kinds: string[]) {
  if (!kinds.length) return;
  await db
    .insert(jobs)
    .values(kinds.map((kind) => ({ id: sql`gen_random_uuid()`, kind })))
    .onConflictDoNothing();
}

/**
 * Starts a job that belongs to no user: one of its kind at a time, over all processes. False while another one is
 * running.
 */
export async function startOwnJob(tx: Db, values: PgInsertValue<typeof jobs>): Promise<boolean> {
  const inserted = await tx.insert(jobs).values(values).onConflictDoNothing().returning({ id: jobs.id });
  return inserted.length > 0;
}

/** Makes a job due that waits for its time. One whose step is under way is left to it. */
export async function wakeJob(tx: Db, id: string) {
  const waiting = tx.select({ id: jobs.id }).from(jobs).where(eq(jobs.id, id)).for('update', { skipLocked: true });
  await tx.update(jobs).set({ runAt: sql`now()` }).where(inArray(jobs.id, waiting));
}

/** Makes what is repeated due now. */
export async function wakeOwnJob(tx: Db, kind: string) {
  await insertOwnJobs(tx, [kind]);
  await tx
    .update(jobs)
    .set({ runAt: sql`now()` })
    .where(and(eq(jobs.kind, kind), isNull(jobs.userId), isRunning));
}

/** Undefined while it does not run. */
export async function findOwnJob(db: Db, kind: string) {
  const [job] = await db
    .select(jobColumns)
    .from(jobs)
    .where(and(eq(jobs.kind, kind), isNull(jobs.userId), isRunning));
  return job;
}

/** False if it has ended meanwhile. */
export async function deleteJob(tx: Db, id: string): Promise<boolean> {
  return (await tx.delete(jobs).where(eq(jobs.id, id)).returning({ id: jobs.id })).length > 0;
}

export async function findLatestJob(db: Db, kind: string, userId: number) {
  const [job] = await db
    .select(jobColumns)
    .from(jobs)
    .where(and(eq(jobs.kind, kind), eq(jobs.userId, userId)))
    .orderBy(desc(jobs.createdAt), jobs.id)
    .limit(1);
  return job;
}

export async function findJob(db: Db, { id, userId }: { id: string; userId: number }) {
  const [job] = await db
    .select(jobColumns)
    .from(jobs)
    .where(and(eq(jobs.id, id), eq(jobs.userId, userId)));
  return job;
}

/**
 * The running job that has waited longest and is due, with its next items, locked. The lock is what reserves a step: jobs
 * that another process works on are skipped, and those of a process that has ended are not locked any more.
 */
export async function lockNextJob(tx: Db, kinds: string[]) {
  const [job] = await tx
    .select({
      ...jobColumns,
      nextIds: sql<number[]>`${jobs.itemIds}[${jobs.done} + 1 : ${jobs.done} + ${STEP_ITEMS}::int]`,
    })
    .from(jobs)
    // The column has milliseconds, to which the end of the step before may have been rounded up.
    .where(
      and(isRunning, lte(jobs.runAt, sql`clock_timestamp() + interval '1 millisecond'`), inArray(jobs.kind, kinds)),
    )
    .orderBy(jobs.runAt, jobs.updatedAt)
    .limit(1)
    .for('update', { of: jobs, skipLocked: true });
  return job;
}

/** Locked, after the step that is running; that of another user is not found. */
export async function lockJob(tx: Db, { id, userId }: { id: string; userId: number | null }) {
  const isOwn = userId === null ? isNull(jobs.userId) : eq(jobs.userId, userId);
  const [job] = await tx
    .select(jobColumns)
    .from(jobs)
    .where(and(eq(jobs.id, id), isOwn))
    .for('update', { of: jobs });
  return job;
}

/** In how many milliseconds the next job is due, at most `limit`. */
export async function readPause(db: Db, kinds: string[], limit: number): Promise<number> {
  const [next] = await db
    .select({ ms: sql<number>`extract(epoch from min(${jobs.runAt}) - clock_timestamp()) * 1000` })
    .from(jobs)
    .where(and(isRunning, inArray(jobs.kind, kinds)));
  return Math.min(Math.max(Number(next?.ms ?? limit), 0), limit);
}

export type Progress = Partial<
  Pick<JobRecord, 'input' | 'done' | 'success' | 'failed' | 'reasons' | 'state' | 'message' | 'lastError'>
>;

/** Puts the job at the end of the queue, after a pause. False if it has ended meanwhile. */
export async function updateJob(tx: Db, id: string, progress: Progress, pauseMs = 0): Promise<boolean> {
  const updated = await tx
    .update(jobs)
    .set({ tries: 0, lastError: null, ...progress, runAt: after(pauseMs / 1_000), updatedAt: sql`clock_timestamp()` })
    .where(and(eq(jobs.id, id), isRunning))
    .returning({ id: jobs.id });
  return updated.length > 0;
}

/** As `updateJob`, after a failure of a step. The pause doubles with every failure in a row. */
export async function pauseJob(
  tx: Db,
  { id, tries, lastError }: Pick<JobRecord, 'id' | 'tries' | 'lastError'>,
): Promise<void> {
  const seconds = Math.min(FIRST_PAUSE_SECONDS * 2 ** Math.min(tries, 20), MAX_PAUSE_SECONDS);
  await tx
    .update(jobs)
    .set({ tries: tries + 1, lastError, runAt: after(seconds), updatedAt: sql`clock_timestamp()` })
    .where(and(eq(jobs.id, id), isRunning));
}

const after = (seconds: number) => sql`clock_timestamp() + ${seconds} * interval '1 second'`;

/** Whether steps are still being added to this batch of changes. */
export const isJobRunning = async (db: Db, id: string) => (await db.$count(jobs, and(eq(jobs.id, id), isRunning))) > 0;

/** The user of a job with their current role, for its next step. Refused once the account is inactive. */
export async function requireJobViewer(tx: Db, { userId }: Pick<JobRecord, 'userId'>): Promise<Viewer> {
  const { id, role, active } = users;
  const [viewer] = await tx
    .select({ id, role })
    .from(users)
    .where(and(eq(id, userId ?? 0), eq(active, true)));
  if (!viewer) throw new Refusal('account_inactive', 'The account is no longer active');
  return viewer;
}

/** As the API shows it. */
export function toJob({ id, hasBatch, ...record }: JobRecord): Job {
  const { state, total, done, success, failed, reasons, message, createdAt } = record;
  return { id, state, total, done, success, failed, reasons, message, batchId: hasBatch ? id : null, createdAt };
}
