import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getCoverage, refreshCoverage } from '#contract/coverage/coverage.calls.ts';
import { read, refetch, send } from '#web/kit/api.ts';
import { refetchOnReturn } from '#web/kit/queries.ts';

const REFRESH_MS = 1_000;

/** The figures of all districts, refetched while they are being counted. */
export const useCoverage = (query: { type: string | undefined; userId: number | undefined }) =>
  useQuery({
    ...read(getCoverage, { query }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data?.refreshing ? REFRESH_MS : false),
    ...refetchOnReturn,
  });

export function useRefreshCoverage() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => send(refreshCoverage),
    onSuccess: () => refetch(queries, getCoverage),
    meta: { errorTitle: 'Failed to refresh' },
  });
}
