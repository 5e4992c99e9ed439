import {
  type InvalidateQueryFilters,
  MutationCache,
  type Query,
  QueryCache,
  QueryClient,
  type QueryFilters,
} from '@tanstack/react-query';
import { ApiError, abortAllRequests, ConnectionError, isAborted, UnreadableResponse } from './api.ts';
import { createReachability, isUnavailable } from './connection.ts';
import { createDeviceFallback, type FindKept } from './device/device-fallback.ts';
import { findDiscard, KEPT_TOAST } from './outbox/kept.ts';
import type { Toast } from './toasts.ts';

type ToastText = string | Omit<Toast, 'tone'>;

/** The toasts of a mutation, given as its `meta`. A type, because the library wants an index signature. */
export type ToastMessages = {
  // biome-ignore lint/suspicious/noExplicitAny: the library does not connect meta to the mutation's own types
  success?: ToastText | ((data: any) => ToastText | undefined);
  /** What "Undo" on the toast of success does; undefined where there is nothing to undo. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  undo?: (data: any) => (() => void) | undefined;
  /** The title of the error toast, "Error" by default; null where the screen itself shows the error. */
  errorTitle?: string | null;
  /** Replaces the description where the response has no message. */
  fallbackMessage?: string;
  /** The whole error toast, where it depends on the error; null for an answer that is no error to the user. */
  errorToast?: (error: Error) => { title: string; description?: string } | null | undefined;
};

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: ToastMessages;
  }
}

interface Handlers {
  toast: (toast: Toast) => void;
  /** Called when a response says that the session is over. */
  onSignedOut: (queries: QueryClient) => void;
  /** Called when the session belongs to another user than the one shown. */
  onSessionChanged: (queries: QueryClient) => void;
  /** Called when the user has to set up a second factor before anything else. */
  onFactorRequired?: (queries: QueryClient) => void;
  /** What this device keeps of a read that cannot reach the server. */
  findKept?: FindKept;
}

const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 30_000;

/** The one place where the outcome of a call becomes a toast, a retry or the end of the session. */
export function createQueries({
  toast,
  onSignedOut,
  onSessionChanged,
  onFactorRequired,
  findKept,
}: Handlers): QueryClient {
  const checkSession = (error: Error) => {
    if (isSignedOut(error)) onSignedOut(queries);
    if (isSessionChanged(error)) onSessionChanged(queries);
    if (isFactorRequired(error)) onFactorRequired?.(queries);
  };

  const reportOutcome = createReachability();
  const reportSlow = (query: Query) => reportOutcome(query, new ConnectionError());
  const queries = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: Infinity,
        refetchOnWindowFocus: false,
        // Those that failed, or are known to be stale.
        refetchOnReconnect: true,
        networkMode: 'always',
        retry: (_failures, error) => isUnavailable(error),
        retryDelay,
        ...(findKept && { persister: createDeviceFallback(findKept, reportSlow) }),
      },
      // Not paused while offline: sent hours later, a change could undo what others did meanwhile. It fails at once, and
      // its form keeps the text.
      mutations: { retry: false, networkMode: 'always' },
    },
    queryCache: new QueryCache({
      onSuccess: (_data, query) => {
        reportOutcome(query);
        if (outdatedFirstReads.delete(query)) void queries.invalidateQueries({ queryKey: query.queryKey, exact: true });
      },
      onError: (error, query) => {
        reportOutcome(query, error);
        checkSession(error);
      },
    }),
    mutationCache: new MutationCache({
      onSuccess: (data, _variables, _context, { meta }) => {
        const onDiscard = findDiscard(data);
        if (onDiscard) return toast({ ...KEPT_TOAST, onUndo: onDiscard });
        const text = typeof meta?.success === 'function' ? meta.success(data) : meta?.success;
        if (text) toast({ ...(typeof text === 'string' ? { title: text } : text), onUndo: meta?.undo?.(data) });
      },
      onError: (error, _variables, _context, { meta }) => {
        checkSession(error);
        if (isSignedOut(error) || isSessionChanged(error) || isAborted(error) || meta?.errorTitle === null) return;
        const own = meta?.errorToast?.(error);
        if (own === null) return;
        const text = own ?? {
          title: meta?.errorTitle ?? 'Error',
          description: describeError(error, meta?.fallbackMessage),
        };
        toast({ ...text, tone: 'destructive' });
      },
    }),
  });
  return queries;
}

/** Aborts all requests and removes all cached data except the reads of the given paths. */
export function clearCache(queries: QueryClient, ...keptPaths: string[]) {
  void queries.cancelQueries(undefined, { silent: true });
  abortAllRequests();
  queries.removeQueries({ predicate: ({ queryKey }) => !keptPaths.some((path) => path === queryKey[0]) });
  queries.getMutationCache().clear();
}

const outdatedFirstReads = new WeakSet<object>();

/**
 * Refetches what has changed. A first read that is under way may have been answered before the change: it is
 * repeated, which `invalidateQueries` alone does only with later reads.
 */
export function refetchChanged(queries: QueryClient, filters: InvalidateQueryFilters) {
  for (const query of queries.getQueryCache().findAll({ ...filters, fetchStatus: 'fetching' })) {
    if (query.state.data === undefined) outdatedFirstReads.add(query);
  }
  return queries.invalidateQueries(filters);
}

/** Refetches what is on the screen. A hidden page only marks it stale, and refetches when it is shown again. */
export const refetchWhenVisible = (queries: QueryClient, predicate: QueryFilters['predicate']) =>
  refetchChanged(queries, { predicate, refetchType: document.visibilityState === 'hidden' ? 'none' : 'active' });

const MIN_AGE_MS = 5_000;

/**
 * For reads of what other users change: refetched when the user returns to the page, if they are older than five seconds
 * or known to be stale, and when the network is back.
 */
export const refetchOnReturn = {
  refetchOnWindowFocus: ({ state }: { state: { isInvalidated: boolean; dataUpdatedAt: number } }) =>
    state.isInvalidated || Date.now() - state.dataUpdatedAt > MIN_AGE_MS ? 'always' : false,
  refetchOnReconnect: 'always',
} as const;

/** A wrong password is a 401 too, but the session has not ended. */
const WRONG_PROOF = new Set<string>(['invalid_credentials', 'invalid_code', 'code_required', 'passkey_required']);

const isSignedOut = (error: unknown) =>
  error instanceof ApiError && error.status === 401 && !WRONG_PROOF.has(error.code);

const isFactorRequired = (error: unknown) => error instanceof ApiError && error.code === 'second_factor_required';

const isSessionChanged = (error: unknown) => error instanceof ApiError && error.code === 'session_changed';

function describeError(error: Error, fallbackMessage?: string) {
  if (!fallbackMessage || (error instanceof ApiError && error.hasMessage)) return error.message;
  return error instanceof UnreadableResponse ? `${fallbackMessage}: ${error.message}` : fallbackMessage;
}

function retryDelay(failures: number, error: Error) {
  const retryAfterMs = error instanceof ApiError ? (error.retryAfter ?? 0) * 1_000 : 0;
  return Math.min(MAX_RETRY_MS, Math.max(retryAfterMs, FIRST_RETRY_MS * 2 ** failures));
}
