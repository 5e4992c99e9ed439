import { type RefObject, useEffect, useRef, useState } from 'react';
import { z } from 'zod';
import { getUserItem, removeUserItem, setUserItem } from '#web/kit/storage/user-storage.ts';

const STORAGE_KEY = 'last-viewed';
const HIGHLIGHT_MS = 1_500;
const SCROLL_DELAY_MS = 1_000;

const lastViewed = z.object({ uuid: z.string(), scroll: z.number().min(0) });

/**
 * Stores which lead is opened from the list, and the scroll position. After the return to the list, the link of the lead
 * takes the focus, the page scrolls back and the lead is highlighted for a moment. Returns the uuid of the highlighted
 * lead.
 */
export function useLastViewedLead(userId: number, list: RefObject<HTMLElement | null>, loaded: boolean) {
  const [last] = useState(() => lastViewed.safeParse(getUserItem(userId, STORAGE_KEY)).data);
  const [highlighted, setHighlighted] = useState(last?.uuid);
  const restored = useRef(false);

  useEffect(() => {
    const element = list.current;
    // Delegated, because the list has several kinds of links to profiles.
    const storeOpened = ({ target }: MouseEvent) => {
      const link = target instanceof Element ? target.closest('a[href^="/business/"]') : null;
      const uuid = link?.getAttribute('href')?.split('/').at(-1);
      if (uuid) setUserItem(userId, STORAGE_KEY, { uuid, scroll: window.scrollY });
    };
    element?.addEventListener('click', storeOpened, true);
    return () => element?.removeEventListener('click', storeOpened, true);
  }, [userId, list]);

  useEffect(() => {
    if (!loaded || !last || restored.current) return;
    restored.current = true;
    removeUserItem(userId, STORAGE_KEY);
    focusLink(list.current, last.uuid);
    const { scrollY } = window;
    setTimeout(() => setHighlighted(undefined), HIGHLIGHT_MS);
    setTimeout(() => {
      // Not after the user has scrolled.
      if (list.current && window.scrollY === scrollY) window.scrollTo(0, last.scroll);
    }, SCROLL_DELAY_MS);
  }, [loaded, last, userId, list]);

  return highlighted;
}

/** Not after the user has moved the focus: a navigation leaves it on the heading. */
function focusLink(list: HTMLElement | null, uuid: string) {
  const focused = document.activeElement;
  if (focused && focused !== document.body && focused.tagName !== 'H1') return;
  const link = list?.querySelector(`a[href="/business/uuid/${CSS.escape(uuid)}"]`);
  if (link instanceof HTMLElement) link.focus({ preventScroll: true });
}
