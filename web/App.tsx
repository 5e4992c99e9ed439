import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import { Redirect, Router, useLocation, useSearch } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import { SessionProvider } from '#web/auth/SessionProvider.tsx';
import { useSession } from '#web/auth/session.data.ts';
import { guardRoute } from './guards.ts';
import { lazyComponent, preloadElement } from './kit/lazy.tsx';
import { navigateFromScreen } from './kit/navigation/dialog-history.ts';
import { requestHeadingFocus } from './kit/navigation/heading-focus.ts';
import type { ToastStore } from './kit/toasts.ts';
import { ConnectionBar } from './kit/ui/ConnectionBar.tsx';
import { Loading, LoadingPage } from './kit/ui/Loading.tsx';
import { useRoute } from './routes.tsx';
import { LazyToaster } from './shell/LazyToaster.tsx';
import { ScreenBoundary } from './shell/ScreenBoundary.tsx';

const loadMeters = async () => (await import('#web/progress/meters/HeaderMeters.tsx')).HeaderMeters;
const loadBell = async () => (await import('#web/notifications/Bell.tsx')).Bell;
const loadOutbox = async () => (await import('#web/outbox/Outbox.tsx')).Outbox;
const loadToaster = async () => (await import('./kit/ui/overlays/Toaster.tsx')).Toaster;
const AdminOnly = lazyComponent(async () => (await import('./shell/AdminOnlyScreen.tsx')).AdminOnlyScreen, <Loading />);
const NotFound = lazyComponent(async () => (await import('./shell/NotFoundScreen.tsx')).NotFoundScreen, <Loading />);
/** Loaded together: keys work from the moment the screen is shown. */
const SignedIn = lazyComponent(
  async () => {
    const [{ Shell }, { Commands }, { ProofPrompt }, { SecurityGate }, { KeepOffline }, { Updates }] =
      await Promise.all([
        import('./shell/Shell.tsx'),
        import('#web/find/Commands.tsx'),
        import('#web/account/proof/ProofPrompt.tsx'),
        import('#web/account/security/SecurityGate.tsx'),
        import('#web/offline/KeepOffline.tsx'),
        import('#web/updates/Updates.tsx'),
      ]);
    return ({ children }: { children: ReactNode }) => (
      <>
        <Updates />
        <SecurityGate>
          {(hints) => (
            <>
              <Shell loadMeters={loadMeters} loadBell={loadBell} loadOutbox={loadOutbox}>
                {hints}
                {children}
              </Shell>
              <Commands />
              <KeepOffline />
            </>
          )}
        </SecurityGate>
        <ProofPrompt />
      </>
    );
  },
  <LoadingPage />,
);

export function App({ queries, toasts }: { queries: QueryClient; toasts: ToastStore }) {
  return (
    <QueryClientProvider client={queries}>
      <Router aroundNav={navigateFromScreen}>
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
  useEffect(() => {
    // At the same time as what surrounds it.
    if (session.user) preloadElement(route.screen);
  }, [session.user, route.screen]);

  const decision = guardRoute(route.access, session, search ? `${path}?${search}` : path, state);
  // The key remounts it: a redirect may lead to another one, and each navigates on mount only.
  if ('redirectTo' in decision)
    return <Redirect key={decision.redirectTo} to={decision.redirectTo} state={decision.state} replace />;

  const bare = !session.user || route.alone;
  const content = decision.show === 'admin-only' ? <AdminOnly /> : (route.screen ?? <NotFound />);
  const screen = <ScreenBoundary key={path}>{content}</ScreenBoundary>;
  if (bare) return screen;
  return (
    <ScreenBoundary>
      <SignedIn>{screen}</SignedIn>
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
