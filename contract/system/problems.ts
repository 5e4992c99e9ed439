import { z } from 'zod';
import { formatBytes, formatCounted } from '../format.ts';
import { formatJobKind } from '../jobs/job.ts';
import type { SystemFacts, SystemJob } from './system.ts';

/** What needs somebody's hands, the most urgent first. */
export const problemKind = z.enum([
  'disk_low',
  'backup_failed',
  'proof_failed',
  'backup_overdue',
  'mail_failing',
  'job_failing',
  'places_cap_reached',
]);
export type ProblemKind = z.infer<typeof problemKind>;

export const problem = z.strictObject({
  /** The kind, and what it is about where there may be several: "job_failing housekeeping". */
  key: z.string(),
  kind: problemKind,
  title: z.string(),
  message: z.string(),
});
export type Problem = z.infer<typeof problem>;

const HOUR_MS = 3_600_000;
/** Below it the built-in database warns at its start, too. */
const LOW_DISK_BYTES = 2_000_000_000;
const MAX_BACKUP_AGE_HOURS = 26;
const MAX_MAIL_AGE_MS = HOUR_MS / 4;
/** In a row, over about two and a half minutes. */
const MANY_TRIES = 5;
/** How long a job that was stopped by its failures is a problem: it does not go on by itself. */
const STOPPED_JOB_MS = 24 * HOUR_MS;

export function findProblems(facts: SystemFacts, now: Date): Problem[] {
  const found = [
    ...findLowDisks(facts),
    ...findBackupProblems(facts, now),
    ...findMailProblems(facts, now),
    ...findFailingJobs(facts, now),
    ...findPlacesProblems(facts),
  ];
  const urgency = ({ kind }: Problem) => problemKind.options.indexOf(kind);
  return found.sort((one, other) => urgency(one) - urgency(other));
}

const findLowDisks = ({ disks }: SystemFacts): Problem[] =>
  disks
    .filter(({ freeBytes }) => freeBytes < LOW_DISK_BYTES)
    .map(({ holds, folder, freeBytes, totalBytes, isFull }) => ({
      key: `disk_low ${folder}`,
      kind: 'disk_low',
      title: isFull ? 'The disk is full: changes and sign-ins are refused' : 'The disk is nearly full',
      message: `${holds}: ${formatBytes(freeBytes)} of ${formatBytes(totalBytes)} are free. Make room, or use a larger disk.`,
    }));

function findBackupProblems({ backups, database, startedAt }: SystemFacts, now: Date): Problem[] {
  const found: Problem[] = [];
  const lastAttempt = backups.items.find(({ finishedAt, error }) => finishedAt ?? error);
  if (lastAttempt?.error) {
    found.push({
      key: 'backup_failed',
      kind: 'backup_failed',
      title: 'The last backup failed',
      message: lastAttempt.error,
    });
  }
  const { last, lastProven, nextAt } = backups;
  if (lastProven?.proof === 'failed') {
    found.push({
      key: 'proof_failed',
      kind: 'proof_failed',
      title: 'The last backup that was tried out is not usable',
      message: lastProven.proofMessage ?? 'A restored copy has other rows than the database had.',
    });
  }
  const age = now.getTime() - Date.parse(last?.startedAt ?? database.createdAt);
  // After a time without power, the product makes one up for it. Without nightly backups, it is not who makes them.
  const hadTime = now.getTime() - Date.parse(startedAt) > HOUR_MS;
  if (nextAt && hadTime && age > MAX_BACKUP_AGE_HOURS * HOUR_MS) {
    found.push({
      key: 'backup_overdue',
      kind: 'backup_overdue',
      title: 'There is no recent backup',
      message: `None was made in the last ${MAX_BACKUP_AGE_HOURS} hours. Make one now, and look for the reason in the log.`,
    });
  }
  return found;
}

function findMailProblems({ mail }: SystemFacts, now: Date): Problem[] {
  if (!mail.oldestAt || now.getTime() - Date.parse(mail.oldestAt) <= MAX_MAIL_AGE_MS) return [];
  const waiting = formatCounted(mail.waiting, 'e-mail has', 'e-mails have');
  return [
    {
      key: 'mail_failing',
      kind: 'mail_failing',
      title: 'E-mails are not being sent',
      message: `${waiting} not been sent. ${mail.lastError ?? 'No attempt was made yet'}.`,
    },
  ];
}

/** One for each kind: many users may have a job of it. */
function findFailingJobs({ jobs }: SystemFacts, now: Date): Problem[] {
  const failing = new Map(jobs.filter((job) => failsRepeatedly(job, now)).map((job) => [job.kind, job]));
  return [...failing.values()].map(({ kind, lastError }) => ({
    key: `job_failing ${kind}`,
    kind: 'job_failing',
    title: 'A job fails repeatedly',
    message: `${formatJobKind(kind)}: ${lastError ?? 'the log has the details.'}`,
  }));
}

function failsRepeatedly({ state, tries, nextAt, updatedAt }: SystemJob, now: Date): boolean {
  if (state !== 'failing') return false;
  return nextAt ? tries >= MANY_TRIES : now.getTime() - Date.parse(updatedAt) < STOPPED_JOB_MS;
}

function findPlacesProblems({ places: { paidCalls } }: SystemFacts): Problem[] {
  if (!paidCalls || paidCalls.used < paidCalls.cap) return [];
  const cap = formatCounted(paidCalls.cap, 'paid call');
  return [
    {
      key: 'places_cap_reached',
      kind: 'places_cap_reached',
      title: 'The paid calls of this month are used up',
      message: `The cap is ${cap}. Searches work again next month, or with a higher cap.`,
    },
  ];
}
