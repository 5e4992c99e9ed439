import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';
import { isUnavailable } from './queries.ts';

const hasWaitingReads = (queries: QueryClient) =>
  queries
    .getQueryCache()
    .getAll()
    .some(({ state }) => state.fetchStatus === 'fetching' && isUnavailable(state.fetchFailureReason));

/** Whether some read is waiting for the server to recover. */
export function useServerUnavailable() {
  const queries = useQueryClient();
  const subscribe = useCallback((onChange: () => void) => queries.getQueryCache().subscribe(onChange), [queries]);
  return useSyncExternalStore(subscribe, () => hasWaitingReads(queries));
}
