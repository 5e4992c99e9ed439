import { onlineManager, type QueryClient } from '@tanstack/react-query';
import { hasOpenDialog } from '#web/kit/navigation/dialog-history.ts';
import { lastTypedAt } from '#web/kit/storage/drafts.ts';
import { toasts } from '#web/kit/toasts.ts';

/** A draft is stored a moment after each letter. */
const TYPING_MS = 5_000;

/** Whether a reload at this moment loses nothing and interrupts nobody. */
export function mayReload(queries: QueryClient): boolean {
  const { activeElement } = document;
  if (activeElement instanceof HTMLElement && activeElement.matches('input, textarea, select')) return false;
  return (
    !hasOpenDialog() &&
    Date.now() - lastTypedAt() > TYPING_MS &&
    queries.isMutating() === 0 &&
    // It is gone after a reload.
    !toasts.current()?.onUndo &&
    // The keys of drafts come from the server.
    onlineManager.isOnline() &&
    !asksBeforeLeaving()
  );
}

/** Whether the browser would ask: an upload is running, or a text could not be stored. */
const asksBeforeLeaving = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
