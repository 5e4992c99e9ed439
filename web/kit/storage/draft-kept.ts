import { useEffect, useRef, useState } from 'react';
import { toast, toasts } from '#web/kit/toasts.ts';
import { countDraftChanges, hasDraftSince, hasUnstoredDraft, lastTypedAt } from './drafts.ts';

/** A toast this young reports the action that left the screen, such as a reassignment. */
const RECENT_MS = 1_000;
const NOT_STORED = 'What you typed could not be stored: it is kept until this page is reloaded or closed.';

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
      // A toast from before the last letter reports something else.
      const reportsLeaving = shown && shown.shownAt >= lastTypedAt() && Date.now() - shown.shownAt <= RECENT_MS;
      if (reportsLeaving) return;
      const stored = !hasUnstoredDraft(userId, prefix);
      toast({ title: 'Draft kept', description: stored ? description : NOT_STORED });
    },
    [since],
  );
}
