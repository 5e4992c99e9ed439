import { z } from 'zod';
import { backupKind, proofState } from '../backup/backup.ts';
import { moment } from '../fields.ts';
import { placesProvider } from '../search/search.ts';

/** A backup that the product made by itself, or tried to. */
export const systemBackup = z.strictObject({
  id: z.uuid(),
  kind: backupKind,
  startedAt: moment,
  /** Null while it is being written, and where there is no file. */
  finishedAt: moment.nullable(),
  bytes: z.number().nullable(),
  encrypted: z.boolean(),
  /** Why there is no file. */
  error: z.string().nullable(),
  proof: proofState,
  /** Why the proof failed or was skipped. */
  proofMessage: z.string().nullable(),
  proofFinishedAt: moment.nullable(),
  proofMs: z.number().nullable(),
});
export type SystemBackup = z.infer<typeof systemBackup>;

/** `failing`: its last step failed, or it was stopped after many failures. */
const systemJobState = z.enum(['failing', 'running', 'waiting']);
export type SystemJobState = z.infer<typeof systemJobState>;

export const systemJob = z.strictObject({
  id: z.uuid(),
  kind: z.string(),
  state: systemJobState,
  /** Null for what the product does by itself. */
  user: z.string().nullable(),
  done: z.number(),
  total: z.number(),
  /** Failures in a row. */
  tries: z.number(),
  lastError: z.string().nullable(),
  /** When its next step is due; null for one that was stopped. */
  nextAt: moment.nullable(),
  updatedAt: moment,
});
export type SystemJob = z.infer<typeof systemJob>;

const systemDisk = z.strictObject({
  /** "Data and backups" */
  holds: z.string(),
  folder: z.string(),
  freeBytes: z.number(),
  totalBytes: z.number(),
  /** What is free is kept for the built-in database: changes are refused, and reading goes on. */
  isFull: z.boolean(),
});
export type SystemDisk = z.infer<typeof systemDisk>;

/** What is known of this installation. */
export const systemFacts = z.strictObject({
  version: z.string(),
  /** Of the process that responds. */
  startedAt: moment,
  database: z.strictObject({
    kind: z.enum(['built-in', 'own']),
    version: z.string(),
    bytes: z.number(),
    createdAt: moment,
    /** Since the oldest size of the last 30 days; null on the first day. */
    growth: z.strictObject({ bytes: z.number(), days: z.number() }).nullable(),
  }),
  backups: z.strictObject({
    folder: z.string(),
    /** One is being made or proven. */
    running: z.boolean(),
    /** Null if there are no nightly backups. */
    nextAt: moment.nullable(),
    /** The last one whose file is complete. */
    last: systemBackup.nullable(),
    /** The last one whose proof has passed or failed. */
    lastProven: systemBackup.nullable(),
    /** The newest first. */
    items: z.array(systemBackup),
  }),
  disks: z.array(systemDisk),
  mail: z.strictObject({
    /** Without a mail server, messages are files in a folder. */
    sentTo: z.enum(['server', 'folder']),
    waiting: z.number(),
    oldestAt: moment.nullable(),
    /** Of those that are waiting. */
    lastError: z.string().nullable(),
    lastFailedAt: moment.nullable(),
  }),
  jobs: z.array(systemJob),
  places: z.strictObject({
    provider: placesProvider,
    /** Of this month; null for a provider without cost. */
    paidCalls: z.strictObject({ used: z.number(), cap: z.number() }).nullable(),
  }),
});
export type SystemFacts = z.infer<typeof systemFacts>;
