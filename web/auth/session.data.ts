import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { getSetup, getUser, login, logout, register } from '#contract/auth/auth.calls.ts';
import type { Body } from '#contract/call.ts';
import type { OwnUser } from '#contract/users/user.ts';
import { ApiError, refetch, send } from '#web/kit/api.ts';
import { dropDrafts, keepOnlyDraftsOf } from '#web/kit/drafts.ts';
import { forgetAll } from '#web/kit/queries.ts';
import { forgetRemembered } from '#web/kit/remembered.ts';

export interface SignedIn {
  user: OwnUser;
}

export interface SignedOut {
  user: null;
  /** Nobody had signed in; the server ended the session; the person logged out. */
  why: 'anonymous' | 'ended' | 'left';
  /** Whether the first account is still to be created. */
  setup: { needed: boolean; codeRequired: boolean };
}

export type Session = SignedIn | SignedOut;

const NO_SETUP = { needed: false, codeRequired: false };

export const sessionQuery = queryOptions({
  queryKey: [getUser.path, 'session'],
  queryFn: ({ signal }): Promise<Session> => loadSession(signal),
});

export const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('useSession must be used within a SessionProvider');
  return session;
}

/** The signed-in person, on screens that only they can see. */
export function useViewer(): OwnUser {
  const { user } = useSession();
  if (!user) throw new Error('useViewer must be used on screens for signed-in people');
  return user;
}

export function useSignIn() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Body<typeof login>) => send(login, { body }),
    onSuccess: (user) => beginSession(queries, user),
    meta: {
      done: (user: OwnUser) => ({ title: 'Login successful', description: `Welcome back, ${user.fullName}!` }),
      failed: 'Login failed',
    },
  });
}

export function useRegister() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Body<typeof register>) => send(register, { body }),
    onSuccess: (user) => beginSession(queries, user),
    onError: (error) => {
      // Somebody else was first: there is a way to sign in now, and no longer one to set up.
      if (error instanceof ApiError && error.code === 'registration_closed') return refetch(queries, getUser);
    },
    meta: {
      done: (user: OwnUser) => ({ title: 'Registration successful', description: `Welcome, ${user.fullName}!` }),
      failed: 'Registration failed',
    },
  });
}

export function useLogout() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => send(logout),
    onSuccess: () => endSession(queries, 'left'),
    meta: {
      done: { title: 'Logged out', description: 'You have been logged out successfully.' },
      failed: 'Logout failed',
    },
  });
}

/** Nothing that was read for the person before may be seen by the next one. */
function beginSession(queries: QueryClient, user: OwnUser) {
  forgetAll(queries, getUser.path);
  keepOnlyDraftsOf(user.id);
  queries.setQueryData(sessionQuery.queryKey, { user });
}

/** However many calls find out that the session is over, it ends once. */
export function endSession(queries: QueryClient, why: 'ended' | 'left') {
  if (queries.getQueryData(sessionQuery.queryKey)?.user === null) return;
  forgetAll(queries, getUser.path);
  // Who is signed out in the middle of a sentence finds it again; who logs out leaves nothing behind.
  if (why === 'left') dropDrafts();
  if (why === 'left') forgetRemembered();
  const over: Session = { user: null, why, setup: NO_SETUP };
  queries.setQueryData(sessionQuery.queryKey, over);
}

async function loadSession(signal: AbortSignal): Promise<Session> {
  try {
    return { user: await send(getUser, {}, { signal }) };
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 401)) throw error;
    return { user: null, why: 'anonymous', setup: await send(getSetup, {}, { signal }) };
  }
}
