import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError, abandonRequests, isAborted, UnreadableResponse } from './api.ts';
import type { Toast } from './toasts.ts';

type Said = string | { title: string; description?: string };

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: {
      /** Said when it is done. */
      // biome-ignore lint/suspicious/noExplicitAny: the library does not connect meta to the mutation's own types
      done?: Said | ((data: any) => Said | undefined);
      /** The title of the toast when it fails, "Error" if not given; null where the screen itself says it. */
      failed?: string | null | ((error: Error) => { title: string; description: string });
      /** Said in place of an answer that gave no reason. */
      otherwise?: string;
    };
  }
}

interface Shell {
  toast: (toast: Toast) => void;
  /** Called once when the server no longer knows who is asking. */
  signedOut: (queries: QueryClient) => void;
  /** Called when the session is another user's than the one that the page shows. */
  sessionChanged: (queries: QueryClient) => void;
}

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

/** The one place where the outcome of a call becomes a toast, a retry or the end of the session. */
export function createQueries({ toast, signedOut, sessionChanged }: Shell): QueryClient {
  const failed = (error: Error) => {
    if (isSignedOut(error)) signedOut(queries);
    if (isSessionChanged(error)) sessionChanged(queries);
  };

  const queries = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: Infinity,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        networkMode: 'always',
        retry: (_failures, error) => isUnavailable(error),
        retryDelay: pauseBefore,
      },
      mutations: { retry: false, networkMode: 'always' },
    },
    queryCache: new QueryCache({ onError: failed }),
    mutationCache: new MutationCache({
      onSuccess: (data, _variables, _context, { meta }) => {
        const said = typeof meta?.done === 'function' ? meta.done(data) : meta?.done;
        if (said) toast(typeof said === 'string' ? { title: said } : said);
      },
      onError: (error, _variables, _context, { meta }) => {
        failed(error);
        if (isSignedOut(error) || isSessionChanged(error) || isAborted(error) || meta?.failed === null) return;
        const said =
          typeof meta?.failed === 'function'
            ? meta.failed(error)
            : { title: meta?.failed ?? 'Error', description: reasonOf(error, meta?.otherwise) };
        toast({ ...said, tone: 'destructive' });
      },
    }),
  });
  return queries;
}

/** Forgets all that was read and stops what is under way; only the entries of the paths named stay. */
export function forgetAll(queries: QueryClient, ...kept: string[]) {
  void queries.cancelQueries(undefined, { silent: true });
  abandonRequests();
  queries.removeQueries({ predicate: ({ queryKey }) => !kept.some((path) => path === queryKey[0]) });
  queries.getMutationCache().clear();
}

/** A fault of the server that passes by itself: worth keeping the screen and asking again. */
export const isUnavailable = (error: unknown) =>
  error instanceof ApiError && error.status === 503 && error.code !== 'api_key_missing';

// A wrong password is a 401 too, but ends no session.
const isSignedOut = (error: unknown) =>
  error instanceof ApiError && error.status === 401 && error.code !== 'invalid_credentials';

const isSessionChanged = (error: unknown) => error instanceof ApiError && error.code === 'session_changed';

function reasonOf(error: Error, otherwise?: string) {
  if (!otherwise || (error instanceof ApiError && error.explained)) return error.message;
  return error instanceof UnreadableResponse ? `${otherwise}: ${error.message}` : otherwise;
}

function pauseBefore(failures: number, error: Error) {
  const asked = error instanceof ApiError ? (error.retryAfter ?? 0) * 1_000 : 0;
  return Math.min(LONGEST_PAUSE_MS, Math.max(asked, FIRST_PAUSE_MS * 2 ** failures));
}
