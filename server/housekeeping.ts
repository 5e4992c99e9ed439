import { type SQL, sql } from 'drizzle-orm';
import { UNMERGE_DAYS } from '#contract/duplicates/merge.ts';
import type { Db } from './kit/db/db.ts';
import type { Logger } from './kit/log.ts';
import { createPeriodicJob } from './kit/periodic-job.ts';
import { isJoinedLead } from './leads/merged-rows.sql.ts';

const HOUR_MS = 3_600_000;
/** Of one statement, so that it ends within its time-out and holds its locks for a moment only. */
const MAX_ROWS = 5_000;

interface Expired {
  table: string;
  where: SQL;
  /** Instead of deleting the rows; afterwards they must not match any more. */
  update?: SQL;
}

const oldBatch = sql`at <= now() - interval '24 months'`;
const unmergeOver = sql`exists (
  select from change_batches where id = batch_id and at <= now() - make_interval(days => ${UNMERGE_DAYS}))`;
/** Uploads that never arrived, drafts, imports. */
const oldImport = sql`(state = 'uploading' and created_at <= now() - interval '1 day'
  or started_at is null and state not in ('uploading', 'checking') and updated_at <= now() - interval '7 days'
  or state in ('done', 'cancelled', 'stopped') and updated_at <= now() - interval '30 days')`;
const ofOldImport = sql`exists (select from imports where id = import_id and ${oldImport})`;
const notContinued = sql`exists (
  select from imports where id = import_id and state in ('cancelled', 'stopped') and updated_at <= now() - interval '7 days')`;
const oldSweep = sql`state <> 'running' and updated_at <= now() - interval '90 days'`;
const ofOldSweep = sql`exists (select from sweeps where id = sweep_id and ${oldSweep})`;

/** In this order: rows that belong to others go first, because a cascade has no limit. */
const EXPIRED: Expired[] = [
  {
    table: 'sessions',
    where: sql`expires_at <= now() or last_used_at <= now() - interval '12 hours'`,
  },
  { table: 'throttles', where: sql`expires_at <= now() and (locked_until is null or locked_until <= now())` },
  { table: 'password_reset_tokens', where: sql`expires_at <= now() - interval '1 day'` },
  { table: 'idempotency_keys', where: sql`created_at <= now() - interval '24 hours'` },
  { table: 'notifications', where: sql`created_at <= now() - interval '90 days'` },
  { table: 'morning_emails', where: sql`created_at <= now() - interval '30 days'` },
  { table: 'changes', where: sql`exists (select from change_batches where id = batch_id and ${oldBatch})` },
  { table: 'change_batches', where: oldBatch },
  { table: 'bulk_jobs', where: sql`state <> 'running' and updated_at <= now() - interval '7 days'` },
  { table: 'import_chunks', where: sql`${ofOldImport} or ${notContinued}` },
  { table: 'import_refused_rows', where: ofOldImport },
  { table: 'import_matches', where: ofOldImport },
  { table: 'imports', where: oldImport },
  { table: 'import_mappings', where: sql`updated_at <= now() - interval '24 months'` },
  { table: 'sweep_responses', where: ofOldSweep },
  { table: 'sweep_results', where: ofOldSweep },
  { table: 'sweeps', where: oldSweep },
  // What undoing a merge needs. Of joined leads the uuid stays, by which old links find the other lead.
  { table: 'merged_rows', where: sql`not (${isJoinedLead}) and ${unmergeOver}` },
  {
    table: 'merged_rows',
    where: sql`${isJoinedLead} and before ? 'user_id' and ${unmergeOver}`,
    update: sql`before = jsonb_build_object('uuid', before -> 'uuid')`,
  },
  { table: 'saved_views', where: sql`deleted_at <= now() - interval '30 days'` },
  { table: 'audit_events', where: sql`at <= now() - interval '400 days'` },
];

interface Options {
  maxRows?: number;
  stopping?: () => boolean;
  onDeleted?: (table: string, rows: number) => void;
  /** Without it the first error is thrown. */
  onError?: (table: string, error: unknown) => void;
}

/** Deletes expired rows, each table by itself; two processes may run it at once. */
export async function deleteExpired(db: Db, options: Options = {}) {
  const { maxRows = MAX_ROWS, stopping = () => false, onDeleted = () => {}, onError } = options;
  for (const expired of EXPIRED) {
    try {
      for (let rows = maxRows; rows === maxRows && !stopping(); ) {
        rows = (await db.execute(limitedStatement(expired, maxRows))).rowCount ?? 0;
        if (!expired.update) onDeleted(expired.table, rows);
      }
    } catch (error) {
      if (!onError) throw error;
      onError(expired.table, error);
    }
  }
}

function limitedStatement({ table, where, update }: Expired, maxRows: number): SQL {
  const name = sql.identifier(table);
  const verb = update ? sql`update ${name} set ${update}` : sql`delete from ${name}`;
  return sql`${verb} where ctid = any (array(
    select ctid from ${name} where ${where} limit ${maxRows} for update skip locked))`;
}

export type Housekeeping = ReturnType<typeof createHousekeeping>;

export function createHousekeeping({ db, log }: { db: Db; log: Logger }) {
  const total: Record<string, number> = Object.fromEntries(EXPIRED.map(({ table }) => [table, 0]));
  let failures = 0;

  async function work(stopping: () => boolean) {
    const deleted: Record<string, number> = {};
    await deleteExpired(db, {
      stopping,
      onDeleted: (table, rows) => {
        total[table] = (total[table] ?? 0) + rows;
        if (rows) deleted[table] = (deleted[table] ?? 0) + rows;
      },
      onError: (table, error) => {
        failures += 1;
        log.warn({ err: error, table }, 'expired rows not deleted, will try again');
      },
    });
    if (Object.keys(deleted).length) log.info({ deleted }, 'expired rows deleted');
  }

  const onError = (error: unknown) => log.warn({ err: error }, 'housekeeping failed, will try again');
  return {
    ...createPeriodicJob({ intervalMs: HOUR_MS, work, onError }),
    /** Rows that this process deleted, by table. */
    deleted: () => total,
    /** How often deleting from a table failed. */
    failures: () => failures,
  };
}
