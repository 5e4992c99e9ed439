import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { Refusal } from '#contract/errors.ts';
import { readEncryption } from '#server/backup/file/encryption.ts';
import { withMaintenanceDatabase } from '#server/backup/restore/maintenance-database.ts';
import { ProofSkipped, proveBackup } from '#server/backup/restore/prove-backup.ts';
import { dropScratchDatabase } from '#server/backup/restore/scratch-database.ts';
import { defineJob, type Step } from '#server/jobs/job-kind.ts';
import { startOwnJob } from '#server/jobs/jobs.sql.ts';
import type { Clock } from '#server/kit/clock.ts';
import type { Db } from '#server/kit/db/db.ts';
import { classifyFault } from '#server/kit/db/faults.ts';
import { latestVersion } from '#server/kit/db/migrate.ts';
import type { Database } from '#server/kit/db/open.ts';
import type { Env } from '#server/kit/env.ts';
import type { Logger } from '#server/kit/log.ts';
import { MIGRATIONS } from '#server/paths.ts';
import { listBackupFiles, removeUnfinished } from './backup-folder.ts';
import { lastBackupDue } from './backup-times.ts';
import * as stored from './backups.sql.ts';
import { chooseBackupName, makeBackup } from './make-backup.ts';
import { GENTLE } from './pace.ts';
import { deleteExpired } from './retention.ts';

export const BACKUP = 'backup';
const MINUTE_MS = 60_000;
/** Of a night, and how long after one that failed. */
const MAX_TRIES = 3;
const RETRY_MINUTES = 10;
/** Until another process goes on. */
const LEAVE_MS = 5_000;

interface Options {
  database: Database;
  env: Env;
  clock: Clock;
  log: Logger;
  /** Aborted when the process stops. */
  closing: AbortSignal;
}

interface BackupInput {
  kind: 'nightly' | 'manual';
  /** The backup that is written and has to be proven. */
  proving?: string;
}

/** A backup that somebody asked for. One at a time, its proof included; `jobs.run(BACKUP)` begins it at once. */
export async function startBackup(tx: Db): Promise<void> {
  if (await start(tx, { kind: 'manual' })) return;
  throw new Refusal('backup_running', 'A backup is being made or tried out. Please wait until that has ended.');
}

const start = (tx: Db, input: BackupInput) => startOwnJob(tx, { id: randomUUID(), kind: BACKUP, input });

/** Starts the nightly backup when it is due, also after the product was off at that time. */
export const backupScheduleJob = ({ env, clock }: Pick<Options, 'env' | 'clock'>) =>
  defineJob<object>({
    kind: 'backup-schedule',
    everyMs: MINUTE_MS,
    step: async (tx, { createdAt }) => {
      await recordFiles(tx, env);
      const due = lastBackupDue(env, clock());
      // Not before the first night of a new database.
      if (due && due > new Date(createdAt)) {
        const tries = await stored.countNightly(tx, due, RETRY_MINUTES);
        if (!tries.made && !tries.recent && tries.failed < MAX_TRIES) await start(tx, { kind: 'nightly' });
      }
      return { end: true };
    },
  });

/** Records files that have no row: they were written before a migration, or the database is a restored one. */
async function recordFiles(tx: Db, { backupDir }: Env) {
  const known = await stored.listFiles(tx);
  // A folder that cannot be read fails the next backup, which says so.
  for (const { name, kind, at, bytes, schema } of await listBackupFiles(backupDir).catch(() => [])) {
    if (known.includes(name)) continue;
    const encrypted = (await readEncryption(join(backupDir, name))) !== undefined;
    await stored.insertFoundBackup(tx, { kind, file: name, startedAt: at.toISOString(), bytes, schema, encrypted });
  }
}

/**
 * Makes a backup in one step and proves it in the next. The transaction only holds the job meanwhile: what is read, written
 * and recorded goes over other connections, so that a page shows how far it is.
 */
export const backupJob = (options: Options) =>
  defineJob<BackupInput>({
    kind: BACKUP,
    longSteps: true,
    step: async (tx, { input, createdAt }) => {
      if (options.closing.aborted || (await isNewer(tx))) return { pauseMs: LEAVE_MS };
      await tx.execute(sql`set local idle_in_transaction_session_timeout = 0`);
      if (input.proving) return prove(input.proving, options);
      await settleInterrupted(options);
      // One that this job has begun before was interrupted, or its end was recorded without that of the step.
      const backup = (await stored.findBegunSince(options.database.db, createdAt)) ?? (await make(input.kind, options));
      if (!backup) return { pauseMs: LEAVE_MS };
      return backup.error === null ? { input: { ...input, proving: backup.id } } : { end: true };
    },
  });

/** After an upgrade by another process: a backup by this one could lack tables. */
async function isNewer(tx: Db): Promise<boolean> {
  const { rows } = await tx.execute<{ version: number }>(sql`select max(version) as version from schema_migrations`);
  return (rows[0]?.version ?? 0) > (await latestVersion(MIGRATIONS));
}

/** Ends what a killed process left. It is not begun again: it may be why that process ended. */
async function settleInterrupted({ database: { db }, env, log }: Options) {
  await removeUnfinished(env.backupDir, ['nightly', 'manual']).catch((error) =>
    log.warn({ err: error }, 'unfinished backups were not deleted'),
  );
  for (const { id, file } of await stored.listUnfinished(db)) {
    const path = join(env.backupDir, file);
    // It has this name since it is complete.
    const result = existsSync(path)
      ? { bytes: (await stat(path)).size }
      : { error: 'It was interrupted: the process that made it ended.' };
    await stored.endBackup(db, id, result);
  }
}

/** The backup, complete or with the reason why there is none; undefined if the process stops. */
async function make(kind: BackupInput['kind'], { database, env, clock, log, closing }: Options) {
  const { db, directUrl } = database;
  const file = chooseBackupName(env.backupDir, { kind, at: clock() });
  const { id } = await stored.insertBackup(db, { kind, file, encrypted: env.backupKey !== undefined });
  const begun = performance.now();
  try {
    const made = await withMaintenanceDatabase(directUrl, log, ({ pool }) =>
      makeBackup(pool, file, { env, signal: closing, pace: GENTLE }),
    );
    log.info({ kind, file, ...made, ms: Math.round(performance.now() - begun) }, 'a backup was made');
    await deleteExpired(db, env, log);
    return await stored.endBackup(db, id, made);
  } catch (error) {
    if (closing.aborted) {
      await stored.deleteBackups(db, [file]);
      return undefined;
    }
    log.error({ err: error, kind }, 'a backup was not made');
    return stored.endBackup(db, id, { error: describe(error) });
  }
}

async function prove(id: string, { database, env, log, closing }: Options): Promise<Step<BackupInput>> {
  const { db } = database;
  const backup = await stored.findBackup(db, id);
  if (!backup || !['waiting', 'running'].includes(backup.proof)) return { end: true };
  if (backup.proof === 'running') {
    await dropScratchDatabase({ directUrl: database.directUrl, log });
    await stored.endProof(db, id, { proof: 'skipped', proofMessage: 'It was interrupted: the process ended.' });
    return { end: true };
  }
  await stored.beginProof(db, id);
  const { kind, file } = backup;
  const begun = performance.now();
  const end = (proof: 'passed' | 'failed' | 'skipped', proofMessage: string | null) =>
    stored.endProof(db, id, { proof, proofMessage, proofMs: Math.round(performance.now() - begun) });
  try {
    await proveBackup(join(env.backupDir, file), { database, env, log, signal: closing });
    await end('passed', null);
    log.info({ kind, file, ms: Math.round(performance.now() - begun) }, 'a backup was restored and compared');
  } catch (error) {
    if (closing.aborted) {
      await stored.postponeProof(db, id);
      return { pauseMs: LEAVE_MS };
    }
    const isSkipped = error instanceof ProofSkipped;
    await end(isSkipped ? 'skipped' : 'failed', describe(error));
    if (isSkipped) log.warn({ kind, file, reason: error.message }, 'a backup was not tried out');
    else log.error({ err: error, kind, file }, 'a restored backup is not what was written');
  }
  return { end: true };
}

/** For an administrator. */
function describe(error: unknown): string {
  if (classifyFault(error).kind === 'full') return 'No room is left on the disk.';
  return error instanceof Error ? error.message : String(error);
}
