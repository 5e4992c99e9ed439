import { sql } from 'drizzle-orm';
import type { Db } from './kit/db/db.ts';
import type { Database } from './kit/db/open.ts';
import type { Logger } from './kit/log.ts';
import { foldLeadCounts } from './leads/lead-counts.sql.ts';
import { foldLeadSets } from './leads/lead-sets.sql.ts';

const HOUR_MS = 3_600_000;
const FOLD_MS = 5_000;

/** Forgets what has had its time. Each is one statement, and harmless when two processes do it at once. */
export async function tidyUp(db: Db) {
  await db.execute(sql`delete from sessions where expires_at <= now() or last_used_at <= now() - interval '12 hours'`);
  await db.execute(
    sql`delete from throttles where forget_at <= now() and (locked_until is null or locked_until <= now())`,
  );
  await db.execute(sql`delete from password_reset_tokens where expires_at <= now() - interval '1 day'`);
  await db.execute(sql`delete from idempotency_keys where created_at <= now() - interval '24 hours'`);
  await db.execute(sql`delete from notifications where created_at <= now() - interval '90 days'`);
  await db.execute(sql`delete from audit_events where at <= now() - interval '400 days'`);
}

export function startHousekeeping({ db }: Pick<Database, 'db'>, log: Logger) {
  const tasks = [
    repeat(HOUR_MS, () => tidyUp(db), log),
    repeat(FOLD_MS, () => foldLeadCounts(db), log),
    repeat(FOLD_MS, () => foldLeadSets(db), log),
  ];
  return {
    stop: () => {
      for (const task of tasks) clearInterval(task);
    },
  };
}

/** One at a time, and a failure is told once, not every few seconds until the database is back. */
function repeat(everyMs: number, work: () => Promise<void>, log: Logger) {
  let [busy, failing] = [false, false];
  return setInterval(async () => {
    if (busy) return;
    busy = true;
    try {
      await work();
      failing = false;
    } catch (error) {
      if (!failing) log.warn({ err: error }, 'housekeeping failed, will try again');
      failing = true;
    }
    busy = false;
  }, everyMs);
}
