import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { getShares } from '#contract/leads/bulk/bulk.calls.ts';
import { MAX_TOTAL } from '#contract/leads/lead-filter.ts';
import type { ShareBasis } from '#contract/leads/sharing/distribution.ts';
import type { NewSweep, Sweep, SweepAssignment } from '#contract/sweeps/sweep.ts';
import * as calls from '#contract/sweeps/sweeps.calls.ts';
import { newUuid, read, refetch, send } from '#web/kit/api.ts';
import { followJob } from '#web/kit/follow-job.ts';
import { formatCounted } from '#web/kit/format.ts';
import { refetchOnReturn } from '#web/kit/queries.ts';
import { refetchLeads } from '#web/leads/leads.data.ts';
import { findBatchId, undoBatchByToast } from '#web/leads/undo.data.ts';
import type { SweepView } from './sweep-state.ts';

const POLL_MS = 1_000;
const isRunning = ({ state }: Pick<Sweep, 'state'>) => state === 'running';

/** The cost of a sweep over these places; undefined until some are entered. */
export const useEstimate = (places: string[]) =>
  useQuery({
    ...read(calls.estimateSweep, { body: { places } }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    enabled: places.length > 0,
  });

/** The latest sweeps, polled while one of them is running. */
export const useSweeps = () =>
  useQuery({
    ...read(calls.listSweeps),
    ...refetchOnReturn,
    refetchOnMount: 'always',
    refetchInterval: ({ state }) => (state.data?.items.some(isRunning) ? POLL_MS : false),
  });

/** One sweep, polled while it is running. When it ends, its districts and results are fetched once more. */
export function useSweep(id: string) {
  const queries = useQueryClient();
  const sweep = useQuery({
    ...read(calls.getSweep, { params: { id } }),
    ...refetchOnReturn,
    refetchOnMount: 'always',
    refetchInterval: ({ state }) => (state.data && isRunning(state.data) ? POLL_MS : false),
  });
  const running = sweep.data && isRunning(sweep.data);
  const before = useRef(running);
  useEffect(() => {
    if (before.current && !running) void refetch(queries, calls.listSweepDistricts, calls.listSweepResults);
    before.current = running;
  }, [queries, running]);
  return sweep;
}

const pollWhile = (running: boolean) => ({
  placeholderData: keepPreviousData,
  ...refetchOnReturn,
  refetchOnMount: 'always' as const,
  refetchInterval: running ? 2 * POLL_MS : (false as const),
});

export const useSweepDistricts = ({ id, ...sweep }: Sweep, { district, page }: SweepView) =>
  useQuery({
    ...read(calls.listSweepDistricts, {
      params: { id },
      query: { page, ...(district !== 'all' && { state: district }) },
    }),
    ...pollWhile(isRunning(sweep)),
  });

export const useSweepResults = ({ id, ...sweep }: Sweep, { status, page }: SweepView) =>
  useQuery({
    ...read(calls.listSweepResults, { params: { id }, query: { page, ...(status !== 'all' && { status }) } }),
    ...pollWhile(isRunning(sweep)),
  });

export function useStartSweep() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: NewSweep) => send(calls.startSweep, { body }),
    onSettled: () => refetch(queries, calls.listSweeps),
    meta: { errorTitle: 'The sweep could not be started' },
  });
}

/** A change of a sweep, whose response replaces what is shown. */
function useSweepAction(
  id: string,
  call: typeof calls.pauseSweep | typeof calls.continueSweep | typeof calls.cancelSweep,
  errorTitle: string,
) {
  const queries = useQueryClient();
  const { queryKey } = read(calls.getSweep, { params: { id } });
  return useMutation({
    mutationFn: () => send(call, { params: { id } }),
    // A poll that is under way would show the state before.
    onMutate: () => queries.cancelQueries({ queryKey }),
    onSuccess: (sweep) => queries.setQueryData(queryKey, sweep),
    onError: () => refetch(queries, calls.getSweep),
    onSettled: () => refetch(queries, calls.listSweeps, calls.listSweepDistricts),
    meta: { errorTitle },
  });
}

export const usePauseSweep = (id: string) => useSweepAction(id, calls.pauseSweep, 'The sweep could not be paused');
export const useContinueSweep = (id: string) =>
  useSweepAction(id, calls.continueSweep, 'The sweep could not be continued');
export const useCancelSweep = (id: string) => useSweepAction(id, calls.cancelSweep, 'The sweep could not be cancelled');

/** How many of `count` results each of these users would get. */
export const useShares = (users: number[], count: number, by: ShareBasis) =>
  useQuery({
    ...read(getShares, { query: { users: users.join(','), count: Math.min(count, MAX_TOTAL), by } }),
    staleTime: 0,
    enabled: users.length > 0 && count > 0,
  });

/** How many of the new results each owner of a territory would get. */
export function useTerritoryShares(id: string, fallbackUserId: number | undefined, businessIds: number[] | undefined) {
  const body = { fallbackUserId: fallbackUserId ?? 0, ...(businessIds && { businessIds }) };
  return useQuery({
    ...read(calls.previewSweepTerritories, { params: { id }, body }),
    staleTime: 0,
    enabled: fallbackUserId !== undefined,
  });
}

interface Assigned {
  count: number;
  cancelled?: boolean;
  batchId: string | undefined;
}

/** Assigns results as one batch of changes. The server goes on if this page is left. */
export function useAssignResults(id: string) {
  const queries = useQueryClient();
  const [{ done, jobId }, setProgress] = useState<{ done: number; jobId?: string }>({ done: 0 });
  // The same after a failure, so that the next attempt adds to it.
  const batch = useRef(newUuid()).current;
  const assigning = useMutation({
    mutationFn: async (body: { assignment: SweepAssignment; businessIds?: number[] }): Promise<Assigned> => {
      const step = { ...body, batch, background: true };
      const response = await send(calls.assignSweepResults, { params: { id }, body: step });
      const { assigned, job } = response;
      const batchId = findBatchId(response);
      if (!job) return { count: assigned, batchId };
      const ended = await followJob(job, (running) => setProgress({ done: assigned + running.done, jobId: job.id }));
      return { count: ended.success, cancelled: ended.state === 'cancelled', batchId: batchId ?? job.id };
    },
    onSettled: () => void refetchLeads(queries),
    meta: {
      success: ({ count, cancelled }: Assigned) => {
        if (count === 0) return NOTHING_ASSIGNED;
        const title = `${formatCounted(count, 'business', 'businesses')} assigned`;
        return cancelled ? { title, description: 'Cancelled: the others stay as they were.' } : title;
      },
      undo: ({ batchId }: Assigned) => undoBatchByToast(queries, batchId),
      errorTitle: 'The results could not be assigned',
    },
  });
  return { assigning, done, jobId };
}

const NOTHING_ASSIGNED = {
  title: 'Nothing was assigned',
  description: 'Others have made these businesses leads meanwhile.',
};
