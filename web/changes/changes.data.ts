import { keepPreviousData, useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { exportChanges, getChangeBatch, listChanges } from '#contract/changes/changes.calls.ts';
import { read, request, send } from '#web/kit/api.ts';
import { saveFile } from '#web/kit/files/save-file.ts';
import { refetchOnReturn } from '#web/kit/queries.ts';
import type { ChangesState } from './changes-state.ts';

/** The batches of changes, page by page, refetched on every visit and whenever leads change. */
export const useChanges = (filter: ChangesState) =>
  useInfiniteQuery({
    queryKey: [listChanges.path, filter],
    queryFn: ({ pageParam, signal }) =>
      send(listChanges, { query: { ...filter, before: pageParam || undefined } }, { signal }),
    meta: { call: listChanges },
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    staleTime: 0,
    ...refetchOnReturn,
  });

/** One batch, and what undoing it would do now. */
export const useChangeBatch = (batchId: string) =>
  useQuery({ ...read(getChangeBatch, { params: { batchId } }), staleTime: 0, gcTime: 0 });

export function useExportChanges() {
  return useMutation({
    mutationFn: async (filter: ChangesState) => {
      const response = await request(exportChanges, { query: filter });
      saveFile('changes.csv', await response.blob());
    },
    meta: {
      success: { title: 'Changes exported', description: 'The file is called changes.csv.' },
      errorTitle: 'Export failed',
    },
  });
}
