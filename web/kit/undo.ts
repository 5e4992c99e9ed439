import type { MutationOptions, QueryClient } from '@tanstack/react-query';

/**
 * For "Undo" on a toast: runs a mutation, at most once. Not by a hook, because the screen that made the change may be left
 * before "Undo" is pressed.
 */
export function runOnUndo<D, V>(queries: QueryClient, mutation: MutationOptions<D, Error, V>, variables: V) {
  let sent = false;
  return () => {
    if (sent) return;
    sent = true;
    // A failure has its toast already.
    queries
      .getMutationCache()
      .build(queries, mutation)
      .execute(variables)
      .catch(() => {});
  };
}
