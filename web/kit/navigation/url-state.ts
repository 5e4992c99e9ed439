import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import type { z } from 'zod';

/** As in a navigation: a change is a step that Back undoes, unless it replaces the one before. */
export interface ChangeOptions {
  replace?: boolean;
}

/** Of a history entry without parameters: its state is the default one, and not that of a link. */
const DEFAULTS_ENTRY = { defaults: true };

interface Options<State> {
  /** The state of a link that has none, such as the one the user left. The URL of the link is completed by it. */
  initial?: () => State;
}

/**
 * State of a screen with one parameter of the URL for each key. The URL is the only place that has it, so that a reload, a
 * link, Back and Forward restore it. Values that the schema does not accept must fall back to their defaults.
 */
export function useUrlState<State extends object>(
  schema: z.ZodType<Partial<State>>,
  defaults: State,
  { initial }: Options<State> = {},
) {
  const search = useSearch();
  const isDefault = isDefaultsEntry(useHistoryState());
  const [, navigate] = useLocation();
  const [path] = useState(() => window.location.pathname);
  const readState = (search: string, isDefault: boolean): State =>
    parseUrlState(schema, defaults, search) ?? (initial && !isDefault ? initial() : defaults);

  // biome-ignore lint/correctness/useExhaustiveDependencies: schema and defaults say the same with each rendering
  const state = useMemo(() => readState(search, isDefault), [search, isDefault]);

  const write = (next: State, replace: boolean) => {
    const { pathname, search: current } = window.location;
    const query = formatUrlState(next, defaults, current);
    const entry = parseUrlState(schema, defaults, query) === undefined ? DEFAULTS_ENTRY : null;
    if (sortParams(query) === sortParams(current) && isDefaultsEntry(history.state) === (entry !== null)) return;
    navigate(query ? `${pathname}?${query}` : pathname, { replace, state: entry });
  };

  // The URL says what the screen shows: that of a link is completed, and invalid values are removed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: again for every URL, which has the state
  useLayoutEffect(() => {
    // Not while the screen is being left.
    if (window.location.pathname === path && (initial || search)) write(state, true);
  }, [search, isDefault]);

  const change = (update: (current: State) => State, { replace = false }: ChangeOptions = {}) =>
    write(update(readState(window.location.search, isDefaultsEntry(history.state))), replace);
  return [state, change] as const;
}

export function parseUrlState<State extends object>(
  schema: z.ZodType<Partial<State>>,
  defaults: State,
  search: string,
): State | undefined {
  const params = new URLSearchParams(search);
  if (!Object.keys(defaults).some((key) => params.has(key))) return undefined;
  return { ...defaults, ...schema.parse(Object.fromEntries(params)) };
}

export function formatUrlState<State extends object>(state: State, defaults: State, search = ''): string {
  const params = new URLSearchParams(search);
  for (const key of Object.keys(defaults) as (keyof State & string)[]) {
    params.delete(key);
    if (state[key] !== undefined && String(state[key]) !== String(defaults[key])) params.set(key, String(state[key]));
  }
  return params.toString();
}

const isDefaultsEntry = (entry: unknown) => (entry as Partial<typeof DEFAULTS_ENTRY> | null)?.defaults === true;

/** Two screens' states in one URL must not take turns to put their parameters last. */
function sortParams(search: string): string {
  const params = new URLSearchParams(search);
  params.sort();
  return params.toString();
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
