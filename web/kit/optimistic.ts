import { type QueryKey, useMutationState } from '@tanstack/react-query';

/** The query data that a mutation is expected to lead to. */
export type OptimisticUpdate<T> = (data: T) => T;

/** The key of the mutations that change this query's data, so that `usePendingUpdates` finds them. */
export const optimisticKey = (queryKey: QueryKey) => ['optimistic', ...queryKey];

/**
 * Shows a query's data as it will be once the pending mutations have succeeded, for `select`. The cache itself holds only
 * what the server sent: a mutation that fails is no longer pending, and its update is gone without a rollback that
 * could undo another one. Each mutation under `optimisticKey` returns its update from `onMutate`.
 */
export function usePendingUpdates<T>(queryKey: QueryKey): OptimisticUpdate<T> {
  const updates = useMutationState({
    filters: { mutationKey: optimisticKey(queryKey), exact: true, status: 'pending' },
    select: ({ state }) => state.context as OptimisticUpdate<T> | undefined,
  });
  return (data) => updates.reduce((expected, update) => update?.(expected) ?? expected, data);
}
