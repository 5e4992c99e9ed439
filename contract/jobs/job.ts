import { z } from 'zod';
import { moment } from '../fields.ts';

const jobState = z.enum(['running', 'done', 'cancelled', 'stopped']);
export type JobState = z.infer<typeof jobState>;

/** Work that the server does in steps, for one user: how far it is, or how it ended. */
export const job = z.strictObject({
  id: z.uuid(),
  state: jobState,
  total: z.number(),
  done: z.number(),
  success: z.number(),
  failed: z.number(),
  /** Why some failed. */
  reasons: z.array(z.string()),
  /** What it did, or why it was stopped. */
  message: z.string().nullable(),
  /** The batch in the change log, once something was changed that can be undone. */
  batchId: z.uuid().nullable(),
  createdAt: moment,
});
export type Job = z.infer<typeof job>;

const JOB_LABEL: Record<string, string> = {
  'assign-results': 'Assigning the results of a sweep',
  backup: 'Backup',
  'backup-schedule': 'Schedule of backups',
  bulk: 'Bulk action',
  'business-types': 'Classifying businesses',
  coverage: 'Coverage',
  'delete-accounts': 'Deleting accounts',
  'delete-field': 'Deleting a field',
  'delete-left-fields': 'Finishing the deletion of fields',
  duplicates: 'Looking for duplicates',
  housekeeping: 'Deleting what has expired',
  import: 'Import',
  'move-leads': 'Moving the leads of a territory',
  push: 'Notifications on devices',
  reminders: 'Reminders',
  sweep: 'Sweep',
  system: 'Checking the system',
  'token-notices': 'Notices of tokens that end soon',
  undo: 'Undo',
  webhooks: 'Events for webhooks',
};

/** The label of a stored kind. A newer version, which ran before a rollback, may have stored others. */
export const formatJobKind = (kind: string) => JOB_LABEL[kind] ?? kind;
