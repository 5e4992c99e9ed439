import { useState } from 'react';

export interface Selection {
  ids: ReadonlySet<string>;
  /** How many of those that can be seen are ticked. */
  state: 'none' | 'some' | 'all';
  toggle: (placeId: string) => void;
  toggleAll: () => void;
  clear: () => void;
}

const NONE: ReadonlySet<string> = new Set();

/** What is ticked of one list. Another list starts with nothing ticked; another order of the same one changes nothing. */
export function useSelection(placeIds: readonly string[]): Selection {
  const list = placeIds.toSorted().join('\n');
  const [selected, setSelected] = useState({ list, ids: NONE });
  if (selected.list !== list) setSelected({ list, ids: NONE });
  const ids = selected.list === list ? selected.ids : NONE;
  const put = (next: ReadonlySet<string>) => setSelected({ list, ids: next });
  const all = placeIds.length > 0 && ids.size === placeIds.length;

  return {
    ids,
    state: all ? 'all' : ids.size > 0 ? 'some' : 'none',
    toggle: (placeId) =>
      put(ids.has(placeId) ? new Set([...ids].filter((id) => id !== placeId)) : new Set([...ids, placeId])),
    toggleAll: () => put(all ? NONE : new Set(placeIds)),
    clear: () => put(NONE),
  };
}
