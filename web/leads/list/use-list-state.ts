import { useEffect, useRef, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import type { Viewer } from '#contract/users/user.ts';
import { getUserItem, setUserItem } from '#web/kit/user-storage.ts';
import { allowedTo, changed, DEFAULT_STATE, type ListState, readState, writeState } from './list-state.ts';

const MEMORY = 'list';

/** The state of the list: what the address says, else how this person left it, else the usual. Both are kept up to date. */
export function useListState(viewer: Viewer) {
  const userId = viewer.id;
  const search = useSearch();
  const [, navigate] = useLocation();
  const [state, setState] = useState(() => allowedTo(viewer, readState(search) ?? recalled(userId) ?? DEFAULT_STATE));
  const written = useRef(search);

  useEffect(() => {
    setUserItem(userId, MEMORY, writeState(state));
    const { pathname, search: before } = window.location;
    const query = writeState(state, before);
    written.current = query;
    if (`?${query}` === before || query === before) return;
    navigate(query ? `${pathname}?${query}` : pathname, { replace: true });
  }, [state, userId, navigate]);

  // Somebody followed a link to the list with another state, or went back to one.
  useEffect(() => {
    if (search === written.current) return;
    written.current = search;
    const named = readState(search);
    if (named) setState(allowedTo(viewer, named));
  }, [search, viewer]);

  // The list writes all that is not as usual into its address: an entry of the history without it is the usual list.
  useEffect(() => {
    const { pathname } = window.location;
    const returned = () => {
      if (window.location.pathname === pathname && !readState(window.location.search)) setState(DEFAULT_STATE);
    };
    window.addEventListener('popstate', returned);
    return () => window.removeEventListener('popstate', returned);
  }, []);

  return [state, (change: Partial<ListState>) => setState((now) => changed(now, change))] as const;
}

function recalled(userId: number) {
  const stored = getUserItem(userId, MEMORY);
  return typeof stored === 'string' ? readState(stored) : undefined;
}
