import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import type { z } from 'zod';

/** As in a navigation: a change is a step that Back undoes, unless it replaces the one before. */
export interface ChangeOptions {
  replace?: boolean;
  /** Removes all other parameters: they are those of a part of the screen that is left. */
  alone?: boolean;
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

  /** Only a state with an initial value marks the entry; another one beside it leaves the mark as it is. */
  const isMarked = (query: string) =>
    initial ? parseUrlState(schema, defaults, query) === undefined : isDefaultsEntry(history.state);

  const write = (next: State, { replace = false, alone = false }: ChangeOptions) => {
    const { pathname, search: current } = window.location;
    const query = formatUrlState(next, defaults, alone ? '' : current);
    const marked = !alone && isMarked(query);
    if (sortParams(query) === sortParams(current) && isDefaultsEntry(history.state) === marked) return;
    navigate(query ? `${pathname}?${query}` : pathname, { replace, state: marked ? DEFAULTS_ENTRY : null });
  };

  // The URL says what the screen shows: that of a link is completed, and invalid values are removed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: again for every URL, which has the state
  useLayoutEffect(() => {
    // Not while the screen is being left.
    if (window.location.pathname === path && (initial || search)) write(state, { replace: true });
  }, [search, isDefault]);

  const change = (update: (current: State) => State, options: ChangeOptions = {}) =>
    write(update(readState(window.location.search, isDefaultsEntry(history.state))), options);
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
export function useTypingHistoryEntry() {
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
