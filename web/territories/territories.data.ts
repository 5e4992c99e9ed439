import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ResponseBody } from '#contract/call.ts';
import * as calls from '#contract/territories/territories.calls.ts';
import type { TerritoryChange } from '#contract/territories/territory.ts';
import { newIdempotencyKey, newUuid, read, refetch, send } from '#web/kit/api.ts';
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
  batchId: string | undefined;
  /** Why not all steps were sent. */
  stopped: string | undefined;
}

/** Moves the open leads of districts step by step, as one batch of changes. What was moved before a failed step stays. */
export function useMoveLeads(toName: string) {
  const queries = useQueryClient();
  const [done, setDone] = useState(0);
  const moving = useMutation({
    mutationFn: async (move: Move): Promise<Moved> => {
      const outcome: Moved = { moved: 0, skipped: 0, batchId: undefined, stopped: undefined };
      const batch = newUuid();
      setDone(0);
      let after: number | null = 0;
      while (after !== null) {
        try {
          const body = { ...move, after, batch };
          const step: ResponseBody<typeof calls.moveTerritoryLeads> = await send(
            calls.moveTerritoryLeads,
            { body },
            { idempotencyKey: newIdempotencyKey() },
          );
          outcome.moved += step.moved;
          outcome.skipped += step.skipped;
          outcome.batchId ??= findBatchId(step);
          after = step.next;
          setDone(outcome.moved + outcome.skipped);
        } catch (error) {
          if (outcome.moved === 0) throw error;
          return { ...outcome, stopped: `Stopped before all were moved: ${(error as Error).message}` };
        }
      }
      return outcome;
    },
    onSettled: () => {
      void refetchLeads(queries);
      void refetch(queries, calls.countTerritoryLeads);
    },
    meta: {
      success: ({ moved, skipped, stopped }: Moved) => {
        const held = skipped > 0 && `${skipped} stay: ${toName} has a lead on the same business`;
        const description = [held, stopped].filter(Boolean).join('. ');
        return {
          title: `${moved === 1 ? '1 lead' : `${formatCount(moved)} leads`} moved to ${toName}`,
          ...(description && { description }),
        };
      },
      undo: ({ batchId }: Moved) => undoBatchByToast(queries, batchId),
      errorTitle: 'The leads could not be moved',
    },
  });
  return { moving, done };
}
