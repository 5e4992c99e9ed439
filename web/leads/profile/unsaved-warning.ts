import { useEffect, useRef } from 'react';
import { toast, toasts } from '#web/kit/toasts.ts';

/**
 * Leaving the page with unsaved notes is asked about by the browser. Moving to another screen loses nothing, because the
 * draft stays in this tab: there it is only said, where nothing else is being said.
 */
export function useUnsavedWarning(unsaved: boolean, isKept: () => boolean, business: string) {
  const latest = useRef({ unsaved, isKept, business });
  latest.current = { unsaved, isKept, business };

  useEffect(() => {
    if (!unsaved) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [unsaved]);

  useEffect(
    () => () => {
      // After a log-out the draft is gone, and with it the reason to speak of it.
      if (!latest.current.unsaved || !latest.current.isKept() || toasts.current()) return;
      toast({
        title: 'Notes not saved yet',
        description: `Your draft for ${latest.current.business} is kept in this tab. Open the business again to save it.`,
      });
    },
    [],
  );
}
