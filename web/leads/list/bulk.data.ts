import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Body } from '#contract/call.ts';
import {
  type BulkResults,
  bulkArchive,
  bulkDelete,
  bulkReassign,
  bulkRestore,
  bulkUpdateStatus,
} from '#contract/leads/lead-lists.calls.ts';
import { send } from '#web/kit/api.ts';
import { useIdempotencyKey } from '#web/kit/idempotency-key.ts';
import { refreshLeads } from '#web/leads/lead-reads.data.ts';
import { dispatchStatusChanged } from '#web/progress/progress.data.ts';

type BulkCall = typeof bulkDelete | typeof bulkUpdateStatus | typeof bulkReassign;

interface BulkToasts {
  success: (count: number) => string;
  errorTitle: string;
}

/** Does something to many leads at once, and says how many of them it was done to. */
function useBulk<C extends BulkCall>(call: C, { success, errorTitle }: BulkToasts, after?: () => void) {
  const queries = useQueryClient();
  const action = useIdempotencyKey();
  return useMutation({
    mutationFn: async (body: Body<C>): Promise<BulkResults> => {
      // What the schema puts out is what it takes in, which the compiler cannot know of C.
      const response = await send(call as BulkCall, { body: body as never }, { idempotencyKey: action.keyFor(body) });
      action.reset();
      if (response.results.success === 0 && response.results.failed > 0) throw new Error(reasonsOf(response));
      return response;
    },
    onSuccess: after,
    // Even what failed may have been refused because the leads are no longer what they were.
    onSettled: () => void refreshLeads(queries),
    meta: {
      success: (response: BulkResults) => ({
        title: success(response.results.success),
        ...(response.results.failed > 0 && { description: reasonsOf(response) }),
      }),
      errorTitle,
    },
  });
}

export const useBulkDelete = () =>
  useBulk(bulkDelete, {
    success: (count) => `${count} businesses deleted successfully`,
    errorTitle: 'Deletion failed',
  });

export const useBulkArchive = () =>
  useBulk(bulkArchive, {
    success: (count) => `${count} businesses archived successfully`,
    errorTitle: 'Archive failed',
  });

export const useBulkRestore = () =>
  useBulk(bulkRestore, {
    success: (count) => `${count} businesses restored successfully`,
    errorTitle: 'Restore failed',
  });

export const useBulkStatus = () =>
  useBulk(
    bulkUpdateStatus,
    { success: (count) => `Status updated for ${count} businesses`, errorTitle: 'Status update failed' },
    dispatchStatusChanged,
  );

export const useBulkReassign = () =>
  useBulk(bulkReassign, {
    success: (count) => `${count} businesses reassigned successfully`,
    errorTitle: 'Reassignment failed',
  });

/** "2 failed: This lead no longer exists" */
function reasonsOf({ results: { failed, errors } }: BulkResults): string {
  const reasons = [...new Set(errors.map(({ message }) => message))];
  return [`${failed} failed`, reasons.slice(0, 2).join('; ')].filter(Boolean).join(': ');
}
