import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ResponseBody } from '#contract/call.ts';
import * as calls from '#contract/territories/territories.calls.ts';
import type { TerritoryChange } from '#contract/territories/territory.ts';
import { newIdempotencyKey, newUuid, read, refetch, send } from '#web/kit/api.ts';
import { followJob } from '#web/kit/follow-job.ts';
import { formatCount } from '#web/kit/format.ts';
import { refetchOnReturn } from '#web/kit/queries.ts';
import { runOnUndo } from '#web/kit/undo.ts';
import { refetchLeads } from '#web/leads/leads.data.ts';
import { findBatchId, undoBatchByToast } from '#web/leads/undo.data.ts';
import { invertChanges, type Move } from './territory-draft.ts';

/** Fetched again whenever the screen opens: other admins may have changed them. */
export const useTerritories = () =>
  useQuery({ ...read(calls.getTerritories), ...refetchOnReturn, refetchOnMount: 'always' });

/** Saves changes; its toast takes back what has changed. */
export function useChangeTerritories() {
  const queries = useQueryClient();
  return useMutation(changeMutation(queries, 'Territories saved'));
}

const changeMutation = (queries: QueryClient, title: string) => ({
  mutationFn: (changes: TerritoryChange[]) => send(calls.changeTerritories, { body: { changes } }),
  onSettled: () => refetch(queries, calls.getTerritories),
  meta: {
    success: title,
    undo: ({ changes }: ResponseBody<typeof calls.changeTerritories>) =>
      changes.length ? runOnUndo(queries, changeMutation(queries, 'Undone'), invertChanges(changes)) : undefined,
    errorTitle: 'Territories could not be saved',
  },
});

/** How many open leads would move. */
export const useOpenLeadCount = ({ fromUserId, districts }: Move) => {
  const body = { userId: fromUserId, districts };
  return useQuery({
    queryKey: [calls.countTerritoryLeads.path, body],
    queryFn: ({ signal }) => send(calls.countTerritoryLeads, { body }, { signal }),
    staleTime: 0,
    gcTime: 0,
  });
};

interface Moved {
  moved: number;
  skipped: number;
  cancelled?: boolean;
  batchId: string | undefined;
}

/** Moves the open leads of districts, as one batch of changes. The server goes on if this page is left. */
export function useMoveLeads(toName: string) {
  const queries = useQueryClient();
  const [{ done, jobId }, setProgress] = useState<{ done: number; jobId?: string }>({ done: 0 });
  const moving = useMutation({
    mutationFn: async (move: Move): Promise<Moved> => {
      setProgress({ done: 0 });
      const body = { ...move, batch: newUuid(), background: true };
      const step = await send(calls.moveTerritoryLeads, { body }, { idempotencyKey: newIdempotencyKey() });
      const { moved, skipped, job } = step;
      const batchId = findBatchId(step);
      if (!job) return { moved, skipped, batchId };
      const ended = await followJob(job, (running) =>
        setProgress({ done: moved + skipped + running.done, jobId: job.id }),
      );
      const cancelled = ended.state === 'cancelled';
      return { moved: moved + ended.success, skipped: skipped + ended.failed, cancelled, batchId };
    },
    onSettled: () => {
      void refetchLeads(queries);
      void refetch(queries, calls.countTerritoryLeads);
    },
    meta: {
      success: ({ moved, skipped, cancelled }: Moved) => ({
        title: `${moved === 1 ? '1 lead' : `${formatCount(moved)} leads`} moved to ${toName}`,
        ...(skipped > 0 && { description: `${skipped} stay: ${toName} has a lead on the same business` }),
        ...(cancelled && { description: 'Cancelled: the others stay with their holder.' }),
      }),
      undo: ({ batchId }: Moved) => undoBatchByToast(queries, batchId),
      errorTitle: 'The leads could not be moved',
    },
  });
  return { moving, done, jobId };
}
