import { useEffect, useRef, useState } from 'react';
import { countDraftChanges, hasDraftSince } from './drafts.ts';
import { toast, toasts } from './toasts.ts';

/** A toast this young reports the action that left the screen, such as a reassignment. */
const RECENT_MS = 1_000;

/**
 * When the screen is left with text that was typed on it and is not saved, a toast says that the draft is kept. Drafts of
 * the screen have keys with the prefix.
 */
export function useDraftKeptToast(userId: number, prefix: string, description: string) {
  const [since] = useState(countDraftChanges);
  const latest = useRef({ userId, prefix, description });
  latest.current = { userId, prefix, description };

  useEffect(
    () => () => {
      const { userId, prefix, description } = latest.current;
      if (!hasDraftSince(userId, prefix, since)) return;
      const shown = toasts.current();
      if (!shown || Date.now() - shown.shownAt > RECENT_MS) toast({ title: 'Draft kept', description });
    },
    [since],
  );
}
