import { keepPreviousData, type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Input, ResponseBody } from '#contract/call.ts';
import {
  dismissDuplicates,
  findDuplicateMatches,
  listDuplicates,
  MAX_MATCHED,
  mergeBusinesses,
  reopenDuplicates,
  undoMerge,
} from '#contract/duplicates/duplicates.calls.ts';
import { read, send } from '#web/kit/api.ts';
import { refetchOnReturn } from '#web/kit/queries.ts';
import { runOnUndo } from '#web/kit/undo.ts';
import { refetchLeads } from '#web/leads/leads.data.ts';
import { dispatchStatusChanged } from '#web/progress/progress.data.ts';
import type { DuplicatesState } from './duplicates-state.ts';

const REFRESH_MS = 5_000;

/**
 * The groups of a page. While businesses are still being compared, a newer list is fetched beside the shown one: groups
 * do not move under the hands of a person who decides about them.
 */
export function useDuplicates(state: DuplicatesState) {
  const list = read(listDuplicates, { query: state });
  const duplicates = useQuery({
    ...list,
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data?.scan.waiting && data.total === 0 ? REFRESH_MS : false),
    ...refetchOnReturn,
  });
  const { data, isPlaceholderData } = duplicates;
  const enabled = Boolean(data?.scan.waiting && data.total > 0) && !isPlaceholderData;
  const newer = useQuery({
    ...list,
    queryKey: [...list.queryKey, 'newer'],
    enabled,
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data?.scan.waiting === 0 ? false : REFRESH_MS),
  });
  const isNewer = enabled && newer.dataUpdatedAt > duplicates.dataUpdatedAt;
  return { duplicates, newer: isNewer ? newer.data : undefined };
}

/** The leads whose businesses these ones look like, by business id. */
export function useDuplicateMatches(businessIds: number[]) {
  const body = { businessIds: businessIds.slice(0, MAX_MATCHED) };
  return useQuery({ ...read(findDuplicateMatches, { body }), staleTime: 0, enabled: businessIds.length > 0 });
}

export function useMerge() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: NonNullable<Input<typeof mergeBusinesses>['body']>) => send(mergeBusinesses, { body }),
    onSuccess: dispatchStatusChanged,
    onSettled: () => refetchLeads(queries),
    meta: {
      success: ({ message }: ResponseBody<typeof mergeBusinesses>) => ({ title: message }),
      undo: ({ id }: ResponseBody<typeof mergeBusinesses>) =>
        runOnUndo(
          queries,
          undoMutation(queries, () => send(undoMerge, { params: { id } })),
          undefined,
        ),
      errorTitle: 'Failed to merge',
    },
  });
}

const undoMutation = (queries: QueryClient, mutationFn: () => Promise<{ message: string }>) => ({
  mutationFn,
  onSuccess: dispatchStatusChanged,
  onSettled: () => void refetchLeads(queries),
  meta: {
    success: ({ message }: { message: string }) => ({ title: 'Undone', description: message }),
    errorTitle: 'Failed to undo',
  },
});

export function useDismiss() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (businessIds: number[]) => {
      await send(dismissDuplicates, { body: { businessIds } });
      return businessIds;
    },
    onSettled: () => refetchLeads(queries),
    meta: {
      success: 'Marked as not a duplicate',
      undo: (businessIds: number[]) =>
        runOnUndo(
          queries,
          undoMutation(queries, () => send(reopenDuplicates, { body: { businessIds } })),
          undefined,
        ),
      errorTitle: 'Failed to mark as not a duplicate',
    },
  });
}

export function useReopen() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (businessIds: number[]) => send(reopenDuplicates, { body: { businessIds } }),
    onSettled: () => refetchLeads(queries),
    meta: { success: 'Shown as a possible duplicate again', errorTitle: 'Failed to show it again' },
  });
}
