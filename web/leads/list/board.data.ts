import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { isClosed, type LeadStatus, PIPELINE } from '#contract/leads/lead.ts';
import { type ListedLead, listLeads } from '#contract/leads/lead-lists.calls.ts';
import { changeLeadStatus } from '#contract/leads/leads.calls.ts';
import type { Viewer } from '#contract/users/user.ts';
import { send } from '#web/kit/api.ts';
import { refetchOnReturn } from '#web/kit/queries.ts';
import { patchLeadInCache, refetchLeads } from '#web/leads/leads.data.ts';
import { undoByToast } from '#web/leads/undo.data.ts';
import { dispatchStatusChanged } from '#web/progress/progress.data.ts';
import { type ListState, toPageQuery } from './list-state.ts';

const CARDS_PER_LOAD = 20;

/** The statuses that have a column: those of the filters, in the order of the pipeline. */
export const boardStatuses = (state: ListState, statuses: LeadStatus[]): LeadStatus[] =>
  PIPELINE.filter((status) => {
    if (state.status !== 'all') return status === state.status;
    return statuses.includes(status) && !(state.hideClosed && isClosed(status));
  });

/** The leads of one status, loaded a few at a time. Existing customers have left the pipeline. */
export function useBoardColumn(state: ListState, viewer: Viewer, status: LeadStatus) {
  const inColumn = { ...state, status, existing: false, customers: '', pageSize: CARDS_PER_LOAD } as const;
  const queryOf = (page: number) => toPageQuery({ ...inColumn, page }, viewer);
  return useInfiniteQuery({
    // Not the path of the list, whose cached pages have another shape; still one of a read of leads.
    queryKey: ['/api/leads/board', { query: queryOf(1) }],
    queryFn: ({ pageParam, signal }) => send(listLeads, { query: queryOf(pageParam) }, { signal }),
    initialPageParam: 1,
    getNextPageParam: ({ items }, _pages, page) => (items.length === CARDS_PER_LOAD ? page + 1 : undefined),
    staleTime: 0,
    ...refetchOnReturn,
  });
}

export interface Move {
  item: ListedLead;
  to: LeadStatus;
}

/** Moves a lead to another column: at once on the screen, and back if the server refuses. */
export function useMoveLead(onMoved: (move: Move) => void) {
  const queries = useQueryClient();
  const [pending, setPending] = useState<Move[]>([]);
  const change = useMutation({
    mutationFn: ({ item, to }: Move) =>
      send(changeLeadStatus.byId, { params: { id: item.userBusiness.id }, body: { status: to } }),
    onMutate: (move) => setPending((moves) => [...moves, move]),
    onSuccess: async (lead, move) => {
      dispatchStatusChanged();
      patchLeadInCache(queries, lead);
      onMoved(move);
    },
    onSettled: async (_lead, _error, move) => {
      // The card stays in its new column until that is loaded again.
      await refetchLeads(queries).catch(() => {});
      setPending((moves) => moves.filter((other) => other !== move));
    },
    meta: { success: 'Status updated', undo: undoByToast(queries), errorTitle: 'Status update failed' },
  });
  return { pending, move: change.mutate };
}
