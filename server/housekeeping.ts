import { type SQL, sql } from 'drizzle-orm';
import { DEVICE_KEY_DAYS } from '#contract/auth/device-key.calls.ts';
import { UNMERGE_DAYS } from '#contract/duplicates/merge.ts';
import { DELIVERY_DAYS } from '#contract/webhooks/delivery.ts';
import { defineJob } from './jobs/job-kind.ts';
import type { Logger } from './kit/log.ts';
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

const oldEvent = sql`at <= now() - make_interval(days => ${DELIVERY_DAYS})`;
const oldBatch = sql`at <= now() - interval '24 months'`;
const unmergeOver = sql`exists (
  select from change_batches where id = batch_id and at <= now() - make_interval(days => ${UNMERGE_DAYS}))`;
/** Programs send much, and soon again; what a device could not send may wait for weeks. */
const ofProgram = sql`route like '% % %'`;
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
    where: sql`expires_at <= now() or last_used_at <= now() - make_interval(hours => idle_hours)`,
  },
  { table: 'api_tokens', where: sql`expires_at <= now() - interval '30 days'` },
  { table: 'proposals', where: sql`created_at <= now() - interval '30 days'` },
  {
    table: 'device_keys',
    where: sql`dropped_at is null and last_used_at <= now() - make_interval(days => ${DEVICE_KEY_DAYS})`,
    update: sql`dropped_at = now()`,
  },
  // Kept for so long: a key that is not in the table counts as one from before a restore.
  { table: 'device_keys', where: sql`dropped_at <= now() - interval '400 days'` },
  { table: 'throttles', where: sql`expires_at <= now() and (locked_until is null or locked_until <= now())` },
  { table: 'password_reset_tokens', where: sql`expires_at <= now() - interval '1 day'` },
  { table: 'invitations', where: sql`expires_at <= now() - interval '30 days'` },
  { table: 'email_changes', where: sql`expires_at <= now()` },
  { table: 'sign_in_reports', where: sql`expires_at <= now()` },
  { table: 'challenges', where: sql`expires_at <= now()` },
  { table: 'known_browsers', where: sql`last_used_at <= now() - interval '400 days'` },
  {
    table: 'idempotency_keys',
    where: sql`created_at <= now() - case when ${ofProgram} then interval '24 hours' else interval '30 days' end`,
  },
  { table: 'notifications', where: sql`created_at <= now() - interval '90 days'` },
  // Of browsers that were not opened for long: they add themselves again.
  { table: 'push_messages', where: sql`expires_at <= now()` },
  { table: 'push_subscriptions', where: sql`updated_at <= now() - interval '60 days'` },
  { table: 'morning_emails', where: sql`created_at <= now() - interval '30 days'` },
  { table: 'weekly_emails', where: sql`created_at <= now() - interval '30 days'` },
  // What is not done is given up when it is due: an earlier event of a lead never vanishes before later ones.
  {
    table: 'webhook_deliveries',
    where: sql`state in ('delivered', 'failed') and exists (
      select from webhook_events where id = event_id and ${oldEvent})`,
  },
  {
    table: 'webhook_events',
    where: sql`${oldEvent} and not exists (select from webhook_deliveries where event_id = webhook_events.id)`,
  },
  { table: 'changes', where: sql`exists (select from change_batches where id = batch_id and ${oldBatch})` },
  { table: 'change_batches', where: oldBatch },
  { table: 'jobs', where: sql`state <> 'running' and updated_at <= now() - interval '7 days'` },
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
  // Those with a file go with it.
  { table: 'backups', where: sql`error is not null and started_at <= now() - interval '30 days'` },
  { table: 'database_sizes', where: sql`day <= current_date - 400` },
  { table: 'audit_events', where: sql`at <= now() - interval '400 days'` },
];

interface Options {
  log: Logger;
  maxRows?: number;
}

/** The table that is next, and the rows deleted so far, by table. */
interface Cursor {
  next?: number;
  deleted?: Record<string, number>;
}

export type Housekeeping = ReturnType<typeof createHousekeeping>;

/** Deletes expired rows, each table by itself. */
export function createHousekeeping({ log, maxRows = MAX_ROWS }: Options) {
  const total: Record<string, number> = Object.fromEntries(EXPIRED.map(({ table }) => [table, 0]));
  let failures = 0;

  const job = defineJob<Cursor>({
    kind: 'housekeeping',
    everyMs: HOUR_MS,
    step: async (tx, { input: { next = 0, deleted = {} } }) => {
      const expired = EXPIRED[next];
      if (!expired) {
        if (Object.keys(deleted).length) log.info({ deleted }, 'expired rows deleted');
        return { end: true };
      }
      const { table, update } = expired;
      const rows = await tx
        .transaction(async (savepoint) => (await savepoint.execute(limitedStatement(expired, maxRows))).rowCount ?? 0)
        .catch((error: unknown) => {
          failures += 1;
          log.warn({ err: error, table }, 'expired rows not deleted, will try again');
          return 0;
        });
      const counted = update ? 0 : rows;
      total[table] = (total[table] ?? 0) + counted;
      return {
        input: {
          next: rows < maxRows ? next + 1 : next,
          deleted: counted ? { ...deleted, [table]: (deleted[table] ?? 0) + counted } : deleted,
        },
      };
    },
  });

  return {
    job,
    /** Rows that this process deleted, by table. */
    deleted: () => total,
    /** How often deleting from a table failed. */
    failures: () => failures,
  };
}

function limitedStatement({ table, where, update }: Expired, maxRows: number): SQL {
  const name = sql.identifier(table);
  const verb = update ? sql`update ${name} set ${update}` : sql`delete from ${name}`;
  return sql`${verb} where ctid = any (array(
    select ctid from ${name} where ${where} limit ${maxRows} for update skip locked))`;
}
