import {
  type QueryClient,
  type UseQueryResult,
  useIsFetching,
  useQueries,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect } from 'react';
import { getSettings } from '#contract/auth/auth.calls.ts';
import { dateIn, type LocalDate } from '#contract/progress/calendar.ts';
import * as calls from '#contract/progress/progress.calls.ts';
import { read, refetch } from '#web/kit/api.ts';
import { browserTimeZone } from '#web/kit/format.ts';

const POLL_MS = 5_000;
const STALE_MS = 2_000;
/** Over three polls the last numbers stand in for ones that do not come; after that they would be a lie. */
const TRUSTED_MS = 3.5 * POLL_MS;

const OWN = [calls.getWeeklyContacts, calls.getMonthlyContacts];
const TEAM = [calls.getTeamProgress, calls.getTeamProgressWeekly, calls.getTeamProgressLastWeek, calls.getMonthPicture];

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
  return useQuery({ ...read(calls.getMonthPicture), staleTime: STALE_MS });
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

/** Today in the team's time zone, or the browser's while the settings are not loaded. Reads the cache only. */
export function useToday(): LocalDate {
  const settings = useQueryClient().getQueryData(read(getSettings).queryKey);
  return dateIn(settings?.timeZone ?? browserTimeZone(), new Date());
}

const listening = new WeakMap<QueryClient, { watchers: number; stop: () => void }>();

/** However many meters show the same numbers, one announcement asks for them once. */
function useFreshNumbers(wanted: boolean) {
  const queries = useQueryClient();
  useEffect(() => {
    if (!wanted) return;
    const shared = listening.get(queries) ?? {
      watchers: 0,
      stop: onStatusChanged(() => void refetch(queries, ...OWN, ...TEAM)),
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

/** The event is dispatched under both names that listeners may use. */
const STATUS_EVENTS = ['status-changed', 'statusChange'];

/** Tells the meters that the status of a lead has changed. */
export function dispatchStatusChanged() {
  for (const name of STATUS_EVENTS) window.dispatchEvent(new Event(name));
}

/** Calls the listener once per dispatch, although each dispatch has two events. Returns the unsubscribe function. */
export function onStatusChanged(listener: () => void) {
  let subscribed = true;
  let queued = false;
  const queue = () => {
    if (queued) return;
    queued = true;
    // Both events are dispatched synchronously, so that the microtask runs after the second.
    queueMicrotask(() => {
      queued = false;
      if (subscribed) listener();
    });
  };
  for (const name of STATUS_EVENTS) window.addEventListener(name, queue);
  return () => {
    subscribed = false;
    for (const name of STATUS_EVENTS) window.removeEventListener(name, queue);
  };
}
