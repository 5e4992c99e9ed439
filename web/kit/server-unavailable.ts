import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';
import { isUnavailable } from './queries.ts';

const waiting = (queries: QueryClient) =>
  queries
    .getQueryCache()
    .getAll()
    .some(({ state }) => state.fetchStatus === 'fetching' && isUnavailable(state.fetchFailureReason));

/** Whether some read is waiting for the server to recover. */
export function useServerUnavailable() {
  const queries = useQueryClient();
  const subscribe = useCallback((changed: () => void) => queries.getQueryCache().subscribe(changed), [queries]);
  return useSyncExternalStore(subscribe, () => waiting(queries));
}
