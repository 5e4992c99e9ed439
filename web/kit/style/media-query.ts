import { useCallback, useSyncExternalStore } from 'react';

/** From here on the header has room for the navigation; below, there is a bottom bar. The CSS calls it `wide`. */
export const WIDE_SCREEN = '(min-width: 56rem)';

/** Whether a media query matches. Without media queries, as in tests, every one does. */
export const matchesMedia = (query: string) => window.matchMedia?.(query).matches ?? true;

export function useMediaQuery(query: string): boolean {
  const subscribe = useCallback(
    (onChange: () => void) => {
      const list = window.matchMedia?.(query);
      list?.addEventListener('change', onChange);
      return () => list?.removeEventListener('change', onChange);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => matchesMedia(query));
}
