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
import { useActionKey } from '#web/kit/action-key.ts';
import { send } from '#web/kit/api.ts';
import { announceStatusChange } from '#web/kit/status-changed.ts';
import { refreshLeads } from '#web/leads/lead-reads.data.ts';

type BulkCall = typeof bulkDelete | typeof bulkUpdateStatus | typeof bulkReassign;

interface Words {
  done: (count: number) => string;
  failed: string;
}

/** Does something to many leads at once, and says how many of them it was done to. */
function useBulk<C extends BulkCall>(call: C, { done, failed }: Words, after?: () => void) {
  const queries = useQueryClient();
  const action = useActionKey();
  return useMutation({
    mutationFn: async (body: Body<C>): Promise<BulkResults> => {
      // What the schema puts out is what it takes in, which the compiler cannot know of C.
      const response = await send(call as BulkCall, { body: body as never }, { idempotencyKey: action.keyFor(body) });
      action.done();
      if (response.results.success === 0 && response.results.failed > 0) throw new Error(reasonsOf(response));
      return response;
    },
    onSuccess: after,
    // Even what failed may have been refused because the leads are no longer what they were.
    onSettled: () => void refreshLeads(queries),
    meta: {
      done: (response: BulkResults) => ({
        title: done(response.results.success),
        ...(response.results.failed > 0 && { description: reasonsOf(response) }),
      }),
      failed,
    },
  });
}

export const useBulkDelete = () =>
  useBulk(bulkDelete, { done: (count) => `${count} businesses deleted successfully`, failed: 'Deletion failed' });

export const useBulkArchive = () =>
  useBulk(bulkArchive, { done: (count) => `${count} businesses archived successfully`, failed: 'Archive failed' });

export const useBulkRestore = () =>
  useBulk(bulkRestore, { done: (count) => `${count} businesses restored successfully`, failed: 'Restore failed' });

export const useBulkStatus = () =>
  useBulk(
    bulkUpdateStatus,
    { done: (count) => `Status updated for ${count} businesses`, failed: 'Status update failed' },
    announceStatusChange,
  );

export const useBulkReassign = () =>
  useBulk(bulkReassign, {
    done: (count) => `${count} businesses reassigned successfully`,
    failed: 'Reassignment failed',
  });

/** "2 failed: This lead no longer exists" */
function reasonsOf({ results: { failed, errors } }: BulkResults): string {
  const reasons = [...new Set(errors.map(({ message }) => message))];
  return [`${failed} failed`, reasons.slice(0, 2).join('; ')].filter(Boolean).join(': ');
}
