import { type QueryClient, skipToken, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import type { ResponseBody } from '#contract/call.ts';
import { BATCH_HEADER, undoChanges } from '#contract/changes/changes.calls.ts';
import type { Job } from '#contract/jobs/job.ts';
import { findHeader, send } from '#web/kit/api.ts';
import { followJob } from '#web/kit/follow-job.ts';
import { runOnUndo } from '#web/kit/undo.ts';
import { refetchLeads } from '#web/leads/leads.data.ts';
import { dispatchStatusChanged } from '#web/progress/progress.data.ts';

const UNDO_KEY = ['undo'];

/** The batch that the changes of a request were recorded in; undefined where nothing changed. */
export const findBatchId = (response: object) => findHeader(response, BATCH_HEADER);

/** For the `undo` of a mutation's toasts: undoes the changes of its response. */
export const undoByToast = (queries: QueryClient) => (response: object) =>
  undoBatchByToast(queries, findBatchId(response));

export function undoBatchByToast(queries: QueryClient, batchId: string | undefined) {
  return batchId ? runOnUndo(queries, undoMutation(queries), batchId) : undefined;
}

/** Undoes a batch of changes. Its toast offers to undo that. */
export const useUndoChanges = () => useMutation(undoMutation(useQueryClient()));

const progressKey = (batchId: string) => [...UNDO_KEY, batchId];

/** How far the undo of a large batch is, while it runs. */
export const useUndoProgress = (batchId: string) =>
  useQuery<Job>({ queryKey: progressKey(batchId), queryFn: skipToken, gcTime: 0 }).data;

/** For what is asked after a change: once the change is undone, the question is not to be answered. */
export function useOnUndone(onUndone: (batchId: string) => void) {
  const mutations = useQueryClient().getMutationCache();
  const report = useEffectEvent(onUndone);
  useEffect(
    () =>
      mutations.subscribe(({ type, mutation }) => {
        if (type !== 'updated' || mutation.state.status !== 'success') return;
        if (mutation.options.mutationKey === UNDO_KEY) report(mutation.state.variables as string);
      }),
    [mutations],
  );
}

const undoMutation = (queries: QueryClient) => ({
  mutationKey: UNDO_KEY,
  mutationFn: async (batchId: string) => {
    const undone = await send(undoChanges, { params: { batchId }, query: { background: 'true' } });
    if (!undone.job) return undone;
    const job = await followJob(undone.job, (running) => queries.setQueryData(progressKey(batchId), running));
    return { ...undone, job, message: job.message ?? undone.message };
  },
  onSuccess: dispatchStatusChanged,
  // After a failure, too: it may have been refused because the leads were changed or undone meanwhile.
  onSettled: () => void refetchLeads(queries),
  meta: {
    success: ({ message }: ResponseBody<typeof undoChanges>) => ({ title: 'Undone', description: message }),
    undo: undoByToast(queries),
    errorTitle: 'Failed to undo',
  },
});
