import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import type { BulkJob } from '#contract/leads/bulk/bulk-job.ts';
import { getLatestBulkJob } from '#contract/leads/bulk/bulk-jobs.calls.ts';
import type { Viewer } from '#contract/users/user.ts';
import { read } from '#web/kit/api.ts';
import { formatCount } from '#web/kit/format.ts';
import { refetchOnReturn } from '#web/kit/queries.ts';
import { getUserItem, removeUserItem, setUserItem } from '#web/kit/storage/user-storage.ts';
import { toast } from '#web/kit/toasts.ts';
import { refetchLeads } from '#web/leads/leads.data.ts';
import { undoBatchByToast } from '#web/leads/undo.data.ts';
import { dispatchStatusChanged } from '#web/progress/progress.data.ts';
import { BULK_TOASTS, formatFailures } from './bulk-toasts.ts';

const POLL_MS = 500;
/** The job whose end this browser has not shown yet, also after its tab was closed. */
const WATCHED = 'bulk-job';

/** The viewer's bulk action that runs on the server. Its end is shown with a toast. */
export function useRunningBulkJob(viewer: Viewer): BulkJob | undefined {
  const queries = useQueryClient();
  const latest = useQuery({
    ...read(getLatestBulkJob),
    ...refetchOnReturn,
    refetchOnMount: 'always',
    refetchInterval: ({ state }) => (state.data?.job?.state === 'running' ? POLL_MS : false),
  });
  const job = latest.data?.job ?? undefined;
  const showState = useEffectEvent((current: BulkJob) => {
    if (current.state === 'running') return setUserItem(viewer.id, WATCHED, current.id);
    if (getUserItem(viewer.id, WATCHED) !== current.id) return;
    removeUserItem(viewer.id, WATCHED);
    showEnd(queries, current);
  });
  const state = job && `${job.id} ${job.state}`;
  useEffect(() => {
    if (state && job) showState(job);
  }, [state, job]);
  return job?.state === 'running' ? job : undefined;
}

function showEnd(queries: QueryClient, job: BulkJob) {
  const { success, errorTitle } = BULK_TOASTS[job.verb];
  const description = describeEnd(job);
  if (job.success === 0 && (job.failed > 0 || job.message)) {
    toast({ title: errorTitle, description, tone: 'destructive' });
  } else {
    toast({
      title: success(job.success),
      ...(description && { description }),
      onUndo: undoBatchByToast(queries, job.batchId ?? undefined),
    });
  }
  if (job.verb === 'update-status') dispatchStatusChanged();
  void refetchLeads(queries);
}

/** "Cancelled after 500 of 1,200. 2 failed: This business is assigned to another user" */
function describeEnd({ state, done, total, failed, reasons, message }: BulkJob): string {
  const after = `after ${formatCount(done)} of ${formatCount(total)}`;
  return [
    state === 'cancelled' && `Cancelled ${after}`,
    state === 'stopped' && `Stopped ${after}: ${message}`,
    failed > 0 && formatFailures(failed, reasons),
  ]
    .filter(Boolean)
    .join('. ');
}

/** Shows a job as the server has just returned it. */
export async function showBulkJob(queries: QueryClient, job: BulkJob) {
  const { queryKey } = read(getLatestBulkJob);
  // A poll that is under way would show the state before.
  await queries.cancelQueries({ queryKey });
  queries.setQueryData(queryKey, { job });
}
