import {
  type QueryClient,
  type UseQueryResult,
  useIsFetching,
  useQueries,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect } from 'react';
import * as calls from '#contract/progress/progress.calls.ts';
import { read, refetch } from '#web/kit/api.ts';
import { onStatusChange } from '#web/kit/status-changed.ts';

const POLL_MS = 5_000;
const STALE_MS = 2_000;
/** Over three polls the last numbers stand in for ones that do not come; after that they would be a lie. */
const TRUSTED_MS = 3.5 * POLL_MS;

const OWN = [calls.getWeeklyContacts, calls.getMonthlyContacts];
const TEAM = [calls.getTeamProgress, calls.getTeamProgressWeekly, calls.getTeamProgressLastWeek, calls.getMonthSeries];

/** Only a page that is looked at asks: in a hidden one the polls rest. */
const POLLED = { refetchInterval: POLL_MS, staleTime: STALE_MS };

/** One's own contacts this week. Where the numbers are given, nothing is asked. */
export function useWeeklyContacts({ enabled = true } = {}) {
  useFreshNumbers(enabled);
  return useQuery({ ...read(calls.getWeeklyContacts), ...POLLED, enabled });
}

/** One's own contacts this month. */
export function useMonthlyContacts({ enabled = true } = {}) {
  useFreshNumbers(enabled);
  return useQuery({ ...read(calls.getMonthlyContacts), ...POLLED, enabled });
}

/** This month, this week and last week of everybody. Not polled, for it counts as work; fresh at every visit. */
export function useTeamProgress() {
  useFreshNumbers(true);
  const fresh = { staleTime: STALE_MS };
  return useQueries({
    queries: [
      { ...read(calls.getTeamProgress), ...fresh },
      { ...read(calls.getTeamProgressWeekly), ...fresh },
      { ...read(calls.getTeamProgressLastWeek), ...fresh },
    ],
  });
}

export function useMonthPicture() {
  useFreshNumbers(true);
  return useQuery({ ...read(calls.getMonthSeries), staleTime: STALE_MS });
}

/** Asks for all of it again, at once. */
export function useRefreshTeam() {
  const queries = useQueryClient();
  const busy = useIsFetching({ predicate: ({ queryKey }) => TEAM.some(({ path }) => path === queryKey[0]) }) > 0;
  return { busy, refresh: () => void refetch(queries, ...OWN, ...TEAM) };
}

/** What a meter has to show: numbers, a failure, or neither yet. */
export function meterStateOf<T>(query: UseQueryResult<T>): { numbers: T } | 'failed' | 'loading' {
  const { data, isError, failureReason, dataUpdatedAt, errorUpdatedAt, errorUpdateCount } = query;
  // Asking again after a failure is no news: it stays failed until there is something to show.
  if (data === undefined) return failureReason || errorUpdateCount > 0 ? 'failed' : 'loading';
  return isError && errorUpdatedAt - dataUpdatedAt > TRUSTED_MS ? 'failed' : { numbers: data };
}

const listening = new WeakMap<QueryClient, { watchers: number; stop: () => void }>();

/** However many meters show the same numbers, one announcement asks for them once. */
function useFreshNumbers(wanted: boolean) {
  const queries = useQueryClient();
  useEffect(() => {
    if (!wanted) return;
    const shared = listening.get(queries) ?? {
      watchers: 0,
      stop: onStatusChange(() => void refetch(queries, ...OWN, ...TEAM)),
    };
    listening.set(queries, shared);
    shared.watchers += 1;
    return () => {
      shared.watchers -= 1;
      if (shared.watchers > 0) return;
      shared.stop();
      listening.delete(queries);
    };
  }, [queries, wanted]);
}
