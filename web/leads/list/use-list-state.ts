import { useEffect, useRef, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import type { Viewer } from '#contract/users/user.ts';
import { getUserItem, setUserItem } from '#web/kit/user-storage.ts';
import { applyChange, DEFAULT_STATE, type ListState, parseState, restrictToViewer, toSearch } from './list-state.ts';

const STORAGE_KEY = 'list';

/**
 * The state of the list: from the URL, else as this user left it, else the default. Changes are written to the URL and
 * to storage.
 */
export function useListState(viewer: Viewer) {
  const userId = viewer.id;
  const search = useSearch();
  const [, navigate] = useLocation();
  const [state, setState] = useState(() =>
    restrictToViewer(viewer, parseState(search) ?? readStored(userId) ?? DEFAULT_STATE),
  );
  const lastSearch = useRef(search);

  useEffect(() => {
    // A notification is looked at once.
    setUserItem(userId, STORAGE_KEY, toSearch({ ...state, notification: 0 }));
    const { pathname, search: current } = window.location;
    const next = toSearch(state, current);
    lastSearch.current = next;
    if (`?${next}` === current || next === current) return;
    navigate(next ? `${pathname}?${next}` : pathname, { replace: true });
  }, [state, userId, navigate]);

  // The URL was changed from outside: by a link to the list, or by Back and Forward.
  useEffect(() => {
    if (search === lastSearch.current) return;
    lastSearch.current = search;
    const next = parseState(search);
    if (next) setState(restrictToViewer(viewer, next));
  }, [search, viewer]);

  // The URL leaves default values out: a history entry without any is the default list.
  useEffect(() => {
    const { pathname } = window.location;
    const resetOnBack = () => {
      if (window.location.pathname === pathname && !parseState(window.location.search)) setState(DEFAULT_STATE);
    };
    window.addEventListener('popstate', resetOnBack);
    return () => window.removeEventListener('popstate', resetOnBack);
  }, []);

  return [state, (change: Partial<ListState>) => setState((current) => applyChange(current, change))] as const;
}

function readStored(userId: number) {
  const stored = getUserItem(userId, STORAGE_KEY);
  return typeof stored === 'string' ? parseState(stored) : undefined;
}
