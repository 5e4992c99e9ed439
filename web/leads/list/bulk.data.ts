import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Body } from '#contract/call.ts';
import {
  type BulkResults,
  bulkArchive,
  bulkDelete,
  bulkDropFollowUps,
  bulkPlanFollowUp,
  bulkReassign,
  bulkRestore,
  bulkUpdateStatus,
} from '#contract/leads/lead-lists.calls.ts';
import { send } from '#web/kit/api.ts';
import { useIdempotencyKey } from '#web/kit/idempotency-key.ts';
import { refetchLeads } from '#web/leads/leads.data.ts';
import { undoByToast } from '#web/leads/undo.data.ts';
import { dispatchStatusChanged } from '#web/progress/progress.data.ts';

type BulkCall = typeof bulkDelete | typeof bulkPlanFollowUp | typeof bulkUpdateStatus | typeof bulkReassign;

interface BulkToasts {
  success: (count: number) => string;
  errorTitle: string;
}

/** Changes many leads with one request. The toast has the number of changed leads. */
function useBulkMutation<C extends BulkCall>(call: C, { success, errorTitle }: BulkToasts, onSuccess?: () => void) {
  const queries = useQueryClient();
  const idempotencyKey = useIdempotencyKey();
  return useMutation({
    mutationFn: async (body: Body<C>): Promise<BulkResults> => {
      // TypeScript cannot infer that the body of C is also its input.
      const response = await send(
        call as BulkCall,
        { body: body as never },
        { idempotencyKey: idempotencyKey.keyFor(body) },
      );
      idempotencyKey.reset();
      if (response.results.success === 0 && response.results.failed > 0) throw new Error(formatFailures(response));
      return response;
    },
    onSuccess,
    // After a failure too: it may have been refused because the leads were changed meanwhile.
    onSettled: () => void refetchLeads(queries),
    meta: {
      success: (response: BulkResults) => ({
        title: success(response.results.success),
        ...(response.results.failed > 0 && { description: formatFailures(response) }),
      }),
      undo: undoByToast(queries),
      errorTitle,
    },
  });
}

export const useBulkDelete = () =>
  useBulkMutation(bulkDelete, {
    success: (count) => `${count} businesses deleted successfully`,
    errorTitle: 'Deletion failed',
  });

export const useBulkPlanFollowUp = () =>
  useBulkMutation(bulkPlanFollowUp, {
    success: (count) => `Follow-up planned for ${count} businesses`,
    errorTitle: 'Failed to plan follow-up',
  });

export const useBulkDropFollowUps = () =>
  useBulkMutation(bulkDropFollowUps, {
    success: (count) => `${count} planned ${count === 1 ? 'follow-up' : 'follow-ups'} dropped`,
    errorTitle: 'Failed to drop follow-ups',
  });

export const useBulkArchive = () =>
  useBulkMutation(bulkArchive, {
    success: (count) => `${count} businesses archived successfully`,
    errorTitle: 'Archive failed',
  });

export const useBulkRestore = () =>
  useBulkMutation(bulkRestore, {
    success: (count) => `${count} businesses restored successfully`,
    errorTitle: 'Restore failed',
  });

export const useBulkStatus = () =>
  useBulkMutation(
    bulkUpdateStatus,
    { success: (count) => `Status updated for ${count} businesses`, errorTitle: 'Status update failed' },
    dispatchStatusChanged,
  );

export const useBulkReassign = () =>
  useBulkMutation(bulkReassign, {
    success: (count) => `${count} businesses reassigned successfully`,
    errorTitle: 'Reassignment failed',
  });

/** "2 failed: This lead no longer exists" */
function formatFailures({ results: { failed, errors } }: BulkResults): string {
  const reasons = [...new Set(errors.map(({ message }) => message))];
  return [`${failed} failed`, reasons.slice(0, 2).join('; ')].filter(Boolean).join(': ');
}
