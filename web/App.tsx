import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useLayoutEffect, useRef } from 'react';
import { Redirect, useLocation, useSearch } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import { SessionProvider } from '#web/auth/SessionProvider.tsx';
import { useSession } from '#web/auth/session.data.ts';
import { judge } from './guards.ts';
import { announceArrival } from './kit/navigation.ts';
import { restoreScrolling } from './kit/scroll-restoration.ts';
import type { Toasts } from './kit/toasts.ts';
import { Loading, LoadingPage } from './kit/ui/Loading.tsx';
import { Toaster } from './kit/ui/Toaster.tsx';
import { Unavailable } from './kit/ui/Unavailable.tsx';
import { useRoute } from './routes.tsx';
import { ScreenBoundary } from './shell/ScreenBoundary.tsx';

const Shell = lazy(async () => ({ default: (await import('./shell/Shell.tsx')).Shell }));
const loadMeters = async () => (await import('#web/progress/HeaderMeters.tsx')).HeaderMeters;
const loadBell = async () => (await import('#web/notifications/Bell.tsx')).Bell;
const AdminOnly = lazy(async () => ({ default: (await import('./shell/AdminOnlyScreen.tsx')).AdminOnlyScreen }));
const NotFound = lazy(async () => ({ default: (await import('./shell/NotFoundScreen.tsx')).NotFoundScreen }));

export function App({ queries, toasts }: { queries: QueryClient; toasts: Toasts }) {
  useEffect(() => restoreScrolling(), []);
  return (
    <QueryClientProvider client={queries}>
      <Unavailable />
      <SessionProvider>
        <CurrentScreen />
      </SessionProvider>
      <Toaster toasts={toasts} />
    </QueryClientProvider>
  );
}

function CurrentScreen() {
  const session = useSession();
  const [path] = useLocation();
  const search = useSearch();
  const state: unknown = useHistoryState();
  const route = useRoute(path);
  useArrival(path);

  const verdict = judge(route.access, session, search ? `${path}?${search}` : path, state);
  // The key, because one redirect may lead to the next and each acts only once.
  if ('goTo' in verdict) return <Redirect key={verdict.goTo} to={verdict.goTo} state={verdict.state} replace />;

  const bare = !session.user || route.alone;
  const shown = verdict.show === 'admin-only' ? <AdminOnly /> : (route.screen ?? <NotFound />);
  const screen = (
    <ScreenBoundary key={path}>
      <Suspense fallback={bare ? <LoadingPage /> : <Loading />}>{shown}</Suspense>
    </ScreenBoundary>
  );
  if (bare) return screen;
  return (
    <ScreenBoundary>
      <Suspense fallback={<LoadingPage />}>
        <Shell loadMeters={loadMeters} loadBell={loadBell}>
          {screen}
        </Shell>
      </Suspense>
    </ScreenBoundary>
  );
}

/** On every move to another screen its heading takes the focus. */
function useArrival(path: string) {
  const previous = useRef(path);
  // A layout effect comes before the heading's own effect, which asks whether there was a move.
  useLayoutEffect(() => {
    if (previous.current === path) return;
    previous.current = path;
    announceArrival();
  }, [path]);
}
