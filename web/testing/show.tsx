import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import type { ReactElement } from 'react';
import type { OwnUser } from '#contract/users/user.ts';
import { SessionContext } from '#web/auth/session.data.ts';
import { createQueries } from '#web/kit/queries.ts';
import { toasts as pageToasts, type Toast } from '#web/kit/toasts.ts';
import { TooltipProvider } from '#web/kit/ui/overlays/Tooltip.tsx';
import { ada } from './fixtures.ts';

/** Renders a screen for a signed-in user, with the cached responses of `queries` where given. The toasts of its mutations are collected as "title | description". */
export function show(screen: ReactElement, { as = ada, queries: given }: { as?: OwnUser; queries?: QueryClient } = {}) {
  const toasts: string[] = [];
  let lastToast: Toast | undefined;
  const queries =
    given ??
    createQueries({
      toast: (toast) => {
        toasts.push([toast.title, toast.description].filter(Boolean).join(' | '));
        lastToast = toast;
      },
      onSignedOut: () => toasts.push('(signed out)'),
      onSessionChanged: () => toasts.push('(session changed)'),
    });
  const view = render(
    <QueryClientProvider client={queries}>
      <SessionContext value={{ user: as }}>
        <TooltipProvider>{screen}</TooltipProvider>
      </SessionContext>
    </QueryClientProvider>,
  );
  /** What "Undo" on the last toast does; undefined where it has no such button. */
  const lastUndo = () => lastToast?.onUndo;
  return { toasts, lastUndo, queries, ...view };
}

/** Removes the toast that an earlier test left on the page. */
export function dismissToast() {
  const shown = pageToasts.current();
  if (shown) pageToasts.dismiss(shown.id);
}
