import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useLayoutEffect, useRef } from 'react';
import { Redirect, Router, useLocation, useSearch } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import { SessionProvider } from '#web/auth/SessionProvider.tsx';
import { useSession } from '#web/auth/session.data.ts';
import { guardRoute } from './guards.ts';
import { navigateFromDialog } from './kit/dialog-history.ts';
import { requestHeadingFocus } from './kit/heading-focus.ts';
import { restoreScrollPositions } from './kit/scroll-restoration.ts';
import type { ToastStore } from './kit/toasts.ts';
import { ConnectionBar } from './kit/ui/ConnectionBar.tsx';
import { Loading, LoadingPage } from './kit/ui/Loading.tsx';
import { useRoute } from './routes.tsx';
import { LazyToaster } from './shell/LazyToaster.tsx';
import { ScreenBoundary } from './shell/ScreenBoundary.tsx';

const Shell = lazy(async () => ({ default: (await import('./shell/Shell.tsx')).Shell }));
const loadMeters = async () => (await import('#web/progress/HeaderMeters.tsx')).HeaderMeters;
const loadBell = async () => (await import('#web/notifications/Bell.tsx')).Bell;
const loadToaster = async () => (await import('./kit/ui/Toaster.tsx')).Toaster;
const Commands = lazy(async () => ({ default: (await import('#web/find/Commands.tsx')).Commands }));
const AdminOnly = lazy(async () => ({ default: (await import('./shell/AdminOnlyScreen.tsx')).AdminOnlyScreen }));
const NotFound = lazy(async () => ({ default: (await import('./shell/NotFoundScreen.tsx')).NotFoundScreen }));

export function App({ queries, toasts }: { queries: QueryClient; toasts: ToastStore }) {
  useEffect(() => restoreScrollPositions(), []);
  return (
    <QueryClientProvider client={queries}>
      <Router aroundNav={navigateFromDialog}>
        <ConnectionBar />
        <SessionProvider>
          <CurrentScreen />
        </SessionProvider>
        <LazyToaster toasts={toasts} load={loadToaster} />
      </Router>
    </QueryClientProvider>
  );
}

function CurrentScreen() {
  const session = useSession();
  const [path] = useLocation();
  const search = useSearch();
  const state: unknown = useHistoryState();
  const route = useRoute(path);
  useHeadingFocus(path);

  const decision = guardRoute(route.access, session, search ? `${path}?${search}` : path, state);
  // The key remounts it: a redirect may lead to another one, and each navigates on mount only.
  if ('redirectTo' in decision)
    return <Redirect key={decision.redirectTo} to={decision.redirectTo} state={decision.state} replace />;

  const bare = !session.user || route.alone;
  const content = decision.show === 'admin-only' ? <AdminOnly /> : (route.screen ?? <NotFound />);
  const screen = (
    <ScreenBoundary key={path}>
      <Suspense fallback={bare ? <LoadingPage /> : <Loading />}>{content}</Suspense>
    </ScreenBoundary>
  );
  if (bare) return screen;
  return (
    <ScreenBoundary>
      <Suspense fallback={<LoadingPage />}>
        <Shell loadMeters={loadMeters} loadBell={loadBell}>
          {screen}
        </Shell>
        {/* In the same boundary: keys work from the moment the screen is shown. */}
        <Commands />
      </Suspense>
    </ScreenBoundary>
  );
}

/** Focuses the heading of the screen after every navigation to another path. */
function useHeadingFocus(path: string) {
  const previous = useRef(path);
  // A layout effect runs before the heading's own effect, which reads the request.
  useLayoutEffect(() => {
    if (previous.current === path) return;
    previous.current = path;
    requestHeadingFocus();
  }, [path]);
}
