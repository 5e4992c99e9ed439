import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { getUser } from '#contract/auth/auth.calls.ts';
import { LoadingPage } from '#web/kit/ui/Loading.tsx';
import { ErrorState } from '#web/kit/ui/Notice.tsx';
import { followSession, SessionContext, sessionQuery } from './session.data.ts';

/** Renders its children once the session is loaded. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const queries = useQueryClient();
  const session = useQuery(sessionQuery);
  const signedOut = !session.data?.user;

  useEffect(() => followSession(queries), [queries]);

  // A screen may have refetched while it was unmounting, after the cache was cleared.
  useEffect(() => {
    if (!signedOut) return;
    queries.removeQueries({ type: 'inactive', predicate: ({ queryKey }) => queryKey[0] !== getUser.path });
  }, [queries, signedOut]);

  // A loaded session stays valid when a refetch fails.
  if (session.data) return <SessionContext value={session.data}>{children}</SessionContext>;
  if (session.isPending) return <LoadingPage />;
  return (
    <main className="mx-auto max-w-lg px-4 py-16">
      <ErrorState heading="h1" title="Highstreet could not be opened" onRetry={() => void session.refetch()}>
        {session.error.message}
      </ErrorState>
    </main>
  );
}
