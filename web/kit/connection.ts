import { onlineManager, type Query, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useSyncExternalStore } from 'react';
import { ERROR_STATUS } from '#contract/errors.ts';
import { ApiError, ConnectionError, isAborted } from './api.ts';

const PROBE_MS = 5_000;

/**
 * Reports the outcomes of reads to TanStack Query, which otherwise knows only what the browser says about the network.
 * It is online again when the last read that could not reach the server has: TanStack Query then refetches what failed
 * and what may have changed meanwhile. One success is not enough, or a read that always fails would be repeated forever.
 */
export function createReachability() {
  const unreachable = new Set<AnyQuery>();
  return (query: AnyQuery, error?: Error) => {
    if (isAborted(error)) return;
    if (isUnreachable(error)) unreachable.add(query);
    else unreachable.delete(query);
    for (const each of unreachable) if (!each.isActive()) unreachable.delete(each);
    onlineManager.setOnline(unreachable.size === 0);
  };
}

type AnyQuery = Pick<Query, 'isActive'>;

/** There was no response, or only one from a proxy that could not reach the server: the server's own has a code. */
export const isUnreachable = (error: unknown) =>
  error instanceof ConnectionError ||
  (error instanceof ApiError && (error.status === 502 || error.status === 504) && !(error.code in ERROR_STATUS));

/** A temporary fault of the server: reads are retried until it recovers. */
export const isUnavailable = (error: unknown) =>
  error instanceof ApiError && error.status === 503 && error.code !== 'api_key_missing';

/** `offline`: no response reaches the page. `unavailable`: reads wait for the server to recover. */
export function useConnection(): 'online' | 'offline' | 'unavailable' {
  const queries = useQueryClient();
  const online = useSyncExternalStore(subscribeToOnline, () => onlineManager.isOnline());
  const subscribe = useCallback((onChange: () => void) => queries.getQueryCache().subscribe(onChange), [queries]);
  const waiting = useSyncExternalStore(subscribe, () => hasWaitingReads(queries));
  useProbe(queries, !online);
  if (!online) return 'offline';
  return waiting ? 'unavailable' : 'online';
}

/** Whether the last reads could not reach the server. */
export const useIsOffline = () => !useSyncExternalStore(subscribeToOnline, () => onlineManager.isOnline());

const subscribeToOnline = (onChange: () => void) => onlineManager.subscribe(onChange);

/** The browser does not say when a server can be reached again: the reads that failed are repeated. */
function useProbe(queries: QueryClient, offline: boolean) {
  useEffect(() => {
    if (!offline) return;
    const refetchFailed = () => queries.refetchQueries({ type: 'active', predicate: isRepeatable });
    const timer = setInterval(() => void refetchFailed(), PROBE_MS);
    return () => clearInterval(timer);
  }, [queries, offline]);
}

/** Not a read that must not be repeated unasked, such as a search that may cost money. */
const isRepeatable = ({ state, observers }: Query) =>
  isUnreachable(state.error) && observers.some(({ options }) => options.refetchOnReconnect !== false);

const hasWaitingReads = (queries: QueryClient) =>
  queries
    .getQueryCache()
    .getAll()
    .some(({ state }) => state.fetchStatus === 'fetching' && isUnavailable(state.fetchFailureReason));
