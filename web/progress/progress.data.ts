import {
  type QueryClient,
  type UseQueryResult,
  useIsFetching,
  useQueries,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect } from 'react';
import { getSettings } from '#contract/auth/settings.calls.ts';
import { type LocalDate, toLocalDate } from '#contract/progress/calendar.ts';
import { newcomersSince } from '#contract/progress/pace.ts';
import * as calls from '#contract/progress/progress.calls.ts';
import { read, refetch } from '#web/kit/api.ts';
import { browserTimeZone } from '#web/kit/format.ts';
import { refetchOnReturn } from '#web/kit/queries.ts';

const POLL_MS = 5_000;
const STALE_MS = 2_000;
/** While polls fail, the last data is shown for three polls; after that it is too old. */
const MAX_DATA_AGE_MS = 3.5 * POLL_MS;

const OWN = [calls.getWeeklyContacts, calls.getMonthlyContacts];
const TEAM = [
  calls.getTeamProgress,
  calls.getTeamProgressWeekly,
  calls.getTeamProgressLastWeek,
  calls.getMonthSeries,
  calls.getTeamAttention,
];

/** TanStack Query pauses the interval while the page is hidden. */
const POLLED = { refetchInterval: POLL_MS, staleTime: STALE_MS, ...refetchOnReturn };

/** The viewer's contacts this week. */
export function useWeeklyContacts({ enabled = true } = {}) {
  useRefetchOnStatusChange(enabled);
  return useQuery({ ...read(calls.getWeeklyContacts), ...POLLED, enabled });
}

/** The viewer's contacts this month. */
export function useMonthlyContacts({ enabled = true } = {}) {
  useRefetchOnStatusChange(enabled);
  return useQuery({ ...read(calls.getMonthlyContacts), ...POLLED, enabled });
}

/** This month, this week and last week of all users. Not polled, because a request counts as activity of the session. */
export function useTeamProgress() {
  useRefetchOnStatusChange(true);
  const fresh = { staleTime: STALE_MS, ...refetchOnReturn };
  return useQueries({
    queries: [
      { ...read(calls.getTeamProgress), ...fresh },
      { ...read(calls.getTeamProgressWeekly), ...fresh },
      { ...read(calls.getTeamProgressLastWeek), ...fresh },
    ],
  });
}

export function useMonthSeries() {
  useRefetchOnStatusChange(true);
  return useQuery({ ...read(calls.getMonthSeries), staleTime: STALE_MS, ...refetchOnReturn });
}

/** Open, overdue and quiet leads of every active user. */
export function useTeamAttention() {
  useRefetchOnStatusChange(true);
  return useQuery({ ...read(calls.getTeamAttention), staleTime: STALE_MS, ...refetchOnReturn });
}

export function useRefreshTeam() {
  const queries = useQueryClient();
  const busy = useIsFetching({ predicate: ({ queryKey }) => TEAM.some(({ path }) => path === queryKey[0]) }) > 0;
  return { busy, refresh: () => void refetch(queries, ...OWN, ...TEAM) };
}

export function toMeterState<T>(query: UseQueryResult<T>): { contacts: T } | 'failed' | 'loading' {
  const { data, isError, failureReason, dataUpdatedAt, errorUpdatedAt, errorUpdateCount } = query;
  // A retry after a failure does not show the placeholder again: it stays failed until there is data.
  if (data === undefined) return failureReason || errorUpdateCount > 0 ? 'failed' : 'loading';
  return isError && errorUpdatedAt - dataUpdatedAt > MAX_DATA_AGE_MS ? 'failed' : { contacts: data };
}

/** Reads the cache only. */
const useLoadedSettings = () => useQuery({ ...read(getSettings), enabled: false }).data;

/** Today in the team's time zone, or the browser's while the settings are not loaded. */
export function useToday(): LocalDate {
  return toLocalDate(useLoadedSettings()?.timeZone ?? browserTimeZone(), new Date());
}

/** Whether the viewer's account has not had a full day yet, so that nothing is expected of it. */
export function useIsNewcomer(): boolean {
  const today = useToday();
  const settings = useLoadedSettings();
  return settings !== undefined && new Date(settings.userSince) >= newcomersSince(settings.timeZone, today);
}

const subscriptions = new WeakMap<QueryClient, { users: number; unsubscribe: () => void }>();

/** All meters of a page share one subscription, so that a status change refetches once. */
function useRefetchOnStatusChange(enabled: boolean) {
  const queries = useQueryClient();
  useEffect(() => {
    if (!enabled) return;
    const shared = subscriptions.get(queries) ?? {
      users: 0,
      unsubscribe: onStatusChanged(() => void refetch(queries, ...OWN, ...TEAM)),
    };
    subscriptions.set(queries, shared);
    shared.users += 1;
    return () => {
      shared.users -= 1;
      if (shared.users > 0) return;
      shared.unsubscribe();
      subscriptions.delete(queries);
    };
  }, [queries, enabled]);
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
