import { useCallback, useSyncExternalStore } from 'react';

/** From here on a screen has room for the navigation in its header; below, it is a phone. */
export const WIDE_SCREEN = '(min-width: 48rem)';

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
