import { formatCounted } from '#contract/format.ts';
import type { BulkVerb } from '#contract/leads/bulk/bulk-job.ts';

interface BulkToasts {
  success: (count: number) => string;
  errorTitle: string;
}

const REASSIGNED = {
  success: (count: number) => `${count} businesses reassigned successfully`,
  errorTitle: 'Reassignment failed',
};

const formatBusinesses = (count: number) => formatCounted(count, 'business', 'businesses');

/** The toasts of bulk actions, with the number of changed leads. "N businesses" is the specification's, for one too. */
export const BULK_TOASTS: Record<BulkVerb, BulkToasts> = {
  delete: { success: (count) => `${count} businesses deleted successfully`, errorTitle: 'Deletion failed' },
  'plan-follow-up': {
    success: (count) => `Follow-up planned for ${formatBusinesses(count)}`,
    errorTitle: 'Failed to plan follow-up',
  },
  'drop-follow-ups': {
    success: (count) => `${formatCounted(count, 'planned follow-up')} dropped`,
    errorTitle: 'Failed to drop follow-ups',
  },
  archive: { success: (count) => `${count} businesses archived successfully`, errorTitle: 'Archive failed' },
  restore: { success: (count) => `${count} businesses restored successfully`, errorTitle: 'Restore failed' },
  'update-status': {
    success: (count) => `Status updated for ${count} businesses`,
    errorTitle: 'Status update failed',
  },
  reassign: REASSIGNED,
  distribute: REASSIGNED,
  'add-tag': { success: (count) => `Tag added to ${formatBusinesses(count)}`, errorTitle: 'Failed to add tag' },
  'remove-tag': {
    success: (count) => `Tag removed from ${formatBusinesses(count)}`,
    errorTitle: 'Failed to remove tag',
  },
  'set-field': {
    success: (count) => `Field changed for ${formatBusinesses(count)}`,
    errorTitle: 'Failed to change the field',
  },
};

/** "2 failed: This lead no longer exists" */
export const formatFailures = (failed: number, messages: string[]): string =>
  [`${failed} failed`, [...new Set(messages)].slice(0, 2).join('; ')].filter(Boolean).join(': ');
