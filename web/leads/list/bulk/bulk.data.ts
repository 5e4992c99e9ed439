import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Body, Input } from '#contract/call.ts';
import { bulkAddTag, bulkRemoveTag, bulkSetField } from '#contract/leads/bulk/bulk.calls.ts';
import type { BulkJobAction, BulkVerb } from '#contract/leads/bulk/bulk-job.ts';
import { previewDistribution, previewTerritories, startBulkJob } from '#contract/leads/bulk/bulk-jobs.calls.ts';
import {
  type BulkResults,
  bulkArchive,
  bulkDelete,
  bulkDropFollowUps,
  bulkPlanFollowUp,
  bulkReassign,
  bulkRestore,
  bulkUpdateStatus,
  type listLeads,
} from '#contract/leads/lead-lists.calls.ts';
import { canReassignLead } from '#contract/leads/lead-policy.ts';
import type { ShareBasis } from '#contract/leads/sharing/distribution.ts';
import { useViewer } from '#web/auth/session.data.ts';
import { ApiError, send } from '#web/kit/api.ts';
import { useIdempotencyKey } from '#web/kit/idempotency-key.ts';
import { refetchLeads } from '#web/leads/leads.data.ts';
import { findBatchId, undoBatchByToast } from '#web/leads/undo.data.ts';
import { dispatchStatusChanged } from '#web/progress/progress.data.ts';
import { showBulkJob } from './bulk-jobs.data.ts';
import { BULK_TOASTS, formatFailures } from './bulk-toasts.ts';

/** The leads of a bulk action: chosen ones, or all that match the filters of the list. */
export type BulkLeads = { ids: number[] } | { filter: Input<typeof listLeads>['query']; count: number };

/** The number that matches now, if the action was refused because it is not the one that was confirmed. */
export const findChangedCount = (error: Error) =>
  error instanceof ApiError && error.code === 'count_changed' ? (error.body as { count: number }).count : undefined;

export const countBulkLeads = (leads: BulkLeads) => ('ids' in leads ? leads.ids.length : leads.count);

type BulkCall =
  | typeof bulkDelete
  | typeof bulkPlanFollowUp
  | typeof bulkUpdateStatus
  | typeof bulkReassign
  | typeof bulkAddTag
  | typeof bulkSetField;

/** Undefined where the action was started as a job, whose end has a toast of its own. */
type BulkOutcome = (BulkResults & { batchId: string | undefined }) | undefined;

/** Changes chosen leads with one request, or starts the job that changes all that match. */
function useBulkMutation<C extends BulkCall>(call: C, verb: BulkVerb, onSuccess?: () => void) {
  const queries = useQueryClient();
  const viewer = useViewer();
  const idempotencyKey = useIdempotencyKey();
  const startJob = useStartJob();
  const { success, errorTitle } = BULK_TOASTS[verb];
  return useMutation({
    mutationFn: async (variables: BulkLeads & Omit<Body<C>, 'ids'>): Promise<BulkOutcome> => {
      if ('filter' in variables) {
        const { filter, count, ...rest } = variables;
        await startJob({ filter, count }, { verb, ...rest });
        return undefined;
      }
      // True because the output of a bulk call's body is also its input.
      const body = variables as never;
      const response = await send(call as BulkCall, { body }, { idempotencyKey: idempotencyKey.keyFor(variables) });
      idempotencyKey.reset();
      const { results } = response;
      if (results.success === 0 && results.failed > 0) throw new Error(formatErrors(results));
      const gaveAway = 'newUserId' in variables && !canReassignLead(viewer, { userId: Number(variables.newUserId) });
      return { ...response, batchId: gaveAway ? undefined : findBatchId(response) };
    },
    onSuccess,
    // After a failure too: it may have been refused because the leads were changed meanwhile.
    onSettled: () => void refetchLeads(queries),
    meta: {
      success: (outcome: BulkOutcome) =>
        outcome && {
          title: success(outcome.results.success),
          ...(outcome.results.failed > 0 && { description: formatErrors(outcome.results) }),
        },
      undo: (outcome: BulkOutcome) => undoBatchByToast(queries, outcome?.batchId),
      errorTitle,
    },
  });
}

const formatErrors = ({ failed, errors }: BulkResults['results']) =>
  formatFailures(
    failed,
    errors.map(({ message }) => message),
  );

function useStartJob() {
  const queries = useQueryClient();
  const idempotencyKey = useIdempotencyKey();
  return async (leads: BulkLeads, action: object) => {
    // True because the action has the shape of its bulk call.
    const body = { ...leads, action } as unknown as Body<typeof startBulkJob>;
    const job = await send(startBulkJob, { body }, { idempotencyKey: idempotencyKey.keyFor(body) });
    idempotencyKey.reset();
    await showBulkJob(queries, job);
  };
}

export const useBulkDelete = () => useBulkMutation(bulkDelete, 'delete');
export const useBulkPlanFollowUp = () => useBulkMutation(bulkPlanFollowUp, 'plan-follow-up');
export const useBulkDropFollowUps = () => useBulkMutation(bulkDropFollowUps, 'drop-follow-ups');
export const useBulkArchive = () => useBulkMutation(bulkArchive, 'archive');
export const useBulkRestore = () => useBulkMutation(bulkRestore, 'restore');
export const useBulkStatus = () => useBulkMutation(bulkUpdateStatus, 'update-status', dispatchStatusChanged);
export const useBulkReassign = () => useBulkMutation(bulkReassign, 'reassign');
export const useBulkAddTag = () => useBulkMutation(bulkAddTag, 'add-tag');
export const useBulkRemoveTag = () => useBulkMutation(bulkRemoveTag, 'remove-tag');
export const useBulkSetField = () => useBulkMutation(bulkSetField, 'set-field');

/** How many of the leads each of these users would keep and get. */
export function useShares(leads: BulkLeads, users: number[], by: ShareBasis) {
  const body = { ...toSelection(leads), action: { verb: 'distribute' as const, users, by } };
  return useQuery({
    // Another number of leads is shared out in another way.
    queryKey: [previewDistribution.path, body, countBulkLeads(leads)],
    queryFn: ({ signal }) => send(previewDistribution, { body }, { signal }),
    staleTime: 0,
    enabled: users.length > 0,
  });
}

/** How many of the leads each owner of a territory would get. */
export function useTerritoryShares(leads: BulkLeads, fallbackUserId: number | undefined) {
  const action = { verb: 'to-territories' as const, fallbackUserId: fallbackUserId ?? 0 };
  const body = { ...toSelection(leads), action };
  return useQuery({
    queryKey: [previewTerritories.path, body, countBulkLeads(leads)],
    queryFn: ({ signal }) => send(previewTerritories, { body }, { signal }),
    staleTime: 0,
    enabled: fallbackUserId !== undefined,
  });
}

const toSelection = (leads: BulkLeads) => ('ids' in leads ? { ids: leads.ids } : { filter: leads.filter });

type Distribution = Extract<BulkJobAction, { verb: 'distribute' | 'to-territories' }>;

/** Gives each user their share of the leads, as a job. */
export function useDistribute() {
  const queries = useQueryClient();
  const startJob = useStartJob();
  return useMutation({
    mutationFn: ({ leads, action }: { leads: BulkLeads; action: Distribution }) => startJob(leads, action),
    // The number of leads may have changed.
    onError: () => void refetchLeads(queries),
    meta: { errorTitle: BULK_TOASTS.distribute.errorTitle },
  });
}
