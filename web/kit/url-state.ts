import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useLocation, useSearch } from 'wouter';

interface Options<State> {
  /** The state where the URL has none. */
  initial: () => State;
  defaults: State;
  /** The state in a URL's query; undefined where it has none. */
  parse: (search: string) => State | undefined;
  /** A URL's query with this state. Default values are left out; parameters of others stay. */
  format: (state: State, search: string) => string;
}

/** As in a navigation: a change is a step that Back undoes, unless it replaces the one before. */
export interface ChangeOptions {
  replace?: boolean;
}

/** State of a screen that its URL holds, so that a reload, a link, Back and Forward restore it. */
export function useUrlState<State>(options: Options<State>) {
  const search = useSearch();
  const [, navigate] = useLocation();
  const [state, setState] = useState(() => options.parse(search) ?? options.initial());
  const lastSearch = useRef(search);
  const pushes = useRef(false);
  const latest = useRef(options);
  latest.current = options;

  // A layout effect: before a passive one, Back may already have changed the URL, and this would overwrite that entry.
  useLayoutEffect(() => {
    const replace = !pushes.current;
    pushes.current = false;
    const { pathname, search: current } = window.location;
    const next = latest.current.format(state, current);
    lastSearch.current = next;
    if (`?${next}` === current || next === current) return;
    navigate(next ? `${pathname}?${next}` : pathname, { replace });
  }, [state, navigate]);

  // The URL was changed from outside: by a link, or by Back and Forward.
  useEffect(() => {
    if (search === lastSearch.current) return;
    lastSearch.current = search;
    const next = latest.current.parse(search);
    if (next) setState(next);
  }, [search]);

  // The URL leaves default values out: a history entry without any has the default state.
  useEffect(() => {
    const { pathname } = window.location;
    const resetOnBack = () => {
      const { parse, defaults } = latest.current;
      if (window.location.pathname === pathname && !parse(window.location.search)) setState(defaults);
    };
    window.addEventListener('popstate', resetOnBack);
    return () => window.removeEventListener('popstate', resetOnBack);
  }, []);

  const change = (update: (current: State) => State, { replace = false }: ChangeOptions = {}) => {
    pushes.current ||= !replace;
    setState(update);
  };
  return [state, change] as const;
}

/** Makes the text typed in a field one step: until `end`, each change replaces the one before. */
export function useTypingStep() {
  const typing = useRef(false);
  return {
    next: (): ChangeOptions => {
      const replace = typing.current;
      typing.current = true;
      return { replace };
    },
    end: () => {
      typing.current = false;
    },
  };
}
