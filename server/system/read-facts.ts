import type { SystemBackup, SystemDisk, SystemFacts } from '#contract/system/system.ts';
import { BACKUP } from '#server/backup/backup-job.ts';
import { nextBackupAt } from '#server/backup/backup-times.ts';
import { type BackupRecord, findLastBackup, findLastProof, listBackups } from '#server/backup/backups.sql.ts';
import { findOwnJob } from '#server/jobs/jobs.sql.ts';
import { RESERVED_BYTES } from '#server/kit/db/built-in/free-space.ts';
import type { Db } from '#server/kit/db/db.ts';
import { readDisk } from '#server/kit/disk.ts';
import type { Env } from '#server/kit/env.ts';
import { VERSION } from '#server/kit/version.ts';
import type { Places } from '#server/places/search-places.ts';
import { listJobs, readDatabase, readMailQueue } from './system.sql.ts';

export interface FactSources {
  env: Env;
  places: Pick<Places, 'provider' | 'readPaidCalls'>;
  startedAt: string;
}

export async function readFacts(db: Db, { env, places, startedAt }: FactSources, now: Date): Promise<SystemFacts> {
  return {
    version: VERSION,
    startedAt,
    database: { kind: env.databaseUrl ? 'own' : 'built-in', ...(await readDatabase(db, now)) },
    backups: await readBackups(db, env, now),
    disks: await readDisks(env),
    mail: { sentTo: env.smtpUrl ? 'server' : 'folder', ...(await readMailQueue(db)) },
    jobs: await listJobs(db),
    places: { provider: places.provider, paidCalls: await places.readPaidCalls() },
  };
}

async function readBackups(db: Db, env: Env, now: Date): Promise<SystemFacts['backups']> {
  const running = (await findOwnJob(db, BACKUP)) !== undefined;
  const [last, lastProven] = [await findLastBackup(db), await findLastProof(db)];
  return {
    folder: env.backupDir,
    running,
    nextAt: nextBackupAt(env, now)?.toISOString() ?? null,
    last: last ? toBackup(last, running) : null,
    lastProven: lastProven ? toBackup(lastProven, running) : null,
    items: (await listBackups(db)).map((backup) => toBackup(backup, running)),
  };
}

function toBackup(backup: BackupRecord, running: boolean): SystemBackup {
  const { id, kind, startedAt, finishedAt, bytes, encrypted, proof, proofMessage, proofFinishedAt, proofMs } = backup;
  const isInterrupted = !running && !finishedAt && !backup.error;
  return {
    ...{ id, kind, startedAt, finishedAt, bytes, encrypted, proof, proofFinishedAt, proofMs },
    error: isInterrupted ? 'It was interrupted.' : toSentence(backup.error),
    proofMessage: toSentence(proofMessage),
  };
}

/** Commands print their reasons after a colon. */
const toSentence = (reason: string | null) => reason && reason.charAt(0).toUpperCase() + reason.slice(1);

/** Those of the data and of the backups, or the one that both are on. */
async function readDisks({ dataDir, backupDir, databaseUrl }: Env): Promise<SystemDisk[]> {
  const [data, backups] = [await readDisk(dataDir), await readDisk(backupDir)];
  const isOne = data.device === backups.device;
  const holds = databaseUrl ? 'Data folder' : 'Database';
  const isFull = !databaseUrl && data.freeBytes <= RESERVED_BYTES;
  return [
    { holds: isOne ? `${holds} and backups` : holds, folder: dataDir, ...toSizes(data), isFull },
    ...(isOne ? [] : [{ holds: 'Backups', folder: backupDir, ...toSizes(backups), isFull: false }]),
  ];
}

const toSizes = ({ freeBytes, totalBytes }: Awaited<ReturnType<typeof readDisk>>) => ({ freeBytes, totalBytes });
