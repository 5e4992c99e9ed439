import { useEffect, useRef } from 'react';
import { toast, toasts } from '#web/kit/toasts.ts';

/**
 * With unsaved text, the browser asks before the page is closed or reloaded. Navigation inside the app loses nothing,
 * because drafts stay in the tab: there a toast says so, unless another one is shown.
 */
export function useUnsavedWarning(unsaved: boolean, hasDraft: () => boolean, businessName: string) {
  const latest = useRef({ unsaved, hasDraft, businessName });
  latest.current = { unsaved, hasDraft, businessName };

  useEffect(() => {
    if (!unsaved) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [unsaved]);

  useEffect(
    () => () => {
      // Logging out deletes the drafts.
      if (!latest.current.unsaved || !latest.current.hasDraft() || toasts.current()) return;
      toast({
        title: 'Notes not saved yet',
        description: `Your draft for ${latest.current.businessName} is kept in this tab. Open the business again to save it.`,
      });
    },
    [],
  );
}
