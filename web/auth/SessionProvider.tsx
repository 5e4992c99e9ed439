import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { getUser } from '#contract/auth/auth.calls.ts';
import { LoadingPage } from '#web/kit/ui/Loading.tsx';
import { ErrorState } from '#web/kit/ui/Notice.tsx';
import { followSession, SessionContext, sessionQuery } from './session.data.ts';

/** Nothing is shown before it is known who is there. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const queries = useQueryClient();
  const session = useQuery(sessionQuery);
  const withoutUser = !session.data?.user;

  useEffect(() => followSession(queries), [queries]);

  // What was on the screen until now may have asked again in its last moment.
  useEffect(() => {
    if (!withoutUser) return;
    queries.removeQueries({ type: 'inactive', predicate: ({ queryKey }) => queryKey[0] !== getUser.path });
  }, [queries, withoutUser]);

  // Once known, a session that could not be asked for again is still the one to go by.
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
