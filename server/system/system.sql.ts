import { and, asc, eq, gte, isNotNull, lt, or, sql } from 'drizzle-orm';
import type { SystemJob } from '#contract/system/system.ts';
import type { Db } from '#server/kit/db/db.ts';
import { mailOutbox } from '#server/kit/db/kit-tables.ts';
import { jobs } from '#server/schema/jobs.ts';
import { databaseSizes, systemProblems } from '#server/schema/system.ts';
import { users } from '#server/schema/users.ts';

const DAY_MS = 86_400_000;
const GROWTH_DAYS = 30;
const MAX_JOBS = 200;

const toDay = (now: Date) => now.toISOString().slice(0, 10);

export async function readDatabase(db: Db, now: Date) {
  const { rows } = await db.execute<{ version: string; bytes: string; createdAt: string }>(sql`
    select split_part(current_setting('server_version'), ' ', 1) as version,
      pg_database_size(current_database())::text as bytes,
      (select min(applied_at) from schema_migrations) as "createdAt"`);
  const [row] = rows;
  if (!row) throw new Error('The database says nothing about itself');
  const bytes = Number(row.bytes);
  return {
    version: row.version,
    bytes,
    createdAt: new Date(row.createdAt).toISOString(),
    growth: await readGrowth(db, bytes, now),
  };
}

async function readGrowth(db: Db, bytes: number, now: Date) {
  const [oldest] = await db
    .select()
    .from(databaseSizes)
    .where(gte(databaseSizes.day, toDay(new Date(now.getTime() - GROWTH_DAYS * DAY_MS))))
    .orderBy(asc(databaseSizes.day))
    .limit(1);
  const days = oldest ? (Date.parse(toDay(now)) - Date.parse(oldest.day)) / DAY_MS : 0;
  return oldest && days > 0 ? { bytes: bytes - oldest.bytes, days } : null;
}

/** Once a day: the first size stays. */
export async function storeSize(tx: Db, now: Date): Promise<void> {
  const day = toDay(now);
  if (await tx.$count(databaseSizes, eq(databaseSizes.day, day))) return;
  const bytes = sql`pg_database_size(current_database())`;
  await tx.insert(databaseSizes).values({ day, bytes }).onConflictDoNothing();
}

export async function readMailQueue(db: Db) {
  const { createdAt, lastError, lastFailedAt } = mailOutbox;
  const [queue] = await db
    .select({ waiting: sql<number>`count(*)::int`, oldestAt: sql<string | null>`min(${createdAt})`.mapWith(createdAt) })
    .from(mailOutbox);
  const [failed] = await db
    .select({ lastError, lastFailedAt })
    .from(mailOutbox)
    .where(isNotNull(lastError))
    .orderBy(sql`${lastFailedAt} desc`)
    .limit(1);
  return {
    waiting: queue?.waiting ?? 0,
    oldestAt: queue?.oldestAt ?? null,
    lastError: failed?.lastError ?? null,
    lastFailedAt: failed?.lastFailedAt ?? null,
  };
}

/** Those that go on, and those that were stopped by their failures. The failing ones are first, then the running ones. */
export async function listJobs(db: Db): Promise<SystemJob[]> {
  const { id, kind, state, userId, done, total, tries, lastError, runAt, updatedAt } = jobs;
  const isFailing = isNotNull(lastError);
  const isDue = sql<boolean>`${runAt} <= clock_timestamp()`;
  const rows = await db
    .select({
      ...{ id, kind, state, done, total, tries, lastError, runAt, updatedAt, isDue },
      user: sql<string | null>`coalesce(nullif(${users.fullName}, ''), ${users.username})`,
    })
    .from(jobs)
    .leftJoin(users, eq(users.id, userId))
    .where(or(eq(state, 'running'), and(eq(state, 'stopped'), isFailing)))
    .orderBy(sql`${isFailing} desc, ${isDue} desc, ${runAt}, ${id}`)
    .limit(MAX_JOBS);
  return rows.map(({ state: stored, runAt: nextAt, isDue: due, ...job }) => ({
    ...job,
    state: job.lastError ? 'failing' : due ? 'running' : 'waiting',
    nextAt: stored === 'running' ? nextAt : null,
  }));
}

export const listNoticed = (db: Db) => db.select().from(systemProblems);

/** How long a problem is the same one: processes of several machines do not see the same disks. */
const SAME_PROBLEM_MS = 3_600_000;

/** Stores what is a problem now; returns what was none before. */
export async function storeProblems(tx: Db, keys: string[], now: Date): Promise<string[]> {
  const seenAt = now.toISOString();
  const over = new Date(now.getTime() - SAME_PROBLEM_MS).toISOString();
  await tx.delete(systemProblems).where(lt(systemProblems.seenAt, over));
  const known = new Set((await listNoticed(tx)).map(({ key }) => key));
  if (keys.length) {
    await tx
      .insert(systemProblems)
      .values(keys.map((key) => ({ key, since: seenAt, seenAt })))
      .onConflictDoUpdate({ target: systemProblems.key, set: { seenAt } });
  }
  return keys.filter((key) => !known.has(key));
}
