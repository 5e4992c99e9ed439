import { sql } from 'drizzle-orm';
import { UNMERGE_DAYS } from '#contract/duplicates/merge.ts';
import { deleteExpiredMerges } from './duplicates/merge-businesses.ts';
import type { Db } from './kit/db/db.ts';
import type { Logger } from './kit/log.ts';

const HOUR_MS = 3_600_000;

/** Deletes expired rows, one statement per table; two processes may run it at once. */
export async function deleteExpired(db: Db) {
  await db.execute(sql`delete from sessions where expires_at <= now() or last_used_at <= now() - interval '12 hours'`);
  await db.execute(
    sql`delete from throttles where expires_at <= now() and (locked_until is null or locked_until <= now())`,
  );
  await db.execute(sql`delete from password_reset_tokens where expires_at <= now() - interval '1 day'`);
  await db.execute(sql`delete from idempotency_keys where created_at <= now() - interval '24 hours'`);
  await db.execute(sql`delete from notifications where created_at <= now() - interval '90 days'`);
  await db.execute(sql`delete from morning_emails where created_at <= now() - interval '30 days'`);
  await db.execute(sql`delete from change_batches where at <= now() - interval '24 months'`);
  await db.execute(sql`delete from bulk_jobs where state <> 'running' and updated_at <= now() - interval '7 days'`);
  await deleteExpiredImports(db);
  await db.execute(sql`delete from sweeps where state <> 'running' and updated_at <= now() - interval '90 days'`);
  await deleteExpiredMerges(db, UNMERGE_DAYS);
  await db.execute(sql`delete from saved_views where deleted_at <= now() - interval '30 days'`);
  await db.execute(sql`delete from audit_events where at <= now() - interval '400 days'`);
}

/** Uploads that never arrived, drafts, the files of imports that were not continued, then the imports themselves. */
async function deleteExpiredImports(db: Db) {
  await db.execute(sql`delete from imports where state = 'uploading' and created_at <= now() - interval '1 day'`);
  await db.execute(sql`
    delete from imports where started_at is null and state not in ('uploading', 'checking')
      and updated_at <= now() - interval '7 days'`);
  await db.execute(sql`
    delete from import_chunks using imports
    where imports.id = import_id and state in ('cancelled', 'stopped') and updated_at <= now() - interval '7 days'`);
  await db.execute(sql`
    delete from imports where state in ('done', 'cancelled', 'stopped') and updated_at <= now() - interval '30 days'`);
  await db.execute(sql`delete from import_mappings where updated_at <= now() - interval '24 months'`);
}

export function startHousekeeping(db: Db, log: Logger) {
  let busy = false;
  const timer = setInterval(async () => {
    if (busy) return;
    busy = true;
    await deleteExpired(db).catch((error) => log.warn({ err: error }, 'housekeeping failed, will try again'));
    busy = false;
  }, HOUR_MS);
  return { stop: () => clearInterval(timer) };
}
