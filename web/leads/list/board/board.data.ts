import { useMutation, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { isClosed, type LeadStatus, PIPELINE } from '#contract/leads/lead.ts';
import { type ListedLead, listLeads } from '#contract/leads/lead-lists.calls.ts';
import { changeLeadStatus } from '#contract/leads/leads.calls.ts';
import type { Viewer } from '#contract/users/user.ts';
import { read, send } from '#web/kit/api.ts';
import { refetchOnReturn } from '#web/kit/queries.ts';
import { patchLeadInCache, refetchLeads } from '#web/leads/leads.data.ts';
import { type ListState, toPageQuery } from '#web/leads/list/list-state.ts';
import type { RowRange } from '#web/leads/list/table/use-visible-rows.ts';
import { undoByToast } from '#web/leads/undo.data.ts';
import { dispatchStatusChanged } from '#web/progress/progress.data.ts';

const PAGE_SIZE = 20;
/** While a user scrolls, pages are requested at most this often. */
const LOAD_INTERVAL_MS = 150;

/** The statuses that have a column: those of the filters, in the order of the pipeline. */
export const boardStatuses = (state: ListState, statuses: LeadStatus[]): LeadStatus[] =>
  PIPELINE.filter((status) => {
    if (state.status.length) return state.status.includes(status);
    return statuses.includes(status) && !(state.hideClosed && isClosed(status));
  });

/**
 * The leads of one status, of which only the pages with these rows are loaded; what is scrolled away is dropped again.
 * Existing customers have left the pipeline.
 */
export function useBoardColumn(state: ListState, viewer: Viewer, status: LeadStatus, visible: RowRange) {
  const inColumn = { ...state, status: [status], existing: false, customers: '' as const, pageSize: PAGE_SIZE };
  const pageQuery = (page: number) => ({
    ...read(listLeads, { query: toPageQuery({ ...inColumn, page }, viewer) }),
    staleTime: 5_000,
    ...refetchOnReturn,
  });
  // Always: it has the count.
  const first = useQuery(pageQuery(1));
  const { total = 0, totalCapped = false } = first.data ?? {};
  const { from, to } = useThrottled(visible);
  const firstPage = Math.max(2, Math.floor(from / PAGE_SIZE) + 1);
  const lastPage = Math.ceil(to / PAGE_SIZE);
  const pages: number[] = [];
  for (let page = firstPage; page <= lastPage && (totalCapped || page <= Math.ceil(total / PAGE_SIZE)); page += 1) {
    pages.push(page);
  }
  const others = useQueries({ queries: pages.map(pageQuery) });

  /** By their place in the column. */
  const loaded = new Map<number, ListedLead>();
  // The server counts no further than 10,000: a longer column grows while it is scrolled.
  let count = totalCapped ? Math.max(total, (lastPage + 1) * PAGE_SIZE) : total;
  for (const [nth, { data }] of [first, ...others].entries()) {
    const start = ((pages[nth - 1] ?? 1) - 1) * PAGE_SIZE;
    for (const [at, item] of data?.items.entries() ?? []) loaded.set(start + at, item);
    if (data && data.items.length < PAGE_SIZE) count = Math.min(count, start + data.items.length);
  }
  const failed = [first, ...others].find(({ isError }) => isError);
  return {
    loaded,
    count,
    total,
    totalCapped,
    isPending: first.isPending,
    error: failed?.error ?? undefined,
    refetch: () => void failed?.refetch(),
  };
}

/** The rows of a while ago, and soon the latest. */
function useThrottled({ from, to }: RowRange): RowRange {
  const [settled, setSettled] = useState({ from, to });
  const latest = useRef(settled);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    latest.current = { from, to };
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      setSettled(latest.current);
    }, LOAD_INTERVAL_MS);
  }, [from, to]);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
    },
    [],
  );
  return settled;
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
