import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { use } from 'react';
import type { Body } from '#contract/call.ts';
import { bulkAddTag, bulkRemoveTag, getShares, listLeadIds } from '#contract/leads/bulk.calls.ts';
import { dealLeads, type ShareBasis } from '#contract/leads/distribution.ts';
import {
  bulkArchive,
  bulkDelete,
  bulkDropFollowUps,
  bulkPlanFollowUp,
  bulkReassign,
  bulkRestore,
  bulkUpdateStatus,
} from '#contract/leads/lead-lists.calls.ts';
import type { Viewer } from '#contract/users/user.ts';
import { read, send } from '#web/kit/api.ts';
import { useIdempotencyKey } from '#web/kit/idempotency-key.ts';
import { refetchLeads } from '#web/leads/leads.data.ts';
import { findBatchId, undoBatchByToast } from '#web/leads/undo.data.ts';
import { dispatchStatusChanged } from '#web/progress/progress.data.ts';
import { type BulkOutcome, BulkProgressContext, runSteps, splitIds } from './bulk-steps.ts';
import { type ListState, toExportQuery } from './list-state.ts';

type BulkCall =
  | typeof bulkDelete
  | typeof bulkPlanFollowUp
  | typeof bulkUpdateStatus
  | typeof bulkReassign
  | typeof bulkAddTag;

interface BulkToasts {
  success: (count: number) => string;
  errorTitle: string;
}

/** Changes many leads with one request. The toast has the number of changed leads. */
function useBulkMutation<C extends BulkCall>(call: C, { success, errorTitle }: BulkToasts, onSuccess?: () => void) {
  const queries = useQueryClient();
  const idempotencyKey = useIdempotencyKey();
  const startProgress = use(BulkProgressContext);
  return useMutation({
    mutationFn: async (body: Body<C>): Promise<BulkOutcome> => {
      // True because every bulk call takes ids, and the output of its body is also its input.
      const { ids, ...rest } = body as { ids: number[] };
      const sendBody = async (body: object, key: string) => {
        const response = await send(call as BulkCall, { body: body as never }, { idempotencyKey: key });
        return { ...response, batchId: findBatchId(response), stopped: undefined };
      };
      const parts = splitIds(ids);
      const outcome =
        parts.length > 1
          ? await runSteps(
              parts.map((part) => ({ ...rest, ids: part })),
              startProgress(ids.length),
              sendBody,
            )
          : await sendBody(body, idempotencyKey.keyFor(body));
      idempotencyKey.reset();
      if (outcome.results.success === 0 && outcome.results.failed > 0) throw new Error(formatFailures(outcome));
      return outcome;
    },
    onSuccess,
    // After a failure too: it may have been refused because the leads were changed meanwhile.
    onSettled: () => void refetchLeads(queries),
    meta: {
      success: (outcome: BulkOutcome) => ({
        title: success(outcome.results.success),
        ...((outcome.results.failed > 0 || outcome.stopped) && { description: formatFailures(outcome) }),
      }),
      undo: ({ batchId }: BulkOutcome) => undoBatchByToast(queries, batchId),
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

export const useBulkAddTag = () =>
  useBulkMutation(bulkAddTag, {
    success: (count) => `Tag added to ${count} businesses`,
    errorTitle: 'Failed to add tag',
  });

export const useBulkRemoveTag = () =>
  useBulkMutation(bulkRemoveTag, {
    success: (count) => `Tag removed from ${count} businesses`,
    errorTitle: 'Failed to remove tag',
  });

/** The ids of all leads that match the filters, at most 10,000: what "Select all that match" selects. */
export function useMatchingIds(state: ListState, viewer: Viewer) {
  return useMutation({
    mutationFn: () => send(listLeadIds, { query: toExportQuery(state, viewer) }),
    meta: { errorTitle: 'The leads could not be selected' },
  });
}

/** How many of `count` leads each of these users would get. */
export const useShares = (users: number[], count: number, by: ShareBasis) =>
  useQuery({
    ...read(getShares, { query: { users: users.join(','), count, by } }),
    staleTime: 0,
    enabled: users.length > 0,
  });

interface Distribution {
  ids: number[];
  shares: { userId: number; share: number }[];
}

/** Gives each user their share of the leads, all as one batch of changes. */
export function useDistribute() {
  const queries = useQueryClient();
  const startProgress = use(BulkProgressContext);
  return useMutation({
    mutationFn: async ({ ids, shares }: Distribution) => {
      const hands = dealLeads(
        ids,
        shares.map(({ share }) => share),
      );
      const steps = shares.flatMap(({ userId }, nth) =>
        splitIds(hands[nth] ?? []).map((part) => ({ ids: part, newUserId: userId })),
      );
      return runSteps(steps, startProgress(ids.length), async (step, key) => {
        const response = await send(bulkReassign, { body: step }, { idempotencyKey: key });
        return { ...response, batchId: findBatchId(response) };
      });
    },
    onSettled: () => void refetchLeads(queries),
    meta: {
      success: (outcome: BulkOutcome) => ({
        title: `${outcome.results.success} businesses reassigned successfully`,
        ...((outcome.results.failed > 0 || outcome.stopped) && { description: formatFailures(outcome) }),
      }),
      undo: ({ batchId }: BulkOutcome) => undoBatchByToast(queries, batchId),
      errorTitle: 'Reassignment failed',
    },
  });
}

/** "2 failed: This lead no longer exists" */
function formatFailures({ results: { failed, errors }, stopped }: BulkOutcome): string {
  const reasons = [...new Set(errors.map(({ message }) => message))];
  const failures = [`${failed} failed`, reasons.slice(0, 2).join('; ')].filter(Boolean).join(': ');
  return [stopped, failed > 0 && failures].filter(Boolean).join('. ');
}
