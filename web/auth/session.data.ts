import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { signInWithPasskey, startPasskeySignIn } from '#contract/account/passkey-sign-in.calls.ts';
import { getSetup, getSso, getUser, login, logout, register } from '#contract/auth/auth.calls.ts';
import type { Body } from '#contract/call.ts';
import type { OwnUser } from '#contract/users/user.ts';
import { ApiError, identifyRequests, read, refetch, send } from '#web/kit/api.ts';
import { lockDevice, wipeDevice } from '#web/kit/device/device.ts';
import { clearScrollPositions } from '#web/kit/navigation/scroll-positions.ts';
import { clearCache } from '#web/kit/queries.ts';
import { DRAFT_PREFIX, deleteDrafts, deleteDraftsOfOthers, lockDrafts } from '#web/kit/storage/drafts.ts';
import { clearTabStorage } from '#web/kit/storage/storage.ts';
import { clearUserItems } from '#web/kit/storage/user-storage.ts';
import { announceSession, onSessionAnnounced } from './other-tabs.ts';
import { askForPasskey } from './passkeys.ts';

export interface SignedIn {
  user: OwnUser;
}

export interface SignedOut {
  user: null;
  /** `ended`: the server ended the session. */
  reason: 'anonymous' | 'ended' | 'logged-out';
  /** Whether the first account is still to be created. */
  setup: { needed: boolean; codeRequired: boolean };
}

export type Session = SignedIn | SignedOut;

const NO_SETUP = { needed: false, codeRequired: false };

const SESSION_KEY = [getUser.path, 'session'];

export const sessionQuery = queryOptions({
  queryKey: SESSION_KEY,
  queryFn: ({ client, signal }): Promise<Session> => loadSession(client, signal),
});

/** The user that this tab shows; undefined while loading and when signed out. */
const shownUser = (queries: QueryClient) => queries.getQueryData<Session>(SESSION_KEY)?.user ?? undefined;

export const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('useSession must be used within a SessionProvider');
  return session;
}

/** The signed-in user, on screens that require one. */
export function useViewer(): OwnUser {
  const { user } = useSession();
  if (!user) throw new Error('useViewer must be used on screens that require a user');
  return user;
}

export function useSignIn() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Body<typeof login>) => send(login, { body }),
    onSuccess: (user) => beginSession(queries, user),
    meta: {
      success: welcome,
      errorTitle: 'Login failed',
      // The screen goes on to the code.
      errorToast: (error) => (isCodeRequired(error) ? null : undefined),
    },
  });
}

/** With `suggested`, once the user chooses one in the field of the name. */
export function useSignInWithPasskey({ suggested = false } = {}) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      const passkey = await askForPasskey(await send(startPasskeySignIn), { suggested });
      return send(signInWithPasskey, { body: { passkey } });
    },
    onSuccess: (user) => beginSession(queries, user),
    meta: {
      success: welcome,
      // The screen shows it.
      errorTitle: null,
    },
  });
}

const welcome = (user: OwnUser) => ({ title: 'Login successful', description: `Welcome back, ${user.fullName}!` });

export const isCodeRequired = (error: unknown) => error instanceof ApiError && error.code === 'code_required';

export function useRegister() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Body<typeof register>) => send(register, { body }),
    onSuccess: (user) => beginSession(queries, user),
    onError: (error) => {
      // Another visitor has created the first account: refetch, which redirects to sign-in.
      if (error instanceof ApiError && error.code === 'registration_closed') return refetch(queries, getUser);
    },
    meta: {
      success: (user: OwnUser) => ({ title: 'Registration successful', description: `Welcome, ${user.fullName}!` }),
      errorTitle: 'Registration failed',
    },
  });
}

export function useLogout() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => send(logout),
    onSuccess: () => {
      const user = shownUser(queries);
      // The computer may be shared: a log-out deletes drafts and screen state.
      if (user) deleteDrafts(user.id);
      if (user) void wipeDevice(user.id).catch(() => {});
      lockDrafts();
      clearUserItems();
      clearTab();
      endSession(queries, 'logged-out');
      announceSession(null);
    },
    meta: {
      success: { title: 'Logged out', description: 'You have been logged out successfully.' },
      errorTitle: 'Logout failed',
    },
  });
}

/** For screens that sign in with a call of their own. */
export function useBeginSession() {
  const queries = useQueryClient();
  return (user: OwnUser) => beginSession(queries, user);
}

/** What this tab has stored of its user, except encrypted drafts, which only their author can read. */
function clearTab() {
  clearTabStorage({ kept: DRAFT_PREFIX });
  clearScrollPositions();
}

/** Nobody but `except` may read what this device keeps. Where that fails, the next page that is signed out repeats it. */
const lock = (except?: number) => void lockDevice({ except }).catch(() => {});

/** Clears the cache first: data of the previous user must not be shown to the next one. */
function beginSession(queries: QueryClient, user: OwnUser) {
  clearCache(queries, getUser.path);
  deleteDraftsOfOthers(user.id);
  lock(user.id);
  queries.setQueryData(sessionQuery.queryKey, { user });
  announceSession(user.id);
}

/** Has no effect on an ended session: several calls may report the end. Drafts stay, their author may sign in again. */
export function endSession(queries: QueryClient, reason: 'ended' | 'logged-out') {
  if (queries.getQueryData(sessionQuery.queryKey)?.user === null) return;
  clearCache(queries, getUser.path);
  lock();
  const over: Session = { user: null, reason, setup: NO_SETUP };
  queries.setQueryData(sessionQuery.queryKey, over);
}

/** A call may be refused before the report of the log-out arrives: then the user ended the session, not the server. */
function forgetEnd(queries: QueryClient) {
  const session = queries.getQueryData(sessionQuery.queryKey);
  if (session?.user !== null || session.reason !== 'ended') return;
  lockDrafts();
  clearTab();
  const loggedOut: Session = { ...session, reason: 'logged-out' };
  queries.setQueryData(sessionQuery.queryKey, loggedOut);
  window.history.replaceState({}, '');
}

/** Another user has signed in in this browser: clears what this tab shows and opens the home screen of that user. */
export function replaceSession(queries: QueryClient) {
  if (!shownUser(queries)) return;
  lockDrafts();
  clearTab();
  clearCache(queries, getUser.path);
  window.history.replaceState(null, '', '/');
  void queries.resetQueries({ queryKey: SESSION_KEY });
}

/**
 * All tabs of a browser share one session cookie, so they follow one another's sign-ins and log-outs. A tab that missed
 * one finds out when it becomes visible again, or from its next call, which the server refuses. Returns a cleanup
 * function.
 */
export function followSession(queries: QueryClient): () => void {
  identifyRequests(() => shownUser(queries)?.id);

  const stop = onSessionAnnounced((userId) => {
    const user = shownUser(queries);
    if (userId === null && !user) return forgetEnd(queries);
    if (userId === user?.id) return;
    if (user && userId !== null) return replaceSession(queries);
    lockDrafts({ except: userId });
    if (user) {
      clearTab();
      endSession(queries, 'logged-out');
    } else void refetch(queries, getUser);
  });
  const check = () => {
    if (document.visibilityState === 'visible' && shownUser(queries)) void refetch(queries, getUser);
  };
  document.addEventListener('visibilitychange', check);

  return () => {
    stop();
    document.removeEventListener('visibilitychange', check);
  };
}

async function loadSession(queries: QueryClient, signal: AbortSignal): Promise<Session> {
  try {
    return { user: await send(getUser, {}, { signal }) };
  } catch (error) {
    const anonymous = error instanceof ApiError && error.status === 401;
    // The end of a known session is handled with the 401 of every other call, in queries.ts.
    if (!anonymous || shownUser(queries)) throw error;
    lock();
    // The sign-in page is shown at once.
    void queries.prefetchQuery(read(getSso));
    return { user: null, reason: 'anonymous', setup: await send(getSetup, {}, { signal }) };
  }
}
