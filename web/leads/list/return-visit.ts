import { type RefObject, useEffect, useRef, useState } from 'react';
import { z } from 'zod';
import { getUserItem, removeUserItem, setUserItem } from '#web/kit/user-storage.ts';

const MEMORY = 'last-viewed';
const HIGHLIGHT_MS = 1_500;
const SCROLL_AFTER_MS = 1_000;

const visit = z.object({ uuid: z.string(), scroll: z.number().min(0) });

/**
 * Remembers which lead is opened from the list, and from where on the page. Whoever comes back finds it highlighted and
 * the page where it was. Listens on the whole list, because the links of the map's popups are not React's.
 */
export function useReturnVisit(userId: number, list: RefObject<HTMLElement | null>, ready: boolean) {
  const [last] = useState(() => visit.safeParse(getUserItem(userId, MEMORY)).data);
  const [highlighted, setHighlighted] = useState(last?.uuid);
  const returned = useRef(false);

  useEffect(() => {
    const place = list.current;
    const opened = ({ target }: MouseEvent) => {
      const link = target instanceof Element ? target.closest('a[href^="/business/"]') : null;
      const uuid = link?.getAttribute('href')?.split('/').at(-1);
      if (uuid) setUserItem(userId, MEMORY, { uuid, scroll: window.scrollY });
    };
    place?.addEventListener('click', opened, true);
    return () => place?.removeEventListener('click', opened, true);
  }, [userId, list]);

  useEffect(() => {
    if (!ready || !last || returned.current) return;
    returned.current = true;
    removeUserItem(userId, MEMORY);
    const { scrollY } = window;
    setTimeout(() => setHighlighted(undefined), HIGHLIGHT_MS);
    setTimeout(() => {
      // Who has begun to scroll knows better where to go.
      if (list.current && window.scrollY === scrollY) window.scrollTo(0, last.scroll);
    }, SCROLL_AFTER_MS);
  }, [ready, last, userId, list]);

  return highlighted;
}
